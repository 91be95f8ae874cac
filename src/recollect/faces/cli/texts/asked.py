"""What the commands do that look at questions: those that were asked, and those whose answers are known."""

ASKED: dict[str, dict[str, str]] = {
    "recalls": {
        "en": """
List what was asked lately, newest first: the question, which memories it was given, and how long that took.

Agents' questions stand there too. --json has the parts of every score and what was left out. How long this is kept
are settings; no text of a memory is ever in it, and forgetting a memory takes the questions about it along.

Examples:
  recollect recalls
  recollect recalls -k 1 --json
  recollect --agent "*" recalls
""",
        "zh": """
列出最近的提问,最新的在前:问了什么,给出了哪些记忆,用了多久。

agent 的提问也在其中。--json 包含每个得分的组成和未给出的记忆。保留多久由设置决定;
其中从不包含记忆的内容,遗忘一条记忆时,与它有关的问题也会清除。

示例:
  recollect recalls
  recollect recalls -k 1 --json
  recollect --agent "*" recalls
""",
    },
    "check": {
        "en": """
Check whether the memory answers as a file of expectations says.

The file is YAML, a list of questions, each with what is to be among its first hits (expect), what is not (not), or
that nothing is relevant (nothing: true). A memory is named by its id, its name, or {content: a piece of its text}.
The exit status is 0 when all hold, 1 when one does not, and 2 when something is wrong with the file.

Examples:
  recollect check expectations.yaml
  recollect check expectations.yaml --json
""",
        "zh": """
检查记忆的回答是否符合期望文件。

文件是 YAML 列表,每一项是一个问题,以及前几条中应当有什么(expect)、不应当有什么(not),
或者应当没有相关记忆
(nothing: true)。记忆用编号、标题或 {content: 内容片段} 表示。全部符合时退出状态为 0,有不符合的为 1,文件有误为 2。

示例:
  recollect check expectations.yaml
  recollect check expectations.yaml --json
""",
    },
}
