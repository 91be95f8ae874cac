"""What is said when memory cannot be moved: copied, brought over from another program, indexed anew."""

MOVING_MESSAGES: dict[str, dict[str, str]] = {
    "fulltext_sharded": {
        "en": "this is a cluster; the engine's full text is not added there",
        "zh": "这是集群，不添加引擎自带的全文索引",
    },
    "copy_onto_itself": {
        "en": "{place} would be copied onto itself; name another target",
        "zh": "不能把 {place} 复制到它自身，请指定另一个目标",
    },
    "no_such_writer": {
        "en": "nothing in {place} was written by agent {agent}, so nothing was copied",
        "zh": "{place} 中没有 agent {agent} 写入的内容，未复制",
    },
    "copy_foreign": {
        "en": "the target holds something else of {count} of these users, first {names}; nothing of them was copied. "
        "Choose an empty database, or bring them together with export and import",
        "zh": "目标中已有其中 {count} 个用户的其他内容({names})，未复制。请换用空数据库，或用 export 与 import 合并",
    },
    "copy_erasures": {
        "en": "both databases remember who was erased, each under a key of its own; choose an empty target",
        "zh": "两个数据库各有自己的清除记录与密钥，无法合并，请换用空的目标数据库",
    },
    "copy_moving": {
        "en": "{name} changes faster than it can be copied; run the same command again, or stop what writes there",
        "zh": "{name} 的变化快于复制速度，请再次运行同一命令，或先停止对它的写入",
    },
    "copy_differs": {
        "en": "{table} of {name} came out different in the target; this user was not copied",
        "zh": "{name} 的 {table} 在目标中与来源不一致，该用户未复制",
    },
    "bad_zone": {
        "en": "{given} is no time zone; write one as Asia/Shanghai or +08:00",
        "zh": "{given} 不是时区，请写成 Asia/Shanghai 或 +08:00",
    },
    "file_only": {
        "en": "an export is a file; only --format netaclaw reads a database",
        "zh": "导出是文件；只有 --format netaclaw 可以读取数据库",
    },
}
