"""A language model at an OpenAI-compatible endpoint: the openai package's asynchronous client behind plain synchronous calls.

Retries are made here and nowhere else: at most five attempts, with waits of 0 to 2, 4, 8 and 16 s (exponential with full jitter,
M. Brooker, "Exponential backoff and jitter", 2015) or as long as `Retry-After` says, all within the request's timeout. A stream
is not tried again once something of it has been handed on. Nothing here logs, and no reason repeats what was asked or answered.
"""

from __future__ import annotations

import asyncio
import queue
import random
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from concurrent.futures import TimeoutError as NotInTime
from contextlib import aclosing
from typing import TYPE_CHECKING, TypeAlias

from lattice_common.adapters.files.token_ledger import TokenLedger
from lattice_common.adapters.models.background_loop import BackgroundLoop
from lattice_common.adapters.models.call_failure import CallFailed, Failure, broken_off, no_completion, not_in_time
from lattice_common.adapters.models.circuit_breaker import CircuitBreaker
from lattice_common.adapters.models.completion_parts import BrokenOff, CompletionParts, NoCompletion, tokens_of
from lattice_common.adapters.models.dialect import Dialect
from lattice_common.adapters.models.endpoint import Endpoint
from lattice_common.domain.token_estimate import fewest_tokens
from lattice_common.errors import ModelUnavailable
from lattice_common.ports.language_model import Completion, ModelRequest, StreamEvent, TextDelta

MOST_ATTEMPTS = 5
FIRST_WAIT = 2.0
LONGEST_WAIT = 60.0
LOOKS_FOR_CANCEL = 0.1
GRACE = 10.0
"""Seconds after its timeout until a call is given up that did not end by itself."""
CHARACTERS_OF_A_TOKEN = 16
"""No vocabulary packs more, on average: an endpoint that sends a longer text does not heed `max_tokens`."""
WORTH_COUNTING = 300
"""Prompts below that many tokens are not looked at for having been cut."""

if TYPE_CHECKING:
    from lattice_common.adapters.models.endpoint_client import EndpointClient

Sending: TypeAlias = Callable[[ModelRequest, int], None]
"""Called before each sending with the request and its tokens, estimated. What it raises keeps the request here."""


