"""The slots of a user's state, read from ontology.toml: what each holds, how it is said, asked about and compared.

The file is checked as it is read; a mistake raises OntologyError that names the file and the line.
"""

import tomllib
from functools import cache
from pathlib import Path

from chat.memory.ontology.attributes import Attribute, Choice, Ontology, Saying, alternation
from chat.memory.ontology.reader import CATEGORIES, OntologyError, Reader

__all__ = ["CATEGORIES", "Attribute", "Choice", "Ontology", "OntologyError", "Saying", "alternation", "load"]

PATH = Path(__file__).parent.with_name("ontology.toml")


@cache
def load(path: Path = PATH) -> Ontology:
    """Read and check the ontology once. Raises OntologyError."""
    text = path.read_text(encoding="utf-8")
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise OntologyError(f"{path.name}: {error}") from None
    return Reader(path.name, text, data).read()
