"""Points in time and spans of it: datetime, duration, calendarDuration."""
