-- Queries that every dialect understands. A dialect's own file overrides one by giving it again under the same name.

-- name: meta_get
-- One remembered value of the database itself.
select value from meta where name = :name

-- name: meta_put
-- Remember a value once; the first writer wins.
insert into meta (name, value) values (:name, :value) on conflict (name) do nothing

-- name: schema_get
-- The number of the newest migration applied.
select value from meta where name = 'schema'

-- name: schema_put
-- Note the number of the newest migration applied.
insert into meta (name, value) values ('schema', :value) on conflict (name) do update set value = excluded.value

-- name: owner_get
-- The counters of one owner.
select owner_no, next_record, next_revision, next_run, next_job, active_count, length_sum
from owners where owner_no = :hashed and owner_id = :owner_id

-- name: owner_hold
-- The counters of one owner, which nobody else may move before this transaction ends.
select owner_no, next_record, next_revision, next_run, next_job, active_count, length_sum
from owners where owner_no = :hashed and owner_id = :owner_id for update

-- name: owner_add
-- A new owner, unless somebody else has entered it just now.
insert into owners (owner_no, owner_id, tenant, user_name, created_at)
values (:hashed, :owner_id, :tenant, :user_name, :created_at) on conflict (owner_no) do nothing

-- name: owner_by_no
-- The counters of one owner by number.
select owner_no, next_record, next_revision, next_run, next_job, active_count, length_sum
from owners where owner_no = :owner_no

-- name: owner_who
-- Whose number this is.
select tenant, user_name from owners where owner_no = :owner_no

-- name: owner_put
-- Write an owner's counters back at the end of its transaction.
update owners set next_record = :next_record, next_revision = :next_revision, next_run = :next_run,
    next_job = :next_job, active_count = :active_count, length_sum = :length_sum
where owner_no = :owner_no

-- name: owner_list
-- Every owner of this database.
select owner_no, tenant, user_name from owners order by owner_no

-- name: owner_recount
-- What the counters of an owner should say.
select count(*), coalesce(sum(length), 0) from records where owner_no = :owner_no and status = 'active'

-- name: record_put
-- Write a changed record back, if it still has the version it was read at.
update records set kind = :kind, type = :type, name = :name, description = :description, content = :content,
    metadata = :metadata, labels = :labels, importance = :importance, pinned = :pinned, agent = :agent,
    session = :session, space = :space, record_key = :record_key, active_key = :active_key, status = :status,
    source = :source, trust = :trust, created_at = :created_at, updated_at = :updated_at, expires_at = :expires_at,
    trashed_at = :trashed_at, version = :version, fingerprint = :fingerprint, length = :length
where owner_no = :owner_no and id = :id and version = :read_version

-- name: record_remove
-- Take a record out for good.
delete from records where owner_no = :owner_no and id = :id

-- name: records_get
-- The records of these ids that the scope may read.
select id, kind, type, name, description, content, metadata, labels, importance, pinned, agent, session, space,
    record_key, status, source, trust, created_at, updated_at, expires_at, version
from records
where owner_no = :owner_no and id in :ids
    and (:agent = '*' or agent in ('', :agent)) and (:session = '*' or session in ('', :session))

-- name: records_standing
-- What ranks the records of these ids beside their words, of those that the scope may read.
select id, created_at, updated_at, importance, pinned
from records
where owner_no = :owner_no and id in :ids
    and (:agent = '*' or agent in ('', :agent)) and (:session = '*' or session in ('', :session))

-- name: records_pinned
-- The pinned records of a scope, in the order of their ids.
select id, kind, type, name, description, content, metadata, labels, importance, pinned, agent, session, space,
    record_key, status, source, trust, created_at, updated_at, expires_at, version
from records
where owner_no = :owner_no and pinned = 1 and status = 'active'
    and (:agent = '*' or agent in ('', :agent)) and (:session = '*' or session in ('', :session))
    and (expires_at is null or expires_at > :now)
order by id

