"""What each option means; a key that begins with a command holds for that command alone."""

OPTIONS: dict[str, dict[str, str]] = {
    "--data": {
        "en": "the data folder (else RECOLLECT_DATA, else this user's own)",
        "zh": "数据目录(否则取 RECOLLECT_DATA,再否则取当前用户的默认目录)",
    },
    "--db": {
        "en": "the database: a path, sqlite:///path, or a settings file that ends in .yaml",
        "zh": "数据库:路径、sqlite:///路径,或以 .yaml 结尾的设置文件",
    },
    "--agent": {
        "en": "whose memories besides the common ones; * reads across all agents",
        "zh": "除公共记忆外还读写哪个 agent 的记忆;* 表示跨全部 agent 读取",
    },
    "--user": {
        "en": "whose memory it is (else RECOLLECT_USER, else local)",
        "zh": "谁的记忆(否则取 RECOLLECT_USER,再否则为 local)",
    },
    "--json": {"en": "answer with one JSON object", "zh": "以一个 JSON 对象作答"},
    "--lang": {
        "en": "zh or en (else RECOLLECT_LANG, else the language of the system)",
        "zh": "zh 或 en(否则取 RECOLLECT_LANG,再否则取系统语言)",
    },
    "--quiet": {"en": "no confirmations, no hints, no progress", "zh": "不输出确认、提示和进度"},
    "--no-color": {"en": "no colours (as NO_COLOR)", "zh": "不使用颜色(同 NO_COLOR)"},
    "--version": {"en": "show the version and exit", "zh": "显示版本并退出"},
    "--help": {"en": "show this help and exit", "zh": "显示此帮助并退出"},
    "--type": {
        "en": "user, project, feedback or reference",
        "zh": "user(用户)、project(项目)、feedback(反馈)或 reference(参考)",
    },
    "memory add --type": {
        "en": "user, project, feedback or reference; user if not given",
        "zh": "user(用户)、project(项目)、feedback(反馈)或 reference(参考),默认 user",
    },
    "--name": {"en": "the title", "zh": "标题"},
    "memory add --name": {"en": "the title; the first line of the text if not given", "zh": "标题,默认取内容的第一行"},
    "--description": {"en": "one line that says what it is good for", "zh": "一句话说明它的用途"},
    "--label": {"en": "only with this label; may be repeated", "zh": "只要带有此标签的;可重复"},
    "memory add --label": {"en": "a label; may be repeated", "zh": "标签;可重复"},
    "memory edit --label": {
        "en": "a label; may be repeated, and all of them replace the old ones; an empty one removes them",
        "zh": "标签;可重复,给出的标签会替换全部旧标签,空值表示清除",
    },
    "--importance": {"en": "0 to 100, 50 is ordinary", "zh": "0 到 100,普通为 50"},
    "--pin": {"en": "always part of the prompt, or no longer", "zh": "固定(始终放进提示词),或取消固定"},
    "--expires": {
        "en": "when it ends, with a time zone: 2027-01-31T00:00:00+08:00; never removes the end",
        "zh": "何时过期,须带时区:2027-01-31T00:00:00+08:00;never 表示不过期",
    },
    "--metadata": {"en": "a value of your own; may be repeated", "zh": "自定义数据;可重复"},
    "memory edit --metadata": {
        "en": "a value of your own; may be repeated, and all of them replace the old ones; an empty one removes them",
        "zh": "自定义数据;可重复,给出的值会替换全部旧值,空值表示清除",
    },
    "--file": {"en": "read the text from this file (UTF-8)", "zh": "从文件读取内容(UTF-8)"},
    "--external": {
        "en": "the text comes from a tool, the web or a file: it is trusted least",
        "zh": "内容来自工具、网页或文件:可信度最低",
    },
    "--allow-secret": {
        "en": "keep it although it looks like a password or a key",
        "zh": "即使看起来像密码或密钥也保存",
    },
    "--stale": {
        "en": "only what should be checked before use, or only what is fresh",
        "zh": "只看需要先核实的,或只看新近的",
    },
    "--pending": {"en": "what waits for review instead", "zh": "改为列出待审核的"},
    "--limit": {"en": "at most so many, 1 to 100", "zh": "最多多少条,1 到 100"},
    "recall --limit": {"en": "at most so many, 1 to 100; 5 if not given", "zh": "最多多少条,1 到 100,默认 5"},
    "--cursor": {"en": "go on where the last page ended", "zh": "从上一页结束处继续"},
    "--forget": {"en": "remove every trace of the text; nothing undoes it", "zh": "清除内容的全部痕迹,无法撤销"},
    "--yes": {"en": "do not ask", "zh": "不询问"},
    "--max-tokens": {"en": "at most so many tokens in the block", "zh": "文本块最多多少 token"},
    "--min-score": {
        "en": "this score, 0 to 1, takes the place of the built-in floor; 0 gives everything with a common term",
        "zh": "用此得分(0 到 1)代替内置门槛;0 表示给出所有含有共同词的记忆",
    },
    "--block": {"en": "print only the text that an agent would be given", "zh": "只输出 agent 将得到的文本"},
    "--why": {"en": "why this memory is given, or what keeps it out", "zh": "说明这条记忆为什么给出或没有给出"},
    "--run": {"en": "take back everything that this run did", "zh": "撤销这个批次的全部修改"},
    "--all": {"en": "the memory of every user", "zh": "全部用户的记忆"},
    "--format": {
        "en": "recollect, or netaclaw for a database of that program",
        "zh": "recollect,或 netaclaw(该程序的数据库)",
    },
    "--dry-run": {"en": "say what would happen, write nothing", "zh": "只说明会发生什么,不写入"},
    "--zone": {
        "en": "the zone of dates that say none, as Asia/Shanghai or +08:00; UTC if not given",
        "zh": "没有时区的日期按哪个时区理解,如 Asia/Shanghai 或 +08:00;默认 UTC",
    },
    "--drop": {"en": "remove the index", "zh": "删除该索引"},
    "--shard": {
        "en": "spread the tables over the workers of a Citus cluster",
        "zh": "把表分布到 Citus 集群的各工作节点",
    },
    "--samples": {"en": "use the samples of this file", "zh": "使用此文件中的示例"},
}
