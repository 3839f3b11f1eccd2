"""What all tests rely on."""

import signal

import hypothesis

# A shell that starts a command in the background has it ignore Ctrl-C, and programs started from here would
# inherit that; the tests that interrupt something need it to be noticed.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A busy machine makes no test fail: nothing here depends on speed.
hypothesis.settings.register_profile("patient", deadline=None)
hypothesis.settings.load_profile("patient")
