"""The sharded edition as far as one PostgreSQL can show it: who is asked for what, and that rows and schema fit."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from recollect import Memory, Settings, open_memory
from recollect.domain.errors import ConfigError, StorageError
from recollect.storage.postgres import PostgresDatabase
from recollect.storage.server import Limits
from recollect.storage.shards import Finding, distribute, faults, sharding
from recollect.storage.sqlite import SqliteDatabase
from recollect.testing.opening import in_threads
from tests.acceptance.shell import Shell
from tests.servers.cluster import called, stand_in

SPREAD = "owners jobs postings recalls records revisions runs tombstones tuning vectors".split()
WHOLE = ["erasures", "meta"]


def run(url: str, *statements: str) -> None:
    with psycopg.connect(url, options="-csearch_path=recollect,public") as connection:
        for statement in statements:
            connection.execute(statement.encode())


def opened(url: str, user: str = "one") -> Memory:
    return open_memory(Settings(database=url, user=user))


@pytest.fixture
def database(postgres_url: str) -> Iterator[PostgresDatabase]:
    database = PostgresDatabase(postgres_url, Limits())
    yield database
    database.close()


class TestDistributing:
    def test_tables_are_spread_by_owner_beside_the_owners(self, database: PostgresDatabase, postgres_url: str) -> None:
        stand_in(postgres_url)
        assert distribute(database) == [*WHOLE, *SPREAD]
        first, *others = SPREAD
        # A new database has its number in `meta`; nothing else was there to clear.
        clear = {"meta": ["clear meta"]}
        asked = [call for name in WHOLE for call in (f"reference {name}", *clear.get(name, ()))]
        asked += [f"spread {first} owner_no none", *(f"spread {name} owner_no owners" for name in others)]
        assert [call.replace("recollect.", "") for call in called(postgres_url)] == asked

    def test_again_is_harmless(self, database: PostgresDatabase, postgres_url: str) -> None:
        stand_in(postgres_url)
        distribute(database)
        asked = [call for call in called(postgres_url) if not call.startswith("clear ")]
        assert distribute(database) == []
        assert [call for call in called(postgres_url) if not call.startswith("clear ")] == asked

    def test_rows_stay_and_what_the_coordinator_kept_is_cleared(self, postgres_url: str) -> None:
        stand_in(postgres_url)
        with opened(postgres_url) as memory:
            saved = memory.notes.save(content="支付模块 uses PostgreSQL", type="project")
        database = PostgresDatabase(postgres_url, Limits())
        distribute(database)
        database.close()
        with opened(postgres_url) as memory:
            assert memory.notes.get(saved.record.id) == saved.record
            assert memory.upkeep.check().miscounted == ()
        for name in ("owners", "postings", "records", "revisions"):
            asked = [call for call in called(postgres_url) if name in call.split("owner_no")[0]]
            assert [call.split()[0] for call in asked] == ["spread", "clear"], name

    def test_what_was_interrupted_goes_on(self, database: PostgresDatabase, postgres_url: str) -> None:
        stand_in(postgres_url)
        run(postgres_url, "alter table public.called add constraint no check (call not like '%records%')")
        with pytest.raises(StorageError):
            distribute(database)
        assert sharding(database).local == ("records", "revisions", "runs", "tombstones", "tuning", "vectors")
        assert not sharding(database).is_sharded
        run(postgres_url, "alter table public.called drop constraint no")
        assert distribute(database) == ["records", "revisions", "runs", "tombstones", "tuning", "vectors"]

    def test_a_table_of_a_later_migration_follows(self, database: PostgresDatabase, postgres_url: str) -> None:
        stand_in(postgres_url)
        distribute(database)
        run(postgres_url, "create table later (owner_no bigint not null, id bigint, primary key (owner_no, id))")
        assert sharding(database).local == ("later",)
        assert distribute(database) == ["later"]

    def test_two_at_once_spread_each_table_once(self, database: PostgresDatabase, postgres_url: str) -> None:
        stand_in(postgres_url)
        done = in_threads(lambda _: distribute(database), 4)
        assert sorted(table for moved in done for table in moved) == sorted([*WHOLE, *SPREAD])

    def test_it_tells_how_the_tables_lie(self, database: PostgresDatabase, postgres_url: str, tmp_path: Path) -> None:
        before = sharding(database)
        assert (before.is_sharded, sorted(before.local)) == (False, sorted([*WHOLE, *SPREAD]))
        stand_in(postgres_url)
        distribute(database)
        after = sharding(database)
        assert (after.is_sharded, sorted(after.distributed), after.local) == (True, sorted(SPREAD), ())
        assert sorted(after.reference) == WHOLE
        file = SqliteDatabase(tmp_path / "memory.db")
        assert not sharding(file).is_sharded
        with pytest.raises(ConfigError) as refused:
            distribute(file)
        assert refused.value.key == "not_shardable"
        file.close()


class TestInit:
    def test_a_file(self, tmp_path: Path) -> None:
        shell = Shell(tmp_path / "data")
        said = shell("db", "init", "--json").json
        assert (said["engine"], said["sharded"], said["distributed"]) == ("SQLite", False, [])
        assert Path(said["place"]).is_file()
        assert "schema" in shell("db", "init").said

    @pytest.mark.parametrize("place", ["memory.db", "mysql://nobody:secret@127.0.0.1:1/none"])
    def test_what_cannot_be_sharded_is_left_alone(self, place: str, tmp_path: Path) -> None:
        file = place if "://" in place else str(tmp_path / place)
        refused = Shell(tmp_path)("--db", file, "db", "init", "--shard", "--json", status=2).json["error"]
        assert refused["code"] == "config" and "PostgreSQL with Citus" in refused["message"]
        assert "secret" not in str(refused) and not (tmp_path / "memory.db").exists()

    def test_without_citus_it_says_what_to_do(self, postgres_url: str, tmp_path: Path) -> None:
        shell = Shell(tmp_path)
        assert shell("--db", postgres_url, "db", "init", "--json").json["sharded"] is False
        refused = shell("--db", postgres_url, "db", "init", "--shard", status=2).complaint
        assert "CREATE EXTENSION citus" in refused and "citus_add_node" in refused

    def test_with_citus(self, postgres_url: str, tmp_path: Path) -> None:
        stand_in(postgres_url)
        shell = Shell(tmp_path)
        said = shell("--db", postgres_url, "db", "init", "--shard", "--json").json
        assert (said["sharded"], said["reference"]) == (True, WHOLE)
        assert sorted(said["distributed"]) == sorted(SPREAD)
        assert "records" in shell("--db", postgres_url, "db", "init", "--shard").said


PLANTED = {
    "no owner": ("create table extra (name text)", "owner_no", "extra"),
    "owner may be null": ("create table extra (owner_no bigint)", "owner_no", "extra"),
    "owner of another type": ("create table extra (owner_no integer not null)", "owner_no", "extra"),
    "primary key": (
        "alter table runs drop constraint runs_pkey, add constraint only_id primary key (id)",
        "primary_key",
        "runs.only_id",
    ),
    "primary key that owner_no ends": (
        "alter table runs drop constraint runs_pkey, add constraint ends primary key (id, owner_no)",
        "primary_key",
        "runs.ends",
    ),
    "unique key": ("alter table runs add constraint one_name unique (name)", "unique_key", "runs.one_name"),
    "unique index": (
        "create unique index one_key on records (record_key) where status = 'active'",
        "unique_key",
        "records.one_key",
    ),
    "index": ("create index by_time on records (updated_at)", "index", "records.by_time"),
    "index of an expression": ("create index by_name on records (lower(name))", "index", "records.by_name"),
    "owner_no beside the key": ("create index by_at on runs (at) include (owner_no)", "index", "runs.by_at"),
    "hash": ("create index by_hash on records using hash (fingerprint)", "index", "records.by_hash"),
    "foreign key": (
        "alter table jobs add constraint to_run foreign key (run_at, id) references runs (owner_no, id)",
        "foreign_key",
        "jobs.to_run",
    ),
    "foreign key of a reference table": (
        "alter table meta add owner_no bigint, add constraint out foreign key (owner_no) references owners (owner_no)",
        "foreign_key",
        "meta.out",
    ),
    "trigger": (
        "create trigger noted before update on records for each row "
        "execute function suppress_redundant_updates_trigger()",
        "trigger",
        "records.noted",
    ),
    "now()": ("alter table runs alter at set default extract(epoch from now())", "default", "runs.at"),
    "current_timestamp": ("alter table runs add made timestamptz default current_timestamp", "default", "runs.made"),
    "clock_timestamp()": ("alter table runs add made timestamptz default clock_timestamp()", "default", "runs.made"),
    "random()": ("alter table meta add luck float default random()", "default", "meta.luck"),
    "sequence": ("create sequence s; alter table jobs alter id set default nextval('s')", "sequence", "jobs.id"),
    "serial": ("alter table jobs add number serial", "sequence", "jobs.number"),
    "identity": ("alter table jobs alter id add generated by default as identity", "sequence", "jobs.id"),
}

SOUND = (
    "alter table records add foreign key (owner_no) references owners (owner_no) on delete cascade",
    "alter table revisions add foreign key (owner_no, record_id) references records (owner_no, id)",
    "alter table jobs add kind text default lower('NOW()'), add word text default 'nextval(1)'",
    "alter table jobs add foreign key (queue) references meta (name)",
    "create index more on records (owner_no, updated_at)",
    "create index texts on records using gin (to_tsvector('simple', content))",
)

FAULTY = {
    "random() in an update": ("update jobs set tries = random() where owner_no = :o and id = :id", "volatile_write"),
    "clock_timestamp() in an update": (
        "update jobs set run_at = extract(epoch from pg_catalog.clock_timestamp()) where owner_no = :o",
        "volatile_write",
    ),
    "now() in an update": ("update runs set at = now() where owner_no = :o", "volatile_write"),
    "current_timestamp in an update": ("update runs set at = current_timestamp where owner_no = :o", "volatile_write"),
    "random() on conflict": (
        "insert into jobs (owner_no, id) values (:o, :id) on conflict (owner_no, id) do update set tries = random()",
        "volatile_write",
    ),
    "owner_no set": ("update records set owner_no = :other where owner_no = :o", "owner_moved"),
    "owner_no set beside another": ("update records set id = 1, owner_no = 2 where owner_no = :o", "owner_moved"),
    "owner_no set in a row": ("update records set (id, owner_no) = (1, 2) where owner_no = :o", "owner_moved"),
    "owner_no set on conflict": (
        "insert into jobs (owner_no, id) values (:o, 1) on conflict (owner_no, id) do update set owner_no = 1",
        "owner_moved",
    ),
    "join by id": ("select 1 from postings as p join records as r on r.id = p.id", "cross_owner"),
    "join of two owners": (
        "select 1 from postings p join records r on r.id = p.id where p.owner_no = :mine and r.owner_no = :theirs",
        "cross_owner",
    ),
    "join with an or": (
        "select 1 from postings p join records r on r.owner_no = p.owner_no or r.id = p.id",
        "cross_owner",
    ),
    "join that is denied": (
        "select 1 from postings p join records r on not (r.owner_no = p.owner_no)",
        "cross_owner",
    ),
    "join by the number after": (
        "select 1 from postings p join records r on r.owner_no = p.owner_no + 1",
        "cross_owner",
    ),
    "only one side held": (
        "select 1 from postings p, records r where p.owner_no = :owner_no and p.id = r.id",
        "cross_owner",
    ),
    "subquery": ("select id from records where owner_no = :o and id in (select id from postings)", "cross_owner"),
    "exists": (
        "delete from records where owner_no = :o and not exists (select 1 from runs where runs.id = records.id)",
        "cross_owner",
    ),
    "update from": (
        "update records set version = 1 from runs where runs.id = records.id and runs.owner_no = :o",
        "cross_owner",
    ),
    "for update of all": ("select id from jobs where run_at <= :now for update skip locked", "lock"),
    "for update of some": ("select id from jobs where owner_no in :owners limit 1 for update", "lock"),
    "for update or more": ("select id from jobs where owner_no = :o or tries = 0 for update", "lock"),
    "for share": ("select id from jobs where id = :id for no key update", "lock"),
    "insert": ("insert into jobs (id, queue) values (:id, :queue)", "insert"),
    "insert without columns": ("insert into jobs values (:o, :id)", "insert"),
    "copy": ("copy recollect.postings (term, id) from stdin", "insert"),
}

FINE = {
    "many shards": "select distinct owner_no from jobs where run_at <= :now limit :limit",
    "one parameter": "select 1 from postings p, records r where p.owner_no = :o and :o = r.owner_no and p.id = r.id",
    "using": "select 1 from postings join records using (owner_no, id)",
    "in parentheses": "select 1 from postings p join records r on (r.owner_no = p.owner_no and (r.id = 1 or p.id = 1))",
    "correlated": "select (select count(*) from postings p where p.owner_no = r.owner_no) from records as r",
    "through a subquery": (
        "select 1 from (select owner_no, max(id) as id from records group by owner_no) as newest "
        "join postings p on p.owner_no = newest.owner_no and p.id = newest.id"
    ),
    "through a with": (
        "with mine as materialized (select * from records where owner_no = :o) "
        "select 1 from mine join postings as p on p.owner_no = mine.owner_no"
    ),
    "reference tables": "select 1 from records join meta on meta.name = records.name where records.owner_no = :o",
    "two counts": "select count(*) from records union all select count(*) from runs",
    "random in a read": "select id from records where owner_no = :o order by random() limit 1",
    "a lock of one": "select id from jobs where owner_no = :o and tries = 0 for update skip locked",
    "an insert": (
        "insert into runs as r (owner_no, id) select owner_no, id from jobs where owner_no = :o "
        "on conflict (owner_no, id) do update set at = excluded.at where r.owner_no = 1"
    ),
    "texts": "update jobs set queue = 'random() (owner_no = 1)' -- now()\n where owner_no = :o /* set owner_no = 1 */",
}


class TestLint:
    def test_the_product_has_no_fault(self, database: PostgresDatabase) -> None:
        assert faults(database) == []

    @pytest.mark.parametrize("name", PLANTED)
    def test_a_fault_of_the_schema_is_found_and_no_other(
        self, database: PostgresDatabase, postgres_url: str, name: str
    ) -> None:
        planted, rule, place = PLANTED[name]
        run(postgres_url, planted)
        [found] = faults(database)
        assert found == Finding(rule=rule, place=place)
        assert str(found).startswith(place)

    @pytest.mark.parametrize("planted", SOUND)
    def test_what_a_cluster_allows_is_no_fault(
        self, database: PostgresDatabase, postgres_url: str, planted: str
    ) -> None:
        run(postgres_url, planted)
        assert faults(database) == []

    def test_faulty_and_fine_queries(self, database: PostgresDatabase) -> None:
        """Each by itself, in one database: queries do not change it."""
        for name, (query, rule) in FAULTY.items():
            assert faults(database, {name: query}) == [Finding(rule=rule, place=name)], name
        assert faults(database, FINE) == []


class TestSchemas:
    def test_the_url_names_the_schema(self, postgres_url: str) -> None:
        for at, name in enumerate(("one", "two", "user")):
            url = f"{postgres_url}&options=-csearch_path%3D{name}"
            with opened(url) as memory:
                assert memory.notes.list().items == ()
                memory.notes.save(content=f"in {name}", type="user")
            with opened(url) as memory:
                assert [note.content for note in memory.notes.list().items] == [f"in {name}"], at
        with psycopg.connect(postgres_url) as connection:
            found = connection.execute("select table_schema from information_schema.tables where table_name = 'meta'")
            assert sorted(row[0] for row in found) == ["one", "two", "user"]

    def test_another_programs_tables_elsewhere_do_not_matter(self, postgres_url: str) -> None:
        run(postgres_url, "create table public.meta (x int)", "create table public.records (x int)")
        with opened(postgres_url) as memory:
            memory.notes.save(content="here", type="user")
        run(postgres_url, "create schema theirs", "create table theirs.records (x int)")
        with pytest.raises(ConfigError) as refused:
            opened(f"{postgres_url}&options=-csearch_path%3Dtheirs")
        assert refused.value.key == "not_ours_here"

    @pytest.mark.parametrize("name", ["", '"$user"', "a-b", "x;drop", "Upper", "ü"])
    def test_a_name_that_is_none_is_refused(self, name: str) -> None:
        with pytest.raises(ConfigError) as refused:
            PostgresDatabase(f"postgresql://127.0.0.1:1/none?options=-csearch_path%3D{name}", Limits())
        assert refused.value.key == "bad_schema_name"


# What a coordinator reports for a worker that is gone: before a statement, in it, and without a state of its own.
GONE = [
    ("08006", "connection to the remote node postgres@worker-2:5432 failed with the following error: refused"),
    ("08006", "server closed the connection unexpectedly"),
    ("57P01", "terminating connection due to administrator command"),
    ("XX000", "connection to the remote node worker-2:5432 failed"),
    ("XX000", "server closed the connection unexpectedly"),
    ("XX000", "connection not open"),
    ("XX000", "failure on connection marked as essential: worker-2:5432"),
]

DEAD = """
create function public.answers(tenant text, user_name text) returns boolean volatile language plpgsql as $$
begin
    if user_name = 'theirs' then
        raise exception '%' using errcode = '{state}';
    end if;
    return true;
