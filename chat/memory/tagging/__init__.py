"""A learned reader beside the rules: which words of a message carry a value of which slot, however it is worded.

The rules know how things are said; this knows what sayings look like and what they mean. Trained by `manage.py train_tagger`
on the labelled messages in corpus/:

    spans     which tokens belong to a value of which slot, by their shape (a conditional random field, Lafferty et al. 2001)
    encoder   the same by their sense (a small transformer)
    marks     how it is said: it holds, it is over, it used to be, it is not sure, it is only for now
    keys      which listed value the words mean, where the ontology doesn't know them
"""

from chat.memory.tagging.corpus import MARKS, Label, Labelled, parse
from chat.memory.tagging.tagger import Tagged, tag

__all__ = ["MARKS", "Label", "Labelled", "Tagged", "parse", "tag"]
