# Everything that is done to 心记 from a shell. `make run ARGS="--port 8123"`, `make test ARGS="tests/pure"`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
COMPILE := $(BIN)/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-annotate --no-header

.PHONY: run test lint lock messages clean

run: $(VENV)/run.installed
	@$(BIN)/python manage.py up $(ARGS)

test: $(VENV)/test.installed lint
	@$(BIN)/python -m pytest $(or $(ARGS),-n 2 --dist loadfile --no-loadscope-reorder)

lint: $(VENV)/test.installed
	@$(BIN)/ruff check .

# Pin the newest versions that pyproject.toml allows, with hashes and without addresses.
lock: $(VENV)/test.installed
	$(COMPILE) --upgrade --output-file requirements.txt
	$(COMPILE) --upgrade --constraint requirements.txt --group dev --output-file requirements-dev.txt

# Collect what the code and the templates say into the translations (needs gettext), then compile them (does not).
messages: $(VENV)/run.installed
	$(BIN)/python manage.py makemessages --locale zh_Hans --no-wrap --no-obsolete --ignore .venv --ignore var --ignore tests
	$(BIN)/python manage.py compile_translations

clean:
	rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis staticfiles
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/run.installed: requirements.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

$(VENV)/test.installed: requirements-dev.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("心记 needs Python 3.11 or newer: make PYTHON=python3.12 …" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
