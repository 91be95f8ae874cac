"""What the commands for a database of one's own do: how its tables are made."""

DATABASE_COMMANDS: dict[str, dict[str, str]] = {
    "db": {
        "en": """
Look after the database itself.

Examples:
  recollect db init
""",
        "zh": """
管理数据库本身。

示例:
  recollect db init
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
}
