#!/bin/sh
# Chromium and its driver as Debian packages where they are absent and may be installed.
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