-- name: records_all
-- Every record of an owner in the order of their ids, a slice at a time.
select id, kind, type, name, description, content, metadata, labels, importance, pinned, agent, session, space,
    record_key, status, source, trust, created_at, updated_at, expires_at, version
from records where owner_no = :owner_no and id > :after order by id limit :limit

-- name: record_by_fingerprint
-- The active record that says exactly this, oldest first; with a moment, one that has not expired by then.
select id from records
where owner_no = :owner_no and fingerprint = :fingerprint and status = 'active' and id <> :except_id
    and (:now is null or expires_at is null or expires_at > :now)
order by id limit 1

-- name: texts_known
-- Of some texts the active records that say one of them and have not expired, oldest first, and what was forgotten.
select id, fingerprint, null from records
where owner_no = :hashed and fingerprint in :fingerprints and status = 'active'
    and (expires_at is null or expires_at > :now)
union all
select null, digest, agent from tombstones
where owner_no = :hashed and agent in ('', :agent) and form = 'text' and digest in :digests
order by 1

-- name: record_by_key
-- The active record that holds a key.
select id from records
where owner_no = :owner_no and active_key = :active_key and agent = :agent and session = :session
    and space = :space and kind = :kind and id <> :except_id
limit 1

-- name: records_due_for_emptying
-- Trashed records whose time is up.
select id from records
where owner_no = :owner_no and trashed_at is not null and trashed_at <= :before order by trashed_at, id limit :limit

-- name: posting_add
-- One term of one record.
insert into postings (owner_no, term, id, tf_name, tf_description, tf_content, length)
values (:owner_no, :term, :id, :tf_name, :tf_description, :tf_content, :length)

-- name: posting_remove
-- Take terms of one record away.
delete from postings where owner_no = :owner_no and term in :terms and id = :id

-- name: posting_find
-- Every row of some terms.
select term, id, tf_name, tf_description, tf_content, length from postings
where owner_no = :owner_no and term in :terms

-- name: postings_orphaned
-- Terms that point at records which are gone or not active.
select count(*) from postings as p left join records as r
    on r.owner_no = p.owner_no and r.id = p.id and r.status = 'active'
where r.id is null

-- name: posting_beginning
-- What the records of one owner hold of terms within a range, added up; of many rows the first by term and record.
select id, sum(tf_name), sum(tf_description), sum(tf_content), max(length)
from (
    select id, tf_name, tf_description, tf_content, length from postings
    where owner_no = :owner_no and term >= :term and term < :end order by term, id limit :limit
) as found
group by id order by id

-- name: posting_newest
-- The newest rows of one term, for a term too common to read whole.
select term, id, tf_name, tf_description, tf_content, length from postings
where owner_no = :owner_no and term = :term order by id desc limit :limit

-- name: revision_get
-- One revision.
select id, record_id, run_id, at, actor, agent, action, version, changes, undoes, undone_by, scrubbed
from revisions where owner_no = :owner_no and id = :id

-- name: revision_undone
-- Mark a revision as undone.
update revisions set undone_by = :undone_by where owner_no = :owner_no and id = :id

-- name: revisions_of_record
-- What happened to one record, newest first.
select id, record_id, run_id, at, actor, agent, action, version, changes, undoes, undone_by, scrubbed
from revisions where owner_no = :owner_no and record_id = :record_id and id < :before order by id desc limit :limit

-- name: revisions_newest
-- The newest revisions of an owner.
select id, record_id, run_id, at, actor, agent, action, version, changes, undoes, undone_by, scrubbed
from revisions where owner_no = :owner_no and id < :before order by id desc limit :limit

-- name: revision_marks
-- What took back what in the history of one record.
select id, undoes, undone_by from revisions
where owner_no = :owner_no and record_id = :record_id and id >= :since order by id

-- name: revisions_by_record
-- Every revision of an owner, one record after the other, a slice at a time.
select id, record_id, run_id, at, actor, agent, action, version, changes, undoes, undone_by, scrubbed
from revisions where owner_no = :owner_no and (record_id, id) > (:record_id, :after)
order by record_id, id limit :limit

