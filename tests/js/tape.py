"""A tape: a page as the server makes it, then what happens around it, step by step.

A step is something that the page asks, or something that happens by itself. Each has what the server sends because of
it: messages over the socket, the answer, and what a page would be told that asks again. A test in Node plays a tape:
the page must ask what is on it, word for word, and gets what the server answered here.
"""

import re
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

import httpx
import msgspec

from browser.house import House
from browser.player import best_seat
from service.api.serving import Asking, heard

ORIGIN = "http://house"
KEY = "KEY"  # what the page makes up when it plays the tape
UNIT = "width=1180&height=552&scale=50"  # of a felt on a stage that nobody has laid out

Step = dict[str, Any]


def told(answer: httpx.Response) -> dict[str, Any]:
    """An answer as a page gets it."""
    return {"status": answer.status_code, "text": answer.text}


class Tape:
    """Somebody looks at a page; `table` is where its socket leads, `looks` are addresses that it may ask for again."""

    def __init__(  # noqa: PLR0913
        self,
        house: House,
        who: Asking,
        path: str,
        *,
        table: str = "",
        looks: Sequence[str] = (),
        felt: bool = False,
        lang: str = "en",
    ) -> None:
        self.house, self.who, self.table, self.felt, self.lang = house, who, table, felt, lang
        self.looks = list(looks)
        self.version = -1
        self.steps: list[Step] = []
        self._stack = ExitStack()
        self._known: dict[str, dict[str, Any]] = {}
        page = who.get(f"{path}{'&' if '?' in path else '?'}lang={lang}")
        assert page.status_code == 200, (path, page.text)
        self.made: dict[str, Any] = {
            "url": f"{ORIGIN}{path}",
            "html": page.text,
            "now": int(time.time() * 1000),
        }
        self.notes: dict[str, Any] = {}
        self._socket = self._stack.enter_context(who.stream(table)) if table else None
        self._step({"name": "opens"})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    # Steps ----------------------------------------------------------------------------------------------

    def happens(self, name: str, work: Callable[[], object] = lambda: None) -> None:
        """Something that this page has not asked for."""
        work()
        self._step({"name": name})

    def asks(self, asked: object, loose: Sequence[str] = ()) -> None:
        """A command, or several, over the socket; fields that are `loose` may be others when it is played."""
        assert self._socket
        key = uuid4().hex
        self._socket.send(msgspec.json.encode({"key": key, "ask": asked}).decode())
        self._step({"ask": asked, "loose": list(loose)} if loose else {"ask": asked}, key)

    def posts(self, path: str, body: object = None, method: str = "POST", loose: Sequence[str] = ()) -> Any:  # noqa: ANN401
        """A request that changes something; fields that are `loose` may be others when it is played."""
        answer = self.who.post(path, body, method=method)
        step = {"method": method, "path": path, "body": body, "reply": told(answer)}
        self._step({**step, "loose": list(loose)} if loose else step)
        return answer.json() if answer.text else None

    def gets(self, path: str, **params: str) -> Any:  # noqa: ANN401
        """What the page will ask for from here on, kept with the last step."""
        answer = self.who.get(path, **params)
        self.keep(path if not params else str(answer.url).removeprefix(self.house.url), answer)
        return answer.json() if answer.headers["content-type"].startswith("application/json") else answer.text

    def keep(self, path: str, answer: httpx.Response) -> None:
        self.steps[-1].setdefault("answers", {})[path] = told(answer)

    def _step(self, step: Step, key: str = "") -> None:
        step["messages"] = self._hear(key)
        self.steps.append(step)
        paths = [*self.looks, *([self.felt_address()] if self.felt else ())]
        for path in paths:
            found = told(self.who.get(path))
            if self._known.get(path) != found:
                self._known[path] = found
                step.setdefault("answers", {})[path] = found

    def _hear(self, key: str) -> list[Any]:
        """All messages until the table is told as it is, and the question is answered."""
        if self._socket is None:
            return []
        messages = []
        while key or self.version < self.house.live(self.table).version:
            message = heard(self._socket)
            self.version = message.get("version", self.version)
            if key and message.get("key") == key:
                message["key"], key = KEY, ""
            messages.append(message)
        return messages

    def joins_again(self) -> None:
        """What somebody hears whose line was lost here and is made again."""
        with self.who.stream(self.table, after=self.version) as line:
            self.steps[-1]["rejoined"] = heard(line)

    def hears(self) -> None:
        """One more message, which changes nothing of the table."""
        assert self._socket
        self.steps[-1]["messages"].append(heard(self._socket))

    def felt_address(self) -> str:
        """The address of the drawing that the page asks for."""
        live = self.house.live(self.table).table
        name = self._name()
        own = next((box for box, who in live.seats.items() if who == name), None)
        lying = {stake.box for stake in live.round.stakes.values()} if live.round else set()
        taken = sum(2 ** (box - 1) for box in {*live.seats, *lying})
        book = re.search(r"&#34;book&#34;: ?&#34;([^&]+)&#34;|\"book\": ?\"([^\"]+)\"", self.made["html"])
        assert book, "the page tells no book for its felt"
        setup = live.setup
        middle = own or best_seat(setup.positions, dict(live.seats)) or -(-setup.positions // 2)
        query = f"lang={self.lang}&{UNIT}&beside=false&taken={taken}&watching={str(own is None).lower()}"
        return f"/felt/{book[1] or book[2]}/{setup.layout}/{setup.positions}/{middle}.svg?{query}"

    def _name(self) -> str:
        found = re.search(r'data-who="([^"]*)"', self.made["html"])
        return found[1] if found else ""

    # The end --------------------------------------------------------------------------------------------

    def write(self, folder: Path, name: str) -> None:
        self.made |= {"steps": self.steps, "notes": self.notes, "who": self._name()}
        (folder / f"{name}.json").write_bytes(msgspec.json.encode(self.made))
