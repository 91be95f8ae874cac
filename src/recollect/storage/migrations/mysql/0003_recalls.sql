-- The ledger of recalls: what was asked, and which records were given for it, by their ids; no words of theirs.

create table if not exists recalls (
    owner_no bigint not null,
    id bigint not null,
    at bigint not null,
    agent varchar(100) not null,
    session varchar(100) not null,
    asked_by varchar(16) not null,
    question mediumtext,
    named mediumtext not null,
    answer mediumtext not null,
    took_us bigint not null,
    primary key (owner_no, id)
) engine = InnoDB, character set utf8mb4, collate utf8mb4_0900_bin;
