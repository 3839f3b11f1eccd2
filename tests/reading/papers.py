"""PDFs written by hand: lines of text at places on pages, with nothing that a reader needs beside them."""

from collections.abc import Sequence

LEFT, TOP, STEP, COLUMN = 40, 800, 14, 260
NAMES = str.maketrans({"(": r"\(", ")": r"\)", "\\": r"\\"})


def paper(pages: Sequence[Sequence[str]], *, encrypted: bool = False) -> bytes:
    """A PDF of these lines; cells of a row, parted by tabs, stand in columns."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    kids = []
    for lines in pages:
        content = _content(lines)
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R >> >> >>" % len(objects)
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(kids), len(kids))
    trailer = b""
    if encrypted:  # by a password that nobody has
        objects.append(b"<< /Filter /Standard /V 1 /R 2 /O <%s> /U <%s> /P -4 >>" % (b"ab" * 32, b"cd" * 32))
        trailer = b" /Encrypt %d 0 R /ID [<%s> <%s>]" % (len(objects), b"01" * 16, b"01" * 16)
    return _file(objects, trailer)


def _content(lines: Sequence[str]) -> bytes:
    parts = []
    for number, line in enumerate(lines):
        for column, cell in enumerate(line.split("\t")):
            if cell:
                x, y = LEFT + column * COLUMN, TOP - number * STEP
                parts.append(f"BT /F1 8 Tf {x} {y} Td ({cell.translate(NAMES)}) Tj ET")
    return "\n".join(parts).encode("latin-1", "replace")


def _file(objects: Sequence[bytes], trailer: bytes) -> bytes:
    text = b"%PDF-1.4\n"
    places = []
    for number, one in enumerate(objects, 1):
        places.append(len(text))
        text += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    table = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    table += b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer\n<< /Size %d /Root 1 0 R%s >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        trailer,
        len(text),
    )
    return text + table + end