-- name: revisions_of_run
-- What one run did, newest first.
select id, record_id, run_id, at, actor, agent, action, version, changes, undoes, undone_by, scrubbed
from revisions where owner_no = :owner_no and run_id = :run_id order by id desc

-- name: revision_last_of_record
-- The newest revision of one record.
select id, action from revisions where owner_no = :owner_no and record_id = :record_id order by id desc limit 1

-- name: revision_scrub
-- Take the texts out of everything that happened to one record.
update revisions set changes = '{}', scrubbed = 1, body_hash = null
where owner_no = :owner_no and record_id = :record_id

-- name: revision_by_idempotency
-- The write that used a key lately.
select id, record_id, run_id, at, actor, agent, action, version, changes, undoes, undone_by, scrubbed, body_hash
from revisions
where owner_no = :owner_no and idempotency_key = :idempotency_key and at > :since order by id desc limit 1

-- name: run_add
-- A new run.
insert into runs (owner_no, id, name, at, actor, agent) values (:owner_no, :id, :name, :at, :actor, :agent)

-- name: run_get
-- One run.
select id, name, at, actor, agent, undone from runs where owner_no = :owner_no and id = :id

-- name: run_undone
-- Mark a run as undone.
update runs set undone = 1 where owner_no = :owner_no and id = :id

-- name: run_list
-- The newest runs of an owner.
select id, name, at, actor, agent, undone from runs where owner_no = :owner_no order by id desc limit :limit

-- name: runs_all
-- Every run of an owner in the order of their ids, a slice at a time.
select id, name, at, actor, agent, undone from runs where owner_no = :owner_no and id > :after order by id limit :limit

-- name: run_by_name
-- The run of that name that can go on, with how far it came.
select id, progress from runs
where owner_no = :owner_no and name = :name and undone = 0 and progress is not null order by id desc limit 1

-- name: run_progress
-- How far a run came, so that it can go on from there.
update runs set progress = :progress where owner_no = :owner_no and id = :id

-- name: tombstone_put
-- Remember that a text was forgotten; again is harmless.
insert into tombstones (owner_no, agent, form, digest, at) values (:owner_no, :agent, :form, :digest, :at)
on conflict (owner_no, agent, form, digest) do nothing

-- name: tombstone_find
-- Tell whether a text was forgotten for this agent or for all.
select agent from tombstones
where owner_no = :owner_no and agent in ('', :agent) and form = :form and digest = :digest limit 1

-- name: tombstone_lift
-- Let a forgotten text back in.
delete from tombstones where owner_no = :owner_no and agent in ('', :agent) and form = :form and digest = :digest

-- name: tombstone_list
-- Every tombstone of an owner.
select agent, form, digest, at from tombstones where owner_no = :owner_no order by at, digest

-- name: job_add
-- Work to be done from `run_at` on.
insert into jobs (owner_no, id, queue, payload, run_at) values (:owner_no, :id, :queue, :payload, :run_at)

-- name: job_waiting
-- Tell whether work of this queue waits for an owner.
select id from jobs where owner_no = :owner_no and queue = :queue limit 1

-- name: job_owners_due
-- Owners that have work of some queues now.
select distinct owner_no from jobs where queue in :queues and run_at <= :now and lease_until <= :now limit :limit

-- name: job_due
-- The next work of an owner, unless a worker holds work of the same queue.
select id, queue, payload, tries from jobs
where owner_no = :owner_no and queue in :queues and run_at <= :now and lease_until <= :now
    and not exists (
        select 1 from jobs as held
        where held.owner_no = :owner_no and held.queue = jobs.queue and held.lease_until > :now
    )
order by run_at, id limit 1

-- name: job_lease
-- Take a job for a while.
update jobs set lease_until = :until, tries = tries + 1
where owner_no = :owner_no and id = :id and lease_until <= :now

-- name: job_done
-- Work that is finished.
delete from jobs where owner_no = :owner_no and id = :id

