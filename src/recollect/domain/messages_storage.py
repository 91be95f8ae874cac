"""What is said when a database does not open, or does not do what it is asked."""

STORAGE_MESSAGES: dict[str, dict[str, str]] = {
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
    "file_gone": {
        "en": "{file} was deleted or replaced while it was in use; nothing was written, open the memory again",
        "zh": "{file} 在使用中被删除或替换，未写入任何内容，请重新打开",
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
    "no_memory_there": {
        "en": "{place} holds no memory of recollect; look whether this is the place that is meant. "
        "A new memory is made there by: recollect --db URL db init",
        "zh": "{place} 中没有 recollect 的记忆，请确认位置是否正确。要在此新建记忆，请运行 recollect --db URL db init",
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
    "bad_schema_name": {
        "en": "search_path in the URL names {name}; a schema is named with a-z, 0-9 and _",
        "zh": "URL 中的 search_path 为 {name}，schema 名称只能由 a-z、0-9 和 _ 组成",
    },
    "not_shardable": {
        "en": "only PostgreSQL with Citus can be sharded; name its coordinator as postgresql://…",
        "zh": "只有带 Citus 的 PostgreSQL 才能分片，请以 postgresql://… 指定协调节点",
    },
    "no_citus": {
        "en": "{place} has no Citus; run CREATE EXTENSION citus there and on each worker, then citus_add_node for each",
        "zh": "{place} 没有 Citus；请在此处和每个工作节点执行 CREATE EXTENSION citus，再逐个执行 citus_add_node",
    },
    "unknown_option": {
        "en": "the URL has options that are not known here: {names}",
        "zh": "URL 中有未知选项：{names}",
    },
    "bad_option": {
        "en": "the URL has an option that the driver does not take: {problem}",
        "zh": "URL 中有驱动不接受的选项：{problem}",
    },
    "option_file": {
        "en": "{name} in the URL names {file}, which cannot be read: {problem}",
        "zh": "URL 中的 {name} 指向 {file}，该文件无法读取：{problem}",
    },
    "tls_failed": {
        "en": "the encrypted connection to {place} does not come about, check the certificates and the options for TLS "
        "in the URL: {problem}",
        "zh": "无法与 {place} 建立加密连接，请检查证书以及 URL 中的 TLS 选项：{problem}",
    },
    "database_failed": {"en": "the database failed: {problem}", "zh": "数据库出错：{problem}"},
}
