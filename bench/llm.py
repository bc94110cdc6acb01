"""What a language model adds to what is understood, and what that costs: `python -m bench.llm [--most 60] [--judge-off]`.

The endpoint is the one that LATTICE_LLM_BASE_URL and LATTICE_LLM_MODEL name. Without them a scripted endpoint on this machine
answers: it shows that every path works and how many calls and tokens it takes, and says nothing about quality. Measured on dev,
with and without the model: supersession through the product (`bench.understanding`), intent of utterances, facts of texts.
The prompts are the product's own, versioned files (`ingest/prompts`, `recall/prompts`).
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lattice_common import logs
from lattice_common.capture.request import IngestRequest
from lattice_common.composition import Embedded, Model, open_embedded
from lattice_common.composition.models import load_model
from lattice_common.settings import Settings

from bench.scripted_endpoint import scripted_endpoint
from bench.texts import gold_of, stems
from bench.understanding import NO_LLM, measure
from train.corpus import INTENTS, texts, utterances

PATIENCE = 300.0
SCRIPTED = "scripted:latest"


def intents(model: Model, llm: Mapping[str, Any], most: int) -> str:
    """Tell, ask or do, of English utterances, as `/api/intent` reads them."""
    said = [each for each in utterances("dev") if each.lang == "en"][:most]
    with TemporaryDirectory() as folder, open_embedded(Settings(data_dir=Path(folder), **llm), model=model) as product:
        started = time.perf_counter()
        right = sum(product.lattice.intent(each.text).intent == INTENTS[each.intent] for each in said)
        spent = (time.perf_counter() - started) / max(len(said), 1)
        return f"dev intent: {right / len(said):.1%} of {len(said)} right, {spent * 1000:.0f} ms each, {_tokens(product)}"


def facts(model: Model, llm: Mapping[str, Any], most: int) -> str:
    """Gold facts of texts of which one atom holds every word that the text says."""
    rows = [row for row in texts("train") if row["source_type"] != "chat"][:most]
    found = total = atoms = 0
    with TemporaryDirectory() as folder, open_embedded(Settings(data_dir=Path(folder), **llm), model=model) as product:
        product.start()
        started = time.perf_counter()
        for row in rows:
            capture = product.lattice.accept(IngestRequest(text=row["text"], source_type=row["source_type"])).status.capture_id
            receipt = product.lattice.wait_for(capture, PATIENCE).receipt
            assert receipt is not None, f"{row['text'][:60]!r} was not stored in {PATIENCE:.0f} s"
            contents = [stems(atom.content) for atom in product.stores.catalogue.get(receipt.atom_ids)]
            gold = gold_of(row)
            found += sum(any(fact.said <= content for content in contents) for fact in gold)
            total += len(gold)
            atoms += len(contents)
        spent = (time.perf_counter() - started) / max(len(rows), 1)
        return (
            f"train texts: {found / max(total, 1):.1%} of {total} facts found, {atoms} atoms, {spent * 1000:.0f} ms a text, "
            f"{_tokens(product)}"
        )


def _tokens(product: Embedded) -> str:
    return f"{product.lattice.status().language_model.get('tokens_today', 0)} tokens"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=60, help="topics, utterances and texts of each table")
    parser.add_argument("--beside", type=int, default=100, help="statements of others in the same memory")
    parser.add_argument("--judge-off", action="store_true", help="the rules and the language model alone")
    given = parser.parse_args()
    logs.configure("error", json=None)
    model = load_model(Settings())
    if given.judge_off:
        model = replace(model, judge=None)
    with ExitStack() as until_the_end:
        own = Settings()
        endpoint = None
        llm: dict[str, Any] = {"llm_daily_tokens": 0, "llm_capture_tokens": 0}
        if own.llm_base_url and own.llm_model:
            print(f"language model: {own.llm_model}")
        else:
            endpoint = until_the_end.enter_context(scripted_endpoint(0.02, answer=scripted))
            llm |= {"llm_provider": "openai", "llm_base_url": endpoint.base_url, "llm_model": SCRIPTED, "llm_api_key": "none"}
            print("language model: none is set; a scripted endpoint shows the path and its cost. No real model ran.")
        for name, means in (("without", NO_LLM), ("with", llm)):
            print(f"== {name} the language model", flush=True)
            for label in ("updates", "adds"):
                lines = measure("dev", label, model, given.beside, llm=means, most=given.most)
                print("\n".join(lines), flush=True)
            print(intents(model, means, given.most), flush=True)
            print(facts(model, means, given.most), flush=True)
        if endpoint is not None:
            print(f"calls of the scripted endpoint: {endpoint.calls()}")


def scripted(body: dict[str, Any]) -> str:
    """What a model could say: every sentence is a fact, nothing is outdated, everything is told."""
    asked = str(body["messages"][-1]["content"])
    schema = body.get("response_format", {}).get("json_schema", {}).get("name", "")
    if schema == "outdated":
        return json.dumps({"outdated": []})
    if schema == "intent":
        return json.dumps({"intent": "tell"})
    lines = [line.strip() for line in asked.splitlines()]
    said = [each.strip() for line in lines for each in line.replace("! ", ". ").split(". ") if len(each.split()) > 3]
    return json.dumps(
        {"memories": [{"content": each, "quote": each, "kind": "fact", "subject": "", "entities": []} for each in said]}
    )


if __name__ == "__main__":
    main()
