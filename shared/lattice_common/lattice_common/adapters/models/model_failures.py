"""What the exceptions of the openai package mean, as failures of a call."""

from __future__ import annotations

import math

import httpx2
import openai

from lattice_common.adapters.models.call_failure import Failure, broken_off, no_completion, not_in_time
from lattice_common.adapters.models.endpoint import Endpoint
from lattice_common.errors import ModelUnavailable

CONNECT_SECONDS = 5.0
LONGEST_REST = 600.0
"""Seconds that an endpoint may ask for: one that says tomorrow is asked again in ten minutes."""

_MAY_PASS = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_OF_THE_REQUEST = frozenset({400, 404, 415, 422, 501})


def failure_of(error: Exception, endpoint: Endpoint, model: str) -> Failure:
    """Return what an exception of a call means. Raise it again when it is none that a call can end with."""
    host = endpoint.host
    match error:
        case ModelUnavailable():
            return Failure(str(error))
        case openai.APIStatusError():
            return _of_status(error, endpoint, model)
        case openai.APITimeoutError() if isinstance(error.__cause__, httpx2.ConnectTimeout):
            return Failure(f"{host} did not take a connection within {CONNECT_SECONDS:.0f} s: is it up, and reachable from here?")
        case openai.APITimeoutError():
            return not_in_time(endpoint, model, CONNECT_SECONDS)
        case openai.APIConnectionError() if isinstance(error.__cause__, httpx2.ProxyError) and endpoint.through:
            return Failure(
                f"{endpoint.through.netloc} does not lead to {host}: it has to be told LLM_BASE_URL as well. ({error.__cause__})"
            )
        case openai.APIConnectionError() if isinstance(error.__cause__, httpx2.ConnectError) and endpoint.through:
            return Failure(
                f"{endpoint.through.netloc}, which leads to {host}, takes no connection: start it. ({error.__cause__})"
            )
        case openai.APIConnectionError() if isinstance(error.__cause__, httpx2.ConnectError):
            return Failure(f"{host} takes no connection: start it, or correct LLM_BASE_URL. ({error.__cause__})")
        case openai.APIConnectionError() | httpx2.TransportError():
            return Failure(f"The connection to {host} broke off in the middle of an answer.", retry=True)
        case openai.APIError():
            return broken_off(endpoint, model)
        case ValueError() | RecursionError():  # JSON that is none, or too deep
            return no_completion(endpoint)
    raise error


def _of_status(error: openai.APIStatusError, endpoint: Endpoint, model: str) -> Failure:
    """Return the failure for an HTTP status. Of what the endpoint says nothing is repeated: it may quote what it was sent."""
    status, host = error.status_code, endpoint.host
    refusal = f"{error.message} {error.body}" if status in _OF_THE_REQUEST else None
    if 300 <= status < 400:
        return Failure(f"{host} sends elsewhere ({status}), and is not followed: set LLM_BASE_URL to where the API is.")
    if status in (401, 403):
        return Failure(f"{host} refuses the key ({status}): check LLM_API_KEY, and that it may use {model}.")
    if status == 402:
        return Failure(f"{host} wants to be paid first ({status}): look at the account there.")
    if status == 404:
        hint = f"run `ollama pull {model}`" if endpoint.provider == "ollama" else "correct LLM_MODEL or LLM_BASE_URL"
        return Failure(f"{host} has no model {model} ({status}): {hint}.", refusal=refusal)
    if status == 413 or "context" in f"{error.message} {error.code}".lower():
        return Failure(
            f"A prompt was too long for {model} at {host} ({status}): set LATTICE_LLM_CONTEXT_TOKENS to what it has.",
            counts=False,
        )
    if status == 429:
        wait = _retry_after(error.response)
        return Failure(f"{host} is asked too often ({status}): it is left alone for a while.", True, wait, counts=False)
    if status in _MAY_PASS:
        return Failure(f"{host} failed ({status}): look at its own log.", True, _retry_after(error.response))
    return Failure(
        f"{host} refused a request for {model} ({status}): look at its own log.", counts=status >= 500, refusal=refusal
    )


def _retry_after(response: httpx2.Response) -> float | None:
    """Return the seconds to wait. The form with a date is passed over: clocks differ, and our own waits do as well."""
    try:
        seconds = float(response.headers.get("retry-after", ""))
    except ValueError:
        return None
    return min(seconds, LONGEST_REST) if math.isfinite(seconds) and seconds >= 0 else None
