"""Single keys from a terminal, without Enter; what is typed ahead is kept."""

import os
import sys
from typing import Final

import typer

ESCAPE: Final = "\x1b"
ENDS: Final = ("\x03", "\x04", ESCAPE)  # Ctrl-C and Ctrl-D where they come as keys, and Esc
AT_ONCE: Final = 64  # bytes; more than anybody types ahead


class Keyboard:
    """Keys one by one; KeyboardInterrupt when somebody wants to stop."""

    def __init__(self) -> None:
        self._ahead: list[str] = []

    def key(self) -> str:
        while not self._ahead:
            typed = _typed()
            if typed == ESCAPE or not typed.startswith(ESCAPE):  # arrows and the like begin with it
                self._ahead += typed
        key = self._ahead.pop(0)
        if key in ENDS:
            raise KeyboardInterrupt
        return key.lower()


def _typed() -> str:
    """What is typed next: a key, or all that is waiting."""
    try:
        import termios
        import tty
    except ImportError:  # Windows
        return typer.getchar()
    screen = sys.stdin.fileno()
    before = termios.tcgetattr(screen)
    try:
        tty.setcbreak(screen, termios.TCSADRAIN)  # without throwing away what waits
        found = os.read(screen, AT_ONCE)
    finally:
        termios.tcsetattr(screen, termios.TCSADRAIN, before)
    if not found:
        raise EOFError
    return found.decode(errors="ignore")
