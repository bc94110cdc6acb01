"""How a call to a language model can fail, in a sentence for people, and what to do about it: try again, wait, or let it be."""

from __future__ import annotations

from dataclasses import dataclass

from lattice_common.adapters.models.endpoint import Endpoint


@dataclass(frozen=True, slots=True)
class Failure:
    """`retry`: the same may work in a moment. `counts`: it speaks against the endpoint, and the breaker should know. `refusal` is
    what the endpoint said when it refused the request as such, for a dialect to learn from; it is shown to nobody."""

    reason: str
    retry: bool = False
    retry_after: float | None = None
    counts: bool = True
    refusal: str | None = None


class CallFailed(Exception):
    """A call that ended with a failure."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.reason)
        self.failure = failure


def not_in_time(endpoint: Endpoint, model: str, seconds: float) -> Failure:
    """Return the failure of a call that had so long, and did not end."""
    return Failure(f"{model} at {endpoint.host} did not answer within {seconds:g} s: see LATTICE_LLM_TIMEOUT_SECONDS.")


def broken_off(endpoint: Endpoint, model: str) -> Failure:
    """Return the failure of a call that began, and did not end well."""
    return Failure(f"{model} at {endpoint.host} broke off its answer with an error of its own.", retry=True)


def no_completion(endpoint: Endpoint) -> Failure:
    """Return the failure of an endpoint that sent no completion: a web page, half an answer, something else."""
    return Failure(f"{endpoint.host} answered with something that is no completion: is LLM_BASE_URL the address of an API?")
