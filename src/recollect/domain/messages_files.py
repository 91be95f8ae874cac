"""What is said about files: exports, imports, and paths that lead nowhere."""

FILES_MESSAGES: dict[str, dict[str, str]] = {
    "file_missing": {"en": "{file} does not exist", "zh": "{file} 不存在"},
    "file_exists": {"en": "{file} exists already; choose another name", "zh": "{file} 已存在，请换一个名字"},
    "file_denied": {
        "en": "{file} may not be read or written; check its permissions",
        "zh": "{file} 没有读写权限，请检查权限",
    },
    "file_is_folder": {"en": "{file} is a folder, not a file", "zh": "{file} 是目录，不是文件"},
    "file_in_file": {"en": "{file} lies below something that is not a folder", "zh": "{file} 的上级不是目录"},
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
    "not_place": {
        "en": "must be a path, a URL or Settings, not a {given}",
        "zh": "必须是路径、URL 或 Settings，而不是 {given}",
    },
    "unknown_url": {
        "en": "{url} is not a place that recollect can open; give a path, sqlite:///path, postgresql://… or mysql://…",
        "zh": "recollect 无法打开 {url}，请给出路径、sqlite:///路径、postgresql://… 或 mysql://…",
    },
}
