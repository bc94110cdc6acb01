"""Every setting: name, default and help in one place; the only reader of the environment.

The environment always wins, then `*_FILE` (a path whose content is the value, for secrets), then `.env`. `docs/configuration.md`
is generated from here (`python -m lattice_common.settings`), and a test fails when it is not up to date.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, cast
from urllib.parse import quote, urlsplit

from platformdirs import user_data_path
from pydantic import AliasChoices, Field, SecretStr, ValidationError, model_validator
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, EnvSettingsSource, PydanticBaseSettingsSource, SettingsConfigDict

from lattice_common.errors import NotConfigured


def _field(name: str, default: Any, help_: str, **constraints: Any) -> Any:
    return Field(default, validation_alias=AliasChoices(name), description=help_, **constraints)


class _Named(PydanticBaseSettingsSource):
    """What the environment or a `.env` has under the names of the settings. Those of the fields (`HOST`, `PORT`, `MODE`) would be
    read too otherwise, and other programs and shells set such variables."""

    def __init__(self, read: EnvSettingsSource) -> None:
        super().__init__(read.settings_cls)
        self._read = read.env_vars

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:  # noqa: ARG002 - pydantic's signature
        name = _name_of(field)
        return self._read.get(name.lower()), name, False

    def __call__(self) -> dict[str, Any]:
        found = (self.get_field_value(field, name) for name, field in self.settings_cls.model_fields.items())
        return {name: value for value, name, _ in found if value is not None}


class Settings(BaseSettings):
    """Read once, in the composition root; library code gets values. Raises `NotConfigured` for a value that is not allowed."""

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise _not_allowed(error) from None  # its text repeats what was given, which may be a secret

    model_config = SettingsConfigDict(env_file=".env", env_file_encoding="utf-8", extra="ignore", populate_by_name=True)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003 - pydantic's signature
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - pydantic's signature
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        read = (cast("EnvSettingsSource", each) for each in (env_settings, dotenv_settings))
        return init_settings, *(_Named(each) for each in read)

    data_dir: Path = _field("LATTICE_DIR", user_data_path("lattice"), "The data folder: journal, atoms and all that is derived.")
    mode: Literal["embedded", "server"] = _field(
        "LATTICE_MODE",
        "embedded",
        "`embedded`: one process, nothing else installed. `server`: with OpenSearch, Qdrant, Redis and the graph service.",
    )
    owners: str = _field(
        "LATTICE_OWNERS",
        "",
        "Names (comma-separated, such as `ada,ben`) of several people in one house. Each has a memory behind tokens of their "
        "own, and all share one more (docs/owners.md). The data folder's own memory is the first one's. Empty: one memory.",
    )
    access_dir: Path | None = _field(
        "LATTICE_ACCESS_DIR", None, "Folder of the hashed tokens and sessions. Default: the data folder."
    )
    inbox_dir: Path | None = _field(
        "LATTICE_INBOX", None, "Folder that is watched for files to remember. Default: `inbox` in the data folder."
    )
    inbox_settle_seconds: float = _field(
        "LATTICE_INBOX_SETTLE_SECONDS",
        5.0,
        "Seconds that a file in the inbox must stay unchanged before it is taken.",
        ge=0,
        le=3600,
    )
    host: str = _field(
        "LATTICE_HOST", "127.0.0.1", "Address to listen on. Anything beyond this machine needs authentication to be on."
    )
    port: int = _field("LATTICE_WEB_PORT", 7337, "Port of the page and the API.", ge=0, le=65535)
    public_url: str = _field(
        "LATTICE_PUBLIC_URL",
        "",
        "The address that people open, where it is not `host` and `port`: behind a proxy, in a container. It is in the links "
        "that are printed, its name is taken as one of ours, and its pages may use the API.",
    )
    allowed_hosts: str = _field(
        "LATTICE_ALLOWED_HOSTS",
        "",
        "Host names (comma-separated) beside localhost under which the API may be reached. A name with a scheme, such as "
        "`https://nas.local:8443`, is also an address whose pages may use it.",
    )
    auth: bool = _field("LATTICE_AUTH", True, "Ask for a token or a session on every route with content.")
    api_token: SecretStr | None = _field(
        "LATTICE_API_TOKEN",
        None,
        "The token with all scopes, instead of the one made at the first start. Also `LATTICE_API_TOKEN_FILE`.",
    )
    api_url: str = _field(
        "LATTICE_API_URL",
        "",
        "Where doors that run in a container of their own reach the API. Default: `host` and `port` on this machine.",
    )
    mcp_http: bool = _field("LATTICE_MCP_HTTP", False, "`lattice up` also serves MCP over HTTP, for assistants.")
    mcp_host: str = _field("LATTICE_MCP_HOST", "127.0.0.1", "Address that MCP over HTTP listens on.")
    mcp_port: int = _field("LATTICE_MCP_PORT", 7339, "Port of MCP over HTTP.", ge=0, le=65535)
    mcp_token: SecretStr | None = _field(
        "LATTICE_MCP_TOKEN",
        None,
        "A token that MCP over HTTP asks for, instead of those of the API; it is then allowed what `LATTICE_API_TOKEN` may. "
        "Also `LATTICE_MCP_TOKEN_FILE`.",
    )
    telegram_token: SecretStr | None = _field(
        "LATTICE_TELEGRAM_TOKEN",
        None,
        "The token of your Telegram bot, from @BotFather; without one there is no bot. Also `LATTICE_TELEGRAM_TOKEN_FILE`.",
    )
    telegram_users: str = _field(
        "LATTICE_TELEGRAM_USERS",
        "",
        "Numeric ids (comma-separated) of the Telegram users that the bot serves, beside those of `lattice pair telegram`. Of "
        "several owners, `7=ben` is Ben's, and one without a name the first one's.",
    )
    telegram_api: str = _field(
        "LATTICE_TELEGRAM_API", "https://api.telegram.org", "The address of the Bot API, where it is a server of your own."
    )
    telegram_morning: str = _field(
        "LATTICE_TELEGRAM_MORNING",
        "",
        "A time of day, such as 07:30 (of the bot's own time zone, `TZ`), at which the Telegram bot says what is due, what was "
        "on this day, and which of your open questions can be answered now. Empty: never. A day without any of it brings none.",
    )
    log_level: str = _field("LATTICE_LOG_LEVEL", "info", "debug, info, warning or error.")
    log_json: bool | None = _field("LATTICE_LOG_JSON", None, "Logs as JSON lines. Default: when the output is not a terminal.")

    telemetry: bool = _field(
        "LATTICE_TELEMETRY",
        False,
        "Write counts of how memory is used, latencies and distributions (no words) into `logs/telemetry.json`, once an hour, "
        "for you to look at or hand on; `lattice stats` shows the same. "
        "Nothing is ever sent.",
    )
    trace: bool = _field(
        "LATTICE_TRACE",
        False,
        "Keep in `logs/traces.jsonl` how each answer was found: milliseconds by stage, counts, and what spoke for each memory; "
        "of the question a hash, and never a word. `lattice trace ID` shows one.",
    )

    embed_model: str = _field(
        "LATTICE_EMBED_MODEL",
        "all-MiniLM-L6-v2",
        "Embedding model: the packaged `all-MiniLM-L6-v2`, another that fastembed knows (`lattice fetch` fetches it; "
        "nothing else does), a folder with an ONNX model, or `none`. Vectors are made anew in the background; the former answer "
        "until then.",
    )
    judge_select: bool = _field(
        "LATTICE_JUDGE_SELECT",
        False,
        "What is only looked up (`/api/select`, lists of the command line) is read by the judge, too, as answers always are: "
        "in a better order, surer of what is not known, and with what no longer holds behind what replaced it, for some tens of "
        "milliseconds a question.",
    )
    rewrite: bool = _field(
        "LATTICE_REWRITE",
        False,
        "Before an answer, let the language model say the question in two other ways, which are looked for beside it. What is "
        "only looked up, and every answer without a model, never waits for that.",
    )
    rerank_model: str = _field(
        "LATTICE_RERANK_MODEL",
        "",
        "A reranker that puts the best 24 memories in order: one that fastembed knows (`lattice fetch` fetches it), or a "
        "folder with its ONNX files. None by default; it takes tens of milliseconds a question.",
    )
    embed_glosses: Literal["auto", "yes", "no"] = _field(
        "LATTICE_EMBED_GLOSSES",
        "auto",
        "Give the embedding model texts in other languages word by word in English: `auto` does so for models that know English "
        "only, such as the packaged one. A folder's model is given its texts as they are unless this says `yes`.",
    )
    embed_threads: int = _field(
        "LATTICE_EMBED_THREADS", 2, "Threads for embedding what is stored; a query always uses one.", ge=1, le=64
    )
    judge: Literal["packaged", "none"] = _field(
        "LATTICE_JUDGE",
        "packaged",
        "The small model that judges what a new statement makes outdated, how it is meant, and whether it tells or asks. With "
        "`none`, rules alone do.",
    )
    dense_seeds: bool = _field("LATTICE_DENSE_SEEDS", True, "Search by meaning (dense vectors) beside search by words.")
    dense_top_k: int = _field(
        "LATTICE_DENSE_TOP_K", 20, "How many of each leg's best atoms seed the graph expansion.", ge=1, le=200
    )
    seed_min_score: float = _field(
        "LATTICE_SEED_MIN_SCORE", 0.0, "Cosine below which a dense hit is not used as a seed.", ge=-1.0, le=1.0
    )
    bfs_rescore: bool = _field(
        "LATTICE_BFS_RESCORE", True, "Score atoms reached through the graph against the question before they compete."
    )
    recommendation_cap: int = _field(
        "LATTICE_RECOMMENDATION_CAP", 5, "At most this many recommendations in one result.", ge=0, le=100
    )
    subject_fuzzy_threshold: float = _field(
        "LATTICE_SUBJECT_FUZZY_THRESHOLD",
        80.0,
        "token_sort_ratio (0 to 100) from which two subjects count as the same.",
        ge=0,
        le=100,
    )
    similarity_duplicate: float = _field(
        "LATTICE_SIMILARITY_DUPLICATE", 0.95, "Cosine above which two atoms say the same.", ge=0, le=1
    )
    similarity_updates: float = _field(
        "LATTICE_SIMILARITY_UPDATES", 0.88, "Cosine above which a newer atom may update an older one.", ge=0, le=1
    )
    similarity_related: float = _field("LATTICE_SIMILARITY_RELATED", 0.72, "Cosine above which two atoms are linked.", ge=0, le=1)
    max_text_bytes: int = _field("LATTICE_MAX_TEXT_BYTES", 10_000_000, "Largest text that is taken, in bytes of UTF-8.", ge=1000)
    max_attempts: int = _field("LATTICE_MAX_ATTEMPTS", 3, "Attempts before a capture is set aside as dead.", ge=1, le=100)
    trash_days: int = _field(
        "LATTICE_TRASH_DAYS",
        30,
        "Days that a deleted memory can be restored; it is removed for good in the two days after.",
        ge=0,
        le=36500,
    )
    audit_days: int = _field(
        "LATTICE_AUDIT_DAYS",
        90,
        "Days that it is kept who told, asked, looked, changed and exported (`lattice audit`; never words); 0 keeps nothing.",
        ge=0,
        le=3650,
    )
    backup_every: Literal["", "hour", "day", "week"] = _field(
        "LATTICE_BACKUP_EVERY",
        "",
        "How often the running product (in a deployment the worker) makes a backup by itself, and tries it by restoring it: "
        "`hour`, `day` or `week`. Default: never.",
    )
    backup_keep: int = _field(
        "LATTICE_BACKUP_KEEP",
        7,
        "Scheduled backups that are kept; older ones are removed once a newer one was tried.",
        ge=1,
        le=1000,
    )
    backup_dir: Path | None = _field(
        "LATTICE_BACKUP_DIR",
        None,
        "Folder of the scheduled backups, outside of the data folder. Default: beside the data folder, with `-backups` behind "
        "its name.",
    )
    backup_passphrase: SecretStr | None = _field(
        "LATTICE_BACKUP_PASSPHRASE",
        None,
        "What backups are encrypted with, and opened with: without it they are plain. Also `LATTICE_BACKUP_PASSPHRASE_FILE`.",
    )
    redis_url: str = _field(
        "LATTICE_REDIS_URL", "redis://127.0.0.1:6379/0", "Redis, which rings for the worker (server mode). `rediss://` for TLS."
    )
    redis_password: SecretStr | None = _field(
        "LATTICE_REDIS_PASSWORD", None, "The password for Redis. Also `LATTICE_REDIS_PASSWORD_FILE`."
    )
    redis_user: str = _field("LATTICE_REDIS_USER", "", "The user of Redis, where it has several.")
    index_name: str = _field(
        "LATTICE_INDEX_NAME",
        "lattice-atoms",
        "What the index is called in OpenSearch and in Qdrant (server mode): another one for each data folder that shares them.",
        pattern="^[a-z0-9][a-z0-9_-]{0,60}$",
    )
    opensearch_url: str = _field(
        "LATTICE_OPENSEARCH_URL", "http://127.0.0.1:9200", "OpenSearch (server mode); the nodes of a cluster with commas between."
    )
    opensearch_user: str = _field("LATTICE_OPENSEARCH_USER", "", "The user of OpenSearch, where it asks for one.")
    opensearch_password: SecretStr | None = _field(
        "LATTICE_OPENSEARCH_PASSWORD", None, "That user's password. Also `LATTICE_OPENSEARCH_PASSWORD_FILE`."
    )
    opensearch_ca: Path | None = _field(
        "LATTICE_OPENSEARCH_CA", None, "A file with the certificates that OpenSearch's own is verified with."
    )
    opensearch_shards: int = _field(
        "LATTICE_OPENSEARCH_SHARDS", 1, "Shards of the index; another number copies it at the worker's next start.", ge=1, le=64
    )
    opensearch_replicas: int = _field(
        "LATTICE_OPENSEARCH_REPLICAS", 0, "Copies of each shard, on other nodes, of an index made from now on.", ge=0, le=8
    )
    qdrant_url: str = _field("LATTICE_QDRANT_URL", "http://127.0.0.1:6333", "Qdrant (server mode).")
    qdrant_api_key: SecretStr | None = _field(
        "LATTICE_QDRANT_API_KEY",
        None,
        "Its key; for the API a read-only one is enough. Also `LATTICE_QDRANT_API_KEY_FILE`.",
    )
    qdrant_shards: int = _field("LATTICE_QDRANT_SHARDS", 1, "Shards of a collection made from now on.", ge=1, le=64)
    qdrant_replicas: int = _field("LATTICE_QDRANT_REPLICAS", 1, "Copies of each shard, the first included.", ge=1, le=8)
    graph_url: str = _field("LATTICE_GRAPH_URL", "http://127.0.0.1:7338", "The graph service (server mode).")
    graph_host: str = _field("LATTICE_GRAPH_HOST", "127.0.0.1", "Address that the graph service listens on (server mode).")
    graph_port: int = _field("LATTICE_GRAPH_PORT", 7338, "Port of the graph service (server mode).", ge=0, le=65535)
    graph_token: SecretStr | None = _field(
        "LATTICE_GRAPH_TOKEN",
        None,
        "What the graph service asks for, and what those who ask it send. Also `LATTICE_GRAPH_TOKEN_FILE`.",
    )
    max_file_bytes: int = _field("LATTICE_MAX_FILE_BYTES", 50_000_000, "Largest file that is taken, in bytes.", ge=1000)
    read_seconds: float = _field(
        "LATTICE_READ_SECONDS", 60.0, "Seconds of processor time that reading one file may take; twice that by the clock.", ge=1
    )
    read_memory_mb: int = _field("LATTICE_READ_MEMORY_MB", 768, "Memory in MB that reading one file may take.", ge=128)
    text_files: Literal["notes", "documents"] = _field(
        "LATTICE_TEXT_FILES",
        "documents",
        "What a text or markdown file is that comes without a word about its source: `documents` are somebody else's words, "
        "`notes` the owner's own.",
    )
    own_folders: str = _field(
        "LATTICE_OWN_FOLDERS", "", "Folders in the inbox, by commas, in which text and markdown are the owner's own words."
    )
    transcribe_url: str = _field(
        "LATTICE_TRANSCRIBE_URL",
        "",
        "An OpenAI-compatible endpoint that writes down what is said in recordings, for instance `http://127.0.0.1:8000/v1` "
        "(speaches, the server of whisper.cpp); from a container another address (docs/operations.md). Empty: recordings are not "
        "read.",
    )
    transcribe_model: str = _field("LATTICE_TRANSCRIBE_MODEL", "whisper-1", "The model that this endpoint is asked for.")
    transcribe_api_key: SecretStr | None = _field(
        "LATTICE_TRANSCRIBE_API_KEY", None, "The key for this endpoint. Also `LATTICE_TRANSCRIBE_API_KEY_FILE`."
    )
    transcribe_elsewhere: bool = _field(
        "LATTICE_TRANSCRIBE_ELSEWHERE",
        False,
        "This endpoint may be on another machine. Recordings leave this one whole then, for nothing in them can be redacted; "
        "`logs/egress.jsonl` notes each.",
    )
    owner_names: str = _field(
        "LATTICE_OWNER_NAMES",
        "",
        "Your names and e-mail addresses (comma-separated), as documents write them: what a document says of you is marked as "
        "learned. What you said (`My name is …`) counts as well.",
    )
    llm_provider: Literal["none", "ollama", "openai", "auto"] = _field(
        "LLM_PROVIDER",
        "auto",
        "`none`: no language model. `ollama` or `openai`: that one. `auto`: the endpoint that `LLM_BASE_URL` names, else Ollama "
        "when it answers on this machine and has a model, else none.",
    )
    llm_base_url: str = _field(
        "LLM_BASE_URL",
        "",
        "An OpenAI-compatible endpoint, for instance `http://127.0.0.1:11434/v1`. Default: the provider's own.",
    )
    llm_gate: str = _field(
        "LATTICE_LLM_GATE",
        "",
        "A proxy (`http://name:port`) through which an endpoint beyond this machine is reached. A deployment has one of its own, "
        "which leads to `LLM_BASE_URL` alone.",
    )
    llm_model: str = _field(
        "LLM_MODEL", "", "The language model that reads what is captured. Default: the first that Ollama has."
    )
    llm_api_key: SecretStr | None = _field("LLM_API_KEY", None, "The key for the endpoint. Also `LLM_API_KEY_FILE`.")
    synthesis_model: str = _field("SYNTHESIS_MODEL", "", "The language model that writes answers. Default: `LLM_MODEL`.")
    llm_timeout_seconds: float = _field(
        "LATTICE_LLM_TIMEOUT_SECONDS", 120.0, "Seconds that one call to a language model may take.", gt=0, le=3600
    )
    llm_patience_seconds: float = _field(
        "LATTICE_LLM_PATIENCE_SECONDS",
        2.5,
        "Seconds that what you say by hand waits for a language model; then it is remembered as the rules read it, and read "
        "again when the model answers. One that is always done within four times as long is waited for.",
        gt=0,
        le=600,
    )
    llm_context_tokens: int = _field(
        "LATTICE_LLM_CONTEXT_TOKENS", 8192, "Tokens of context that the language model has: prompts are kept below.", ge=1024
    )
    llm_daily_tokens: int = _field(
        "LATTICE_LLM_DAILY_TOKENS",
        2_000_000,
        "Tokens a day that may be spent on language models; then rules serve. 0: no limit.",
        ge=0,
    )
    llm_prompt_price: float = _field(
        "LATTICE_LLM_PROMPT_PRICE",
        0.0,
        "What a million tokens cost that your language model reads, in whatever you pay in: shown on `/ops` and in the log.",
        ge=0,
    )
    llm_completion_price: float = _field(
        "LATTICE_LLM_COMPLETION_PRICE", 0.0, "The same of a million tokens that it writes.", ge=0
    )
    llm_capture_tokens: int = _field(
        "LATTICE_LLM_CAPTURE_TOKENS",
        200_000,
        "Tokens that reading one capture may cost; the rest of it is read by rules. 0: no limit.",
        ge=0,
    )
    llm_capture_seconds: float = _field(
        "LATTICE_LLM_CAPTURE_SECONDS",
        300.0,
        "Seconds that a language model may take for one part of a capture; the rest is read by rules, and again later.",
        gt=0,
    )
    extract_parallel: int = _field(
        "LATTICE_EXTRACT_PARALLEL", 4, "Segments that a language model reads at the same time.", ge=1, le=64
    )
    pii_scrub: bool = _field(
        "LATTICE_PII_SCRUB",
        True,
        "Redact names, addresses, numbers and the like in every call to a language model on another machine.",
    )
    ner_model: str = _field(
        "LATTICE_NER_MODEL",
        "",
        "What finds names to redact: `presidio` (the extra `pii`), or nothing: then names are found by rules alone.",
    )
    consolidate: bool = _field(
        "LATTICE_CONSOLIDATE",
        True,
        "When nobody is telling anything, sum up what came up in 3, 5, 10 or 20 conversations: its three best statements as they "
        "stand, in a memory of their own (kind `synthesis`). No language model, and no call.",
    )
    consolidate_enrich: bool = _field(
        "LATTICE_CONSOLIDATE_ENRICH",
        False,
        "When nobody is telling anything, let the language model sum up what you said of one thing on several days, in a "
        "memory of its own (kind `synthesis`) that names those it rests on. With LATTICE_SERENDIPITY at most 24 calls a day.",
    )
    serendipity: bool = _field(
        "LATTICE_SERENDIPITY",
        False,
        "Once a day, let the language model look for two memories, told weeks apart, that have something to do with each other: "
        "an idea for you (kind `insight`), never a fact. Needs search by meaning.",
    )
    reflect_elsewhere: bool = _field(
        "LATTICE_REFLECT_ELSEWHERE",
        False,
        "LATTICE_CONSOLIDATE_ENRICH and LATTICE_SERENDIPITY may ask a language model on another machine, which is then sent, "
        "redacted, what they look over. Without this only one on this machine is asked.",
    )
    dense_exact_limit: int = _field(
        "LATTICE_DENSE_EXACT_LIMIT",
        150_000,
        "Atoms up to which dense search is exact; beyond it an approximate index is used.",
        ge=0,
    )

    @model_validator(mode="before")
    @classmethod
    def _secrets_from_files(cls, values: Any) -> Any:
        """Read secrets from files: `NAME_FILE` gives the value of `NAME` when `NAME` itself is not set, or empty, as a deployment
        hands on what nobody set; a trailing newline is not part of it."""
        if not isinstance(values, dict):
            return values
        for name in setting_names():
            path = os.environ.get(f"{name}_FILE")
            if path and not os.environ.get(name):
                values[name] = _content(f"{name}_FILE", path)
        return values

    def redis_address(self) -> str:
        """Return the URL of Redis with its user and password: a secret."""
        parts = urlsplit(self.redis_url)
        if self.redis_password is None or "@" in parts.netloc:
            return self.redis_url
        known_by = f"{quote(self.redis_user, safe='')}:{quote(self.redis_password.get_secret_value(), safe='')}"
        return parts._replace(netloc=f"{known_by}@{parts.netloc}").geturl()

    @property
    def inbox(self) -> Path:
        return self.inbox_dir or self.data_dir / "inbox"


def _content(name: str, path: str) -> str:
    """Return the secret in a file. Raise `NotConfigured` for one without: it would count as not set, and a backup be plain."""
    try:
        secret = Path(path).read_text(encoding="utf-8").rstrip("\r\n")
        reason = None if secret.strip() else "it is empty"
    except (OSError, UnicodeDecodeError) as error:
        secret, reason = "", error.strerror if isinstance(error, OSError) else "it is no text"
    if reason is not None:
        message = f"{name}={path} cannot be read: {reason}. Name a file with the secret in it, or take the line out"
        raise NotConfigured(message, env_line=f"{name}=")
    return secret


def _not_allowed(error: ValidationError) -> NotConfigured:
    """Return the first of what is wrong, with the default as a way out; never what was given for a secret."""
    first = error.errors(include_url=False, include_context=False)[0]
    name = str(first["loc"][0]) if first["loc"] else "A setting"
    field = dict(zip(setting_names(), Settings.model_fields.values(), strict=True)).get(name)
    given = "" if field is None or "SecretStr" in str(field.annotation) else f"={str(first['input'])[:200]}"
    line = f"{name}={'' if field is None or field.default is None else field.default}"
    return NotConfigured(f"{name}{given} is not allowed: {first['msg']}. The default is {line}", env_line=line)


def setting_names() -> list[str]:
    """Return the environment names of all settings, in order."""
    return [_name_of(field) for field in Settings.model_fields.values()]


DEPLOYED = frozenset(("LATTICE_DATA", "LATTICE_OFFLINE_IMAGES", "LATTICE_DASHBOARDS_PORT", "LATTICE_CONTAINER_LOGS"))
"""What `docker compose` and its tests read, and Lattice itself does not."""
ALIKE = 0.75
"""Share of its letters that a name has in common with a setting's for which it may have been meant."""


