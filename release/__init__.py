"""Scripts that the release workflow runs; `docs/releases.md` describes a release."""
