-- Records, what finds them and what happened to them. owner_no leads every key; the rowid is owner_no << 32 | id.

create table meta (
    name text primary key,
    value text not null
) without rowid;

create table owners (
    owner_no integer primary key check (owner_no between 1 and 2147483647),
    owner_id text not null unique,
    tenant text not null,
    user_name text not null,
    next_record integer not null default 1,
    next_revision integer not null default 1,
    next_run integer not null default 1,
    next_job integer not null default 1,
    active_count integer not null default 0,
    length_sum integer not null default 0,
    created_at integer not null
);

create table records (
    row_no integer primary key,
    owner_no integer not null,
    id integer not null check (id between 1 and 4294967295),
    kind text not null check (kind in ('note', 'fact', 'profile', 'episode', 'chunk')),
    type text not null,
    name text not null,
    description text not null,
    content text not null,
    metadata text not null,
    labels text not null,
    importance integer not null,
    pinned integer not null,
    agent text not null,
    session text not null,
    space text not null,
    record_key text,
    active_key text,
    status text not null check (status in ('active', 'pending', 'superseded', 'disabled', 'trashed')),
    source text not null,
    trust integer not null,
    created_at integer not null,
    updated_at integer not null,
    expires_at integer,
    trashed_at integer,
    version integer not null,
    fingerprint blob not null,
    length integer not null
);

create index records_fingerprint on records (owner_no, fingerprint) where status = 'active';
create unique index records_active_key on records (owner_no, active_key, agent, session, space, kind)
where active_key is not null;
create index records_pinned on records (owner_no, id) where pinned = 1 and status = 'active';
create index records_trashed on records (owner_no, trashed_at) where trashed_at is not null;

create table postings (
    owner_no integer not null,
    term text not null,
    id integer not null,
    tf_name integer not null,
    tf_description integer not null,
    tf_content integer not null,
    length integer not null,
    primary key (owner_no, term, id)
) without rowid;

create table revisions (
    row_no integer primary key,
    owner_no integer not null,
    id integer not null check (id between 1 and 4294967295),
    record_id integer not null,
    run_id integer,
    at integer not null,
    actor text not null,
    agent text not null,
    action text not null,
    version integer not null,
    changes text not null,
    undoes integer,
    undone_by integer,
    scrubbed integer not null default 0,
    idempotency_key text,
    body_hash blob
);

create index revisions_record on revisions (owner_no, record_id, id);
create index revisions_run on revisions (owner_no, run_id, id) where run_id is not null;
create index revisions_idempotency on revisions (owner_no, idempotency_key) where idempotency_key is not null;

create table runs (
    owner_no integer not null,
    id integer not null,
    name text not null,
    at integer not null,
    actor text not null,
    agent text not null,
    undone integer not null default 0,
    progress text,
    primary key (owner_no, id)
) without rowid;

create table tombstones (
    owner_no integer not null,
    agent text not null,
    form text not null check (form in ('text', 'value')),
    digest blob not null,
    at integer not null,
    primary key (owner_no, agent, form, digest)
) without rowid;
