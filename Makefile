# make run    install what is missing and start Lattice on http://127.0.0.1:7337
# make test   install what is missing; lint, types, import contracts, and the default tests
# make help   the rest

.DEFAULT_GOAL := help
.PHONY: help install run demo test default-tests fast fix lint check slow slow-unmeasured slow-measured crash month soak upgrade-test browser servers images compose bench bench-quality bench-peers bench-llm train train-second train-taught screens sbom licences vulnerabilities digests release docs clean

# Python keeps what it has compiled, also where the environment says that it should not, as it does in many containers: otherwise
# every worker of the tests, and every command that they start, compiles the product, what it uses, and the tests.
export PYTHONDONTWRITEBYTECODE =

UV = $(shell python3 infra/bootstrap.py)
RUN = $(UV) run --no-sync

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

.venv/.installed: pyproject.toml uv.lock $(wildcard shared/*/pyproject.toml services/*/pyproject.toml)
	$(UV) sync --frozen --no-dev --inexact
	@touch $@

.venv/.installed-dev: .venv/.installed
	$(UV) sync --frozen
	@touch $@

install: .venv/.installed ## install what the product needs into .venv

run: install ## start Lattice on 127.0.0.1:7337
	$(RUN) lattice up

demo: install ## start Lattice with a small life to try it on
	$(RUN) lattice up --demo

check: .venv/.installed-dev ## lint, types, import contracts
	$(RUN) ruff check .
	$(RUN) ruff format --check .
	$(RUN) mypy
	$(RUN) lint-imports

# One name, or an expression of names, as pytest's -k takes it: nothing but what it matches is run.
K ?=

# Beside each other: types are checked by one process, and most machines have two cores or more.
test: .venv/.installed-dev ## everything that runs in a few minutes; with K=name only the tests of that name
	$(if $(K),$(RUN) pytest -k "$(K)",@$(MAKE) --no-print-directory --jobs 2 check default-tests)

# Tests open thousands of stores, and each syncs its files: in memory, where there is room, they take a third of the time.
IN_MEMORY = $(shell test -w /dev/shm && test "$$(df -Pm /dev/shm | awk 'NR == 2 {print $$4}')" -ge 4096 && echo PYTEST_DEBUG_TEMPROOT=/dev/shm TMPDIR=/dev/shm)

# In CI, where suites run beside each other on a machine that others use, a test that failed is tried up to twice more, and listed.
AGAIN = $(if $(CI),--reruns 2 --reruns-delay 5 -rsR)

default-tests: .venv/.installed-dev
	$(IN_MEMORY) $(RUN) pytest -n 3 --dist worksteal $(AGAIN)

fast: .venv/.installed-dev ## pure functions and the rules of the tree: while you write
	$(IN_MEMORY) $(RUN) pytest tests/unit tests/property tests/architecture -n 2 --dist worksteal -m "not slow and not bench and not lengthy"

fix: .venv/.installed-dev ## format, and mend what the linter can mend
	$(RUN) ruff check --fix .
	$(RUN) ruff format .

# How soon something ends, or moves on the page, is measured with nothing beside it, and files of a gigabyte lie on the disk.
MEASURED = tests/services/test_stopped.py tests/services/test_api_connections.py tests/pipeline/test_huge_files.py
MEASURED_ON_PAGE = tests/e2e/test_page_speed.py

slow: ## the slower suites, and every property tried on four times as many examples
	@$(MAKE) --no-print-directory slow-unmeasured
	@$(MAKE) --no-print-directory slow-measured

slow-unmeasured: .venv/.installed-dev
	$(IN_MEMORY) $(RUN) pytest -m "slow or (hypothesis and not servers)" --hypothesis-profile=thorough -n 2 --dist worksteal $(AGAIN) $(addprefix --ignore=,$(MEASURED))

slow-measured: .venv/.installed-dev
	$(RUN) pytest -m slow $(AGAIN) $(MEASURED)

crash: .venv/.installed-dev ## every call by which the disk is changed, cut by every fault (needs a C compiler; a part of it: S="--share 0.1")
	$(IN_MEMORY) $(RUN) python -m tests.crash.points $(S)

month: .venv/.installed-dev ## a month of a memory, simulated: kills, full disks, wrong clocks, hands, undo, forgetting (needs a C compiler; S="--seed 4 --months 10")
	$(IN_MEMORY) $(RUN) python -m tests.crash.month $(S)

soak: .venv/.installed-dev ## fifty clients for half an hour: memory, threads, descriptors, disk, and what is slow (S="--minutes 5")
	$(RUN) python -m bench.soak $(S)

upgrade-test: .venv/.installed-dev ## stores that earlier versions wrote, taken over by this one; and what cannot go back
	$(RUN) pytest tests/upgrade -m slow -n 0
	@sed -n '/^`make upgrade-test` opens/,/^$$/p' docs/operations.md

# Pages wait for timers: two processes left a third of two cores idle.
browser: .venv/.installed-dev ## the page in a real browser (needs Debian's chromium)
	$(IN_MEMORY) $(RUN) pytest -m browser -n 2 --dist worksteal $(AGAIN) --ignore=$(MEASURED_ON_PAGE)
	$(IN_MEMORY) $(RUN) pytest -m browser $(MEASURED_ON_PAGE)

