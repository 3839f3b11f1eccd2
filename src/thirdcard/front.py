"""What the front door opens: modules, one at a time, some of which can be called.

`thirdcard.odds("mbs-tiger-v2")` stands beside `thirdcard.odds.values`.
"""

import sys
from collections.abc import Callable
from functools import cached_property
from importlib import import_module
from threading import RLock
from types import ModuleType
from typing import Any

_importing = RLock()


def imported(place: str) -> Any:  # noqa: ANN401 - whatever lives there
    """A module, or what `module:name` names in it, imported by one thread at a time.

    Packages import their own modules and modules import their packages. Two threads that began at both ends
    would wait for each other, and Python would end that by giving one of them half a module.
    """
    module, _, name = place.partition(":")
    with _importing:
        found = import_module(module)
    return getattr(found, name) if name else found


class CallableModule(ModuleType):
    """A module whose function `answers` is what calling it does."""

    _answers: Callable[..., Any] | str

    @cached_property
    def answers(self) -> Callable[..., Any]:
        """The function, imported when it is first asked for if only its place was given."""
        if not isinstance(self._answers, str):
            return self._answers
        found: Callable[..., Any] = imported(self._answers)
        return found

    @property
    def __wrapped__(self) -> Callable[..., Any]:
        """Its signature, for `help` and editors."""
        return self.answers

    def __call__(self, *args: object, **named: object) -> Any:  # noqa: ANN401 - as its function answers
        return self.answers(*args, **named)


def callable_as(name: str, answers: Callable[..., Any] | str) -> None:
    """Have calling the module of that name be calling this function, or the one at `module:name`."""
    module = sys.modules[name]
    module.__class__ = CallableModule
    module._answers = answers  # type: ignore[attr-defined]  # noqa: SLF001 - what the class is for
