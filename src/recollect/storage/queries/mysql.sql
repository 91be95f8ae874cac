-- Queries that MySQL wants in its own words: other upserts, whole numbers where it would add up to decimals.

-- name: meta_found
-- Tell whether this database has a table of ours.
select 1 from information_schema.columns
where table_schema = database() and table_name = 'meta' and column_name in ('name', 'value') having count(*) = 2

-- name: tables_found
-- A table that stands where one of ours would be made.
select table_name from information_schema.tables
where table_schema = database() and table_name in ('meta', 'owners', 'records', 'postings', 'revisions', 'runs', 'tombstones', 'jobs', 'erasures', 'vectors', 'tuning', 'recalls') limit 1

-- name: server_says
-- The version of the server and the bytes that this database takes.
select version(), cast(coalesce(sum(data_length + index_length), 0) as signed)
from information_schema.tables where table_schema = database()

-- name: checkpoint
-- The server removes deleted texts from its files by itself, when it purges.
select 1

-- name: meta_put
-- Remember a value once; the first writer wins.
insert into meta (name, value) values (:name, :value) on duplicate key update name = meta.name

-- name: schema_put
-- Note the number of the newest migration applied.
insert into meta (name, value) values ('schema', :value) on duplicate key update value = :value

-- name: owner_add
-- A new owner, unless somebody else has entered it just now, whose row is then waited for and held.
insert into owners (owner_no, owner_id, tenant, user_name, created_at)
values (:hashed, :owner_id, :tenant, :user_name, :created_at) on duplicate key update created_at = owners.created_at

-- name: owner_recount
-- What the counters of an owner should say.
select count(*), cast(coalesce(sum(length), 0) as signed) from records where owner_no = :owner_no and status = 'active'

-- name: tombstone_put
-- Remember that a text was forgotten; again is harmless.
insert into tombstones (owner_no, agent, form, digest, at) values (:owner_no, :agent, :form, :digest, :at)
on duplicate key update at = tombstones.at

-- name: erasure_put
-- The one row that stays of an erased owner.
insert into erasures (owner_mac, at) values (:owner_mac, :at) on duplicate key update at = :at

-- name: tuning_mark
-- Note that an owner's vectors are not what they were.
insert into tuning (owner_no, vectors_mark) values (:owner_no, :vectors_mark)
on duplicate key update vectors_mark = :vectors_mark

-- name: tuning_floors
-- Note from where on an answer counts for an owner.
insert into tuning (owner_no, floors) values (:owner_no, :floors) on duplicate key update floors = :floors

-- name: job_count
-- How much work waits, and how much of it has failed before.
select count(*), cast(coalesce(sum(last_error <> ''), 0) as signed) from jobs

-- name: records_page
-- One page of a list, newest first.
select id, kind, type, name, description, content, metadata, labels, importance, pinned, agent, session, space,
    record_key, status, source, trust, created_at, updated_at, expires_at, version
from records
where owner_no = :owner_no and id < :before and status = :status and kind = :kind and space = :space
    and (:agent = '*' or agent in ('', :agent)) and (:session = '*' or session in ('', :session))
    and (:type is null or type = :type) and (expires_at is null or expires_at > :now)
    and (:changed_before is null or updated_at < :changed_before)
    and (:changed_since is null or updated_at >= :changed_since)
    and json_contains(labels, :labels)
order by id desc limit :limit

-- name: posting_beginning
-- What the records of one owner hold of terms within a range, added up; of many rows the first by term and record.
select id, cast(sum(tf_name) as signed), cast(sum(tf_description) as signed), cast(sum(tf_content) as signed),
    max(length)
from (
    select id, tf_name, tf_description, tf_content, length from postings
    where owner_no = :owner_no and term >= :term and term < :end order by term, id limit :limit
) as found
group by id order by id

-- name: records_meet
-- The records that hold the most of some terms and that the scope may read. Terms that stand in `cap` records or more do
-- not count.
with rare as (
    select wanted.term from json_table(:terms, '$[*]' columns (term varchar(64) character set utf8mb4 collate utf8mb4_0900_bin path '$')) as wanted
    where (select count(*) from (
        select 1 from postings as p where p.owner_no = :hashed and p.term = wanted.term limit :cap) as seen) < :cap
), met as (
    select p.id, count(*) as shared
    from rare straight_join postings as p on p.owner_no = :hashed and p.term = rare.term
    group by p.id having count(*) >= least((select count(*) from rare), greatest(2, (select count(*) from rare) div 2))
    order by shared desc, p.id desc limit :limit
)
select r.id, r.kind, r.type, r.name, r.description, r.content, r.metadata, r.labels, r.importance, r.pinned, r.agent,
    r.session, r.space, r.record_key, r.status, r.source, r.trust, r.created_at, r.updated_at, r.expires_at, r.version
from met straight_join records as r on r.owner_no = :hashed and r.id = met.id
    join owners as o on o.owner_no = r.owner_no and o.owner_id = :owner_id
where (:agent = '*' or r.agent in ('', :agent)) and (:session = '*' or r.session in ('', :session))
order by met.shared desc, r.id desc

-- name: posting_probe
-- How often each term stands in an owner's records: the newest rows of a term counted up to a cap, and their oldest id.
select wanted.term,
    (select count(*) from (
        select 1 from postings as p where p.owner_no = :owner_no and p.term = wanted.term limit :cap) as seen),
    (select max(old.id) from (
        select p.id from postings as p where p.owner_no = :owner_no and p.term = wanted.term
        order by p.id desc limit 1 offset :oldest) as old)
from json_table(:terms, '$[*]' columns (term varchar(64) character set utf8mb4 collate utf8mb4_0900_bin path '$')) as wanted

-- name: server_facts
-- The server's clock in microseconds, how many connections it gives us, and its character set.
select cast(unix_timestamp(now(6)) * 1000000 as signed),
    if(@@max_user_connections > 0, least(@@max_user_connections, @@max_connections), @@max_connections),
    (select table_collation from information_schema.tables where table_schema = database() and table_name = 'records')

-- name: server_tls
-- How this connection is encrypted, if it is.
show session status like 'Ssl_cipher'

-- name: cluster_found
-- MySQL is not sharded.
select 1 from dual where 1 = 0

-- name: fulltext_found
-- Tell whether the engine's own full text was added.
select 1 from information_schema.statistics
where table_schema = database() and table_name = 'records' and index_name = 'records_fulltext' limit 1

-- name: fulltext_add
-- The engine's own full text, of pairs of characters.
create fulltext index records_fulltext on records (name, description, content) with parser ngram

-- name: fulltext_drop_add
drop index records_fulltext on records

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
