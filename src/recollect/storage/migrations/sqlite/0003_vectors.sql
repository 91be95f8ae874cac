-- Vectors of records, made from their texts and made again at any time, and what finding has learnt of an owner: a mark
-- that changes with the vectors, and from where on an answer counts.

create table vectors (
    owner_no integer not null,
    id integer not null,
    model text not null,
    dimension integer not null,
    form text not null,
    vector blob not null,
    primary key (owner_no, id, model, dimension)
) without rowid;

create table tuning (
    owner_no integer primary key,
    vectors_mark integer not null default 0,
    floors text not null default ''
);
