-- Queries that PostgreSQL wants in its own words: a parameter that may be null says its type.

-- name: meta_found
-- Tell whether our schema, which stands first in the search path and may not exist yet, has a table of ours.
select 1 where to_regclass(split_part(current_setting('search_path'), ',', 1) || '.meta') is not null

-- name: tables_found
-- A table that stands where one of ours would be made.
select table_name from information_schema.tables
where table_schema = current_schema() and table_name in ('meta', 'owners', 'records', 'postings', 'revisions', 'runs', 'tombstones', 'jobs', 'erasures', 'vectors', 'tuning', 'recalls') limit 1

-- name: server_says
-- The version of the server and the bytes that this database takes.
select current_setting('server_version'), pg_database_size(current_database())

-- name: checkpoint
-- The server removes deleted texts from its files by itself, when it vacuums.
select 1

-- name: posting_add
-- Terms of records, in bulk: every parameter is a column.
insert into postings (owner_no, term, id, tf_name, tf_description, tf_content, length)
select * from unnest(:owner_no::bigint[], :term::text[], :id::bigint[], :tf_name::integer[], :tf_description::integer[],
    :tf_content::integer[], :length::integer[])

-- name: records_page
-- One page of a list, newest first.
select id, kind, type, name, description, content, metadata, labels, importance, pinned, agent, session, space,
    record_key, status, source, trust, created_at, updated_at, expires_at, version
from records
where owner_no = :owner_no and id < :before and status = :status and kind = :kind and space = :space
    and (:agent = '*' or agent in ('', :agent)) and (:session = '*' or session in ('', :session))
    and (:type::text is null or type = :type) and (expires_at is null or expires_at > :now)
    and (:changed_before::bigint is null or updated_at < :changed_before)
    and (:changed_since::bigint is null or updated_at >= :changed_since)
    and (cardinality(:labels::text[]) = 0 or labels::jsonb @> to_jsonb(:labels::text[]))
order by id desc limit :limit

-- name: record_by_fingerprint
-- The active record that says exactly this, oldest first; with a moment, one that has not expired by then.
select id from records
where owner_no = :owner_no and fingerprint = :fingerprint and status = 'active' and id <> :except_id
    and (:now::bigint is null or expires_at is null or expires_at > :now)
order by id limit 1

-- name: records_meet
-- The records that hold the most of some terms and that the scope may read. Terms that stand in `cap` records or more do
-- not count. The
-- limit in the lateral query takes no row away: it keeps the planner, which may have counted nothing yet, to the index.
with rare as materialized (
    select wanted.term from unnest(:terms::text[]) as wanted (term)
    where (select count(*) from (
        select 1 from postings as p where p.owner_no = :hashed and p.term = wanted.term limit :cap) as seen) < :cap
), met as materialized (
    select p.id, count(*) as shared
    from rare cross join lateral (
        select held.id from postings as held where held.owner_no = :hashed and held.term = rare.term limit :cap
    ) as p
    group by p.id having count(*) >= least((select count(*) from rare), greatest(2, (select count(*) from rare) / 2))
    order by shared desc, p.id desc limit :limit
)
select r.id, r.kind, r.type, r.name, r.description, r.content, r.metadata, r.labels, r.importance, r.pinned, r.agent,
    r.session, r.space, r.record_key, r.status, r.source, r.trust, r.created_at, r.updated_at, r.expires_at, r.version
from met join records as r on r.owner_no = :hashed and r.id = met.id
    join owners as o on o.owner_no = r.owner_no and o.owner_id = :owner_id
where (:agent = '*' or r.agent in ('', :agent)) and (:session = '*' or r.session in ('', :session))
order by met.shared desc, r.id desc

-- name: posting_probe
-- How often each term stands in an owner's records: the newest rows of a term counted up to a cap, and their oldest id.
select wanted.term,
    (select count(*) from (
        select 1 from postings as p where p.owner_no = :owner_no and p.term = wanted.term limit :cap) as seen),
    (select p.id from postings as p where p.owner_no = :owner_no and p.term = wanted.term
     order by p.id desc limit 1 offset :oldest)
from unnest(:terms::text[]) as wanted (term)

-- name: vector_add
-- Vectors of records, in bulk: every parameter is a column.
insert into vectors (owner_no, id, model, dimension, form, vector)
select * from unnest(:owner_no::bigint[], :id::bigint[], :model::text[], :dimension::integer[], :form::text[],
    :vector::bytea[])

