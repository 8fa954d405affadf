"""Arrays that a program puts on the device itself, and the device."""
