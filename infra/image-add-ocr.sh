#!/bin/sh
# Adds what reads pictures and scanned pages to an image, from its own Debian: tesseract with English and the languages that are named
# (https://packages.debian.org/search?keywords=tesseract-ocr), and what makes a picture of a page.
set -e
named=""
for each in "$@"; do named="$named tesseract-ocr-$each"; done
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends tesseract-ocr tesseract-ocr-eng poppler-utils $named >/dev/null
rm -rf /var/lib/apt/lists/* /var/cache/apt /var/log/apt /var/log/dpkg.log
