"""Tables in files: delimited text and spreadsheets."""
