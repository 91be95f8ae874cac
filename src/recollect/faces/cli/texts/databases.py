"""What is said about databases: the commands that look after one, and what is found in it."""

DATABASE_COMMANDS: dict[str, dict[str, str]] = {
    "doctor": {
        "en": """
Check the memory and its surroundings; exit status 1 when something is broken.

Examples:
  recollect doctor
  recollect doctor --json
""",
        "zh": """
检查记忆及其环境;有损坏时退出码为 1。

示例:
  recollect doctor
  recollect doctor --json
""",
    },
    "reindex": {
        "en": """
Give every memory of every user the vector that it lacks; run again after a stop, it goes on.

Needed at once after choosing another embedder; otherwise vectors are made in the background.

Examples:
  recollect reindex
  recollect reindex --json
""",
        "zh": """
为所有用户缺少向量的记忆生成向量;中断后再次运行会继续。

更换向量模型后可立即运行;平时向量在后台生成。

示例:
  recollect reindex
  recollect reindex --json
""",
    },
    "backup": {
        "en": """
Write a whole, consistent copy of the database while it is in use.

The file is an SQLite database, also of a server: then each user is copied and compared as db copy does it, at a
moment of its own. To bring it back: recollect db copy FILE URL, into an empty database. Databases that agents have of
their own go to files beside it, FILE.coach.db for FILE.db.

Examples:
  recollect backup memory-backup.db
  recollect --db memory-backup.db memory list
  recollect --db postgresql://me@host/memory backup memory-backup.db
  recollect db copy memory-backup.db postgresql://me@host/memory
""",
        "zh": """
在使用中写出一份完整一致的数据库副本。

文件是 SQLite 数据库;对服务器则像 db copy 那样逐个用户复制并核对,各用户取各自的时刻。
恢复:recollect db copy FILE URL,复制到空数据库。agent 单独的数据库写到旁边的文件,如 FILE.db 旁的 FILE.coach.db。

示例:
  recollect backup memory-backup.db
  recollect --db memory-backup.db memory list
  recollect --db postgresql://me@host/memory backup memory-backup.db
  recollect db copy memory-backup.db postgresql://me@host/memory
""",
    },
    "db": {
        "en": """
Look after the database itself: its tables, its state, its schema, and moving it from one engine to another.

Examples:
  recollect db status
  recollect db copy memory.db postgresql://me@host/memory
""",
        "zh": """
管理数据库本身:建表、状态、结构版本,以及在不同引擎之间搬移。

示例:
  recollect db status
  recollect db copy memory.db postgresql://me@host/memory
""",
    },
    "db init": {
        "en": """
Make the tables of a memory where there are none; again is harmless.

With --shard the tables of a PostgreSQL with Citus are spread over its workers, with the rows that they have: all that
one user keeps lies together on one worker.

Examples:
  recollect --db postgresql://recollect@localhost/recollect db init
  recollect --db postgresql://recollect@coordinator/recollect db init --shard
""",
        "zh": """
在没有表的数据库中建表;重复运行无害。

加上 --shard 时,带 Citus 的 PostgreSQL 中的表连同已有数据会分布到各工作节点:同一用户的数据总在同一节点上。

示例:
  recollect --db postgresql://recollect@localhost/recollect db init
  recollect --db postgresql://recollect@coordinator/recollect db init --shard
""",
    },
    "db status": {
        "en": """
Say what the database is: engine, version, place, schema, size, and how much it holds. Changes nothing.

Without a URL it is the database that every other command uses.

Examples:
  recollect db status
  recollect db status mysql://me@host/memory --json
""",
        "zh": """
显示数据库的情况:引擎、版本、位置、结构版本、大小和内容数量。不做任何修改。

不给 URL 时即为其他命令所用的数据库。

示例:
  recollect db status
  recollect db status mysql://me@host/memory --json
""",
    },
    "db check": {
        "en": """
Read the whole database and count everything again; exit status 1 when something is wrong.

Examples:
  recollect db check
  recollect db check postgresql://me@host/memory --json
""",
        "zh": """
通读整个数据库并重新清点;有问题时退出码为 1。

示例:
  recollect db check
  recollect db check postgresql://me@host/memory --json
""",
    },
    "db migrate": {
        "en": """
Bring the schema of a database up to this program's.

A file is migrated whenever it is opened, and a copy is kept beside it. A server is migrated only by this command:
until then its older schema is refused. Make a backup first, and stop the programs that use it.

Examples:
  recollect db migrate
  recollect db migrate postgresql://me@host/memory
""",
        "zh": """
把数据库的结构升级到本程序的版本。

文件在打开时自动升级,并在旁边保留副本。服务器只由此命令升级,此前旧结构会被拒绝。请先备份,并停止使用它的程序。

示例:
  recollect db migrate
  recollect db migrate postgresql://me@host/memory
""",
    },
    "db copy": {
        "en": """
Copy a database into another: SQLite, PostgreSQL and MySQL in every direction, ids and history included.

Each user is copied in one step, which is kept only when counts and hashes of every table agree on both sides. Stopped
at any moment, the same command goes on with those who are missing. Run again later it brings over what the source has
written since. A target that holds anything else of the same users is refused. With --agent NAME only what that agent
wrote is copied, to give the agent a database of its own.

The source may be in use, but what is written there after its user's turn stays behind: to move for good, stop the
programs and run the command once more. A backup made from a server is brought back the same way.

Examples:
  recollect db copy memory.db postgresql://me@host/memory --dry-run
  recollect db copy memory.db postgresql://me@host/memory
  recollect db copy mysql://me@host/memory sqlite:///memory.db
  recollect --agent coach db copy memory.db mysql://me@host/coach
""",
        "zh": """
把一个数据库复制到另一个:SQLite、PostgreSQL、MySQL 任意方向,编号与历史一并保留。

每个用户一步完成,只有两边各表的数量和哈希一致才会生效。随时可以中断,同一命令会接着复制尚缺的用户;以后再次运行会
补上来源此后的变化。目标中若已有同一用户的其他内容则拒绝。加 --agent NAME 只复制该 agent 写入的内容,
用于给它单独的数据库。

来源可以在使用中,但某个用户复制完之后的写入不会带上:正式搬移时请先停止程序,再运行一次。从服务器得到的备份也这样恢复。

示例:
  recollect db copy memory.db postgresql://me@host/memory --dry-run
  recollect db copy memory.db postgresql://me@host/memory
  recollect db copy mysql://me@host/memory sqlite:///memory.db
  recollect --agent coach db copy memory.db mysql://me@host/coach
""",
    },
    "db fulltext": {
        "en": """
Add the engine's own full-text index, for administrators who query by hand; --drop removes it.

The program itself never reads it: recall and search have an index of their own, which needs none of this. It costs
space and time at every write. A sharded database is refused.

Examples:
  recollect db fulltext
  recollect db fulltext mysql://me@host/memory
  recollect db fulltext --drop
""",
        "zh": """
添加数据库引擎自带的全文索引,供管理员手工查询;--drop 删除它。

程序自己从不读取它:召回和搜索有自己的索引。它会占用空间并拖慢每次写入。分片数据库会被拒绝。

示例:
  recollect db fulltext
  recollect db fulltext mysql://me@host/memory
  recollect db fulltext --drop
""",
    },
}

