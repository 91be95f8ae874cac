"""A stand-in for what `recollect db init --shard` asks of Citus, in a database of a plain PostgreSQL.

It writes down what was called and says which tables are spread, and refuses what Citus refuses of those calls. It moves
no row: whatever Citus does with a table needs a cluster, which RECOLLECT_TEST_CITUS names.
"""

import psycopg

CALLS = "select call from public.called order by at"

_STAND_IN = """
insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
select 4000000001, 'citus', oid, 'public'::regnamespace, false, 'none' from pg_roles where rolname = current_user;
create table public.pg_dist_partition (logicalrelid regclass primary key, partmethod "char", repmodel "char");
create table public.called (at integer generated always as identity, call text);
create function public.create_reference_table(named regclass) returns void language sql as $$
    insert into public.pg_dist_partition values (named, 'n', 't');
    insert into public.called (call) values ('reference ' || named);
$$;
create function public.create_distributed_table(named regclass, by text, kind text default 'hash',
    colocate_with text default 'default') returns void language plpgsql as $$
begin
    if colocate_with <> 'none' then
        perform from public.pg_dist_partition where logicalrelid = colocate_with::regclass and partmethod = 'h';
        if not found then
            raise exception 'relation % is not distributed', colocate_with;
        end if;
    end if;
    insert into public.pg_dist_partition values (named, 'h', 's');
    insert into public.called (call) values (concat_ws(' ', 'spread', named, by, colocate_with));
end $$;
create function public.truncate_local_data_after_distributing_table(named regclass) returns void language sql as $$
    insert into public.called (call) values ('clear ' || named);
$$;
"""


def stand_in(url: str) -> None:
    """Make the database look like the coordinator of a cluster."""
    with psycopg.connect(url) as connection:
        connection.execute(_STAND_IN)


def called(url: str) -> list[str]:
    """Return what was asked of the stand-in, in order."""
    with psycopg.connect(url) as connection:
        return [row[0] for row in connection.execute(CALLS)]
