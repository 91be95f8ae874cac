-- The ledger of recalls: what was asked, and which records were given for it, by their ids; no words of theirs.

create table recalls (
    owner_no bigint not null,
    id bigint not null,
    at bigint not null,
    agent text collate "C" not null,
    session text collate "C" not null,
    asked_by text collate "C" not null,
    question text,
    named text not null,
    answer text not null,
    took_us bigint not null,
    primary key (owner_no, id)
);
