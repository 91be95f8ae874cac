-- Queries that SQLite wants in its own words: rows are found by owner_no << 32 | id, lists travel as JSON.

-- name: schema_get
-- The number of the newest migration applied.
pragma user_version

-- name: owner_get
-- The counters of one owner; a file numbers its owners as they come.
select owner_no, next_record, next_revision, next_run, next_job, active_count, length_sum from owners where owner_id = :owner_id

-- name: owner_hold
-- The same inside a transaction, which nobody else writes beside.
select owner_no, next_record, next_revision, next_run, next_job, active_count, length_sum from owners where owner_id = :owner_id

-- name: owner_add
-- A new owner under the next number.
insert into owners (owner_no, owner_id, tenant, user_name, created_at)
select coalesce(max(owner_no), 0) + 1, :owner_id, :tenant, :user_name, :created_at from owners

-- name: record_put
-- Write a changed record back, if it still has the version it was read at.
update records set kind = :kind, type = :type, name = :name, description = :description, content = :content,
    metadata = :metadata, labels = :labels, importance = :importance, pinned = :pinned, agent = :agent,
    session = :session, space = :space, record_key = :record_key, active_key = :active_key, status = :status,
    source = :source, trust = :trust, created_at = :created_at, updated_at = :updated_at, expires_at = :expires_at,
    trashed_at = :trashed_at, version = :version, fingerprint = :fingerprint, length = :length
where row_no = :owner_no << 32 | :id and owner_no = :owner_no and version = :read_version

-- name: record_remove
-- Take a record out for good.
delete from records where row_no = :owner_no << 32 | :id and owner_no = :owner_no

-- name: records_get
-- The records of these ids that the scope may read.
select id, kind, type, name, description, content, metadata, labels, importance, pinned, agent, session, space,
    record_key, status, source, trust, created_at, updated_at, expires_at, version
from records
where row_no in (select :owner_no << 32 | value from json_each(:ids) where value between 1 and 4294967295)
    and owner_no = :owner_no and (:agent = '*' or agent in ('', :agent)) and (:session = '*' or session in ('', :session))

-- name: records_standing
-- What ranks the records of these ids beside their words, of those that the scope may read.
select id, created_at, updated_at, importance, pinned
from records
where row_no in (select :owner_no << 32 | value from json_each(:ids) where value between 1 and 4294967295)
    and owner_no = :owner_no and (:agent = '*' or agent in ('', :agent)) and (:session = '*' or session in ('', :session))

-- name: records_page
-- One page of a list, newest first.
select id, kind, type, name, description, content, metadata, labels, importance, pinned, agent, session, space,
    record_key, status, source, trust, created_at, updated_at, expires_at, version
from records
where row_no < :owner_no << 32 | :before and row_no > :owner_no << 32 and owner_no = :owner_no
    and status = :status and kind = :kind and space = :space
    and (:agent = '*' or agent in ('', :agent)) and (:session = '*' or session in ('', :session))
    and (:type is null or type = :type) and (expires_at is null or expires_at > :now)
    and (:changed_before is null or updated_at < :changed_before)
    and (:changed_since is null or updated_at >= :changed_since)
    and not exists (
        select 1 from json_each(:labels) as wanted
        where wanted.value not in (select value from json_each(records.labels))
    )
order by row_no desc limit :limit

-- name: records_pinned
-- The pinned records of a scope, in the order of their ids.
select id, kind, type, name, description, content, metadata, labels, importance, pinned, agent, session, space,
    record_key, status, source, trust, created_at, updated_at, expires_at, version
from records indexed by records_pinned
where owner_no = :owner_no and pinned = 1 and status = 'active'
    and (:agent = '*' or agent in ('', :agent)) and (:session = '*' or session in ('', :session))
    and (expires_at is null or expires_at > :now)
order by id

-- name: records_all
-- Every record of an owner in the order of their ids, a slice at a time.
select id, kind, type, name, description, content, metadata, labels, importance, pinned, agent, session, space,
    record_key, status, source, trust, created_at, updated_at, expires_at, version
from records
where row_no > :owner_no << 32 | :after and row_no <= :owner_no << 32 | 4294967295 and owner_no = :owner_no
order by row_no limit :limit

-- name: texts_known
-- Of some texts the active records that say one of them and have not expired, oldest first, and what was forgotten.
with recursive who as (select owner_no from owners where owner_id = :owner_id), place (at) as (values (0) union all select at + 1 from place where (at + 1) * 16 < length(:fingerprints))
select r.id, r.fingerprint, null
from who cross join place cross join records as r on r.owner_no = who.owner_no
    and r.fingerprint = substr(:fingerprints, place.at * 16 + 1, 16) and r.status = 'active'
    and (r.expires_at is null or r.expires_at > :now)
