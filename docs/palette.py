"""Screenshots as PNG files of 256 colours, a third of the size; by median cut, without dithering."""

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

COLOURS = 256
Pixels = NDArray[np.uint8]


def packed(pixels: Pixels) -> bytes:
    """A PNG file of an image of shape (height, width, 3)."""
    height, width, _ = pixels.shape
    colours, where, counts = np.unique(pixels.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True)
    palette = _palette(colours.astype(np.float64), counts)
    nearest = np.concatenate([_nearest(part, palette) for part in np.array_split(colours, 64)])
    rows = nearest[where].reshape(height, width).astype(np.uint8)
    lines = np.hstack([np.zeros((height, 1), np.uint8), rows]).tobytes()
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0))
        + _chunk(b"PLTE", palette.astype(np.uint8).tobytes())
        + _chunk(b"IDAT", zlib.compress(lines, 9))
        + _chunk(b"IEND", b"")
    )


def _palette(colours: NDArray[np.float64], counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """The means of boxes, cut where their spread times the root of their size is largest."""
    boxes = [np.arange(len(colours))]
    while len(boxes) < min(COLOURS, len(colours)):
        spans = [np.ptp(colours[box], axis=0).max() * counts[box].sum() ** 0.4 for box in boxes]
        box = boxes.pop(int(np.argmax(spans)))
        axis = int(np.ptp(colours[box], axis=0).argmax())
        order = box[np.argsort(colours[box, axis], kind="stable")]
        sums = np.cumsum(counts[order])
        middle = int(np.clip(np.searchsorted(sums, sums[-1] / 2), 1, len(order) - 1))
        boxes += [order[:middle], order[middle:]]
    means = [np.average(colours[box], axis=0, weights=counts[box]) for box in boxes]
    return np.rint(np.array(means))


def _nearest(part: Pixels, palette: NDArray[np.float64]) -> NDArray[np.int64]:
    away = ((part[:, None, :].astype(np.float64) - palette[None]) ** 2).sum(axis=2)
    return np.asarray(away.argmin(axis=1))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
