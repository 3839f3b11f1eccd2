"""Archives and certificates that nobody honest makes: each is small, and would cost much to whoever reads it carelessly."""

import io
import json
import struct
import zipfile
import zlib

from thirdcard.service.evidence import standalone
from thirdcard.service.keys import public_key, signing_key

STRANGER = signing_key(b"\7" * 32)  # anybody can make a key


def overlapping(entries: int = 100, size: int = 200_000) -> bytes:
    """Entries of which each has all that follow it within: the index promises as many times what there is."""
    data, index, heads = bytes(size), list[bytes](), list[tuple[bytes, bytes]]()
    for number in reversed(range(entries)):
        name = b"%05d" % number
        head = struct.pack("<5H3I2H", 20, 0, 0, 0, 33, zlib.crc32(data), len(data), len(data), 5, 0)
        data = b"PK\3\4" + head + name + data
        heads.append((head, name))
    for number, (head, name) in enumerate(reversed(heads)):
        index.append(b"PK\1\2\x14\0" + head + struct.pack("<3H2I", 0, 0, 0, 0, number * 35) + name)
    ends = struct.pack("<4H2IH", 0, 0, entries, entries, sum(map(len, index)), len(data), 0)
    return data + b"".join(index) + b"PK\5\6" + ends


def many_files(entries: int = 20_000) -> bytes:
    return standalone.packed({f"{number:05}": b"" for number in range(entries)})


def squeezed(size: int = 50_000_000) -> bytes:
    """Zeros, compressed to a thousandth."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("evidence.json", bytes(size))
    return made.getvalue()


def too_large() -> bytes:
    return b"PK\3\4" + bytes(standalone.MOST_BYTES)


def signed_archive(files: dict[str, bytes]) -> bytes:
    """The files as a stranger signs them."""
    said = json.loads(files["manifest.json"])
    said["files"] = {
        name: standalone.sha256(data)
        for name, data in files.items()
        if name not in ("manifest.json", "signature.txt")
    }
    manifest = json.dumps(said).encode()
    signed = f"{public_key(STRANGER)} {STRANGER.sign(manifest).hex()}\n".encode()
    return standalone.packed(files | {"manifest.json": manifest, "signature.txt": signed})


def with_value(evidence: bytes, name: str, key: str, value: object) -> bytes:
    """The archive with another value in one of its files, signed by a stranger."""
    files = standalone.unpacked(evidence)
    files[name] = json.dumps(json.loads(files[name]) | {key: value}).encode()
    return signed_archive(files)


def signed_certificate(text: str) -> bytes:
    """What a stranger signs."""
    signature = STRANGER.sign(text.encode()).hex()
    return json.dumps({"text": text, "key": public_key(STRANGER), "signature": signature}).encode()
