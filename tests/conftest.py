"""What all tests rely on."""

import signal

# A shell that starts a command in the background has it ignore Ctrl-C, and programs started from here would
# inherit that; the tests that interrupt something need it to be noticed.
signal.signal(signal.SIGINT, signal.default_int_handler)
