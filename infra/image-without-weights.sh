#!/bin/sh
# Takes the judge's and the encoder's weights out of an image that judges and embeds nothing: some 20 MB.
set -e
find /opt/lattice/venv -path '*/lattice_common/adapters/models/*' \( -name '*.onnx' -o -name '*.np[yz]' \) -delete
