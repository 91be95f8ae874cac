-- Queries for databases of another program, netaclaw, which are only ever read: its SQLite file, and tables of the same
-- columns on servers, netaclaw_memory in MySQL and memories in PostgreSQL.

-- name: netaclaw_columns
-- The columns of its one table, when that is a table.
select name, lower(type) from pragma_table_info('memory')
where exists (select 1 from sqlite_master where type = 'table' and name = 'memory')

-- name: netaclaw_rows
-- Every row, one user after the other.
select id, agent_name, user_id, type, name, content, description, metadata, created_at, updated_at
from memory order by user_id, id

-- name: netaclaw_columns_mysql
-- The same in MySQL.
select column_name, data_type from information_schema.columns
where table_schema = database() and table_name = 'netaclaw_memory'

-- name: netaclaw_rows_mysql
-- The same in MySQL: whatever the columns compare as, users are told apart byte for byte.
select id, agent_name, user_id, type, name, content, description, cast(metadata as char),
    date_format(created_at, '%Y-%m-%d %H:%i:%s.%f'), date_format(updated_at, '%Y-%m-%d %H:%i:%s.%f')
from netaclaw_memory order by cast(user_id as binary), id

-- name: netaclaw_columns_postgres
-- The same in PostgreSQL, in its schema public.
select attname, format_type(atttypid, null) from pg_attribute
where attrelid = to_regclass('public.memories') and attnum > 0 and not attisdropped

-- name: netaclaw_rows_postgres
-- The same in PostgreSQL; dates come as JSON writes them, which no setting changes.
select id, agent_name, user_id, cast(type as text), name, content, description, cast(metadata as text),
    to_json(created_at) #>> '{}', to_json(updated_at) #>> '{}'
from public.memories order by cast(user_id as text) collate "C", id
