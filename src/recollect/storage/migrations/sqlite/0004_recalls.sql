-- The ledger of recalls: what was asked, and which records were given for it, by their ids; no words of theirs.

create table recalls (
    owner_no integer not null,
    id integer not null,
    at integer not null,
    agent text not null,
    session text not null,
    asked_by text not null,
    question text,
    named text not null,
    answer text not null,
    took_us integer not null,
    primary key (owner_no, id)
) without rowid;