# Each of two processes starts engines of its own, unless running ones are named, which they would share. One that dies ends the run:
# another in its place waits for ever for tests by the file.
servers: .venv/.installed-dev ## the suites of the server adapters (needs Docker, or running servers)
	$(IN_MEMORY) $(RUN) pytest -m servers $(AGAIN) $(if $(LATTICE_TEST_OPENSEARCH_URL)$(LATTICE_TEST_QDRANT_URL)$(LATTICE_TEST_REDIS_URL),,-n 2 --dist loadfile --max-worker-restart 0)

images: .venv/.installed-dev ## the images: built, and what is in them (needs Docker; with `make compose` as well)
	$(RUN) pytest -m compose tests/compose/test_images.py

compose: .venv/.installed-dev ## a whole deployment: built, started, killed, moved (needs Docker)
	$(RUN) pytest -m compose $(AGAIN)

bench: .venv/.installed-dev ## speed, as one table
	$(RUN) python -m bench.speed

bench-quality: .venv/.installed-dev ## what is understood, with the judge and by rules alone; evidence recall on the folder named by LATTICE_BENCH_DATA
	$(RUN) python -m bench.understanding
	$(RUN) python -m bench.understanding --without
	$(RUN) python -m bench.status train/data
	$(RUN) python -m bench.intent train/data
	$(if $(LATTICE_BENCH_DATA),$(RUN) python -m bench.quality,@echo "LATTICE_BENCH_DATA is not set: evidence recall is not measured.")

# The Python that peers are installed for, in an environment of their own.
PEERS_PYTHON ?= 3.12

bench-peers: .venv/.installed-dev ## Lattice beside mem0, basic-memory and plain search, as one table and a figure (needs Python 3.12, and LATTICE_BENCH_DATA)
	$(UV) sync --project bench/peers --frozen --group peers --python $(PEERS_PYTHON)
	$(RUN) python -m bench.peers --peers bench/peers/.venv/bin/python --figure docs/images/peers.svg

bench-llm: .venv/.installed-dev ## what a language model adds and costs; a scripted endpoint where LATTICE_LLM_BASE_URL and LATTICE_LLM_MODEL are not set
	$(RUN) python -m bench.llm

# A judge that has learned from train/data without teachers.
UNTAUGHT = $(UV) sync --frozen --group train --group rank && \
	$(RUN) python -m train.fit --relation 2 --topics 2 --answers 1 --utterance 3 --out build/first.pt && \
	$(RUN) python -m train.fit --start build/first.pt --relation 1 --topics 1 --answers 1 --utterance 1 --rate 6e-5 --out build/untaught.pt

train-second: ## make the judge that is asked where the first one is in doubt, some four hours on two cores; prints the held-out tables
	$(UNTAUGHT)
	$(RUN) python -m train.export build/untaught.pt --second
	$(RUN) python -m train.report

train: ## make the first judge from train/data without teachers, likewise
	$(UNTAUGHT)
	$(RUN) python -m train.ngrams
	$(RUN) python -m train.seek
	$(RUN) python -m train.questions
	$(RUN) python -m train.export build/untaught.pt
	$(RUN) python -m train.answers --write
	$(RUN) python -m train.texts --write
	$(RUN) python -m train.calibrate
	$(RUN) python -m train.report

# The folder of all-mpnet-base-v2: model.safetensors and vocab.txt, from huggingface.co/sentence-transformers/all-mpnet-base-v2.
TEACHER ?=

train-taught: ## make the judge as it is shipped, on a machine with a GPU, taught by all-mpnet-base-v2 (TEACHER=its folder)
	$(if $(TEACHER),,$(error TEACHER is not set: download model.safetensors and vocab.txt of sentence-transformers/all-mpnet-base-v2 from Hugging Face, and run make train-taught TEACHER=their folder))
	$(UV) sync --frozen --group train --group rank
	$(RUN) python -m train.ngrams
	$(RUN) python -m train.distil.teach "$(TEACHER)" --out build/taught.npz
	$(RUN) python -m train.distil.learn build/taught.npz --out build/judge.pt
	$(RUN) python -m train.seek
	$(RUN) python -m train.questions
	$(RUN) python -m train.export build/judge.pt
	$(RUN) python -m train.answers --weights build/answers.pt --write
	$(RUN) python -m train.texts --write
	$(RUN) python -m train.calibrate
	$(RUN) python -m train.report

screens: .venv/.installed-dev ## pictures of every view into build/screens, and a dozen into docs/images (needs Debian's chromium)
	$(RUN) python -m infra.screens

sbom: .venv/.installed-dev ## a list of the parts of every image, in build/sbom
	$(RUN) python -m infra.sbom

licences: .venv/.installed-dev ## the licence of every package, script and image, against infra/licences.toml
	$(RUN) python -m infra.licences

vulnerabilities: .venv/.installed-dev ## known vulnerabilities of what is shipped (needs the network, or LATTICE_OSV_DATABASE)
	$(RUN) python -m infra.vulnerabilities $(if $(LATTICE_OSV_DATABASE),--database $(LATTICE_OSV_DATABASE))

digests: .venv/.installed-dev ## ask the registries for the digests of images, for infra/compose.digests.yml
	$(RUN) python -m infra.digests

release: .venv/.installed-dev ## sources, lists of parts and sums, signed with an SSH key (KEY=~/.ssh/id_ed25519), in build/release
	$(RUN) python -m infra.release --key "$(KEY)"

docs: .venv/.installed-dev ## docs/configuration.md, docs/api.md, .env.example and the index template from the code
	$(RUN) python -m infra.generated

clean: ## remove what was installed
	rm -rf .venv .venv-uv
