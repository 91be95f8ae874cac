"""What a Citus cluster would refuse in a query, told from its text.

The text is read as nested groups of words, each subquery with the tables that it names. Two tables of one owner are
those that a chain of `owner_no = owner_no` or `owner_no = the same parameter` ties together. Only a condition that
always holds counts: none beside an `or`, behind a `not` or in an outer list. What is not understood counts as missing.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

Group: TypeAlias = "list[str | Group]"
Node = tuple[str, object]

_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
_WORD = re.compile(
    r"'(?:[^']|'')*'"
    r"|\"?[^\W\d]\w*\"?(?:\s*\.\s*(?:\"?[^\W\d]\w*\"?|\*))*"  # a name, with what it belongs to
    r"|%\(\w+\)s|(?<!:):\w+|\$\d+|\d+(?:\.\d+)?"
    r"|::|[<>!]=|<>|\|\||->>?|[@<>]+|\S"
)
_PARAMETER = re.compile(r"%\(\w+\)s|:\w+|\$\d+|\d+")
_NAME = re.compile(r"[^\W\d][\w.]*")

_CLAUSES = frozenset(
    "select from where on group order having limit offset set returning values using window for conflict".split()
)
_JOINING = frozenset("join inner left right full cross outer natural".split())
_SETS = frozenset(("union", "intersect", "except"))
_QUERIES = frozenset("select with insert update delete merge values".split())
_WRITES = frozenset("insert update delete merge".split())
_HOLDING = ("where", "on", "and")
_NO_ALIAS = _CLAUSES | _JOINING | _SETS | {"and", "or", "as", "tablesample"}
_ENDING = [*_CLAUSES, *_JOINING, *_SETS]
_CLOCK = frozenset("now transaction_timestamp statement_timestamp".split())
_CLOCK_WORDS = frozenset("current_timestamp current_date current_time localtime localtimestamp".split())


def query_faults(query: str, distributed: Collection[str], volatile: Collection[str]) -> list[str]:
    """Return the rules that a query breaks, each once; `volatile` are the names of functions that are."""
    words = _grouped(query)
    found: set[str] = set()
    if _is_writing(words) and _calls(words, frozenset(volatile) | _CLOCK):
        found.add("volatile_write")
    if any(_moves_owner(level) for level in _levels(words)):
        found.add("owner_moved")
    if any(_inserts_anywhere(level, distributed) for level in _levels(words)):
        found.add("insert")
    arms = [words] if words[:1] == ["with"] else _arms(words)
    for arm in arms:
        found |= _Statement(distributed).faults(arm)
    return sorted(found)


@dataclass(slots=True, kw_only=True)
class _Scope:
    """One query of a statement: the tables that it names by the names it gives them, and what is around it."""

    outer: "_Scope | None"
    tables: dict[str, Node | None] = field(default_factory=dict[str, Node | None])
    queries: dict[str, Node | None] = field(default_factory=dict[str, Node | None])  # those of its `with`
    own: list[Node] = field(default_factory=list[Node])  # distributed tables
    inner: list[Group] = field(default_factory=list[Group])
    selected: list[str] = field(default_factory=list[str])
    is_locking: bool = False

    def owner_of(self, word: str) -> Node | None:
        """Return the table whose owner_no a name means."""
        before, _, last = word.rpartition(".")
        if last != "owner_no":
            return None
        scope: _Scope | None = self
        while scope is not None:
            if before in scope.tables:
                return scope.tables[before]
            nodes = [node for node in scope.tables.values() if node]
            if not before and nodes:
                return nodes[0] if len(nodes) == 1 else None
            scope = scope.outer
        return None

    def query_named(self, name: str) -> tuple[bool, Node | None]:
        """Tell whether a name is that of a `with`, and whose owner_no it gives."""
        scope: _Scope | None = self
        while scope is not None:
            if name in scope.queries:
                return True, scope.queries[name]
            scope = scope.outer
        return False, None


class _Statement:
    """Ties the tables of one statement together."""

    def __init__(self, distributed: Collection[str]) -> None:
        self._distributed = distributed
        self._tied: dict[Node, Node] = {}
        self._scopes: list[_Scope] = []

    def faults(self, words: Group) -> set[str]:
        self._query(words, None)
        tables = {self._root(node) for scope in self._scopes for node in scope.own}
        held = {self._root(node) for node in [*self._tied] if node[0] == "parameter"}
        found = {"cross_owner"} if len(tables) > 1 else set[str]()
        if any(self._root(node) not in held for scope in self._scopes if scope.is_locking for node in scope.own):
            found.add("lock")
        return found

    def _query(self, words: Group, outer: _Scope | None) -> Node | None:
        """Read one query, with those inside it, and return the table whose owner_no it gives."""
        given: Node | None = None
        queries: dict[str, Node | None] = {}
        for arm in _arms(words):
            scope = _Scope(outer=outer, queries=queries)
            self._scopes.append(scope)
            self._name(scope, arm, "")
            for group in scope.inner:
                self._query(group, scope)
            self._tie(scope, arm, holds=False)
            given = given or self._output(scope)
        return given

    def _name(self, scope: _Scope, words: Group, clause: str) -> None:
        """Enter the tables of a query."""
        expects_table = clause == "from"
        for at, word in enumerate(words):
            if isinstance(word, list):
                self._name_inside(scope, words, at, expects_table)
                expects_table = False
            elif turn := _turn(words, at, clause):
                clause, expects_table = turn
                scope.is_locking = scope.is_locking or word == "for"
            elif expects_table and word not in ("only", "lateral"):
                self._enter(scope, word, _alias(words, at))
                expects_table = False
            elif clause == "select":
                scope.selected.append(word)

    def _name_inside(self, scope: _Scope, words: Group, at: int, expects_table: bool) -> None:
        group = words[at]
        if not isinstance(group, list):
            return
        is_query, name = _is_query(group), _with_name(words, at)
        if is_query and name:
            scope.queries[name] = self._query(group, scope)
        elif is_query and expects_table:
            scope.tables[_alias(words, at)] = self._query(group, scope)
        elif is_query:
            scope.inner.append(group)  # read when all tables around it are known
        elif expects_table:
            self._name(scope, group, "from")  # joins in parentheses
        else:
            for below in range(len(group)):
                self._name_inside(scope, group, below, expects_table=False)

    def _enter(self, scope: _Scope, word: str, alias: str) -> None:
        name = word.rpartition(".")[2]
        is_query, given = scope.query_named(name)
        if is_query:
            scope.tables[alias or name] = given
        elif name in self._distributed:
            node: Node = ("table", (len(self._scopes), id(scope), len(scope.own)))
            scope.tables[alias or name] = node
            scope.own.append(node)

    def _tie(self, scope: _Scope, words: Group, *, holds: bool) -> None:
        """Tie what the conditions of a query say is one owner; inside parentheses only where those hold."""
        for at, word in enumerate(words):
            if word == "using":
                self._tie_using(scope, words, at)
        for at in _conditions(words, holds=holds):
            word = words[at]
            if isinstance(word, list):
                if _ends(words, at + 1) and not _is_query(word):
                    self._tie(scope, word, holds=True)
            elif words[at + 1 : at + 2] == ["="] and _ends(words, at + 3):
                self._tie_two(scope, word, words[at + 2])

    def _tie_two(self, scope: _Scope, left: str, right: "str | Group") -> None:
        sides = [self._meant(scope, side) for side in (left, right) if isinstance(side, str)]
        if len(sides) == 2 and sides[0] and sides[1]:
            self._tied[self._root(sides[0])] = self._root(sides[1])

    def _tie_using(self, scope: _Scope, words: Group, at: int) -> None:
        nodes = [node for node in scope.tables.values() if node]
        if words[at + 1 : at + 2] and "owner_no" in words[at + 1]:
            for node in nodes[1:]:
                self._tied[self._root(node)] = self._root(nodes[0])

    def _meant(self, scope: _Scope, word: str) -> Node | None:
        return ("parameter", word) if _PARAMETER.fullmatch(word) else scope.owner_of(word)

    def _output(self, scope: _Scope) -> Node | None:
        for word in scope.selected:
            if word.endswith("*"):
                return scope.own[0] if scope.own else None
            if node := scope.owner_of(word):
                return node
        return None

    def _root(self, node: Node) -> Node:
        self._tied.setdefault(node, node)
        while self._tied[node] != node:
            node = self._tied[node]
        return node


def _grouped(query: str) -> Group:
    """Return the words of a query in lower case, what stands in parentheses as a list of its own."""
    words: Group = []
    open_groups = [words]
    for found in _WORD.finditer(_COMMENT.sub(" ", query)):
        word = found.group()
        if word == "(":
            inner: Group = []
            open_groups[-1].append(inner)
            open_groups.append(inner)
        elif word == ")":
            if len(open_groups) > 1:
                open_groups.pop()
        else:
            open_groups[-1].append(word if word[0] == "'" else re.sub(r"[\s\"]", "", word).lower())
    return words


def _is_query(words: Group) -> bool:
    return bool(words) and isinstance(words[0], str) and words[0] in _QUERIES


def _levels(words: Group) -> Iterator[Group]:
    yield words
    for word in words:
        if isinstance(word, list):
            yield from _levels(word)


def _arms(words: Group) -> list[Group]:
    """Return the queries that `union` and its like put together."""
    arms: list[Group] = [[]]
    for word in words:
        if isinstance(word, str) and word in _SETS:
            arms.append([])
        elif not (word == "all" and not arms[-1]):
            arms[-1].append(word)
    return arms


def _is_writing(words: Group) -> bool:
    return any(
        isinstance(word, str) and word in _WRITES and level[at - 1 : at] not in (["for"], ["key"])
        for level in _levels(words)
        for at, word in enumerate(level)
    )


def _calls(words: Group, functions: Collection[str]) -> bool:
    for level in _levels(words):
        for word, following in pairwise([*level, ""]):
            if isinstance(word, str) and word in _CLOCK_WORDS:
                return True
            if isinstance(word, str) and isinstance(following, list) and word.rpartition(".")[2] in functions:
                return True
    return False


def _moves_owner(words: Group) -> bool:
    """Tell whether owner_no is among what stands between `set` and the next clause."""
    clause = ""
    for at, word in enumerate(words):
        if isinstance(word, str) and word in _CLAUSES:
            clause = word
        is_set = clause == "set" and words[at - 1] in ("set", ",") and words[at + 1 : at + 2] == ["="]
        if is_set and (word == "owner_no" or (isinstance(word, list) and "owner_no" in word)):
            return True
    return False


def _inserts_anywhere(words: Group, distributed: Collection[str]) -> bool:
    """Tell whether rows go into a distributed table by a list of columns without owner_no, or without a list."""
    for at, (word, table) in enumerate(pairwise(words)):
        is_target = word == "into" or (word == "copy" and at == 0)
        if is_target and isinstance(table, str) and table.rpartition(".")[2] in distributed:
            rest = words[at + 2 :]
            columns = rest[2] if rest[:1] == ["as"] and len(rest) > 2 else rest[0] if rest else ""
            return not (isinstance(columns, list) and "owner_no" in columns)
    return False


def _turn(words: Group, at: int, clause: str) -> tuple[str, bool] | None:
    """Return the clause that a word begins and whether a table comes next; None when it begins none."""
    word, before = words[at], words[at - 1] if at else ""
    if word == "update":
        return None if before in ("for", "key", "do") else ("update", True)
    if word == "join" or (word == "," and clause in ("from", "using")):
        return "from", True
    if not isinstance(word, str) or word not in _CLAUSES or (word == "from" and before == "distinct"):
        return None
    return word, word == "from" or (word == "using" and words[0] in ("delete", "merge"))


def _alias(words: Group, at: int) -> str:
    """Return the name that a query gives to the table or subquery at a place, "" for none."""
    rest = words[at + 1 : at + 3]
    word = rest[-1] if rest[:1] == ["as"] else rest[0] if rest else ""
    return word if isinstance(word, str) and _NAME.fullmatch(word) and word not in _NO_ALIAS else ""


def _with_name(words: Group, at: int) -> str:
    """Return the name of the query of a `with` at a place, "" when it is none."""
    before = [word for word in words[:at] if word not in ("materialized", "not")]
    if before[-1:] != ["as"]:
        return ""
    names = [word for word in before[:-1] if isinstance(word, str)]
    return names[-1] if names and words[0] == "with" else ""


def _conditions(words: Group, *, holds: bool) -> Iterator[int]:
    """Return where the conditions begin that must all hold."""
    is_condition, has_or = holds, holds and "or" in words
    for at, word in enumerate(words):
        if isinstance(word, str) and word in _CLAUSES | _JOINING:
            is_condition = word in ("where", "on")
            has_or = is_condition and "or" in _clause(words, at + 1)
        elif is_condition and not has_or and (at == 0 or words[at - 1] in _HOLDING):
            yield at


def _clause(words: Group, at: int) -> Group:
    """Return the words from a place up to the next clause."""
    end = next((end for end in range(at, len(words)) if words[end] in _ENDING), len(words))
    return words[at:end]


def _ends(words: Group, at: int) -> bool:
    """Tell whether a condition ends at a place."""
    return at >= len(words) or words[at] == "and" or words[at] in _ENDING
