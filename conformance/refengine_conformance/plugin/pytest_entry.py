"""The door by which pytest finds the plugin once the package is installed.

It names the plugin by its module, which pytest registers once, also when it is asked
for with `-p refengine_conformance.plugin.pytest_plugin`.
"""

pytest_plugins = ["refengine_conformance.plugin.pytest_plugin"]