end $$;
alter table owners rename to kept;
create view owners as select * from kept where public.answers(tenant, user_name);
"""


class TestADeadWorker:
    @pytest.mark.parametrize(("state", "text"), GONE)
    def test_its_owners_are_told_and_others_go_on(self, postgres_url: str, state: str, text: str) -> None:
        """The server raises what a coordinator would, for one of two owners who share one connection."""
        settings = Settings.model_validate({"database": postgres_url, "server": {"pool_size": 1}})
        with open_memory(settings) as memory:
            mine, theirs = memory.within(user="mine"), memory.within(user="theirs")
            for one in (mine, theirs):
                one.notes.save(content="kept", type="user")
            run(postgres_url, DEAD.replace("{state}", state).replace("'%' using", f"'{text}' using"))
            for _ in range(3):
                for use in (theirs.notes.list, lambda: theirs.notes.save(content="lost", type="user")):
                    with pytest.raises(StorageError) as refused:
                        use()
                    assert refused.value.key == "unreachable" and text in str(refused.value)
                mine.notes.save(content="meanwhile", type="user")
                assert "kept" in [note.content for note in mine.notes.list().items]
            run(postgres_url, "drop view owners", "alter table kept rename to owners")
            assert [note.content for note in theirs.notes.list().items] == ["kept"]
            theirs.notes.save(content="again", type="user")

    def test_another_internal_error_stays_one(self, postgres_url: str) -> None:
        with open_memory(Settings(database=postgres_url)) as memory:
            theirs = memory.within(user="theirs")
            theirs.notes.save(content="kept", type="user")
            run(postgres_url, DEAD.replace("{state}", "XX000").replace("'%' using", "'out of order' using"))
            with pytest.raises(StorageError) as refused:
                theirs.notes.list()
            assert refused.value.key == "database_failed"

    @pytest.mark.parametrize(
        ("when", "key"),
        [("deferrable initially deferred", "commit_unknown"), ("not deferrable", "unreachable")],
        ids=["in the commit", "before"],
    )
    def test_one_that_dies_in_the_commit_leaves_it_open(self, postgres_url: str, when: str, key: str) -> None:
        """Whether it is kept is not known then, so it is not called lost either."""
        with open_memory(Settings(database=postgres_url)) as memory:
            memory.notes.save(content="kept", type="user")
            run(
                postgres_url,
                "create function public.dies() returns trigger language plpgsql as $$ begin raise exception "
                "'connection to the remote node worker-2:5432 failed' using errcode = '08006'; end $$",
                f"create constraint trigger at_the_end after insert on records {when} "
                "for each row execute function public.dies()",
            )
            with pytest.raises(StorageError) as refused:
                memory.notes.save(content="who knows", type="user")
            assert refused.value.key == key
            run(postgres_url, "drop trigger at_the_end on records")
            assert [note.content for note in memory.notes.list().items] == ["kept"]
