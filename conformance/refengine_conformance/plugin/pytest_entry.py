"""The entry point by which pytest finds the plugin once the package is installed.

It names the plugin by its module, which pytest registers only once, even when it is
also requested with `-p refengine_conformance.plugin.pytest_plugin`.
"""

pytest_plugins = ["refengine_conformance.plugin.pytest_plugin"]
