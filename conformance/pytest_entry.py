"""The door by which pytest finds the plugin once the package is installed.

It names the plugin by its module, which pytest registers once, also when it is asked
for with `-p conformance.pytest_plugin`.
"""

pytest_plugins = ["conformance.pytest_plugin"]
