"""Runs pytest on the files given, and counts for Bazel.

Bazel's report of a test has the numbers on <testsuites>, pytest's on the
<testsuite> within.
"""

import os
import sys
import xml.etree.ElementTree

import pytest


def count(path):
    """Adds up the suites of a report in the element around them."""
    report = xml.etree.ElementTree.parse(path)
    suites = report.getroot()
    for name in ("tests", "failures", "disabled", "errors"):
        suites.set(name, str(sum(int(suite.get(name) or 0) for suite in suites)))
    report.write(path, encoding="utf-8", xml_declaration=True)


def main():
    arguments = ["-q", "-p", "no:cacheprovider", *sys.argv[1:]]
    path = os.environ.get("XML_OUTPUT_FILE")
    if path:
        arguments.append(f"--junitxml={path}")
    status = pytest.main(arguments)
    if path and os.path.exists(path):
        count(path)
    return status


if __name__ == "__main__":
    sys.exit(main())
