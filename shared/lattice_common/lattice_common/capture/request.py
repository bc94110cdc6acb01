"""What a client sends to be remembered (docs/api.md, `CaptureReply`), checked at the edge."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from lattice_common.domain.capture import Priority, Role, Source, SourceType


def given(field: str, **shape: Any) -> dict[str, Any]:
    """Return the JSON Schema of a body that has the field, in this shape."""
    return {"required": [field], "properties": {field: shape}}


class Message(BaseModel):
    """One message of a conversation. `observed_at` is RFC 3339; one that cannot be read is ignored with a note."""

    model_config = ConfigDict(extra="forbid")

    role: Role = "user"
    name: Annotated[str | None, Field(max_length=200)] = None
    content: str
    observed_at: str | None = None
    id: Annotated[str | None, Field(max_length=200)] = None


class CaptureMetadata(BaseModel):
    """What is known about a capture; keys not named here are kept."""

    model_config = ConfigDict(extra="allow")

    source_id: Annotated[str | None, Field(max_length=500)] = None
    session_id: Annotated[str | None, Field(max_length=500)] = None
    observed_at: str | None = None
    title: Annotated[str | None, Field(max_length=1000)] = None
    channel: Annotated[str | None, Field(max_length=100)] = None

    def rest(self) -> dict[str, Any]:
        """Return the keys that are kept as they came."""
        return dict(self.model_extra or {})


class FileMetadata(CaptureMetadata):
    """The `metadata` of `POST /api/ingest-file`. Without a `source`, a file is a document; but for plain text and markdown, see
    LATTICE_TEXT_FILES."""

    source: Source | None = None
    wait: bool = False
    priority: Priority = "interactive"


class IngestRequest(BaseModel):
    """`POST /api/ingest`: `text` or `messages`, everything else optional."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"oneOf": [given("text", type="string"), given("messages", type="array")]}
    )

    text: Annotated[str | None, Field(json_schema_extra={"pattern": r"\S"})] = None
    messages: Annotated[list[Message] | None, Field(json_schema_extra={"contains": given("content", minLength=1)})] = None
    source: Source = "user"
    source_type: SourceType | None = None
    wait: bool = False
    priority: Priority = "interactive"
    metadata: CaptureMetadata = Field(default_factory=CaptureMetadata)

    @model_validator(mode="after")
    def _one_of_text_and_messages(self) -> IngestRequest:
        if (self.text is None) == (self.messages is None):
            raise ValueError("send either `text` or `messages`, and not both")
        return self
