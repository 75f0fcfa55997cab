"""Training of the encoder on the labelled messages. Needs torch (`pip install --group train`), which the product doesn't.

It starts from the first LAYERS layers of multilingual-e5-small and learns three things at once, since what one of them needs
helps the others (Caruana 1997): to which slot's value each piece belongs, how the value is said to hold, which listed value it is.
Only the first is kept: the other two are read better by the smaller models, which see the whole value.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from chat.memory.tagging import pretrained
from chat.memory.tagging.corpus import MARKS, Labelled
from chat.memory.tagging.encoder import EPSILON, LONGEST
from chat.memory.tagging.features import known_words
from chat.memory.tagging.pieces import Vocabulary
from chat.memory.tagging.training import read

LAYERS, EPOCHS, BATCH = 6, 8, 32  # twelve layers took twice as long and read no better
RATE, HEAD_RATE, WARM = 1e-4, 1e-3, 0.06  # of learning; the share of the steps in which it rises
AUXILIARY = 0.3  # how much marks and keys count beside the slots
NOTHING = -100  # a piece that isn't learned from


@dataclass(frozen=True)
class Lesson:
    """A message in pieces, and of each piece its label, mark and key."""

    numbers: list[int]
    labels: list[int]
    marks: list[int]
    keys: list[int]


class Layer(nn.Module):
    def __init__(self, start: pretrained.Pretrained, number: int) -> None:
        super().__init__()
        self.heads, self.drop = start.heads, nn.Dropout(0.1)

        def dense(name: str, inputs: int) -> nn.Linear:
            weight = torch.from_numpy(start.packed(f"l{number}.{name}.w", inputs))
            layer = nn.Linear(inputs, len(weight))
            layer.weight.data, layer.bias.data = weight, torch.from_numpy(start.plain(f"l{number}.{name}.b"))
            return layer

        self.q, self.k, self.v, self.ao, self.fi = (dense(name, start.width) for name in ("q", "k", "v", "ao", "fi"))
        self.fo = dense("fo", start.inner)
        self.aln, self.oln = (_norm(start, f"l{number}.{name}") for name in ("aln", "oln"))

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        size, length, width = x.shape

        def split(y: torch.Tensor) -> torch.Tensor:
            return y.view(size, length, self.heads, width // self.heads).transpose(1, 2)

        heard = functional.scaled_dot_product_attention(split(self.q(x)), split(self.k(x)), split(self.v(x)), attn_mask=mask)
        x = self.aln(x + self.drop(self.ao(heard.transpose(1, 2).reshape(size, length, width))))
        return self.oln(x + self.drop(self.fo(functional.gelu(self.fi(x)))))


class Network(nn.Module):
    """The words' embeddings stay as they are: of most words the corpus has too little to say."""

    def __init__(self, start: pretrained.Pretrained, words: np.ndarray, sizes: tuple[int, int, int]) -> None:
        super().__init__()
        self.words = torch.from_numpy(words)
        positions = start.plain("emb.pos").reshape(-1, start.width) + start.plain("emb.type").reshape(-1, start.width)[0]
        self.positions = torch.from_numpy(positions[: LONGEST + 2].copy())
        self.ln, self.drop, self.last_drop = _norm(start, "emb.ln"), nn.Dropout(0.1), nn.Dropout(0.2)
        self.layers = nn.ModuleList(Layer(start, number) for number in range(LAYERS))
        self.heads = nn.ModuleList(nn.Linear(start.width, size) for size in sizes)

    def forward(self, numbers: torch.Tensor, lengths: torch.Tensor) -> list[torch.Tensor]:
        x = self.drop(self.ln(self.words[numbers] + self.positions[: numbers.shape[1]]))
        mask = (torch.arange(numbers.shape[1])[None] < lengths[:, None])[:, None, None, :]
        for layer in self.layers:
            x = layer(x, mask)
        x = self.last_drop(x)
        return [head(x) for head in self.heads]


def fit(messages: Sequence[Labelled], path: Path, say: Callable[[str], None] = lambda line: None, epochs: int = EPOCHS) -> None:
    """Train on the messages and write the encoder. 17 minutes of two cores for 13,000 messages."""
    random.seed(0)
    torch.manual_seed(0)
    start = pretrained.load()
    vocabulary, rows = _vocabulary(start, (message.text for message in messages))
    slots = sorted({label.slot for message in messages for label in message.labels})
    keys = ["", *sorted({f"{label.slot}={label.key}" for message in messages for label in message.labels if label.key})]
    lessons = [_lesson(message, vocabulary, slots, keys) for message in messages]
    words = start.packed("emb.word", start.width)[rows]
    network = Network(start, words, (1 + 2 * len(slots), len(MARKS), len(keys)))
    steps = epochs * -(-len(lessons) // BATCH)
    head = {"params": network.heads.parameters(), "lr": HEAD_RATE}
    body = {"params": [*network.ln.parameters(), *network.layers.parameters()], "lr": RATE}
    optimizer = torch.optim.AdamW([head, body], weight_decay=0.01)
    rise = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1, (step + 1) / (WARM * steps)) * max(0, 1 - step / steps))
    for epoch in range(epochs):
        losses = [_step(network, optimizer, rise, batch) for batch in _batches(lessons)]
        say(f"epoch {epoch + 1} of {epochs}: loss {np.mean(losses):.3f}")
    save(path, network.eval(), vocabulary, slots)


def _norm(start: pretrained.Pretrained, name: str) -> nn.LayerNorm:
    norm = nn.LayerNorm(start.width, eps=EPSILON)
    norm.weight.data, norm.bias.data = torch.from_numpy(start.plain(f"{name}.w")), torch.from_numpy(start.plain(f"{name}.b"))
    return norm