union all
select null, t.digest, t.agent
from who cross join place cross join tombstones as t on t.owner_no = who.owner_no and t.agent in ('', :agent) and t.form = 'text'
    and t.digest = substr(:digests, place.at * 32 + 1, 32)
order by 1

-- name: records_meet
-- The records that hold the most of some terms and that the scope may read. Terms that stand in `cap` records or more do
-- not count.
with who as (select owner_no from owners where owner_id = :owner_id), rare as materialized (
    select value as term, owner_no from who cross join json_each(:terms) as wanted
    where (select count(*) from (
        select 1 from postings as p where p.owner_no = who.owner_no and p.term = wanted.value limit :cap)) < :cap
), met as (
    select p.id, count(*) as shared
    from rare cross join postings as p on p.owner_no = rare.owner_no and p.term = rare.term
    group by p.id having shared >= min((select count(*) from rare), max(2, (select count(*) from rare) / 2))
    order by shared desc, p.id desc limit :limit
)
select r.id, r.kind, r.type, r.name, r.description, r.content, r.metadata, r.labels, r.importance, r.pinned, r.agent,
    r.session, r.space, r.record_key, r.status, r.source, r.trust, r.created_at, r.updated_at, r.expires_at, r.version
from who cross join met cross join records as r on r.row_no = who.owner_no << 32 | met.id and r.owner_no = who.owner_no
where (:agent = '*' or r.agent in ('', :agent)) and (:session = '*' or r.session in ('', :session))
order by met.shared desc, r.id desc

-- name: posting_probe
-- How often each term stands in an owner's records: the newest rows of a term counted up to a cap, and their oldest id.
select wanted.value,
    (select count(*) from (
        select 1 from postings as p where p.owner_no = :owner_no and p.term = wanted.value limit :cap)),
    (select p.id from postings as p where p.owner_no = :owner_no and p.term = wanted.value
     order by p.id desc limit 1 offset :oldest)
from json_each(:terms) as wanted

-- name: owner_recount
-- What the counters of an owner should say; the range finds the rows without reading those of others.
select count(*), coalesce(sum(length), 0) from records
where row_no > :owner_no << 32 and row_no <= :owner_no << 32 | 4294967295 and owner_no = :owner_no and status = 'active'

-- name: count_records
-- How many records an owner has, in any state.
select count(*) from records
where row_no > :owner_no << 32 and row_no <= :owner_no << 32 | 4294967295 and owner_no = :owner_no

-- name: erase_records
-- Delete every record of an owner.
delete from records
where row_no > :owner_no << 32 and row_no <= :owner_no << 32 | 4294967295 and owner_no = :owner_no

-- name: revision_get
-- One revision.
select id, record_id, run_id, at, actor, agent, action, version, changes, undoes, undone_by, scrubbed
from revisions where row_no = :owner_no << 32 | :id and owner_no = :owner_no and id = :id

-- name: revisions_newest
-- The newest revisions of an owner.
select id, record_id, run_id, at, actor, agent, action, version, changes, undoes, undone_by, scrubbed
from revisions
where row_no < :owner_no << 32 | :before and row_no > :owner_no << 32 and owner_no = :owner_no
order by row_no desc limit :limit

-- name: revision_undone
-- Mark a revision as undone.
update revisions set undone_by = :undone_by where row_no = :owner_no << 32 | :id and owner_no = :owner_no

-- name: integrity
-- What SQLite itself finds wrong with the file.
pragma integrity_check(20)

-- name: backup
-- Write a whole, consistent and compact copy into a new or empty file while others go on writing.
vacuum into :target

-- name: checkpoint
-- Bring everything from the write-ahead log into the file and empty the log.
pragma wal_checkpoint(truncate)

-- name: postings_orphaned
-- Terms that point at records which are gone or not active.
select count(*) from postings as p left join records as r
    on r.row_no = p.owner_no << 32 | p.id and r.owner_no = p.owner_no and r.status = 'active'
where r.id is null

-- name: vector_missing
-- The next active records of an owner of which one model has made no vector, by id.
select r.id from records as r
where r.row_no > :owner_no << 32 | :after and r.row_no <= :owner_no << 32 | 4294967295 and r.owner_no = :owner_no
    and r.status = 'active' and not exists (
        select 1 from vectors as v
        where v.owner_no = :owner_no and v.id = r.id and v.model = :model and v.dimension = :dimension)
order by r.row_no limit :limit

-- name: vector_find
-- Every vector that one model made for an owner, by record, and from where the record may be seen.
select v.id, v.vector, v.form, r.agent, r.session, r.kind, r.space
from vectors as v join records as r on r.row_no = v.owner_no << 32 | v.id and r.owner_no = v.owner_no
where v.owner_no = :owner_no and v.model = :model and v.dimension = :dimension order by v.id

-- name: vector_orphaned
-- Vectors of records that are gone or not active.
select count(*) from vectors as v left join records as r
    on r.row_no = v.owner_no << 32 | v.id and r.owner_no = v.owner_no and r.status = 'active'