-- name: shard_alone
-- Keep others from sharding or migrating until this transaction ends.
select pg_advisory_xact_lock(:lock)

-- name: shard_patience
-- Moving the rows of a table takes as long as it takes.
set local statement_timeout to 0

-- name: shard_kinds
-- The tables of our schema that are spread, and those that every server has; Citus may know of others.
select t.relname, case when p.partmethod = 'h' then 'distributed' else 'reference' end
from pg_dist_partition as p join pg_class as t on t.oid = p.logicalrelid
where t.relnamespace = current_schema()::regnamespace and (p.partmethod = 'h' or p.repmodel = 't') order by t.relname

-- name: shard_reference
-- Put a whole copy of a table on every server.
select create_reference_table(:name::regclass)

-- name: shard_first
-- Spread the table that the others are kept with; its shards belong to nothing that was there before.
select create_distributed_table(:name::regclass, 'owner_no', colocate_with => 'none')

-- name: shard_beside
-- Spread a table so that an owner's rows lie beside that owner's other rows.
select create_distributed_table(:name::regclass, 'owner_no', colocate_with => 'owners')

-- name: shard_left
-- Tell whether the coordinator's disk still holds what the table had before it was spread.
select 1 where pg_relation_size(:name::regclass) > 0

-- name: shard_clear
-- Take from the coordinator's disk what now lies on the workers: nobody sees it, and what is forgotten would stay in it.
select truncate_local_data_after_distributing_table(:name::regclass)

-- name: shard_tables
-- Every table of our schema: whether it has an owner_no, and whether that is a bigint and never null.
select t.relname, a.attnum is not null, coalesce(a.attnotnull and a.atttypid = 'bigint'::regtype, false)
from pg_class as t left join pg_attribute as a on a.attrelid = t.oid and a.attname = 'owner_no' and not a.attisdropped
where t.relnamespace = current_schema()::regnamespace and t.relkind in ('r', 'p') order by t.relname

-- name: shard_keys
-- Keys and indexes of distributed tables that owner_no does not lead. What finds texts or vectors has no order to lead.
select t.relname, c.relname,
    case when i.indisprimary then 'primary_key' when i.indisunique or i.indisexclusion then 'unique_key' else 'index' end
from pg_index as i join pg_class as t on t.oid = i.indrelid join pg_class as c on c.oid = i.indexrelid
    join pg_am as m on m.oid = c.relam
    join pg_attribute as a on a.attrelid = t.oid and a.attname = 'owner_no' and not a.attisdropped
where t.relnamespace = current_schema()::regnamespace and not t.relname in :reference and i.indkey[0] <> a.attnum
    and (i.indisunique or i.indisexclusion or m.amname not in ('gin', 'gist', 'hnsw', 'ivfflat'))
order by t.relname, c.relname

-- name: shard_foreign_keys
-- Foreign keys that leave an owner: a shard refers to its own owner's rows or to a table that every server has.
select t.relname, k.conname
from pg_constraint as k join pg_class as t on t.oid = k.conrelid join pg_class as f on f.oid = k.confrelid
where k.contype = 'f' and t.relnamespace = current_schema()::regnamespace and not f.relname in :reference
    and (t.relname in :reference or not exists (
        select 1 from unnest(k.conkey, k.confkey) as pair (mine, theirs)
            join pg_attribute as p on p.attrelid = k.conrelid and p.attnum = pair.mine
            join pg_attribute as q on q.attrelid = k.confrelid and q.attnum = pair.theirs
        where p.attname = 'owner_no' and q.attname = 'owner_no'))
order by t.relname, k.conname

-- name: shard_triggers
-- Triggers that somebody made.
select t.relname, g.tgname from pg_trigger as g join pg_class as t on t.oid = g.tgrelid
where t.relnamespace = current_schema()::regnamespace and not g.tgisinternal order by t.relname, g.tgname

