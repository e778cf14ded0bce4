"""What the release workflow runs; `docs/releases.md` says how a release is made."""