def mistyped(given: Iterable[str] | None = None) -> dict[str, str]:
    """Return the names, those of the environment where none are `given`, that no setting has, each with the one that may have
    been meant: "LATTICE_DATA_DIR" would open another folder than its writer thinks."""
    given = os.environ if given is None else given
    known = [*setting_names(), *(f"{name}_FILE" for name in setting_names())]
    unknown = (name for name in given if name.startswith("LATTICE_") and name not in known and name not in DEPLOYED)
    return {name: near[0] for name in unknown if (near := _nearest(name, known))}


def _nearest(name: str, known: Sequence[str]) -> list[str]:
    """Return the names made of the same words, or all but one of them, then those with nearly the same letters."""
    words = set(name.split("_"))
    same = [each for each in known if set(each.split("_")) < words and len(each.split("_")) == len(words) - 1]
    return same or get_close_matches(name, known, n=1, cutoff=ALIKE)


def _name_of(field: FieldInfo) -> str:
    return str(cast("AliasChoices", field.validation_alias).choices[0])  # as `_field` makes each


def settings_page() -> str:
    """Return `docs/configuration.md`: a section for every setting, in order."""
    sections = [_HEAD]
    for name, field in zip(setting_names(), Settings.model_fields.values(), strict=True):
        limits = [f"{word} {getattr(each, key)}" for each in field.metadata for key, word in _LIMITS if hasattr(each, key)]
        described = field.description or ""
        details = [] if "Default:" in described else [f"Default: {_shown(field.default)}."]
        details += [f"Allowed: {' and '.join(limits)}."] if limits else []
        sections.append("\n\n".join([f"## `{name}`", described, *([" ".join(details)] if details else [])]) + "\n")
    return "\n".join(sections)


_HEAD = """\
# Configuration

<!-- Made by `make docs` from shared/lattice_common/lattice_common/settings.py: change it there. -->

Every setting has a default, and none needs to be set. A setting is taken from the environment; else, for secrets in files, from
the file that `<NAME>_FILE` names (without the newline at its end); else from a file `.env` in the folder Lattice is started in.
A line `<NAME>_FILE` in `.env` itself is not read. In a deployment `.env.example` says which settings the containers have of
their own, and has at its end those of the deployment alone.
"""

_LIMITS = (("ge", "at least"), ("gt", "more than"), ("le", "at most"), ("lt", "less than"))


def _shown(default: object) -> str:
    """Return a default as it would be typed; what depends on the machine as what it is made of."""
    if default is None or default == "":
        return "not set"
    if default == Settings.model_fields["data_dir"].default:
        return "`lattice` in the user's data folder, which is `~/.local/share` on Linux"
    return f"`{str(default).lower() if isinstance(default, bool) else default}`"


if __name__ == "__main__":
    sys.stdout.write(settings_page())
