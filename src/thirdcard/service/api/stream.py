"""The WebSocket: one table, every change of it, from the version on that the reader already has."""

import asyncio
import contextlib
from typing import Annotated, Any

from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath, QueryParameter

from thirdcard.service.api.access import ANYBODY, hall_of, person_of, token_of
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.publish import Reader

MOST_READERS = 5_000  # in one process
MOST_OF_ONE = 20  # windows of one person at one table
LOOK_SECONDS = 5.0  # how often an open socket's session is looked at
CODES = {"slow": 4008, "stopping": 1012, "signed-out": 4001, "busy": 4013, "no-such-table": 4004}

AnySocket = WebSocket[Any, Any, Any]


@websocket("/tables/{table:str}/stream", opt=ANYBODY)
async def stream(
    socket: AnySocket,
    table: FromPath[str],
    after: Annotated[int | None, QueryParameter(ge=0, le=2**53)] = None,
) -> None:
    """`?after=VERSION` goes on where an earlier connection ended."""
    hall = hall_of(socket)
    person = await person_of(socket)
    reader = Reader(person.name if person else "", person.session if person else b"")
    why = _refusal(hall, table, reader)
    await socket.accept()
    if why:
        await socket.close(code=CODES[why], reason=why)
        return
    await hall.join(table, reader, after)
    sender = asyncio.create_task(_send(socket, reader))
    minder = asyncio.create_task(_mind(socket, hall, reader))
    try:
        await _listen(socket)
    finally:
        hall.leave(table, reader)
        reader.end("gone")
        for task in (sender, minder):
            task.cancel()
        await asyncio.gather(sender, minder, return_exceptions=True)


def _refusal(hall: Hall, table: str, reader: Reader) -> str:
    if hall.table(table) is None:
        return "no-such-table"
    if sum(len(channel.readers) for channel in hall.channels.values()) >= MOST_READERS:
        return "busy"
    mine = [one for one in hall.channels[table].readers if reader.viewer and one.viewer == reader.viewer]
    return "busy" if len(mine) >= MOST_OF_ONE else ""


async def _send(socket: AnySocket, reader: Reader) -> None:
    """All that waits goes out; the end of it closes the socket."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
        while (text := await reader.outbox.get()) is not None:
            await socket.send_text(text)
        await socket.close(code=CODES.get(reader.why, 1000), reason=reader.why)


async def _mind(socket: AnySocket, hall: Hall, reader: Reader) -> None:
    """End the socket with the session it was opened by."""
    token = token_of(socket)
    while reader.viewer:
        await asyncio.sleep(LOOK_SECONDS)
        account = hall.people.at_hand(token, active=False)
        if account is None and await asyncio.to_thread(hall.people.who, token, active=False) is None:
            reader.end("signed-out")
            return


async def _listen(socket: AnySocket) -> None:
    """Nothing is asked over the socket; reading it shows when the other side has gone."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while True:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                return
