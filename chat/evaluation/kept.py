"""Vectors kept between measurements: the embedder is by far the slowest part of one, and says the same every time.

Only hashes of texts and their raw vectors lie in the file, one SQLite database for each embedder.
"""

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
from django.conf import settings

from chat.llm import embeddings
from chat.memory.fingerprints import of_text

Ask = Callable[..., np.ndarray]


@contextmanager
def kept_vectors(folder: Path) -> Iterator[None]:
    """Within the block the embedder is asked only for texts whose vectors `folder` does not have yet."""
    folder.mkdir(parents=True, exist_ok=True)
    name = "".join(char if char.isalnum() else "-" for char in settings.EMBEDDING_MODEL or embeddings.active_space().name)
    with closing(_Kept(folder / f"{name}.sqlite3")) as kept, embeddings.asked_through(kept.wrap):
        yield


class _Kept:
    def __init__(self, path: Path):
        self._lock = threading.Lock()
        self._file = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._file.execute("PRAGMA synchronous = OFF")
        self._file.execute("CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, vector BLOB) WITHOUT ROWID")

    def close(self) -> None:
        self._file.close()

    def wrap(self, ask: Ask) -> Ask:
        def answer(texts: Sequence[str], *, is_query: bool) -> np.ndarray:
            keys = [of_text(f"{is_query}\x1f{text}") for text in texts]
            with self._lock:
                known = {key: self._find(key) for key in keys}
            missing = [place for place, key in enumerate(keys) if known[key] is None]
            if missing:
                made = ask([texts[place] for place in missing], is_query=is_query)
                new = dict(zip((keys[place] for place in missing), made, strict=True))
                with self._lock:
                    self._file.executemany(
                        "INSERT OR IGNORE INTO vectors VALUES (?, ?)",
                        [(key, np.asarray(vector, np.float32).tobytes()) for key, vector in new.items()],
                    )
                known |= new
            return np.stack([known[key] for key in keys])

        return answer

    def _find(self, key: str) -> np.ndarray | None:
        row = self._file.execute("SELECT vector FROM vectors WHERE key = ?", [key]).fetchone()
        return np.frombuffer(row[0], np.float32) if row else None
