-- Vectors of records, made from their texts and made again at any time, and what finding has learnt of an owner: a mark
-- that changes with the vectors, and from where on an answer counts.

create table if not exists vectors (
    owner_no bigint not null,
    id bigint not null,
    model varchar(255) not null,
    dimension integer not null,
    form varchar(16) not null,
    vector mediumblob not null,
    primary key (owner_no, id, model, dimension)
) engine = InnoDB, character set utf8mb4, collate utf8mb4_0900_bin;

create table if not exists tuning (
    owner_no bigint primary key,
    vectors_mark bigint not null default 0,
    floors mediumtext not null default ('')
) engine = InnoDB, character set utf8mb4, collate utf8mb4_0900_bin;
