"""What `thirdcard serve` does: opens everything, says where, and stops when asked to."""

import asyncio
import contextlib
import getpass
import ipaddress
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from thirdcard.cli.output import print_done
from thirdcard.cli.service import Serves
from thirdcard.cli.signs import harmless
from thirdcard.errors import BadInput
from thirdcard.service.api.app import create_app
from thirdcard.service.api.gate import Rates
from thirdcard.service.api.server import Server, mind_signals, server
from thirdcard.service.audit.starting import ANCHOR_MISSING, anchor_all, check_anchor, check_store
from thirdcard.service.keys import load_key, subkey
from thirdcard.service.log.anchor import Anchor
from thirdcard.service.log.store import Store, file_of, open_store
from thirdcard.service.log.store.model import Head, StoreDown, StoreFull
from thirdcard.service.tables import head_signing
from thirdcard.service.tables.engine import Unavailable
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.left_notes import take_in_notes
from thirdcard.service.tables.sealed_shoes import BadSeal, unseal
from thirdcard.web.site import PAGES

LOCAL = ("localhost",)
ANCHOR_SECONDS = 2.0
SIGN_SECONDS = 5.0
Trouble = (BadInput, StoreDown, StoreFull, BadSeal)
LOOKS = "a start looks at the logs; accounts, roles and wallets are held against them by `thirdcard audit`"


class Serving(msgspec.Struct, frozen=True, kw_only=True):
    """How to serve, as it was asked for."""

    db: str
    host: str
    port: int
    public: str
    key: Path
    anchor: Path | None
    new_anchor: str
    proxied: bool
    limited: bool
    staff_codes: bool
    absent_rounds: int
    idle_rounds: int
    seats: int
    json: bool


class ServedHall(Hall):
    """Keeps its anchor and signs for its logs; remembers why it could not start: the server does not."""

    trouble: Exception | None = None
    anew: dict[str, str | int] | None = None  # who goes on without the anchor that there was, and why

    async def start(self) -> None:
        try:
            await super().start()
            if self.anew is not None:
                await self.note(ANCHOR_MISSING, self.anew)
            if self.engine.anchor is not None:  # what was recovered is beyond doubt by now
                await self.engine.writing(anchor_all, self.engine.store, self.engine.anchor)
        except Trouble as error:
            self.trouble = error
            raise

    async def stop(self) -> None:
        with contextlib.suppress(Unavailable, TimeoutError):  # a store that hangs keeps nobody
            async with asyncio.timeout(SIGN_SECONDS):
                await self.note_heads()
        await super().stop()


def run(chosen: Serving) -> int:
    """Serve until a signal comes; the exit status. BadInput is what stands in the way."""
    public = _public(chosen)
    with _listening(chosen) as listener:
        port: int = listener.getsockname()[1]
        try:
            with contextlib.ExitStack() as opened:
                hall = _house(chosen, port, opened)
                served = server(
                    create_app(
                        hall,
                        hosts=[name for name in (urlsplit(public).hostname, chosen.host) if name],
                        public=public,
                        rates=Rates(seats=chosen.seats) if chosen.limited else Rates.off(),
                        pages=PAGES,
                    ),
                    host=chosen.host,
                    port=port,
                    proxied=chosen.proxied,
                )
                _log_to_stderr()
                here = f"{_in_url(chosen.host)}:{port}"
                address = f"{public}/ (listening at {here})" if public else f"http://{here}/"
                tell = partial(_tell, chosen, address, hall)
                with asyncio.Runner(loop_factory=served.config.get_loop_factory()) as runner:
                    return runner.run(_serve(hall, served, listener, tell))
        except Trouble as error:
            raise BadInput(str(error)) from None


# What it needs ---------------------------------------------------------------------------------------------


def _public(chosen: Serving) -> str:
    """The origin that browsers will name; a house that others can reach has to know it."""
    if not chosen.public:
        if not _is_loopback(chosen.host):
            raise BadInput(
                f"{chosen.host} can be reached by others: say with --public-url by which address they come, "
                f"such as https://HOST"
            )
        return ""
    parts = urlsplit(chosen.public)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise BadInput(f"{chosen.public} is not an address such as https://HOST or https://HOST:8443")
    return f"{parts.scheme}://{parts.netloc}".lower()


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host in LOCAL


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _listening(chosen: Serving) -> socket.socket:
    """The port is taken first: whatever else is wrong, two servers never get in each other's way."""
    try:
        (family, *_, address), *_ = socket.getaddrinfo(chosen.host, chosen.port, type=socket.SOCK_STREAM)
        with contextlib.ExitStack() as undo:
            listener = undo.enter_context(socket.socket(family, socket.SOCK_STREAM))
            if os.name == "posix":  # elsewhere it would let two servers have the port
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(1)
            undo.pop_all()
    except OSError as error:
        why = error.strerror or str(error)
        raise BadInput(
            f"cannot listen at port {chosen.port} of {chosen.host}: {why}. --port takes another"
        ) from None
    return listener


