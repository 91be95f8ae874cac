"""What each command does. The first line stands in the list of commands; indented lines are shown as they are."""

from recollect.faces.cli.texts.asked import ASKED
from recollect.faces.cli.texts.databases import DATABASE_COMMANDS
from recollect.faces.cli.texts.notes import MEMORY_COMMANDS

COMMANDS: dict[str, dict[str, str]] = {
    "": {
        "en": """
Remember, recall, change and undo: the long-term memory of AI agents, in a file of your own.

Examples:
  recollect demo
  recollect memory add "Prefers short answers" --type feedback
  recollect recall "how should I write?"
  recollect doctor
""",
        "zh": """
AI agent 的长期记忆:记住、召回、修改、撤销,都在你自己的一个文件里。

示例:
  recollect demo
  recollect memory add "回答要简短" --type feedback
  recollect recall "我应该怎么写?"
  recollect doctor
""",
    },
    **MEMORY_COMMANDS,
    "recall": {
        "en": """
Ask the memory a question: what is relevant, best first, and why.

Nothing relevant is an answer too. --block prints the exact text that an agent would be given, --why says for one
memory what it scored or what kept it out.

Examples:
  recollect recall "how should I write?"
  recollect recall "when is the release?" -k 3 --block
  recollect recall "when is the release?" --why 12
  recollect --agent "*" recall "deploy" --min-score 0 --json
""",
        "zh": """
向记忆提问:哪些相关,按相关度排列,并说明原因。

“没有相关记忆”也是一种回答。--block 输出 agent 将得到的原文,--why 说明某一条的得分,或者它为什么没有给出。

示例:
  recollect recall "我应该怎么写?"
  recollect recall "什么时候发布?" -k 3 --block
  recollect recall "什么时候发布?" --why 12
  recollect --agent "*" recall "部署" --min-score 0 --json
""",
    },
    "undo": {
        "en": """
Take back one change, or everything that a run did.

Without a number it is the newest change that is not undone yet, asked first. What something later touched is refused
and named. An undo can be undone.

Examples:
  recollect undo
  recollect undo 98
  recollect undo --run 4
""",
        "zh": """
撤销一次修改,或撤销一个批次的全部修改。

不给编号时撤销最近一次尚未撤销的修改,会先询问。如果之后又被改动过则拒绝,并指出是哪一次。撤销本身也可以撤销。

示例:
  recollect undo
  recollect undo 98
  recollect undo --run 4
""",
    },
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
moment of its own. To bring it back: recollect db copy FILE URL, into an empty database.

Examples:
  recollect backup memory-backup.db
  recollect --db memory-backup.db memory list
  recollect --db postgresql://me@host/memory backup memory-backup.db
  recollect db copy memory-backup.db postgresql://me@host/memory
""",
        "zh": """
在使用中写出一份完整一致的数据库副本。

文件是 SQLite 数据库;对服务器则像 db copy 那样逐个用户复制并核对,各用户取各自的时刻。
恢复:recollect db copy FILE URL,复制到空数据库。

示例:
  recollect backup memory-backup.db
  recollect --db memory-backup.db memory list
  recollect --db postgresql://me@host/memory backup memory-backup.db
  recollect db copy memory-backup.db postgresql://me@host/memory
""",
    },
    "export": {
        "en": """
Write memories, their history and what was forgotten to a JSON Lines file that import reads; - is standard output.

Examples:
  recollect export memory.jsonl
  recollect export everybody.jsonl --all
""",
        "zh": """
把记忆、历史和遗忘标记写入 JSON Lines 文件,可用 import 读回;写 - 表示标准输出。

示例:
  recollect export memory.jsonl
  recollect export everybody.jsonl --all
""",
    },
    "import": {
        "en": """
Read an export, or the database of another program; - is standard input.

An import that was stopped goes on where it stopped when it is run again, and can be undone as one run. Lines that
cannot be read are listed with their numbers; the exit status is then 1.

A database of netaclaw is its SQLite file, its table netaclaw_memory in MySQL, or a table memories of the same columns
in PostgreSQL. It is not changed. Dates that name no zone, as those of MySQL's DATETIME, are read as UTC; say --zone
when that server kept another.

Examples:
  recollect import memory.jsonl --dry-run
  recollect import memory.jsonl
  recollect import sqlite:///old.db --format netaclaw
  recollect import mysql://me@host/claw --format netaclaw --zone Asia/Shanghai
""",
        "zh": """
读入导出文件,或其他程序的数据库;写 - 表示标准输入。

中断的导入再次运行时会从中断处继续,并且可以作为一个批次整体撤销。无法读取的行会连同行号列出,此时退出码为 1。

netaclaw 的数据库可以是它的 SQLite 文件、MySQL 中的 netaclaw_memory 表,或 PostgreSQL 中列相同的 memories 表,
不会被修改。没有时区的日期(如 MySQL 的 DATETIME)按 UTC 理解;若该服务器用的是别的时区,请加 --zone。

示例:
  recollect import memory.jsonl --dry-run
  recollect import memory.jsonl
  recollect import sqlite:///old.db --format netaclaw
  recollect import mysql://me@host/claw --format netaclaw --zone Asia/Shanghai
""",
    },
    "config": {
        "en": """
Look at the settings.

Examples:
  recollect config show
""",
        "zh": """
查看设置。

示例:
  recollect config show
""",
    },
    "config show": {
        "en": """
Show every setting, its value, and where the value comes from.

Examples:
  recollect config show
  recollect --db recollect.yaml config show --json
""",
        "zh": """
显示每个设置项、它的值以及值的来源。

示例:
  recollect config show
  recollect --db recollect.yaml config show --json
""",
    },
    "demo": {
        "en": """
See it work on sample memories in Chinese and English, in a folder that is thrown away.

Asks a question in each language, or the one you give, and shows what is found and why, what is left out and why, the
exact text that an agent would be given, and a change that is seen at once and undone.

Examples:
  recollect demo
  recollect demo "how should I format code?"
  recollect demo --samples my-samples.yaml
""",
        "zh": """
用一组中英文示例记忆演示效果,数据放在用完即删的临时目录里。

用两种语言各问一个问题(也可以自己给一个),显示找到了什么、为什么,略去了什么、为什么,agent 将得到的原文,
以及一次立即生效并被撤销的修改。

示例:
  recollect demo
  recollect demo "代码应该怎么排版?"
  recollect demo --samples my-samples.yaml
""",
    },
    **ASKED,
    **DATABASE_COMMANDS,
}