-- name: job_again
-- Put work back for later.
update jobs set run_at = :run_at, lease_until = 0, tries = :tries, last_error = :last_error where owner_no = :owner_no and id = :id

-- name: job_count
-- How much work waits, and how much of it has failed before.
select count(*), coalesce(sum(case when last_error <> '' then 1 else 0 end), 0) from jobs

-- name: recall_add
-- One recall and what it gave.
insert into recalls (owner_no, id, at, agent, session, asked_by, question, named, answer, took_us)
values (:owner_no, :id, :at, :agent, :session, :asked_by, :question, :named, :answer, :took_us)

-- name: recall_last
-- The newest recall of an owner.
select coalesce(max(id), 0) from recalls where owner_no = :owner_no

-- name: recalls_page
-- One page of the recalls of a scope, newest first.
select id, at, agent, session, asked_by, question, answer, took_us
from recalls
where owner_no = :owner_no and id < :before
    and (:agent = '*' or agent in ('', :agent)) and (:session = '*' or session in ('', :session))
order by id desc limit :limit

-- name: recalls_over
-- The newest recall of those that are too many.
select id from recalls where owner_no = :owner_no order by id desc limit 1 offset :keep

-- name: recalls_empty
-- Delete what was kept for long enough, and what is too much.
delete from recalls where owner_no = :owner_no and (at < :before or id <= :last)

-- name: recall_scrub
-- Take the questions away that are about a record, or that hold its text.
update recalls set question = null
where owner_no = :owner_no and question is not null
    and (named like :mention escape '!' or question like :held escape '!')

-- name: job_finish
-- Take every job of one queue away from an owner.
delete from jobs where owner_no = :owner_no and queue = :queue

-- name: vector_add
-- The vector of one record.
insert into vectors (owner_no, id, model, dimension, form, vector)
values (:owner_no, :id, :model, :dimension, :form, :vector)

-- name: vector_remove
-- Take every vector of some records away.
delete from vectors where owner_no = :owner_no and id in :ids

-- name: vector_replace
-- Take the vectors that one model made of some records away.
delete from vectors where owner_no = :owner_no and id in :ids and model = :model and dimension = :dimension

-- name: vector_keep
-- Take away what other models have made of an owner's records.
delete from vectors where owner_no = :owner_no and not (model = :model and dimension = :dimension)

-- name: vector_models
-- Which models have made vectors for an owner, and of how many records.
select model, dimension, count(*) from vectors where owner_no = :owner_no group by model, dimension

-- name: vector_find
-- Every vector that one model made for an owner, by record, and from where the record may be seen.
select v.id, v.vector, v.form, r.agent, r.session, r.kind, r.space
from vectors as v join records as r on r.owner_no = v.owner_no and r.id = v.id
where v.owner_no = :owner_no and v.model = :model and v.dimension = :dimension order by v.id

-- name: vector_missing
-- The next active records of an owner of which one model has made no vector, by id.
select r.id from records as r
where r.owner_no = :owner_no and r.id > :after and r.status = 'active' and not exists (
    select 1 from vectors as v
    where v.owner_no = :owner_no and v.id = r.id and v.model = :model and v.dimension = :dimension)
order by r.id limit :limit

-- name: vector_missing_count
-- How many active records of all owners have no vector of one model.
select count(*) from records as r
where r.status = 'active' and not exists (
    select 1 from vectors as v
    where v.owner_no = r.owner_no and v.id = r.id and v.model = :model and v.dimension = :dimension)

-- name: vector_orphaned
-- Vectors of records that are gone or not active.
select count(*) from vectors as v left join records as r
    on r.owner_no = v.owner_no and r.id = v.id and r.status = 'active'
where r.id is null

-- name: tuning_get
-- What finding has learnt of an owner.
select vectors_mark, floors from tuning where owner_no = :owner_no

-- name: tuning_mark
-- Note that an owner's vectors are not what they were.
insert into tuning (owner_no, vectors_mark) values (:owner_no, :vectors_mark)
on conflict (owner_no) do update set vectors_mark = excluded.vectors_mark

