-- Queries for a database of another program, netaclaw, which is only ever read.

-- name: netaclaw_columns
-- The columns of its one table, when that is a table.
select name from pragma_table_info('memory')
where exists (select 1 from sqlite_master where type = 'table' and name = 'memory')

-- name: netaclaw_rows
-- Every row, one user after the other.
select id, agent_name, user_id, type, name, content, description, metadata, created_at, updated_at
from memory order by user_id, id
