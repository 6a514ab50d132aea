#!/bin/sh
# Installs what the browser tests need, builds the server, and runs them.
#   crates/web/tests/browser/run.sh [file.test.mjs …]
set -eu
cd "$(dirname "$0")"
command -v chromium >/dev/null || apt-get install -y --no-install-recommends chromium fonts-noto-cjk
npm ci --silent
cargo build --quiet -p pintu-web --example serve
exec node --test --test-concurrency=1 "$@"
