"""What each command does. The first line stands in the list of commands; indented lines are shown as they are."""

from recollect.faces.cli.texts.asked import ASKED
from recollect.faces.cli.texts.databases import DATABASE_COMMANDS

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
    "memory": {
        "en": """
Add, read, change and delete single memories.

Examples:
  recollect memory add "Standup is at 9:30" --type project
  recollect memory list
""",
        "zh": """
逐条新增、查看、修改、删除记忆。

示例:
  recollect memory add "每天 9:30 站会" --type project
  recollect memory list
""",
    },
    "memory add": {
        "en": """
Remember a text.

The text is the argument, a file, or standard input when the argument is - or something is piped in. A text that is
there already is not saved twice, and near ones are named.

Examples:
  recollect memory add "Never reformat files that were not asked for" --type feedback --name "No auto-format"
  recollect memory add --file notes.md --type reference --label wiki --metadata team=core
  git log -1 --format=%B | recollect memory add - --type project --expires 2027-01-31T00:00:00+08:00
""",
        "zh": """
记住一段文字。

文字来自参数、文件,或者标准输入(参数写 -,或有内容经管道传入)。完全相同的内容不会保存两次,相近的会列出来。

示例:
  recollect memory add "没有要求就不要重新格式化文件" --type feedback --name "不要自动格式化"
  recollect memory add --file notes.md --type reference --label wiki --metadata team=core
  git log -1 --format=%B | recollect memory add - --type project --expires 2027-01-31T00:00:00+08:00
""",
    },
    "memory list": {
        "en": """
List memories, newest first.

Examples:
  recollect memory list --type project --stale
  recollect memory list --label wiki --limit 50 --json
""",
        "zh": """
列出记忆,最新的在前。

示例:
  recollect memory list --type project --stale
  recollect memory list --label wiki --limit 50 --json
""",
    },
    "memory show": {
        "en": """
Show one memory in full.

Examples:
  recollect memory show 12
  recollect memory show 12 --json
""",
        "zh": """
完整显示一条记忆。

示例:
  recollect memory show 12
  recollect memory show 12 --json
""",
    },
    "memory edit": {
        "en": """
Change a memory: the text, or any of its fields.

Without a text and without options the text opens in $VISUAL or $EDITOR. What is not named stays as it is.

Examples:
  recollect memory edit 12 "Standup is at 10:00"
  recollect memory edit 12 --type project --label team --expires never
  recollect memory edit 12
""",
        "zh": """
修改一条记忆的内容或任一字段。

不给内容也不给选项时,用 $VISUAL 或 $EDITOR 打开内容。没有提到的字段保持不变。

示例:
  recollect memory edit 12 "站会改到 10:00"
  recollect memory edit 12 --type project --label 团队 --expires never
  recollect memory edit 12
""",
    },
    "memory rm": {
        "en": """
Put memories into the trash, or forget them for good.

From the trash a memory can be restored. --forget removes every trace of the text, also from the history, and keeps
agents and imports from bringing it back; nothing undoes it.

Examples:
  recollect memory rm 12 13
  recollect memory rm 12 --forget --yes
""",
        "zh": """
把记忆移入回收站,或彻底遗忘。

回收站里的记忆可以恢复。--forget 会清除内容的全部痕迹(包括历史),并阻止 agent 和导入再把它带回来,无法撤销。

示例:
  recollect memory rm 12 13
  recollect memory rm 12 --forget --yes
""",
    },
    "memory restore": {
        "en": """
Bring a memory back from the trash, or approve one that waits for review.

Examples:
  recollect memory restore 12
""",
        "zh": """
从回收站恢复一条记忆,或批准一条待审核的记忆。

示例:
  recollect memory restore 12
""",
    },
    "memory history": {
        "en": """
Show what happened to a memory, newest first, each change with before and after.

Examples:
  recollect memory history 12
""",
        "zh": """
显示一条记忆的变更历史,最新的在前,每次修改都列出前后内容。

示例:
  recollect memory history 12
""",
    },
    "memory trash": {
        "en": """
List what lies in the trash.

Examples:
  recollect memory trash
""",
        "zh": """
列出回收站里的记忆。

示例:
  recollect memory trash
""",
    },
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
