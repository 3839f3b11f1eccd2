"""Evidence as one archive: what it says, what proves it, and the house's signature over all of it."""

import hashlib
from importlib.resources import files as package_files

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from thirdcard.rulebook.forms import encode
from thirdcard.service.evidence.slices import Slice, lines
from thirdcard.service.evidence.standalone import packed
from thirdcard.service.evidence.told import RoundEvidence
from thirdcard.service.keys import public_key
from thirdcard.service.log.signed_heads import SignedHeads, heads_of


def archive(  # noqa: PLR0913 - what it is made of
    part: Slice,
    heads: SignedHeads,
    evidence: RoundEvidence,
    page: str,
    key: Ed25519PrivateKey,
    *,
    by: str,
    now: int,
) -> bytes:
    """The archive of a round, made at `now` for `by`; the same of the same."""
    end = heads_of(heads)[part.table]
    chain = {
        "stream": part.table,
        "first": part.records[0].version,
        "before": part.before.hex(),
        "hashes": [stored.hash.hex() for stored in part.records],
        "after": [digest.hex() for digest in part.after],
        "head": (end.version, end.hash.hex()),
    }
    found = {
        "evidence.html": page.encode(),
        "evidence.json": _json(evidence),
        "log.txt": lines(part.records),
        "chain.json": _json(chain),
        "heads.json": _json(heads),
        "start.json": _json(part.start),
        "shoe.json": _json(part.shoe),
        **{f"{name}.json": text for name, text in part.texts.items()},
        "verify.py": (package_files("thirdcard.service.evidence") / "standalone.py").read_bytes(),
    }
    said = {
        "schema": evidence.schema,
        "thirdcard": evidence.thirdcard,
        "rulebook": evidence.rulebook,
        "digest": evidence.digest,
        "table": part.table,
        "title": part.title,
        "round": part.number,
        "is_final": part.is_final,
        "made": now,
        "by": by,
        "files": {name: hashlib.sha256(data).hexdigest() for name, data in found.items()},
    }
    manifest = _json(said)
    signed = f"{public_key(key)} {key.sign(manifest).hex()}\n".encode()
    return packed(found | {"manifest.json": manifest, "signature.txt": signed})


def _json(value: object) -> bytes:
    return msgspec.json.encode(value, enc_hook=encode)
