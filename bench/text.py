"""Made-up notes and questions, half Chinese and half English, the same for the same seed on every machine.

Words follow Zipf's law in both languages. Chinese is written without spaces in words of one to four characters, so
that its terms overlap as real ones do; the 30,000 English word forms share stems. Nothing here is anybody's text.
"""

from bisect import bisect
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from random import Random

from recollect.domain.analysis import index_terms

SHORTEST = 120  # characters of a note's content
ENGLISH_FORMS = 30_000
CHINESE_WORDS = 40_000
SHARES = {"sentence": 0.4, "short": 0.2, "frequent": 0.2, "english": 0.2}
FREQUENT_TERMS = 50
_TYPES = ("user", "project", "feedback", "reference")
_SAMPLE = 2_000  # notes in which the most frequent terms are counted

_CHINESE_HEAD = (
    "的 了 是 在 我 和 有 他 不 这 就 要 用 到 说 会 也 都 很 把 对 还 个 上 下 里 去 来 做 给 我们 "
    "他们 用户 项目 需要 可以 已经 因为 所以 如果 但是 时候 问题 会议 时间 工作 下周 "
    "今天 明天 喜欢 希望 文件 接口 系统 团队 完成 开始 使用 测试 上线"
).split()
_ENGLISH_HEAD = (
    "the of and to in is that it for was on are with as be this have from or by we not you at they an which when use "
    "user project should need will can all there team note time work meeting file call before after about prefer"
).split()
_ONSETS = "b c d f g h j k l m n p r s t v w br cr dr fl gr pl pr sh sl sp st str th tr ch qu".split()
_VOWELS = "a e i o u ai ea ee io ou".split()
_CODAS = "b ck d ft g l ld m mp n nd ng nt p r rd rm rt s sk st t x".split() + [""] * 12
_ASKED = ("What's", "When is", "How do we", "Who said", "Isn't")
_ENDINGS = ("", "s", "ed", "ing", "er", "ly", "ation", "ness")


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One note as it is handed to the door."""

    name: str
    content: str
    type: str

    def fields(self) -> dict[str, str]:
        """Return what `save` and `save_many` take."""
        return {"name": self.name, "content": self.content, "type": self.type}


class Zipf:
    """Words by rank: the n-th is drawn with a weight of 1 / (n + 2.7), as Mandelbrot corrected Zipf."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self._sums = list(accumulate(1 / (rank + 2.7) for rank in range(1, len(words) + 1)))

    def draw(self, random: Random) -> str:
        """Return one word."""
        return self.words[bisect(self._sums, random.random() * self._sums[-1])]


class Texts:
    """Everything that is made from one seed."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._chinese = Zipf(_chinese_words(Random(f"{seed} chinese words")))
        self._english = Zipf(_english_words(Random(f"{seed} english words")))

    def note(self, stream: str, number: int) -> Note:
        """Return a note of a stream; even ones are Chinese, odd ones English."""
        random = Random(f"{self.seed} {stream} {number}")
        kind = _TYPES[random.randrange(4)]
        if number % 2:
            name = " ".join(self._english.draw(random) for _ in range(random.randint(2, 4)))
            return Note(name=name, content=_joined(self._english_sentences(random), " "), type=kind)
        name = "".join(self._chinese.draw(random) for _ in range(random.randint(2, 4)))
        return Note(name=name, content=_joined(self._chinese_sentences(random), ""), type=kind)

    def notes(self, stream: str, start: int, count: int) -> Iterator[Note]:
        """Return `count` notes of a stream from the number `start` on."""
        return (self.note(stream, number) for number in range(start, start + count))

    def queries(self, count: int, stream: str) -> list[tuple[str, str]]:
        """Return distinct questions with their kind, shuffled, in the shares of SHARES.

        Every second sentence stands in a note of `stream`; the others are new.
        """
        random = Random(f"{self.seed} queries")
        asked: dict[str, str] = {}
        for kind, share in SHARES.items():
            until = len(asked) + round(count * share)
            number = 0
            while len(asked) < until:
                asked.setdefault(self._query(kind, random, stream, number), kind)
                number += 1
        found = [(kind, text) for text, kind in asked.items()]
        random.shuffle(found)
        return found

    @cached_property
    def frequent(self) -> tuple[str, ...]:
        """The terms that stand in the most notes, the commonest first."""
        counts: Counter[str] = Counter()
        for note in self.notes("frequent", 0, _SAMPLE):
            counts.update(index_terms(note.content).keys())
        return tuple(term for term, _ in counts.most_common(FREQUENT_TERMS))

    def _query(self, kind: str, random: Random, stream: str, number: int) -> str:
        if kind == "sentence":
            known = self.note(stream, number - number % 2).content.split("。")[0]
            return known if number % 4 < 2 else next(self._chinese_sentences(random))[:-1] + random.choice("？。?")
        if kind == "short":
            word = self._chinese.draw(random)
            return word[: random.randint(1, 2)]
        if kind == "frequent":
            if number < len(self.frequent):
                return self.frequent[number]
            return " ".join(random.sample(self.frequent, random.randint(2, 3)))
        words = " ".join(self._english.draw(random) for _ in range(random.randint(3, 8)))
        return f"{random.choice(_ASKED)} {words}?" if number % 2 else words

    def _chinese_sentences(self, random: Random) -> Iterator[str]:
        while True:
            words = [self._chinese.draw(random) for _ in range(random.randint(8, 16))]
            middle = len(words) // 2
            dated = f"{random.randint(1, 12)}月{random.randint(1, 28)}日" if random.random() < 0.1 else ""
            yield "".join([dated, *words[:middle], "，", *words[middle:], "。"])

    def _english_sentences(self, random: Random) -> Iterator[str]:
        while True:
            words = [self._english.draw(random) for _ in range(random.randint(6, 14))]
            yield " ".join(words).capitalize() + "."


def _joined(sentences: Iterator[str], seam: str) -> str:
    text = next(sentences)
    while len(text) < SHORTEST:
        text += seam + next(sentences)
    return text


def _chinese_words(random: Random) -> list[str]:
    """Return words by rank: common ones first, then made of common characters as often as real ones are."""
    characters = [bytes((high, low)).decode("gb2312") for high in range(0xB0, 0xD7) for low in range(0xA1, 0xFA)]
    random.shuffle(characters)
    inventory = Zipf(characters)
    words: dict[str, None] = dict.fromkeys(_CHINESE_HEAD)
    while len(words) < CHINESE_WORDS:
        length = random.choices((1, 2, 3, 4), (4, 74, 13, 9))[0]
        words["".join(inventory.draw(random) for _ in range(length))] = None
    return list(words)


def _english_words(random: Random) -> list[str]:
    """Return word forms by rank: common ones first, then stems with their endings, mostly the shorter first."""
    words: dict[str, None] = dict.fromkeys(_ENGLISH_HEAD)
    while len(words) < ENGLISH_FORMS:
        syllables = [
            random.choice(_ONSETS) + random.choice(_VOWELS) + random.choice(_CODAS)
            for _ in range(random.choices((1, 2, 3), (4, 5, 1))[0])
        ]
        for ending in random.sample(_ENDINGS, 3):
            words["".join(syllables) + ending] = None
    made = list(words)[len(_ENGLISH_HEAD) : ENGLISH_FORMS]
    return [*_ENGLISH_HEAD, *sorted(made, key=lambda word: len(word) + random.gauss(0, 2.5))]
