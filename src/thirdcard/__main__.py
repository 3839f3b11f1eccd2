"""`python -m thirdcard`."""

from thirdcard.cli import main

main()
