"""No input crashes the interpreter."""

import subprocess
import sys


def test_corpora_and_their_mutations():
    run = subprocess.run(
        [sys.executable, "-X", "faulthandler", "tests/python/hostile_input.py"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        timeout=600,
    )
    assert run.returncode == 0, run.stderr[-4000:]
    assert int(run.stdout) > 4000


def test_a_crash_would_be_seen():
    run = subprocess.run([sys.executable, "-c", "import os; os.abort()"], stderr=subprocess.PIPE)
    assert run.returncode != 0