def _vocabulary(start: pretrained.Pretrained, texts: Iterable[str]) -> tuple[Vocabulary, list[int]]:
    """The pieces that Chinese and English messages need, and the row of each in the whole model."""
    whole = Vocabulary(start.pieces, start.scores.tolist(), start.unknown)
    needed = {piece.number for text in (*texts, *known_words()) for piece in whole.split(text)}
    short = {number for piece, number in whole.numbers.items() if len(piece.strip("▁")) <= 2 and _is_ours(piece)}
    rows = [start.begin, start.end, start.unknown, *sorted((needed | short) - {start.begin, start.end, start.unknown})]
    return Vocabulary([start.pieces[row] for row in rows], [float(start.scores[row]) for row in rows], 2), rows


def _is_ours(piece: str) -> bool:
    """Chinese and what stands on a keyboard."""
    return all(char == "▁" or char.isascii() or "\u3000" <= char <= "\u9fff" for char in piece)


def _lesson(message: Labelled, vocabulary: Vocabulary, slots: Sequence[str], keys: Sequence[str]) -> Lesson:
    folded, _clauses = read(message.text)
    pieces = vocabulary.split(folded.text)[:LONGEST]
    size, marks = len(pieces) + 2, list(MARKS.values())
    lesson = Lesson([0, *(piece.number for piece in pieces), 1], [0] * size, [NOTHING] * size, [NOTHING] * size)
    origins = [range(folded.offsets[piece.start], folded.offsets[max(piece.start, piece.end - 1)] + (piece.start < piece.end)) for piece in pieces]
    for label in message.labels:
        inside = [at for at, origin in enumerate(origins, 1) if max(origin.start, label.start) < min(origin.stop, label.end)]
        for order, at in enumerate(inside):
            lesson.labels[at] = 1 + 2 * slots.index(label.slot) + (order > 0)
            lesson.marks[at] = marks.index(label.mark)
            lesson.keys[at] = keys.index(f"{label.slot}={label.key}" if label.key else "")
    return lesson


def _batches(lessons: Sequence[Lesson]) -> Iterator[list[Lesson]]:
    """In a new order each time, those of like length together."""
    order = random.sample(lessons, len(lessons))
    many = BATCH * 50
    chunks = [sorted(order[at : at + many], key=lambda lesson: len(lesson.numbers)) for at in range(0, len(order), many)]
    batches = [chunk[at : at + BATCH] for chunk in chunks for at in range(0, len(chunk), BATCH)]
    return iter(random.sample(batches, len(batches)))


def _step(network: Network, optimizer: torch.optim.Optimizer, rise, batch: Sequence[Lesson]) -> float:
    longest = max(len(lesson.numbers) for lesson in batch)

    def padded(part: str, filler: int) -> torch.Tensor:
        rows = (getattr(lesson, part) for lesson in batch)
        return torch.tensor([row + [filler] * (longest - len(row)) for row in rows])

    lengths = torch.tensor([len(lesson.numbers) for lesson in batch])
    found = network(padded("numbers", 0), lengths)
    wanted = [padded(part, NOTHING) for part in ("labels", "marks", "keys")]
    losses = [
        functional.cross_entropy(scores.flatten(0, 1), right.flatten()) if (right != NOTHING).any() else torch.tensor(0.0)
        for scores, right in zip(found, wanted, strict=True)
    ]
    loss = losses[0] + AUXILIARY * (losses[1] + losses[2])
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1)
    optimizer.step()
    rise.step()
    return loss.item()


def save(path: Path, network: Network, vocabulary: Vocabulary, slots: Sequence[str]) -> None:
    """Write what `encoder.load` reads."""
    words, word_scales = _whole(network.words)
    part = {
        "pieces": _text(vocabulary.pieces),
        "scores": np.array(vocabulary.scores, np.float32),
        "special": np.array([vocabulary.unknown, 0, 1]),
        "slots": _text(slots),
        "layers": np.array(len(network.layers)),
        "words": words,
        "word_scales": word_scales,
        "positions": network.positions.numpy(),
    }
    part |= _norm_parts("embedded", network.ln)
    for number, layer in enumerate(network.layers):
        attend = [torch.cat([getattr(each, what).data for each in (layer.q, layer.k, layer.v)]) for what in ("weight", "bias")]
        part |= _dense_parts(f"{number}.attend", *attend)
        for name, dense in (("out", layer.ao), ("up", layer.fi), ("down", layer.fo)):
            part |= _dense_parts(f"{number}.{name}", dense.weight.data, dense.bias.data)
        part |= _norm_parts(f"{number}.attended", layer.aln) | _norm_parts(f"{number}.done", layer.oln)
    part |= _dense_parts("head", network.heads[0].weight.data, network.heads[0].bias.data)
    np.savez_compressed(path, **part)


def _whole(weights: torch.Tensor) -> tuple[np.ndarray, np.ndarray]:
    """In whole numbers of 8 bits, and the scale of each row."""
    scales = weights.abs().amax(dim=1, keepdim=True).clamp(min=1e-12) / 127
    return torch.round(weights / scales).to(torch.int8).numpy(), scales.numpy().astype(np.float32)


def _dense_parts(name: str, weight: torch.Tensor, bias: torch.Tensor) -> dict[str, np.ndarray]:
    whole, scales = _whole(weight)
    return {f"{name}.weight": whole, f"{name}.scale": scales, f"{name}.bias": bias.numpy()}


def _norm_parts(name: str, norm: nn.LayerNorm) -> dict[str, np.ndarray]:
    return {f"{name}.weight": norm.weight.data.numpy(), f"{name}.bias": norm.bias.data.numpy()}


def _text(lines: Sequence[str]) -> np.ndarray:
    return np.frombuffer("\n".join(lines).encode(), np.uint8)
