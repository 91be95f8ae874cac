-- Records, what finds them and what happened to them. owner_no leads every key; names and terms are compared byte for
-- byte, and a space at the end counts. MySQL keeps each statement by itself, so each may be given again.

create table if not exists meta (
    name varchar(255) primary key,
    value mediumtext not null
) engine = InnoDB, character set utf8mb4, collate utf8mb4_0900_bin;

create table if not exists owners (
    owner_no bigint primary key check (owner_no >= 0),
    owner_id varchar(36) not null,
    tenant varchar(100) not null,
    user_name varchar(100) not null,
    next_record bigint not null default 1,
    next_revision bigint not null default 1,
    next_run bigint not null default 1,
    next_job bigint not null default 1,
    active_count bigint not null default 0,
    length_sum bigint not null default 0,
    created_at bigint not null
) engine = InnoDB, character set utf8mb4, collate utf8mb4_0900_bin;

create table if not exists records (
    owner_no bigint not null,
    id bigint not null,
    kind varchar(16) not null check (kind in ('note', 'fact', 'profile', 'episode', 'chunk')),
    type varchar(32) not null,
    name varchar(255) not null,
    description mediumtext not null,
    content mediumtext not null,
    metadata mediumtext not null,
    labels mediumtext not null,
    importance smallint not null,
    pinned smallint not null,
    agent varchar(100) not null,
    session varchar(100) not null,
    space varchar(255) not null,
    record_key varchar(255),
    active_key varchar(255),
    status varchar(16) not null check (status in ('active', 'pending', 'superseded', 'disabled', 'trashed')),
    source varchar(32) not null,
    trust smallint not null,
    created_at bigint not null,
    updated_at bigint not null,
    expires_at bigint,
    trashed_at bigint,
    version bigint not null,
    fingerprint varbinary(64) not null,
    length integer not null,
    primary key (owner_no, id),
    key records_fingerprint (owner_no, fingerprint),
    unique key records_active_key (owner_no, active_key, agent, session, space, kind),
    key records_pinned (owner_no, pinned, id),
    key records_trashed (owner_no, trashed_at)
) engine = InnoDB, character set utf8mb4, collate utf8mb4_0900_bin;

create table if not exists postings (
    owner_no bigint not null,
    term varchar(64) not null,
    id bigint not null,
    tf_name integer not null,
    tf_description integer not null,
    tf_content integer not null,
    length integer not null,
    primary key (owner_no, term, id)
) engine = InnoDB, character set utf8mb4, collate utf8mb4_0900_bin;

create table if not exists revisions (
    owner_no bigint not null,
    id bigint not null,
    record_id bigint not null,
    run_id bigint,
    at bigint not null,
    actor varchar(16) not null,
    agent varchar(100) not null,
    action varchar(16) not null,
    version bigint not null,
    changes mediumtext not null,
    undoes bigint,
    undone_by bigint,
    scrubbed smallint not null default 0,
    idempotency_key varchar(200),
    body_hash varbinary(64),
    primary key (owner_no, id),
    key revisions_record (owner_no, record_id, id),
    key revisions_run (owner_no, run_id, id),
    key revisions_idempotency (owner_no, idempotency_key)
) engine = InnoDB, character set utf8mb4, collate utf8mb4_0900_bin;

create table if not exists runs (
    owner_no bigint not null,
    id bigint not null,
    name varchar(255) not null,
    at bigint not null,
    actor varchar(16) not null,
    agent varchar(100) not null,
    undone smallint not null default 0,
    progress mediumtext,
    primary key (owner_no, id)
) engine = InnoDB, character set utf8mb4, collate utf8mb4_0900_bin;

create table if not exists tombstones (
    owner_no bigint not null,
    agent varchar(100) not null,
    form varchar(8) not null check (form in ('text', 'value')),
    digest varbinary(64) not null,
    at bigint not null,
    primary key (owner_no, agent, form, digest)
) engine = InnoDB, character set utf8mb4, collate utf8mb4_0900_bin;

create table if not exists jobs (
    owner_no bigint not null,
    id bigint not null,
    queue varchar(64) not null,
    payload mediumtext not null,
    run_at bigint not null,
    lease_until bigint not null default 0,
    tries integer not null default 0,
    last_error mediumtext not null default (''),
    primary key (owner_no, id)
) engine = InnoDB, character set utf8mb4, collate utf8mb4_0900_bin;

create table if not exists erasures (
    owner_mac varbinary(64) primary key,
    at bigint not null
) engine = InnoDB, character set utf8mb4, collate utf8mb4_0900_bin;