def _house(chosen: Serving, port: int, opened: contextlib.ExitStack) -> ServedHall:
    """The house with its store, key and anchor, each of which has to fit the others; `opened` closes them."""
    store = open_store(chosen.db)
    opened.callback(store.close)
    path = chosen.anchor or _anchor_of(chosen.db, port)
    exists = path.exists()
    try:
        check_store(store)
        key = load_key(chosen.key)
        _check_key(store, key, chosen.key)
        anchor = Anchor(path, subkey(key, "anchor"))
        opened.callback(anchor.close)
        check_anchor(store, anchor, anew=bool(chosen.new_anchor))
        hall = ServedHall(
            store,
            key=key,
            anchor=anchor,
            staff_codes=chosen.staff_codes,
            absent_rounds=chosen.absent_rounds,
            idle_rounds=chosen.idle_rounds,
        )
        if chosen.new_anchor:
            hall.anew = _went_on(chosen.new_anchor, path, store.heads())
    except BaseException:
        opened.close()
        if not exists:
            path.unlink(missing_ok=True)
        raise
    return hall


def _went_on(why: str, anchor: Path, heads: dict[str, Head]) -> dict[str, str | int]:
    """Who goes on without the anchor that there was: trust in logs begins anew where they end now."""
    try:
        who = getpass.getuser()
    except (ImportError, OSError, KeyError):  # an account without a name
        who = str(os.getuid()) if hasattr(os, "getuid") else "nobody by name"
    ends = ", ".join(f"{stream} {head.version}" for stream, head in sorted(heads.items()))
    return {"by": who, "reason": why, "anchor": anchor.name, "heads": ends}


def _check_key(store: Store, key: bytes, path: Path) -> None:
    """All shoes are sealed with one key: one of them tells whether this is it."""
    for stream in store.heads():
        sealed = store.shoe(stream, 1)
        if sealed is not None:
            try:
                unseal(subkey(key, "shoes"), stream, 1, sealed)
            except BadSeal:
                raise BadInput(
                    f"the key in {path} is not the one that the shoes were sealed with: name it with --key"
                ) from None
            return


def _anchor_of(db: str, port: int) -> Path:
    """Beside the file; on a server each process that serves has its own."""
    file = file_of(db)
    return Path(f"thirdcard-{socket.gethostname()}-{port}.anchor" if file is None else f"{file}.anchor")


def _log_to_stderr() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_HarmlessLines("%(asctime)s %(levelname)s %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    # Until it is ready this one tells its own stories of what is told in a sentence at the end.
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL + 1)


class _HarmlessLines(logging.Formatter):
    """What others have named does nothing to the terminal; a traceback keeps its lines."""

    def format(self, record: logging.LogRecord) -> str:
        return harmless(super().format(record), keep="\n")


# Serving ---------------------------------------------------------------------------------------------------


def _tell(chosen: Serving, address: str, hall: Hall) -> None:
    """What is told once it is ready."""
    tables, place = len(hall.tables()), str(hall.engine.store.place)
    if chosen.json:
        print_done("serve", Serves(address, tables, place))
        return
    sentence = f"thirdcard: {tables} tables at {address} from {place}"
    if not any(account.role == "administrator" for account in hall.engine.store.accounts()):
        db = "" if chosen.db == "thirdcard.db" else " --db …"
        sentence += f"; the first administrator: thirdcard account add NAME --role administrator{db}"
    looks = (
        "a start looks at the logs; accounts, roles and wallets are held against them by `thirdcard audit`"
    )
    sys.stdout.write(f"{harmless(sentence)}\nthirdcard: {looks}\n")
    sys.stdout.flush()


async def _serve(hall: ServedHall, served: Server, listener: socket.socket, tell: Callable[[], None]) -> int:
    serving = asyncio.create_task(_served(served, listener))
    ready = asyncio.create_task(served.ready.wait())
    await asyncio.wait({serving, ready}, return_when=asyncio.FIRST_COMPLETED)
    signals: list[int] = []
    helping: list[asyncio.Task[Any]] = [ready]
    if not serving.done():
        logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
        _mind_signals(served, signals)
        helping.append(asyncio.create_task(take_in_notes(hall)))
        helping.append(asyncio.create_task(_anchor_others(hall)))
        helping.append(asyncio.create_task(_sign_heads(hall)))
        tell()
    try:
        await serving
    finally:
        for task in helping:
            task.cancel()
    if hall.engine.hung:  # whoever waits for its threads waits for ever
        sys.stderr.flush()
        os._exit(1)
    if hall.trouble is not None:
        raise hall.trouble
    return 130 if signals[:1] == [signal.SIGINT] else 0


async def _served(served: Server, listener: socket.socket) -> None:
    """A server whose house does not start ends the process; here the house tells why."""
    with contextlib.suppress(SystemExit):
        await served.serve([listener])


async def _anchor_others(hall: ServedHall) -> None:
    """What other processes wrote is anchored here too, so that every anchor vouches for all logs."""
    engine = hall.engine
    while engine.store.shared and engine.anchor is not None:
        with contextlib.suppress(StoreDown):
            await engine.writing(anchor_all, engine.store, engine.anchor)
        await asyncio.sleep(ANCHOR_SECONDS)


async def _sign_heads(hall: ServedHall) -> None:
    """What was logged is signed for within minutes, and when the server stops."""
    while True:
        await asyncio.sleep(SIGN_SECONDS)
        with contextlib.suppress(Unavailable):
            await hall.note_heads(waiting=head_signing.EVERY)


def _mind_signals(served: Server, came: list[int]) -> None:
    """The first one stops the server cleanly, the second at once: the store survives that as well."""

    def stop(number: int) -> None:
        came.append(number)
        if len(came) > 1:
            os._exit(128 + number)
        served.should_exit = True

    mind_signals(stop)