-- name: tuning_floors
-- Note from where on an answer counts for an owner.
insert into tuning (owner_no, floors) values (:owner_no, :floors)
on conflict (owner_no) do update set floors = excluded.floors

-- name: erasure_put
-- The one row that stays of an erased owner.
insert into erasures (owner_mac, at) values (:owner_mac, :at) on conflict (owner_mac) do update set at = excluded.at

-- name: erasure_get
-- When an owner was erased.
select at from erasures where owner_mac = :owner_mac

-- name: erasure_lift
-- A person saved here again.
delete from erasures where owner_mac = :owner_mac

-- name: count_owners
select count(*) from owners where owner_no = :owner_no

-- name: count_records
select count(*) from records where owner_no = :owner_no

-- name: count_postings
select count(*) from postings where owner_no = :owner_no

-- name: count_revisions
select count(*) from revisions where owner_no = :owner_no

-- name: count_runs
select count(*) from runs where owner_no = :owner_no

-- name: count_tombstones
select count(*) from tombstones where owner_no = :owner_no

-- name: count_jobs
select count(*) from jobs where owner_no = :owner_no

-- name: count_recalls
select count(*) from recalls where owner_no = :owner_no

-- name: count_vectors
select count(*) from vectors where owner_no = :owner_no

-- name: count_tuning
select count(*) from tuning where owner_no = :owner_no

-- name: erase_vectors
delete from vectors where owner_no = :owner_no

-- name: erase_tuning
delete from tuning where owner_no = :owner_no

-- name: erase_owners
delete from owners where owner_no = :owner_no

-- name: erase_records
delete from records where owner_no = :owner_no

-- name: erase_postings
delete from postings where owner_no = :owner_no

-- name: erase_revisions
delete from revisions where owner_no = :owner_no

-- name: erase_runs
delete from runs where owner_no = :owner_no

-- name: erase_tombstones
delete from tombstones where owner_no = :owner_no

-- name: erase_jobs
delete from jobs where owner_no = :owner_no

-- name: erase_recalls
delete from recalls where owner_no = :owner_no

-- name: meta_remove
-- Forget a value.
delete from meta where name = :name

-- name: owner_since
-- When an owner wrote for the first time.
select created_at from owners where owner_no = :owner_no

-- name: erasures_all
-- Every erased owner.
select owner_mac, at from erasures order by owner_mac

-- name: all_owners
-- How many owners there are.
select count(*) from owners

-- name: all_records
-- How many records everybody has.
select count(*) from records

-- name: all_jobs
-- How much work waits.
select count(*) from jobs

-- name: copy_read_records
-- The next whole rows of an owner, those of one agent unless it is *.
select id, kind, type, name, description, content, metadata, labels, importance, pinned, agent, session, space,
    record_key, active_key, status, source, trust, created_at, updated_at, expires_at, trashed_at, version,
    fingerprint, length
from records where owner_no = :owner_no and id > :id and (:agent = '*' or agent = :agent) order by id limit :limit

-- name: record_add
-- Records, in bulk.
insert into records (owner_no, id, kind, type, name, description, content, metadata, labels, importance, pinned, agent,
    session, space, record_key, active_key, status, source, trust, created_at, updated_at, expires_at, trashed_at,
    version, fingerprint, length)
values (:owner_no, :id, :kind, :type, :name, :description, :content, :metadata, :labels, :importance, :pinned, :agent,
    :session, :space, :record_key, :active_key, :status, :source, :trust, :created_at, :updated_at, :expires_at,
    :trashed_at, :version, :fingerprint, :length)

-- name: copy_read_revisions
-- The next whole rows of an owner: of one agent what happened to its records, and what it did to those that are gone.
select id, record_id, run_id, at, actor, agent, action, version, changes, undoes, undone_by, scrubbed, idempotency_key,
    body_hash
