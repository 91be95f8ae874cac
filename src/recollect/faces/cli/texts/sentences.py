"""Every other sentence of the command line. English ones are ASCII, so that any console has them."""

from recollect.faces.cli.texts.databases import DATABASE_SENTENCES

SENTENCES: dict[str, dict[str, str]] = {
    "usage": {"en": "Usage:", "zh": "用法:"},
    "usage_options": {"en": "[OPTIONS]", "zh": "[选项]"},
    "usage_command": {"en": "COMMAND ...", "zh": "命令 ..."},
    "usage_commands": {"en": "Commands:", "zh": "命令:"},
    "usage_option_list": {"en": "Options:", "zh": "选项:"},
    "usage_everywhere": {
        "en": "Every command also takes the options of: recollect --help",
        "zh": "每个命令都可以使用通用选项,见 recollect --help",
    },
    "no_such_option": {
        "en": "there is no such option; {command} --help lists them",
        "zh": "没有这个选项,可用选项见 {command} --help",
    },
    "no_such_option_near": {
        "en": "there is no such option; did you mean {near}? ({command} --help)",
        "zh": "没有这个选项,是不是想用 {near}?({command} --help)",
    },
    "text_with_dash": {
        "en": "a text that begins with a dash goes behind two: {command} -- TEXT",
        "zh": "以 - 开头的文字请放在 -- 之后:{command} -- TEXT",
    },
    "no_such_command": {
        "en": "there is no such command; {command} --help lists them",
        "zh": "没有这个命令,可用命令见 {command} --help",
    },
    "no_such_command_near": {
        "en": "there is no such command; did you mean {near}? ({command} --help)",
        "zh": "没有这个命令,是不是想用 {near}?({command} --help)",
    },
    "missing_argument": {"en": "is missing; see {command} --help", "zh": "缺少此参数,见 {command} --help"},
    "value_missing": {"en": "needs a value; see {command} --help", "zh": "需要给出值,见 {command} --help"},
    "no_value_taken": {"en": "takes no value; see {command} --help", "zh": "不接受值,见 {command} --help"},
    "too_many_arguments": {
        "en": "more than was asked for: {given}; put quotes around a text with spaces",
        "zh": "多余的参数:{given};含空格的文字请加引号",
    },
    "misused": {"en": "{problem} ({command} --help)", "zh": "{problem}({command} --help)"},
    "data_and_db": {
        "en": "give --data or --db, not both; a folder and a database are two places",
        "zh": "--data 与 --db 只能给一个",
    },
    "interrupted": {"en": "stopped", "zh": "已停止"},
    "needs_yes": {
        "en": "nobody is there to be asked; say --yes",
        "zh": "无法询问,请加上 --yes",
    },
    "nothing_changed": {"en": "nothing was changed", "zh": "没有做任何修改"},
    "no_text": {
        "en": "give the text as an argument, with --file, or through a pipe",
        "zh": "请用参数、--file 或管道给出内容",
    },
    "text_twice": {"en": "give the text as an argument or with --file, not both", "zh": "参数与 --file 只能给一个"},
    "not_utf8": {"en": "{file} is not text in UTF-8", "zh": "{file} 不是 UTF-8 文本"},
    "not_key_value": {"en": "'{given}' is not KEY=VALUE", "zh": "“{given}”不是 KEY=VALUE 的形式"},
    "nothing_named": {
        "en": "say what to change: a text, an option, or an editor in $EDITOR",
        "zh": "请说明要改什么:内容、选项,或用 $EDITOR 指定编辑器",
    },
    "editor_failed": {"en": "the editor failed: {problem}", "zh": "编辑器出错:{problem}"},
    "kept_in_file": {"en": "what you wrote is kept in {file}", "zh": "你写的内容保存在 {file}"},
    "secret": {
        "en": "looks like a secret ({rule}); it was not saved. To keep it all the same: --allow-secret",
        "zh": "看起来含有机密信息({rule}),未保存。若确实要保存,请加 --allow-secret",
    },
    "keep_secret": {
        "en": "this looks like a secret ({rule}). Keep it all the same?",
        "zh": "看起来含有机密信息({rule})。仍要保存吗?",
    },
    "outcome_created": {
        "en": "saved  #{id}  {type}  {name}    undo: recollect undo {revision}",
        "zh": "已保存  #{id}  {type}  {name}    撤销:recollect undo {revision}",
    },
    "outcome_updated": {
        "en": "changed  #{id}  {type}  {name}    undo: recollect undo {revision}",
        "zh": "已修改  #{id}  {type}  {name}    撤销:recollect undo {revision}",
    },
    "outcome_duplicate": {
        "en": "nothing to do, #{id} says exactly this: {type}  {name}",
        "zh": "无需操作,#{id} 已是相同内容:{type}  {name}",
    },
    "waits_for_review": {
        "en": "it waits for review; approve it: recollect memory restore {id}",
        "zh": "等待审核;批准:recollect memory restore {id}",
    },
    "similar": {
        "en": "near it: #{id}  {type}  {name}",
        "zh": "相近的记忆:#{id}  {type}  {name}",
    },
    "deleted": {
        "en": "in the trash  #{id}  {type}  {name}    undo: recollect undo {revision}",
        "zh": "已移入回收站  #{id}  {type}  {name}    撤销:recollect undo {revision}",
    },
    "forgotten": {
        "en": "forgotten  #{id}; every trace of its text is gone",
        "zh": "已遗忘  #{id},内容的全部痕迹已清除",
    },
    "forget_them": {
        "en": "Forget {ids} for good? Nothing undoes it.",
        "zh": "彻底遗忘 {ids}?此操作无法撤销。",
    },
    "restored": {
        "en": "restored  #{id}  {type}  {name}    undo: recollect undo {revision}",
        "zh": "已恢复  #{id}  {type}  {name}    撤销:recollect undo {revision}",
    },
    "nothing_to_undo": {"en": "nothing was changed yet", "zh": "还没有可以撤销的修改"},
    "undo_newest": {
        "en": "Undo the newest change, revision {id}: {what} of #{record}?",
        "zh": "撤销最近一次修改(修订 {id}:{what} #{record})?",
    },
    "undo_newest_run": {
        "en": "Undo everything that the newest run, {run}, did ({what} of #{record} among it)?",
        "zh": "撤销最近的批次 {run} 的全部修改(其中有:{what} #{record})?",
    },
    "undone": {
        "en": "undone: revision {undoes} of #{record}    back again: recollect undo {revision}",
        "zh": "已撤销:#{record} 的修订 {undoes}    恢复:recollect undo {revision}",
    },
    "nothing_remembered": {
        "en": 'nothing is remembered for user {user} yet. Begin: recollect memory add "..."  or see: recollect demo',
        "zh": '用户 {user} 还没有任何记忆。可以先运行 recollect memory add "...",或看看 recollect demo',
    },
    "other_agents_remember": {
        "en": "nothing here, but agents of user {user} remember something. See it: recollect --agent '*' memory list",
        "zh": "这里没有记忆,但用户 {user} 的其他 agent 有。查看:recollect --agent '*' memory list",
    },
    "nothing_listed": {"en": "nothing matches", "zh": "没有符合条件的记忆"},
    "more": {"en": "more: --cursor {cursor}", "zh": "下一页:--cursor {cursor}"},
    "trash_help": {
        "en": "kept for {days} days. Bring one back: recollect memory restore ID",
        "zh": "保留 {days} 天。恢复:recollect memory restore ID",
    },
    "trash_empty": {"en": "the trash is empty", "zh": "回收站是空的"},
    "in_trash": {
        "en": "memory {id} is in the trash. Bring it back: recollect memory restore {id}",
        "zh": "记忆 {id} 在回收站里。恢复:recollect memory restore {id}",
    },
    "heading": {"en": "#{id}  {type}  {name}", "zh": "#{id}  {type}  {name}"},
    "detail": {"en": "  {name}: {value}", "zh": "  {name}:{value}"},
    "field_description": {"en": "description", "zh": "说明"},
    "field_agent": {"en": "agent", "zh": "agent"},
    "field_session": {"en": "session", "zh": "会话"},
    "field_labels": {"en": "labels", "zh": "标签"},
    "field_metadata": {"en": "metadata", "zh": "自定义数据"},
    "field_pinned": {"en": "pinned", "zh": "固定"},
    "field_importance": {"en": "importance", "zh": "重要度"},
    "field_source": {"en": "source", "zh": "来源"},
    "field_status": {"en": "status", "zh": "状态"},
    "field_created_at": {"en": "created", "zh": "创建于"},
    "field_updated_at": {"en": "changed", "zh": "修改于"},
    "field_expires_at": {"en": "expires", "zh": "过期于"},
    "field_version": {"en": "version", "zh": "版本"},
    "yes": {"en": "yes", "zh": "是"},
    "default": {"en": "default", "zh": "默认"},
    "source_user_stated": {"en": "said by a person", "zh": "由人写入"},
    "source_user_edited": {"en": "edited by a person", "zh": "由人修改"},
    "source_agent_inferred": {"en": "written by an agent", "zh": "由 agent 写入"},
    "source_imported": {"en": "imported", "zh": "导入"},
    "source_system": {"en": "system", "zh": "系统"},
    "status_pending": {"en": "waits for review", "zh": "待审核"},
    "status_superseded": {"en": "superseded", "zh": "已被取代"},
    "status_disabled": {"en": "disabled", "zh": "已停用"},
    "status_trashed": {"en": "in the trash", "zh": "在回收站"},
    "actor_person": {"en": "person", "zh": "人"},
    "actor_agent": {"en": "agent", "zh": "agent"},
    "actor_import": {"en": "import", "zh": "导入"},
    "actor_system": {"en": "system", "zh": "系统"},
    "action_create": {"en": "created", "zh": "新建"},
    "action_update": {"en": "changed", "zh": "修改"},
    "action_delete": {"en": "put into the trash", "zh": "移入回收站"},
    "action_restore": {"en": "restored", "zh": "恢复"},
    "action_forget": {"en": "forgotten", "zh": "遗忘"},
    "revision": {"en": "{id}  {at}  {who}  {what}", "zh": "{id}  {at}  {who}  {what}"},
    "revision_change": {"en": "    {mark} {name}: {value}", "zh": "    {mark} {name}:{value}"},
    "revision_scrubbed": {"en": "    its texts are gone", "zh": "    内容已清除"},
    "revision_undone": {"en": "    undone by revision {by}", "zh": "    已由修订 {by} 撤销"},
    "column_#": {"en": "#", "zh": "#"},
    "column_type": {"en": "type", "zh": "类型"},
    "column_name": {"en": "name", "zh": "标题"},
    "column_agent": {"en": "agent", "zh": "agent"},
    "column_age": {"en": "age", "zh": "修改于"},
    "column_score": {"en": "score", "zh": "得分"},
    "column_lexical": {"en": "lexical", "zh": "词面"},
    "column_recency": {"en": "recency", "zh": "新近"},
    "column_importance": {"en": "importance", "zh": "重要"},
    "column_pinned": {"en": "pinned", "zh": "固定"},
    "column_setting": {"en": "setting", "zh": "设置项"},
    "column_value": {"en": "value", "zh": "值"},
    "column_source": {"en": "from", "zh": "来源"},
    "asked": {
        "en": 'recall "{query}"  {whose}  {hits} given  {milliseconds} ms',
        "zh": "召回“{query}”  {whose}  给出 {hits} 条  {milliseconds} 毫秒",
    },
    "no_common_word": {"en": "no memory has a word in common with this", "zh": "没有任何记忆与它有共同的词"},
    "nothing_relevant": {"en": "nothing relevant; the nearest were:", "zh": "没有相关记忆,最接近的是:"},
    "try_min_score": {
        "en": "to see weak answers as well: --min-score 0",
        "zh": "也想看弱相关的结果:--min-score 0",
    },
    "left_out": {"en": "  not given  #{id}  {name}: {reason}", "zh": "  未给出  #{id}  {name}:{reason}"},
    "left_out_more": {"en": "  and {count} more", "zh": "  另有 {count} 条"},
    "block_size": {
        "en": "block for an agent: about {tokens} tokens, see it with --block",
        "zh": "给 agent 的文本块:约 {tokens} token,用 --block 查看",
    },
    "given": {"en": "#{id} {name} is given: score {score}: {parts}", "zh": "#{id} {name} 会给出:得分 {score}:{parts}"},
    "not_given": {"en": "#{id} {name} is not given: {reason}", "zh": "#{id} {name} 不会给出:{reason}"},
    "reason_with_score": {"en": "{reason} (score {score}: {parts})", "zh": "{reason}(得分 {score}:{parts})"},
    "reason_not_found": {"en": "there is no such memory", "zh": "没有这条记忆"},
    "reason_not_active": {
        "en": "it is not active: in the trash or waiting for review",
        "zh": "不是有效状态:在回收站或待审核",
    },
    "reason_other_agent": {"en": "it belongs to another agent", "zh": "属于另一个 agent"},
    "reason_other_session": {"en": "it belongs to another session", "zh": "属于另一个会话"},
    "reason_other_kind": {"en": "it is of a kind that was not asked for", "zh": "不在所问的种类之内"},
    "reason_other_space": {"en": "it lies in another space", "zh": "在另一个空间"},
    "reason_other_type": {"en": "it is of another type", "zh": "类型不符"},
    "reason_other_label": {"en": "it does not carry the label", "zh": "没有所要的标签"},
    "reason_expired": {"en": "it has expired", "zh": "已过期"},
    "reason_outside_time": {"en": "it was changed outside that time", "zh": "不在所要的时间范围内"},
    "reason_no_common_term": {"en": "it has no word in common with the question", "zh": "与问题没有共同的词"},
    "reason_below_floor": {
        "en": "too little of the question is in it, it stays below the floor",
        "zh": "覆盖问题的部分太少,低于门槛",
    },
    "reason_below_min_score": {"en": "its score is below {min_score}", "zh": "得分低于 {min_score}"},
    "reason_out_ranked": {"en": "others are better, this is number {rank}", "zh": "排在第 {rank} 位,名额已满"},
    "reason_over_budget": {"en": "it does not fit into the tokens", "zh": "超出 token 预算"},
    "check": {"en": "{level}  {message}", "zh": "{level}  {message}"},
    "doctor_folder": {"en": "data folder can be written: {folder}", "zh": "数据目录可写:{folder}"},
    "doctor_folder_bad": {"en": "data folder cannot be written: {folder}", "zh": "数据目录不可写:{folder}"},
    "doctor_engine": {"en": "{engine} {version}, {place}", "zh": "{engine} {version},{place}"},
    "doctor_schema": {"en": "schema {schema} is the newest", "zh": "结构版本 {schema},已是最新"},
    "doctor_schema_bad": {"en": "schema {schema}, the newest is {newest}", "zh": "结构版本 {schema},最新为 {newest}"},
    "doctor_integrity": {"en": "every page of the file is sound", "zh": "数据文件完整"},
    "doctor_integrity_bad": {
        "en": "the file is damaged in {count} places, first: {first}; restore a backup",
        "zh": "数据文件有 {count} 处损坏,第一处:{first};请恢复备份",
    },
    "doctor_counters": {
        "en": "counted again: {records} memories, {owners} users",
        "zh": "{owners} 个用户共 {records} 条记忆,重新清点无误",
    },
    "doctor_counters_bad": {"en": "counters are wrong for {names}", "zh": "计数有误:{names}"},
    "doctor_orphans": {"en": "every word of the index belongs to a memory", "zh": "索引中的词都属于某条记忆"},
    "doctor_orphans_bad": {
        "en": "{count} words of the index belong to no memory",
        "zh": "索引中有 {count} 个词不属于任何记忆",
    },
    "doctor_jobs": {"en": "jobs that wait for their time: {waiting}", "zh": "{waiting} 个任务在等待"},
    "doctor_jobs_bad": {
        "en": "jobs that failed and will be tried again: {failed}, waiting: {waiting}",
        "zh": "{failed} 个任务失败后待重试,{waiting} 个在等待",
    },
    "doctor_embedder": {
        "en": "no embedder: recall compares words, not meanings",
        "zh": "没有向量模型:召回按词面而不是按含义比较",
    },
    "doctor_keys": {
        "en": "in the environment, but not used: {names}",
        "zh": "环境中有但不会使用的密钥:{names}",
    },
    "doctor_no_keys": {"en": "no API key is needed", "zh": "不需要任何 API 密钥"},
    "doctor_connections": {
        "en": "no connection to anywhere is ever made",
        "zh": "不会建立任何外部连接",
    },
    "backed_up": {"en": "backed up to {file}, {size} KiB", "zh": "已备份到 {file},{size} KiB"},
    "place": {"en": "database: {place}", "zh": "数据库:{place}"},
    "exporting": {"en": "exporting", "zh": "导出中"},
    "importing": {"en": "importing", "zh": "导入中"},
    "exported": {
        "en": "exported {records} memories, {revisions} revisions, {tombstones} forgotten to {file}",
        "zh": "已导出 {records} 条记忆、{revisions} 次修订、{tombstones} 个遗忘标记到 {file}",
    },
    "imported": {
        "en": "imported: {created} new, {duplicates} there already, {forgotten} forgotten before, {rejected} rejected",
        "zh": "已导入:新增 {created},已有 {duplicates},曾被遗忘 {forgotten},拒绝 {rejected}",
    },
    "would_import": {
        "en": "nothing written. It would be: {created} new, {duplicates} there already, {forgotten} forgotten before, "
        "{rejected} rejected",
        "zh": "未写入。将会:新增 {created},已有 {duplicates},曾被遗忘 {forgotten},拒绝 {rejected}",
    },
    "rejected": {"en": "rejected  line {line}: {problem}", "zh": "拒绝  第 {line} 行:{problem}"},
    "rejected_more": {"en": "and {count} more rejected lines", "zh": "另有 {count} 行被拒绝"},
    "import_undo": {
        "en": "user {user}    undo: recollect undo --run {run}",
        "zh": "用户 {user}    撤销:recollect undo --run {run}",
    },
    "import_stopped": {
        "en": "what was imported so far is kept; run the same command again and it goes on where it stopped",
        "zh": "已导入的部分已保留;再次运行同一命令会从中断处继续",
    },
    "why_alone": {
        "en": "goes with --limit and --min-score only",
        "zh": "只能与 --limit 和 --min-score 一起使用",
    },
    "bad_samples": {"en": "must be a {shape} in the samples file", "zh": "在示例文件里必须是 {shape}"},
    "demo_start": {
        "en": "{count} sample memories in a folder that is thrown away. Nothing leaves this machine, no key is needed.",
        "zh": "{count} 条示例记忆,放在用完即删的目录里。数据不出本机,不需要任何密钥。",
    },
    "demo_block": {"en": "\nExactly this would be given to an agent:", "zh": "\nagent 将得到的原文:"},
    "demo_changed": {
        "en": "\nNow #{id} is changed, {old} becomes {new}, and the question asked again:\n    {content}",
        "zh": "\n现在修改 #{id}:{old} 改为 {new},再问一次:\n    {content}",
    },
    "demo_undone": {
        "en": "Revision {revision} is undone, and the question asked once more:\n    {content}",
        "zh": "撤销修订 {revision},再问一次:\n    {content}",
    },
    "demo_end": {
        "en": "\nNext:\n"
        '  recollect demo "a question of yours"\n'
        "  recollect demo --samples FILE      a copy of {samples} with your own memories\n"
        '  recollect memory add "..."         the first memory of your own\n'
        "  recollect --help                   everything else",
        "zh": "\n接下来:\n"
        '  recollect demo "你的问题"\n'
        "  recollect demo --samples FILE      复制 {samples} 并改成自己的记忆\n"
        '  recollect memory add "..."         写下自己的第一条记忆\n'
        "  recollect --help                   其他全部功能",
    },
    **DATABASE_SENTENCES,
}
