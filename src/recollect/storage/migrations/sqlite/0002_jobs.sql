-- Work that waits, and the one row that stays of an erased owner.

create table jobs (
    owner_no integer not null,
    id integer not null,
    queue text not null,
    payload text not null,
    run_at integer not null,
    lease_until integer not null default 0,
    tries integer not null default 0,
    last_error text not null default '',
    primary key (owner_no, id)
) without rowid;

create table erasures (
    owner_mac blob primary key,
    at integer not null
) without rowid;
