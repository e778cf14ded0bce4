#!/bin/sh
# Chromium and its driver as Debian packages where they are absent and may be installed,
# and axe-core, which looks for what keeps people out, into build/axe.
set -eu
if ! command -v chromium >/dev/null || ! command -v chromedriver >/dev/null; then
    if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
        echo "installing chromium and chromium-driver"
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
            chromium chromium-driver >/dev/null
    else
        echo "chromium and chromedriver are needed: Debian packages chromium, chromium-driver" >&2
        exit 1
    fi
fi
if command -v npm >/dev/null; then
    npm install --silent --no-audit --no-fund --no-save --prefix build/axe axe-core@4.14.1
else
    echo "no npm: the accessibility rules of axe-core are left out"
fi
