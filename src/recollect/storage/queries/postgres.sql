-- Queries that PostgreSQL wants in its own words: a parameter that may be null says its type.

-- name: meta_found
-- Tell whether this database has a table of ours.
select 1 where to_regclass('recollect.meta') is not null

-- name: tables_found
-- A table that stands where one of ours would be made.
select table_name from information_schema.tables
where table_schema = 'recollect' and table_name in ('meta', 'owners', 'records', 'postings', 'revisions', 'runs', 'tombstones', 'jobs', 'erasures') limit 1

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

-- name: posting_meet
-- The records that hold the most of some terms, of which those do not count that stand in `cap` records or more. The
-- limit in the lateral query takes no row away: it keeps the planner, which may have counted nothing yet, to the index.
with rare as materialized (
    select wanted.term from unnest(:terms::text[]) as wanted (term)
    where (select count(*) from (
        select 1 from postings as p where p.owner_no = :owner_no and p.term = wanted.term limit :cap) as seen) < :cap
)
select p.id, count(*) as shared
from rare cross join lateral (
    select met.id from postings as met where met.owner_no = :owner_no and met.term = rare.term limit :cap
) as p
group by p.id having count(*) >= least((select count(*) from rare), greatest(2, (select count(*) from rare) / 2))
order by shared desc, p.id desc limit :limit

-- name: posting_probe
-- How often each term stands in an owner's records: the newest rows of a term counted up to a cap, and their oldest id.
select wanted.term,
    (select count(*) from (
        select 1 from postings as p where p.owner_no = :owner_no and p.term = wanted.term limit :cap) as seen),
    (select p.id from postings as p where p.owner_no = :owner_no and p.term = wanted.term
     order by p.id desc limit 1 offset :oldest)
from unnest(:terms::text[]) as wanted (term)

-- name: copy_add_records
-- Whole rows, as they were read.
insert into records (owner_no, id, kind, type, name, description, content, metadata, labels, importance, pinned,
    agent, session, space, record_key, active_key, status, source, trust, created_at, updated_at, expires_at,
    trashed_at, version, fingerprint, length)
select * from unnest(
    :owner_no::bigint[], :id::bigint[], :kind::text[], :type::text[], :name::text[], :description::text[],
    :content::text[], :metadata::text[], :labels::text[], :importance::bigint[], :pinned::bigint[], :agent::text[],
    :session::text[], :space::text[], :record_key::text[], :active_key::text[], :status::text[], :source::text[],
    :trust::bigint[], :created_at::bigint[], :updated_at::bigint[], :expires_at::bigint[], :trashed_at::bigint[],
    :version::bigint[], :fingerprint::bytea[], :length::bigint[])

-- name: copy_add_revisions
-- Whole rows, as they were read.
insert into revisions (owner_no, id, record_id, run_id, at, actor, agent, action, version, changes, undoes, undone_by,
    scrubbed, idempotency_key, body_hash)
select * from unnest(
    :owner_no::bigint[], :id::bigint[], :record_id::bigint[], :run_id::bigint[], :at::bigint[], :actor::text[],
    :agent::text[], :action::text[], :version::bigint[], :changes::text[], :undoes::bigint[], :undone_by::bigint[],
    :scrubbed::bigint[], :idempotency_key::text[], :body_hash::bytea[])

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
-- Tell whether this is part of a cluster.
select 1 from pg_extension where extname = 'citus'

-- name: fulltext_found
-- Tell whether the engine's own full text was added.
select 1 where to_regclass('recollect.records_fulltext') is not null

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
