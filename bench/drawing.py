"""A plot as SVG, written by hand: panels of horizontal bars."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

_COLOURS = {"ours": "#00796b", "baseline": "#b0bec5", "peer": "#7986cb"}
_NAMES = {"ours": "recollect", "baseline": "plain methods", "peer": "other memories"}
_COLUMNS = 2
_WIDTH, _LABELS, _BAR, _GAP, _TITLE = 470, 215, 18, 5, 34
_ROOM = _WIDTH - _LABELS - 55
_SPACE = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One system and its figure between 0 and 1."""

    label: str
    value: float
    role: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """The systems on one set."""

    title: str
    bars: Sequence[Bar]


def draw(panels: Sequence[Panel]) -> str:
    """Return the picture; every bar begins at 0 and ends at 1 at most."""
    parts: list[str] = []
    top = 40
    for start in range(0, len(panels), _COLUMNS):
        row = panels[start : start + _COLUMNS]
        for column, panel in enumerate(row):
            parts += _panel(panel, column * (_WIDTH + _SPACE), top)
        top += _TITLE + max(len(panel.bars) for panel in row) * (_BAR + _GAP) + _SPACE
    width = _COLUMNS * _WIDTH + _SPACE
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {top}" font-family="sans-serif" font-size="12" '
        f'role="img" aria-label="What each system finds on each set">'
    )
    ground = f'<rect width="{width}" height="{top}" fill="#ffffff"/>'
    return "\n".join([head, ground, *_legend(), *parts, "</svg>", ""])


def _legend() -> list[str]:
    parts: list[str] = []
    for at, (role, colour) in enumerate(_COLOURS.items()):
        left = 10 + at * 150
        parts.append(f'<rect x="{left}" y="12" width="14" height="14" fill="{colour}"/>')
        parts.append(f'<text x="{left + 20}" y="24" fill="#263238">{_NAMES[role]}</text>')
    return parts


def _panel(panel: Panel, left: int, top: int) -> list[str]:
    parts = [f'<text x="{left + 10}" y="{top + 16}" font-weight="bold" fill="#263238">{escape(panel.title)}</text>']
    for at, bar in enumerate(panel.bars):
        y = top + _TITLE - 8 + at * (_BAR + _GAP)
        start = left + _LABELS
        length = round(max(0.0, min(1.0, bar.value)) * _ROOM, 1)
        weight = ' font-weight="bold"' if bar.role == "ours" else ""
        text = f'y="{y + 13}" fill="#263238"{weight}'
        parts.append(f'<text x="{start - 8}" text-anchor="end" {text}>{escape(bar.label)}</text>')
        parts.append(f'<rect x="{start}" y="{y}" width="{length}" height="{_BAR}" fill="{_COLOURS[bar.role]}"/>')
        parts.append(f'<text x="{start + length + 5}" {text}>{bar.value:.3f}</text>')
    return parts
