"""What the answers come to: a table for each set, the headline beside the peers, and the page in the documentation."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from bench.asking import Asked
from bench.drawing import Bar, Panel, draw
from bench.known import DATA, OWN, Known
from bench.metrics import mean, silence
from bench.report import Row, Table, markdown_table
from bench.systems import CHECK, OURS, PEER

DOCS = Path(__file__).parent.parent / "docs" / "reference"
HEADLINES = {"madial-zh": "recall@5", "madial-en": "recall@5", OWN: "recall@5"}
_HEADLINE = "recall@10"
_FIGURES = ("recall@1", "recall@5", "recall@10", "ndcg@10", "mrr")
_LEFT_OUT = "adversarial"  # questions of locomo that the conversation does not answer
_REPORTED = "report"
_RESAMPLED = 2_000
_DRAWN = 9

Rows = Sequence[Row]


def tables(
    sets: Sequence[Known], found: dict[str, list[Asked]], missing: Rows, seed: int, *, own_only: bool
) -> list[Table]:
    """Return all tables, the headline first."""
    shown = [_headlines(sets, found, seed, own_only=own_only)]
    for known in sets:
        shown.append(_whole(known, found[known.name], seed))
        for figure in ("recall@1", "recall@5") if known.name == OWN else (headline(known.name),):
            shown += _by_kind(known, found[known.name], figure)
        shown += _silences(known, found[known.name])
    shown.append(_systems(found))
    if missing:
        shown.append(Table(title="Not measured", note="What could not be had here, and why.", rows=missing))
    return [table for table in shown if table.rows]


def headline(name: str) -> str:
    """Return the figure by which systems are compared on a set."""
    return HEADLINES.get(name, _HEADLINE)


def counted(rows: Rows, half: str = _REPORTED) -> list[Row]:
    """Return the rows that figures are made of: answerable, and of the half that is told where a set has halves."""
    return [row for row in rows if "rank" in row and row["kind"] != _LEFT_OUT and row["half"] in {"", half}]


def figure_of(rows: Rows, figure: str) -> float:
    """Return the mean of one figure; mrr is that of the reciprocal ranks."""
    return mean([float(row["rr" if figure == "mrr" else figure] or 0.0) for row in rows])


def better(runs: Sequence[Asked], figure: str) -> Asked:
    """Return the run of one system that did better."""
    return max(runs, key=lambda asked: figure_of(counted(asked.rows), figure))


def _headlines(sets: Sequence[Known], found: dict[str, list[Asked]], seed: int, *, own_only: bool) -> Table:
    note = (
        "Of the runs of one system the better counts. `ahead of the best peer`: the difference of the means, and where "
        f"95 % of {_RESAMPLED:,} resamplings of the questions (seed {seed}) put it."
    )
    if own_only:
        note += f" {DATA} is not set, so only the project's own set is here."
    return Table(title="Beside the peers", note=note, rows=[_headline_row(k.name, found[k.name], seed) for k in sets])


def _headline_row(name: str, found: Sequence[Asked], seed: int) -> Row:
    figure = headline(name)
    names = list(dict.fromkeys(asked.system for asked in found if asked.role != CHECK))
    runs = {system: better([asked for asked in found if asked.system == system], figure) for system in names}
    row: Row = {"set": name, "figure": figure}
    row |= {system: round(figure_of(counted(asked.rows), figure), 4) for system, asked in runs.items()}
    ours = [asked for asked in runs.values() if asked.role == OURS]
    peers = [asked for asked in runs.values() if asked.role == PEER]
    if ours and peers:
        best = better(peers, figure)
        row |= {"best peer": best.label, "ahead of the best peer": _ahead(ours[0], best, figure, seed)}
    return row


def _ahead(ours: Asked, peer: Asked, figure: str, seed: int) -> str:
    gaps = [
        float(one[figure] or 0) - float(other[figure] or 0)
        for one, other in zip(counted(ours.rows), counted(peer.rows), strict=True)
    ]
    low, high = np.quantile(_resampled(gaps, seed), (0.025, 0.975))
    return f"{mean(gaps):+.3f} ({low:+.3f} to {high:+.3f})"


def _resampled(values: Sequence[float], seed: int) -> np.ndarray:
    chosen = np.random.default_rng(seed).integers(0, len(values), (_RESAMPLED, len(values)))
    return np.asarray(values)[chosen].mean(axis=1)


def _whole(known: Known, found: Sequence[Asked], seed: int) -> Table:
    rows: list[Row] = []
    for asked in found:
        kept = counted(asked.rows)
        spread = _resampled([float(row[headline(known.name)] or 0) for row in kept], seed)
        row: Row = {"system": asked.label, "questions": len(kept)}
        row |= {figure: round(figure_of(kept, figure), 4) for figure in _FIGURES}
        row[f"± {headline(known.name)}"] = round(float(np.ptp(np.quantile(spread, (0.025, 0.975)))) / 2, 4)
        row |= {f"any@{depth}": round(figure_of(kept, f"any@{depth}"), 4) for depth in (5, 10)}
        row |= {"all@10": round(figure_of(kept, "all@10"), 4), "versions": asked.versions, "seed": seed}
        rows.append(row)
    items = sum(len(scope.items) for scope in known.scopes)
    note = f"{items:,} items, {len(known.scopes):,} user(s); SHA-256 {known.digest[:12]}…; half the 95 % interval as ±."
    if known.name == OWN:
        note += " Answerable questions of the half that is told."
    elif any(question.kind == _LEFT_OUT for question in known.questions):
        note += " Without the adversarial questions."
    return Table(title=known.name, note=note, rows=rows)


def _by_kind(known: Known, found: Sequence[Asked], figure: str) -> list[Table]:
    kinds = sorted({question.kind for question in known.questions if question.gold})
    if len(kinds) < 2:
        return []
    rows: list[Row] = []
    for asked in found:
        row: Row = {"system": asked.label}
        for kind in kinds:
            kept = [
                one for one in asked.rows if one["kind"] == kind and "rank" in one and one["half"] in {"", _REPORTED}
            ]
            row[f"{kind} ({len(kept)})"] = round(figure_of(kept, figure), 4) if kept else None
        rows.append(row)
    return [Table(title=f"{known.name}: {figure} by kind", note="With the number of questions.", rows=rows)]


def _silences(known: Known, found: Sequence[Asked]) -> list[Table]:
    if all(question.gold for question in known.questions):
        return []
    halves = sorted({question.half for question in known.questions})
    rows: list[Row] = []
    for asked in found:
        for half in halves:
            answers = [row for row in asked.rows if row["half"] == half and "given" in row]
            told = [("rank" in row, int(row["given"] or 0), int(row["lost"] or 0)) for row in answers]
            if len({answerable for answerable, _, _ in told}) == 2:
                figures = {name: round(value, 4) for name, value in silence(told).items()}
                rows.append(
                    {"system": asked.label, "half": half, **{_SILENCE[name]: figures[name] for name in _SILENCE}}
                )
    note = (
        "Only systems that may give nothing. Lost: answerable questions with a right item among the first five without "
        "a floor that the answer does not hold."
    )
    return [Table(title=f"{known.name}: knowing when to say nothing", note=note, rows=rows)]


_SILENCE = {
    "unanswerable": "unanswerable",
    "quiet": "of these answered with nothing",
    "answerable": "answerable",
    "mute": "of those answered with nothing",
    "lost": "of those lost",
}


def _systems(found: dict[str, list[Asked]]) -> Table:
    rows: dict[str, Row] = {}
    for name, runs in found.items():
        for asked in runs:
            row = rows.setdefault(
                asked.label, {"system": asked.label, "versions": asked.versions, "configured": asked.configured}
            )
            row[f"s {name}"] = asked.seconds
    note = "How each was set up, and the seconds it took for everything it was asked, vectors of ours not included."
    return Table(title="Systems", note=note, rows=list(rows.values()))


def into_docs(shown: Sequence[Table], sets: Sequence[Known], found: dict[str, list[Asked]], seed: int) -> None:
    """Write the page and the plot of the documentation."""
    (DOCS / "quality.svg").write_text(draw([_panel(known.name, found[known.name]) for known in sets]), encoding="utf-8")
    kept = [table for table in shown if not table.title.startswith("Systems")]
    parts = [_PAGE.format(seed=seed)]
    for table in kept:
        rows = [{name: cell for name, cell in row.items() if name not in _NOT_ON_PAGE} for row in table.rows]
        parts.append(f"## {table.title}\n\n{table.note}\n\n{markdown_table(rows)}\n")
    (DOCS / "benches.md").write_text("\n".join(parts), encoding="utf-8")


def _panel(name: str, found: Sequence[Asked]) -> Panel:
    figure = headline(name)
    value: Callable[[Asked], float] = lambda asked: figure_of(counted(asked.rows), figure)  # noqa: E731
    names = list(dict.fromkeys(asked.system for asked in found if asked.role != CHECK))
    best = [better([asked for asked in found if asked.system == system], figure) for system in names]
    best = sorted(best, key=value, reverse=True)[:_DRAWN]
    bars = [Bar(label=asked.label, value=value(asked), role=asked.role) for asked in best]
    return Panel(title=f"{name}: {figure}", bars=bars)


_NOT_ON_PAGE = {"seed", "any@5", "any@10", "all@10"}
_PAGE = """# Benches

What recollect finds, beside plain methods and other memories, on sets whose answers are known. No language model is
involved. Every row says which versions it is of; resampling has the seed {seed}. Each peer runs as it is shipped, and
with our embedder and as many results as we take; of the two the better one is drawn.

![The better run of each system on every set](quality.svg)

`python -m bench quality` measures all of it again; the answers to every single question are in
`bench/results/quality-rows.json.gz`, and what each system was told to do stands in `bench/results/quality.md`. The
other benches tell what things cost. The public sets are read from a folder of yours and are no part of the project; its
own set is in `bench/sets`.
"""
