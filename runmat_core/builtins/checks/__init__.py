"""The mustBe... functions that check arguments."""
