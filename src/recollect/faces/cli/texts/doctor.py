"""What `doctor` and `db check` find."""

DOCTOR_SENTENCES: dict[str, dict[str, str]] = {
    "check": {"en": "{level}  {message}", "zh": "{level}  {message}"},
    "doctor_folder": {"en": "data folder can be written: {folder}", "zh": "数据目录可写:{folder}"},
    "doctor_folder_bad": {
        "en": "data folder cannot be written: {folder} ({problem})",
        "zh": "数据目录不可写:{folder}({problem})",
    },
    "doctor_space": {"en": "free on its disk: {free} MiB", "zh": "所在磁盘可用空间:{free} MiB"},
    "doctor_space_bad": {
        "en": "free on its disk: only {free} MiB; make room before it is full",
        "zh": "所在磁盘只剩 {free} MiB,请在写满之前腾出空间",
    },
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
        "en": "{count} words or vectors of the index belong to no memory",
        "zh": "索引中有 {count} 个词或向量不属于任何记忆",
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
    "doctor_no_model": {
        "en": "recall goes by words alone, the embedder cannot be asked: {problem}; look at the settings of embedder",
        "zh": "召回只按词面进行,无法使用向量模型:{problem};请检查 embedder 的设置",
    },
    "doctor_vectors": {
        "en": "every memory has its vector of {model}",
        "zh": "每条记忆都有 {model} 的向量",
    },
    "doctor_vectors_bad": {
        "en": "{count} memories have no vector of {model} yet; recollect reindex makes them now",
        "zh": "还有 {count} 条记忆没有 {model} 的向量,recollect reindex 会立即生成",
    },
    "doctor_service": {
        "en": "texts and questions are sent to {place} for their vectors, nothing anywhere else",
        "zh": "文本和问题会发送到 {place} 以取得向量,此外不建立任何连接",
    },
    "doctor_keys": {
        "en": "in the environment, but not used: {names}",
        "zh": "环境中有但不会使用的密钥:{names}",
    },
    "doctor_keys_plugin": {
        "en": "in the environment, and whether the embedder {provider} uses them only its maker knows: {names}",
        "zh": "环境中的密钥:{names};向量模型 {provider} 是否使用它们,只有其作者知道",
    },
    "doctor_key": {"en": "the key of the embedder comes from {names}", "zh": "向量模型的密钥来自 {names}"},
    "doctor_no_keys": {"en": "no API key is set", "zh": "没有设置任何 API 密钥"},
    "doctor_connections": {
        "en": "no connection to anywhere is ever made",
        "zh": "不会建立任何外部连接",
    },
    "doctor_plugin": {
        "en": "no connection is made, but which the embedder {provider} makes only its maker knows",
        "zh": "recollect 不建立任何外部连接;向量模型 {provider} 是否建立连接,只有其作者知道",
    },
    "doctor_plugin_server": {
        "en": "no connection is made but to database servers; which the embedder {provider} makes only its maker knows",
        "zh": "recollect 只连接数据库服务器;向量模型 {provider} 是否建立其他连接,只有其作者知道",
    },
    "doctor_connections_server": {
        "en": "no connection is made but to database servers",
        "zh": "除数据库服务器外不会建立任何外部连接",
    },
    "doctor_service_server": {
        "en": "texts and questions are sent to {place} for their vectors; nothing else but database servers is reached",
        "zh": "文本和问题会发送到 {place} 以取得向量,此外只连接数据库服务器",
    },
    "doctor_shards": {"en": "sharded, and nothing in it is against that", "zh": "已分布到集群,结构与查询均符合要求"},
    "doctor_shards_bad": {
        "en": "sharded, but {count} things are against that, first: {first}",
        "zh": "已分布到集群,但有 {count} 处不符合要求,第一处:{first}",
    },
    "doctor_shards_left_bad": {
        "en": "sharded, but not these tables: {tables}; run recollect db init --shard again",
        "zh": "已分布到集群,但以下表尚未分布:{tables};请再次运行 recollect db init --shard",
    },
    "doctor_one_server": {"en": "not sharded; it could be", "zh": "未分布到集群;可以分布"},
    "doctor_one_server_bad": {
        "en": "not sharded; {count} things would be against that, first: {first}",
        "zh": "未分布到集群;若要分布,有 {count} 处不符合要求,第一处:{first}",
    },
    "doctor_tls": {"en": "the connection is encrypted: {cipher}", "zh": "连接已加密:{cipher}"},
    "doctor_tls_local": {
        "en": "the connection is not encrypted, and does not leave this machine",
        "zh": "连接未加密,但不离开本机",
    },
    "doctor_tls_bad": {
        "en": "the connection leaves this machine and is not encrypted{cipher}; ask for TLS in the URL",
        "zh": "连接离开本机且未加密{cipher},请在 URL 中要求 TLS",
    },
    "doctor_clock": {
        "en": "the server's clock and this machine's differ by {seconds} s",
        "zh": "服务器与本机的时钟相差 {seconds} 秒",
    },
    "doctor_clock_bad": {
        "en": "the server's clock and this machine's differ by {seconds} s; set both by NTP",
        "zh": "服务器与本机的时钟相差 {seconds} 秒,请都用 NTP 校准",
    },
    "doctor_pool": {
        "en": "a process takes {size} connections at most, the server gives {connections}",
        "zh": "每个进程最多 {size} 个连接,服务器允许 {connections} 个",
    },
    "doctor_pool_bad": {
        "en": "a process may take {size} connections, the server gives {connections}; lower server.pool_size",
        "zh": "每个进程可能用 {size} 个连接,服务器只允许 {connections} 个,请调低 server.pool_size",
    },
    "doctor_charset": {"en": "text is kept whole: {charset}", "zh": "字符集完整:{charset}"},
    "doctor_charset_bad": {
        "en": "text cannot be kept whole: the character set is {charset}",
        "zh": "字符集不完整:{charset}",
    },
}