from revisions
where owner_no = :owner_no and id > :id and (:agent = '*'
    or exists (select 1 from records as r
        where r.owner_no = :owner_no and r.id = revisions.record_id and r.agent = :agent)
    or (agent = :agent and not exists (select 1 from records as r
        where r.owner_no = :owner_no and r.id = revisions.record_id)))
order by id limit :limit

-- name: revision_add
-- What happened to records, in bulk.
insert into revisions (owner_no, id, record_id, run_id, at, actor, agent, action, version, changes, undoes, undone_by,
    scrubbed, idempotency_key, body_hash)
values (:owner_no, :id, :record_id, :run_id, :at, :actor, :agent, :action, :version, :changes, :undoes, :undone_by,
    :scrubbed, :idempotency_key, :body_hash)

-- name: copy_read_runs
-- The next whole rows of an owner: of one agent its own runs, and those that touched its records.
select id, name, at, actor, agent, undone, progress
from runs
where owner_no = :owner_no and id > :id and (:agent = '*' or agent = :agent or id in (
    select v.run_id from revisions as v join records as r on r.owner_no = v.owner_no and r.id = v.record_id
    where v.owner_no = :owner_no and v.run_id is not null and r.agent = :agent))
order by id limit :limit

-- name: copy_add_runs
-- Whole rows, as they were read.
insert into runs (owner_no, id, name, at, actor, agent, undone, progress)
values (:owner_no, :id, :name, :at, :actor, :agent, :undone, :progress)

-- name: copy_read_tombstones
-- Every tombstone of an owner, for one agent those that hold for it.
select agent, form, digest, at from tombstones
where owner_no = :owner_no and (:agent = '*' or agent in ('', :agent)) order by agent, form, digest

-- name: copy_add_tombstones
-- Whole rows, as they were read.
insert into tombstones (owner_no, agent, form, digest, at) values (:owner_no, :agent, :form, :digest, :at)

-- name: copy_read_jobs
-- The next whole rows of an owner, but not who works on them.
select id, queue, payload, run_at, tries, last_error
from jobs where owner_no = :owner_no and id > :id order by id limit :limit

-- name: copy_add_jobs
-- Whole rows, as they were read.
insert into jobs (owner_no, id, queue, payload, run_at, tries, last_error)
values (:owner_no, :id, :queue, :payload, :run_at, :tries, :last_error)

-- name: copy_read_postings
-- The next whole rows of an owner, in the order in which they are stored.
select term, id, tf_name, tf_description, tf_content, length
from postings
where owner_no = :owner_no and term >= :term and (term > :term or id > :id) and (:agent = '*' or exists (
    select 1 from records as r where r.owner_no = :owner_no and r.id = postings.id and r.agent = :agent))
order by term, id limit :limit

-- name: copy_read_vectors
-- The next whole rows of an owner: of one agent those of its records.
select id, model, dimension, form, vector
from vectors
where owner_no = :owner_no and id >= :id
    and (id > :id or model > :model or (model = :model and dimension > :dimension))
    and (:agent = '*' or exists (
        select 1 from records as r where r.owner_no = :owner_no and r.id = vectors.id and r.agent = :agent))
order by id, model, dimension limit :limit

-- name: copy_read_tuning
-- From where on an answer counts for an owner; of one agent nothing is known. The mark belongs to its own database.
select floors from tuning where owner_no = :owner_no and floors <> '' and :agent = '*'

-- name: copy_add_tuning
-- Whole rows, as they were read.
insert into tuning (owner_no, floors) values (:owner_no, :floors)

-- name: copy_read_recalls
-- The next whole rows of an owner: of one agent what was asked for it.
select id, at, agent, session, asked_by, question, named, answer, took_us
from recalls where owner_no = :owner_no and id > :id and (:agent = '*' or agent = :agent) order by id limit :limit

-- name: copy_add_recalls
-- Whole rows, as they were read.
insert into recalls (owner_no, id, at, agent, session, asked_by, question, named, answer, took_us)
values (:owner_no, :id, :at, :agent, :session, :asked_by, :question, :named, :answer, :took_us)
