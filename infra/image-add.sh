#!/bin/sh
# Adds to an image's environment what uv.lock says that packages of the workspace need (arguments of `uv sync`); without the tests
# of others, which nobody runs, and without the places of phone numbers, which nothing here asks for.
set -e
export UV_CACHE_DIR=/root/.cache/uv UV_LINK_MODE=copy UV_COMPILE_BYTECODE=1 UV_PYTHON_DOWNLOADS=never UV_PROJECT_ENVIRONMENT=/opt/lattice/venv
/build/bin/uv sync --quiet --project /build/src --frozen --no-dev --no-editable --inexact "$@"
find /opt/lattice/venv -depth -type d \( -name tests -o -path '*/onnx/backend/test' -o -path '*/phonenumbers/geodata' \) -exec rm -r {} +
