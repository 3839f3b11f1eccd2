"""The rooms of the service and the way of a bet through them, as a picture (`make docs`)."""

from thirdcard.drawing import (
    GOLD_1,
    GOLD_2,
    NIGHT_1,
    NIGHT_2,
    NIGHT_4,
    SANS,
    TEXT_1,
    TEXT_3,
    TEXT_INK,
    TIE_4,
    element,
    points,
    svg,
    text,
    title,
)

WIDTH, HEIGHT = 1280, 832
# Where each is, what it is called, what it is about, and what is in it; numbers are steps of the way.
ROOMS = (
    (
        (48, 66, 340, 104),
        """the player's page
        web/static/js
        1 felt, play, socket: a key and a command""",
    ),
    (
        (452, 66, 780, 104),
        """every page at the table
        web/static/js
        13 socket, state: laid over the view; felt, heaps, tray show what changed""",
    ),
    (
        (48, 240, 340, 176),
        """api/
        HTTP, WebSocket, problems
        2 server, gate, stream: in time, of our site
        3 bodies: read once, strictly
        5 asking: one command, or all or none
        12 stream: the change, then the answer""",
    ),
    (
        (48, 440, 162, 140),
        """people/
        accounts, roles
        4 sessions
        6 roles: rank here""",
    ),
    (
        (226, 440, 162, 140),
        """queries/
        a question each
        lobby, desk, case,
        books …""",
    ),
    (
        (452, 240, 380, 340),
        """tables/
        the running tables, each the fold of its log
        5 hall, engine: gathered for the next commit
        6 plans: what the house lets people do
        9 draft, live: records, rows, the table after
        9 checkpoint: every 200 events, to start from
        11 hall, publish, announce: told to everybody

        dealer, sealed_shoes: at automatic tables
        left_notes: what the console left to be logged""",
    ),
    (
        (896, 240, 336, 176),
        """log/
        what is kept, for ever readable
        9 codec: chained, flagged
        10 store/: one transaction, one sync
        10 anchor: where each log ends""",
    ),
    (
        (896, 440, 216, 140),
        """audit/
        everything replayed
        walk, beside,
        kept_promises, backup""",
    ),
    (
        (48, 660, 340, 136),
        """rulebook/  words/  play/  roads
        documents and languages as data; one round
        odds/ and simulate/ stand on them too""",
    ),
    (
        (452, 660, 380, 136),
        """table/
        people at a table over many rounds
        7 decide/, limits: events, or a refusal
        8 evolve, ledger: the state after each
        11 view: what somebody may see""",
    ),
    (
        (896, 660, 336, 136),
        """the disk
        or a PostgreSQL server
        10 thirdcard.db: all of it or nothing
        10 thirdcard.db.anchor""",
    ),
)


def room(x: float, y: float, width: float, height: float, written: str) -> str:
    name, about, *lines = (line.strip() for line in written.splitlines())
    parts = [
        element("rect", x=x, y=y, width=width, height=height, rx=10, fill=NIGHT_2, stroke=NIGHT_4),
        text(name, x + 16, y + 28, 17, fill=GOLD_1, font_weight=600),
        text(about, x + 16, y + 48, 13, fill=TEXT_3),
    ]
    for row, line in enumerate(lines):
        below = y + 74 + 24 * row
        step, _, said = line.partition(" ")
        if step.isdecimal():
            parts.append(element("circle", cx=x + 26, cy=below - 4, r=10, fill=GOLD_2))
            parts.append(
                text(step, x + 26, below + 0.4, 12, fill=TEXT_INK, font_weight=700, text_anchor="middle")
            )
            parts.append(text(said, x + 42, below, 14, fill=TEXT_1))
        else:
            parts.append(text(line, x + 16, below, 14, fill=TEXT_1))
    return "".join(parts)


def arrow(*places: tuple[float, float], label: str = "", at: tuple[float, float] = (0, 0)) -> str:
    drawn = element(
        "polyline",
        points=points(places),
        fill="none",
        stroke=TIE_4,
        stroke_width=2.4,
        stroke_linejoin="round",
        marker_end="url(#tip)",
    )
    return drawn + (text(label, *at, 12, fill=TIE_4) if label else "")


def frame(y: float, width: float, height: float, name: str) -> str:
    around = {"fill": "none", "stroke": NIGHT_4, "stroke_dasharray": "5 5"}
    drawn = element("rect", x=24, y=y, width=width, height=height, rx=14, **around)
    return drawn + text(name, 48, y + 24, 14, fill=TEXT_3)


TIP = element(
    "defs",
    element(
        "marker",
        element("path", d="M0 0L8 4L0 8Z", fill=TIE_4),
        id="tip",
        viewBox="0 0 8 8",
        refX=7,
        refY=4,
        markerWidth=5,
        markerHeight=5,
        orient="auto",
    ),
)


def drawn() -> str:
    """The whole picture; its steps are those of docs/ARCHITECTURE.md."""
    return svg(
        WIDTH,
        HEIGHT,
        title("The rooms of the service, and the way of a bet from a socket to all browsers and to the disk"),
        TIP,
        element(
            "rect", x=0.5, y=0.5, width=WIDTH - 1, height=HEIGHT - 1, rx=16, fill=NIGHT_1, stroke=NIGHT_4
        ),
        text("The way of a bet", 32, 44, 22, fill=GOLD_1, font_weight=600),
        text("in thirteen steps, from one browser to all of them and to the disk", 222, 44, 15, fill=TEXT_3),
        frame(204, WIDTH - 48, 400, "service/"),
        frame(624, 832, 188, "no clock, no chance, no network"),
        *(room(*where, written) for where, written in ROOMS),
        arrow((140, 170), (140, 238), label="ask", at=(150, 194)),
        arrow((128, 416), (128, 438)),
        arrow((388, 356), (450, 356), label="plan", at=(404, 348)),
        arrow((560, 580), (560, 658)),
        arrow((720, 658), (720, 582), label="events", at=(730, 600)),
        arrow((832, 300), (894, 300), label="append", at=(840, 292)),
        arrow((1172, 416), (1172, 658)),
        arrow((894, 390), (834, 390), label="durable", at=(840, 382)),
        arrow((450, 396), (390, 396), label="change", at=(399, 410)),
        arrow((310, 240), (310, 190), (640, 190), (640, 172), label="once for all who look", at=(330, 184)),
        font_family=SANS,
    )