-- name: shard_defaults
-- Defaults that call something: 'sequence' for a number that is counted, 'default' for what is not the same everywhere.
with called as (
    select d.adrelid, d.adnum, d.adbin::text like '%SQLVALUEFUNCTION%' as is_volatile, null as name
    from pg_attrdef as d
    union all
    select d.adrelid, d.adnum, p.provolatile <> 'i', p.proname
    from pg_attrdef as d cross join regexp_matches(d.adbin::text, 'funcid (\d+)', 'g') as found (ids)
        join pg_proc as p on p.oid = found.ids[1]::oid
)
select distinct t.relname, a.attname,
    case when a.attidentity <> '' or called.name = 'nextval' then 'sequence' else 'default' end
from pg_attribute as a join pg_class as t on t.oid = a.attrelid
    left join called on called.adrelid = a.attrelid and called.adnum = a.attnum
where t.relnamespace = current_schema()::regnamespace and t.relkind in ('r', 'p') and a.attnum > 0
    and not a.attisdropped and (a.attidentity <> '' or called.is_volatile)
order by t.relname, a.attname

-- name: shard_volatile
-- The names of functions that may answer otherwise each time.
select distinct proname from pg_proc where provolatile = 'v'

-- name: record_add
-- Records, in bulk: every parameter is a column.
insert into records (owner_no, id, kind, type, name, description, content, metadata, labels, importance, pinned,
    agent, session, space, record_key, active_key, status, source, trust, created_at, updated_at, expires_at,
    trashed_at, version, fingerprint, length)
select * from unnest(
    :owner_no::bigint[], :id::bigint[], :kind::text[], :type::text[], :name::text[], :description::text[],
    :content::text[], :metadata::text[], :labels::text[], :importance::bigint[], :pinned::bigint[], :agent::text[],
    :session::text[], :space::text[], :record_key::text[], :active_key::text[], :status::text[], :source::text[],
    :trust::bigint[], :created_at::bigint[], :updated_at::bigint[], :expires_at::bigint[], :trashed_at::bigint[],
    :version::bigint[], :fingerprint::bytea[], :length::bigint[])

-- name: revision_add
-- What happened to records, in bulk: every parameter is a column.
insert into revisions (owner_no, id, record_id, run_id, at, actor, agent, action, version, changes, undoes, undone_by,
    scrubbed, idempotency_key, body_hash)
select * from unnest(
    :owner_no::bigint[], :id::bigint[], :record_id::bigint[], :run_id::bigint[], :at::bigint[], :actor::text[],
    :agent::text[], :action::text[], :version::bigint[], :changes::text[], :undoes::bigint[], :undone_by::bigint[],
    :scrubbed::bigint[], :idempotency_key::text[], :body_hash::bytea[])

-- name: copy_add_recalls
-- Whole rows, as they were read.
insert into recalls (owner_no, id, at, agent, session, asked_by, question, named, answer, took_us)
select * from unnest(
    :owner_no::bigint[], :id::bigint[], :at::bigint[], :agent::text[], :session::text[], :asked_by::text[],
    :question::text[], :named::text[], :answer::text[], :took_us::bigint[])

-- name: server_facts
-- The server's clock in microseconds, how many connections it gives us, and its character set.
select cast(extract(epoch from clock_timestamp()) * 1000000 as bigint),
    least(current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
        (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
        (select nullif(datconnlimit, -1) from pg_database where datname = current_database())),
    current_setting('server_encoding')

-- name: server_tls
-- How this connection is encrypted, if it is.
select 'cipher', case when ssl then version || ' ' || cipher else '' end from pg_stat_ssl where pid = pg_backend_pid()

-- name: cluster_found
-- Tell whether this database is the coordinator of a Citus cluster, or could be.
select 1 from pg_extension where extname = 'citus'

-- name: fulltext_found
-- Tell whether the engine's own full text was added.
select 1 where to_regclass(split_part(current_setting('search_path'), ',', 1) || '.records_fulltext') is not null

-- name: fulltext_add
-- The engine's own full text. A text too long for it is indexed as far as it goes.
create index records_fulltext on records
using gin (to_tsvector('simple', left(name || ' ' || description || ' ' || content, 100000)))

-- name: fulltext_drop_add
drop index records_fulltext

-- name: fulltext_on_insert
-- The engine keeps the index in step by itself.
select 1

-- name: fulltext_on_delete
select 1

-- name: fulltext_on_update
select 1

-- name: fulltext_fill
select 1

-- name: fulltext_drop_on_insert
select 1

-- name: fulltext_drop_on_delete
select 1

-- name: fulltext_drop_on_update
select 1
