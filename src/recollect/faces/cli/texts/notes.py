"""What the commands do that look after single memories."""

MEMORY_COMMANDS: dict[str, dict[str, str]] = {
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
}