where r.id is null

-- name: copy_read_records
-- The next whole rows of an owner, those of one agent unless it is *.
select id, kind, type, name, description, content, metadata, labels, importance, pinned, agent, session, space,
    record_key, active_key, status, source, trust, created_at, updated_at, expires_at, trashed_at, version,
    fingerprint, length
from records
where row_no > :owner_no << 32 | :id and row_no <= :owner_no << 32 | 4294967295 and owner_no = :owner_no
    and (:agent = '*' or agent = :agent)
order by row_no limit :limit

-- name: record_add
-- Records, in bulk.
insert into records (row_no, owner_no, id, kind, type, name, description, content, metadata, labels, importance, pinned,
    agent, session, space, record_key, active_key, status, source, trust, created_at, updated_at, expires_at,
    trashed_at, version, fingerprint, length)
values (?1 << 32 | ?2, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21,
    ?22, ?23, ?24, ?25, ?26)

-- name: copy_read_revisions
-- The next whole rows of an owner: of one agent what happened to its records, and what it did to those that are gone.
select id, record_id, run_id, at, actor, agent, action, version, changes, undoes, undone_by, scrubbed, idempotency_key,
    body_hash
from revisions
where row_no > :owner_no << 32 | :id and row_no <= :owner_no << 32 | 4294967295 and owner_no = :owner_no
    and (:agent = '*' or :agent = coalesce((
        select r.agent from records as r where r.row_no = :owner_no << 32 | revisions.record_id), agent))
order by row_no limit :limit

-- name: revision_add
-- What happened to records, in bulk.
insert into revisions (row_no, owner_no, id, record_id, run_id, at, actor, agent, action, version, changes, undoes,
    undone_by, scrubbed, idempotency_key, body_hash)
values (?1 << 32 | ?2, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)

-- name: copy_read_runs
-- The next whole rows of an owner: of one agent its own runs, and those that touched its records.
select id, name, at, actor, agent, undone, progress
from runs
where owner_no = :owner_no and id > :id and (:agent = '*' or agent = :agent or id in (
    select v.run_id from revisions as v join records as r on r.row_no = v.owner_no << 32 | v.record_id
    where v.owner_no = :owner_no and v.run_id is not null and r.agent = :agent))
order by id limit :limit

-- name: copy_read_postings
-- The next whole rows of an owner, in the order in which they are stored.
select term, id, tf_name, tf_description, tf_content, length
from postings
where owner_no = :owner_no and (term, id) > (:term, :id) and (:agent = '*' or exists (
    select 1 from records as r where r.row_no = :owner_no << 32 | postings.id and r.agent = :agent))
order by term, id limit :limit

-- name: copy_read_vectors
-- The next whole rows of an owner: of one agent those of its records.
select id, model, dimension, form, vector
from vectors
where owner_no = :owner_no and (id, model, dimension) > (:id, :model, :dimension) and (:agent = '*' or exists (
    select 1 from records as r where r.row_no = :owner_no << 32 | vectors.id and r.agent = :agent))
order by id, model, dimension limit :limit

-- name: cluster_found
-- A file is never sharded.
select 1 where 0

-- name: fulltext_found
-- Tell whether the engine's own full text was added.
select 1 from sqlite_master where name = 'records_fulltext'

-- name: fulltext_add
-- The engine's own full text: the words stay in records, the index finds any three characters.
create virtual table records_fulltext using fts5(
    name, description, content, content = 'records', content_rowid = 'row_no', tokenize = 'trigram')

-- name: fulltext_on_insert
create trigger records_fulltext_insert after insert on records begin
    insert into records_fulltext (rowid, name, description, content)
    values (new.row_no, new.name, new.description, new.content);
end

-- name: fulltext_on_delete
-- Who deletes a row wants its text gone: the index is written anew, since it only marks what was deleted.
create trigger records_fulltext_delete after delete on records begin
    insert into records_fulltext (records_fulltext, rowid, name, description, content)
    values ('delete', old.row_no, old.name, old.description, old.content);
    insert into records_fulltext (records_fulltext) values ('optimize');
end

-- name: fulltext_on_update
create trigger records_fulltext_update after update on records begin
    insert into records_fulltext (records_fulltext, rowid, name, description, content)
    values ('delete', old.row_no, old.name, old.description, old.content);
    insert into records_fulltext (rowid, name, description, content)
    values (new.row_no, new.name, new.description, new.content);
end

-- name: fulltext_fill
insert into records_fulltext (records_fulltext) values ('rebuild')

-- name: fulltext_drop_add
drop table records_fulltext

-- name: fulltext_drop_on_insert
drop trigger records_fulltext_insert

-- name: fulltext_drop_on_delete
drop trigger records_fulltext_delete

-- name: fulltext_drop_on_update
drop trigger records_fulltext_update