DATABASE_SENTENCES: dict[str, dict[str, str]] = {
    "tables_made": {
        "en": "{engine} {version}, {place}: the tables are there, schema {schema}",
        "zh": "{engine} {version},{place}:表已就绪,结构版本 {schema}",
    },
    "tables_sharded": {
        "en": "spread by user: {distributed}; on every server: {reference}",
        "zh": "按用户分布:{distributed};每个节点都有:{reference}",
    },
    "status_engine": {"en": "{engine} {version}, {place}", "zh": "{engine} {version},{place}"},
    "status_schema": {
        "en": "schema {schema} of {newest}, {size} KiB",
        "zh": "结构版本 {schema}(最新 {newest}),{size} KiB",
    },
    "status_sharded": {"en": "sharded over a cluster", "zh": "已分布到集群"},
    "status_empty": {
        "en": "no memory is here yet; to make one: recollect --db URL db init",
        "zh": "这里还没有记忆;新建:recollect --db URL db init",
    },
    "status_older": {"en": "bring it up: recollect db migrate", "zh": "升级:recollect db migrate"},
    "status_newer": {
        "en": "a newer recollect wrote this; update recollect",
        "zh": "由更新版本的 recollect 写入,请升级 recollect",
    },
    "status_current": {
        "en": "users: {owners}, memories: {records}, waiting jobs: {jobs}",
        "zh": "用户 {owners} 个,记忆 {records} 条,等待的任务 {jobs} 个",
    },
    "migrated": {
        "en": "schema {schema} now; steps taken: {steps}",
        "zh": "结构版本现为 {schema};已执行:{steps}",
    },
    "nothing_to_migrate": {
        "en": "schema {schema} is the newest, nothing to do",
        "zh": "结构版本 {schema} 已是最新,无需升级",
    },
    "fulltext_added": {"en": "added to {place}: {index}", "zh": "已添加到 {place}:{index}"},
    "fulltext_there": {"en": "{index} is there already at {place}", "zh": "{place} 中已有 {index}"},
    "fulltext_removed": {"en": "removed from {place}: {index}", "zh": "已从 {place} 删除:{index}"},
    "fulltext_absent": {"en": "there is no {index} at {place}", "zh": "{place} 中没有 {index}"},
    "copying": {"en": "copying", "zh": "复制中"},
    "copied": {
        "en": "{source} -> {target}: users copied: {copied}, brought up to date: {updated}, there already: {there}",
        "zh": "{source} -> {target}:复制用户 {copied},更新 {updated},已有 {there}",
    },
    "would_copy": {
        "en": "nothing written. {source} -> {target}: users to copy: {copied}, to bring up to date: {updated}, "
        "there already: {there}",
        "zh": "未写入。{source} -> {target}:将复制用户 {copied},更新 {updated},已有 {there}",
    },
    "copy_agrees": {
        "en": "counts and hashes of every table agree on both sides",
        "zh": "两边各表的数量和哈希一致",
    },
    "copy_stopped": {
        "en": "who was copied so far is kept whole; run the same command again and it goes on",
        "zh": "已复制的用户完整保留;再次运行同一命令会继续",
    },
    "column_table": {"en": "table", "zh": "表"},
    "column_rows": {"en": "rows", "zh": "行数"},
}
