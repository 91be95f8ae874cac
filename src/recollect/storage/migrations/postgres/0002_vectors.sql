-- Vectors of records, made from their texts and made again at any time, and what finding has learnt of an owner: a mark
-- that changes with the vectors, and from where on an answer counts. Packing vectors would gain nothing.

create table vectors (
    owner_no bigint not null,
    id bigint not null,
    model text collate "C" not null,
    dimension integer not null,
    form text collate "C" not null,
    vector bytea not null,
    primary key (owner_no, id, model, dimension)
);

alter table vectors alter column vector set storage external;

create table tuning (
    owner_no bigint primary key,
    vectors_mark bigint not null default 0,
    floors text not null default ''
);