class OpenAIModel:
    """See `ports.language_model`. `monotonic` is the breaker's clock; `first_wait` is the longest first wait, in seconds."""

    def __init__(
        self,
        endpoint: Endpoint,
        model: str,
        loop: BackgroundLoop,
        ledger: TokenLedger,
        *,
        context_tokens: int,
        sending: Sending = lambda *_: None,
        monotonic: Callable[[], float] = time.monotonic,
        first_wait: float = FIRST_WAIT,
    ) -> None:
        self._endpoint = endpoint
        self._model = model
        self._loop = loop
        self._ledger = ledger
        self._context_tokens = context_tokens
        self._sending = sending
        self._first_wait = first_wait
        self._breaker = CircuitBreaker(monotonic)
        self._dialect = Dialect()
        self._client: EndpointClient | None = None
        self._last_failure: str | None = None

    @property
    def model_id(self) -> str:
        return self._model

    @property
    def local(self) -> bool:
        return self._endpoint.local

    def available(self) -> bool:
        return self.trouble() is None

    def trouble(self) -> str | None:
        """Return why a call would fail at once now."""
        if self._ledger.used_up():
            return (
                f"The {self._ledger.daily_limit:,} tokens of today (LATTICE_LLM_DAILY_TOKENS) are spent: "
                "rules serve until tomorrow, or until there are more."
            )
        left = self._breaker.seconds_left()
        return f"{self._last_failure} It is tried again in {left:.0f} s." if left > 0 else None

    def complete(self, request: ModelRequest) -> Completion:
        self._check(request)
        work = self._loop.submit(self._persist(request, None, CompletionParts()))
        try:
            return work.result(request.timeout + GRACE)
        except NotInTime:
            work.cancel()
            raise ModelUnavailable(f"{self._endpoint.host} could not be given up in time: restart Lattice.") from None
        except CancelledError:
            raise ModelUnavailable("Lattice is stopping, and asks no language model any more.") from None

    def stream(self, request: ModelRequest, cancel: threading.Event) -> Iterator[StreamEvent]:
        self._check(request)
        events: queue.SimpleQueue[StreamEvent | Exception] = queue.SimpleQueue()
        closed = threading.Event()
        self._loop.submit(self._stream(request, events.put, lambda: cancel.is_set() or closed.is_set()))
        try:
            while True:
                try:
                    event = events.get(timeout=request.timeout + GRACE)
                except queue.Empty:
                    raise ModelUnavailable(f"{self._endpoint.host} could not be given up in time: restart Lattice.") from None
                if isinstance(event, Exception):
                    raise event
                yield event
                if isinstance(event, Completion):
                    return
        finally:
            closed.set()

    async def _stream(
        self, request: ModelRequest, put: Callable[[StreamEvent | Exception], None], left: Callable[[], bool]
    ) -> None:
        parts = CompletionParts()
        task = asyncio.ensure_future(self._persist(request, put, parts))
        try:
            while not task.done() and not left():
                await asyncio.wait({task}, timeout=LOOKS_FOR_CANCEL)
            if task.done():
                put(task.result())
                return
            task.cancel()
            await asyncio.wait({task})
            # What was read so far is paid for, though nobody counts it to us.
            given = parts.completion(request.messages, finish="length")
            self._spend(request, given.prompt_tokens, given.completion_tokens)
            put(given)
        except Exception as error:  # noqa: BLE001 - it is raised where the stream is read
            put(error)
        except asyncio.CancelledError:
            put(ModelUnavailable("Lattice is stopping, and asks no language model any more."))
            raise
        finally:
            task.cancel()

    async def _persist(
        self, request: ModelRequest, put: Callable[[StreamEvent], None] | None, parts: CompletionParts
    ) -> Completion:
        """Return the completion, in up to `MOST_ATTEMPTS`; with `put`, text is handed on as it comes. `parts` is what came
        last."""
        self._opened()  # its import takes seconds on a small machine, which are none of the endpoint's
        deadline = asyncio.get_running_loop().time() + request.timeout
        attempt = 1
        while True:
            self._admit()
            dialect = self._dialect
            try:
                async with asyncio.timeout_at(deadline):
                    completion = await self._once(dialect, request, put, parts)
            except (CallFailed, NoCompletion, TimeoutError) as error:
                failure = self._failure(error, request)
                learnt = dialect.after(failure.refusal, request, stream=put is not None) if failure.refusal else None
                if learnt is not None:
                    self._breaker.gave_up()
                    self._dialect = learnt
                    continue
                self._note(failure)
                wait = failure.retry_after if failure.retry_after is not None else self._wait(attempt)
                left = deadline - asyncio.get_running_loop().time()
                if not failure.retry or parts.begun or attempt == MOST_ATTEMPTS or wait >= left:
                    if failure.retry_after is not None:
                        self._breaker.rest(failure.retry_after)
                    raise ModelUnavailable(failure.reason, retry_after=failure.retry_after) from error
            except BaseException:  # cancelled, or kept here by `sending`: nothing is known of the endpoint
                self._breaker.gave_up()
                raise
            else:
                self._breaker.succeeded()
                self._spend(request, completion.prompt_tokens, completion.completion_tokens)
                self._check_whole(request, completion)
                return completion
            attempt += 1
            await asyncio.sleep(wait)

    async def _once(
        self, dialect: Dialect, request: ModelRequest, put: Callable[[StreamEvent], None] | None, parts: CompletionParts
    ) -> Completion:
        body = dialect.body(self._model, request, stream=put is not None)
        self._sending(request, tokens_of(request.messages))
        client = self._opened()
        longest = request.max_tokens * CHARACTERS_OF_A_TOKEN
        if put is None:
            parts.take(await client.whole(body), "message")
            return parts.completion(request.messages, cut_at=longest)
        async with aclosing(client.pieces(body)) as pieces:
            async for piece in pieces:
                text = parts.take(piece, "delta")
                if text:
                    put(TextDelta(text))
                if parts.characters > longest:
                    return parts.completion(request.messages, finish="length")
        if parts.finish is None:
            raise BrokenOff("a stream that ends without saying so") if parts.begun else NoCompletion("a stream of nothing")
        return parts.completion(request.messages)

    def _opened(self) -> EndpointClient:
        if self._client is None:
            # The openai package takes a second to import: the product starts without it, and may never need it.
            from lattice_common.adapters.models.endpoint_client import EndpointClient

            self._client = EndpointClient(self._endpoint)
            self._loop.at_end(self._client.close)
        return self._client

    def _check(self, request: ModelRequest) -> None:
        """Refuse what is known to fail."""
        asked = tokens_of(request.messages)
        if asked + request.max_tokens > self._context_tokens:
            raise ModelUnavailable(
                f"A prompt of about {asked:,} tokens, and {request.max_tokens:,} for the answer, do not fit into the "
                f"{self._context_tokens:,} of LATTICE_LLM_CONTEXT_TOKENS: raise it if {self._model} has more."
            )

    def _admit(self) -> None:
        trouble = self.trouble()
        if trouble is not None or not self._breaker.admit():
            reason = trouble or f"{self._last_failure} Another call is finding out whether that is over."
            raise ModelUnavailable(reason, retry_after=self._breaker.seconds_left() or None)

    def _failure(self, error: CallFailed | NoCompletion | TimeoutError, request: ModelRequest) -> Failure:
        if isinstance(error, CallFailed):
            return error.failure
        if isinstance(error, BrokenOff):
            return broken_off(self._endpoint, self._model)
        if isinstance(error, NoCompletion):
            return no_completion(self._endpoint)
        self._spend(request, tokens_of(request.messages), 0)  # it was working on it, and may charge for it
        return not_in_time(self._endpoint, self._model, request.timeout)

    def _note(self, failure: Failure) -> None:
        self._last_failure = failure.reason
        if failure.counts:
            self._breaker.failed()
        else:
            self._breaker.gave_up()

    def _check_whole(self, request: ModelRequest, completion: Completion) -> None:
        """Raise where the prompt was cut: Ollama does so silently, and its OpenAI-compatible endpoint takes no word on how much
        context to have."""
        fewest = sum(fewest_tokens(each.content) for each in request.messages)
        if fewest > WORTH_COUNTING and completion.prompt_tokens < 0.9 * fewest:
            raise ModelUnavailable(
                f"{self._model} at {self._endpoint.host} read {completion.prompt_tokens:,} tokens of at least {fewest:,}: it has "
                "less context than LATTICE_LLM_CONTEXT_TOKENS. Set that to what it has, or give it more (OLLAMA_CONTEXT_LENGTH)."
            )

    def _spend(self, request: ModelRequest, prompt: int, completion: int) -> None:
        self._ledger.spend(model=self._model, purpose=request.purpose, prompt=prompt, completion=completion)

    def _wait(self, attempt: int) -> float:
        return random.uniform(0, min(LONGEST_WAIT, self._first_wait * 2 ** (attempt - 1)))  # noqa: S311 - spreads, hides nothing
