-- Records, what finds them and what happened to them, in the schema `recollect`. owner_no leads every key, so that a
-- cluster can keep an owner whole on one of its servers; names and terms are compared byte for byte.

create table meta (
    name text collate "C" primary key,
    value text not null
);

create table owners (
    owner_no bigint primary key check (owner_no >= 0),
    owner_id text collate "C" not null,
    tenant text collate "C" not null,
    user_name text collate "C" not null,
    next_record bigint not null default 1,
    next_revision bigint not null default 1,
    next_run bigint not null default 1,
    next_job bigint not null default 1,
    active_count bigint not null default 0,
    length_sum bigint not null default 0,
    created_at bigint not null
);

create table records (
    owner_no bigint not null,
    id bigint not null,
    kind text collate "C" not null check (kind in ('note', 'fact', 'profile', 'episode', 'chunk')),
    type text collate "C" not null,
    name text not null,
    description text not null,
    content text not null,
    metadata text not null,
    labels text not null,
    importance smallint not null,
    pinned smallint not null,
    agent text collate "C" not null,
    session text collate "C" not null,
    space text collate "C" not null,
    record_key text collate "C",
    active_key text collate "C",
    status text collate "C" not null check (status in ('active', 'pending', 'superseded', 'disabled', 'trashed')),
    source text collate "C" not null,
    trust smallint not null,
    created_at bigint not null,
    updated_at bigint not null,
    expires_at bigint,
    trashed_at bigint,
    version bigint not null,
    fingerprint bytea not null,
    length integer not null,
    primary key (owner_no, id)
);

create index records_fingerprint on records (owner_no, fingerprint) where status = 'active';
create unique index records_active_key on records (owner_no, active_key, agent, session, space, kind)
where active_key is not null;
create index records_pinned on records (owner_no, id) where pinned = 1 and status = 'active';
create index records_trashed on records (owner_no, trashed_at) where trashed_at is not null;

create table postings (
    owner_no bigint not null,
    term text collate "C" not null,
    id bigint not null,
    tf_name integer not null,
    tf_description integer not null,
    tf_content integer not null,
    length integer not null,
    primary key (owner_no, term, id) include (tf_name, tf_description, tf_content, length)
);

create table revisions (
    owner_no bigint not null,
    id bigint not null,
    record_id bigint not null,
    run_id bigint,
    at bigint not null,
    actor text collate "C" not null,
    agent text collate "C" not null,
    action text collate "C" not null,
    version bigint not null,
    changes text not null,
    undoes bigint,
    undone_by bigint,
    scrubbed smallint not null default 0,
    idempotency_key text collate "C",
    body_hash bytea,
    primary key (owner_no, id)
);

create index revisions_record on revisions (owner_no, record_id, id);
create index revisions_run on revisions (owner_no, run_id, id) where run_id is not null;
create index revisions_idempotency on revisions (owner_no, idempotency_key) where idempotency_key is not null;

create table runs (
    owner_no bigint not null,
    id bigint not null,
    name text collate "C" not null,
    at bigint not null,
    actor text collate "C" not null,
    agent text collate "C" not null,
    undone smallint not null default 0,
    progress text,
    primary key (owner_no, id)
);

create table tombstones (
    owner_no bigint not null,
    agent text collate "C" not null,
    form text collate "C" not null check (form in ('text', 'value')),
    digest bytea not null,
    at bigint not null,
    primary key (owner_no, agent, form, digest)
);

create table jobs (
    owner_no bigint not null,
    id bigint not null,
    queue text collate "C" not null,
    payload text not null,
    run_at bigint not null,
    lease_until bigint not null default 0,
    tries integer not null default 0,
    last_error text not null default '',
    primary key (owner_no, id)
);

create table erasures (
    owner_mac bytea primary key,
    at bigint not null
);
