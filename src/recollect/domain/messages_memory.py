"""What is said about a memory: what cannot be saved, found or changed as it was asked."""

MEMORY_MESSAGES: dict[str, dict[str, str]] = {
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
    "not_list": {"en": "must be a list, not a {given}", "zh": "必须是列表，而不是 {given}"},
    "not_message": {
        "en": "a {given} is not a message; give an object with role and content, or a message of a model package",
        "zh": "{given} 不是消息，请给出带 role 和 content 的对象，或模型软件包的消息",
    },
    "not_one_of": {"en": "{given} is not one of {allowed}", "zh": "{given} 不在允许的取值之中：{allowed}"},
    "not_whole": {"en": "must be a whole number, not {given}", "zh": "必须是整数，而不是 {given}"},
    "out_of_range": {"en": "{given} is not between {low} and {high}", "zh": "{given} 不在 {low} 与 {high} 之间"},
    "bound_ge": {"en": "{given} is below {limit}", "zh": "{given} 小于 {limit}"},
    "bound_gt": {"en": "{given} is not above {limit}", "zh": "{given} 不大于 {limit}"},
    "bound_le": {"en": "{given} is above {limit}", "zh": "{given} 大于 {limit}"},
    "bound_lt": {"en": "{given} is not below {limit}", "zh": "{given} 不小于 {limit}"},
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
    "bad_target": {
        "en": "must be an id, a name, or {{content: a piece of the text}}",
        "zh": "必须是编号、标题，或 {{content: 内容片段}}",
    },
    "nothing_alone": {
        "en": "nothing goes without expect and not",
        "zh": "nothing 不能与 expect 或 not 同时使用",
    },
    "nothing_expected": {
        "en": "says nothing to check; give expect, not, or nothing: true",
        "zh": "没有可检查的内容，请给出 expect、not 或 nothing: true",
    },
    "no_expectations": {
        "en": "{file} is empty: it holds no expectation, so nothing was checked",
        "zh": "{file} 是空的，其中没有任何期望，未做检查",
    },
    "file_too_large": {"en": "{file} has more than {limit} bytes", "zh": "{file} 超过 {limit} 字节"},
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
    "content_cut": {
        "en": "{count} more characters; call memory_recall with this name as the query and limit 1 to read all of it",
        "zh": "还有 {count} 字；以该标题为 query、limit 为 1 调用 memory_recall 可读全文",
    },
    "more_found": {
        "en": "{count} more were found but did not fit; ask more precisely",
        "zh": "另有 {count} 条未能列出，请把问题问得更具体",
    },
    "nothing_stored": {"en": "no memories to list", "zh": "没有可列出的记忆"},
}
