"""Counts the scoped VMEM of each instruction in HLO text, as a regular expression finds it."""

import json
import re


def scoped_vmem(text):
    used = {}
    for line in text.splitlines():
        configs = re.search(r'"used_scoped_memory_configs":(\[[^]]*\])', line)
        nbytes = sum(int(c["size"]) for c in json.loads(configs[1]) if c["memory_space"] == "1") if configs else 0
        if nbytes:
            used[re.match(r"\s*(?:ROOT )?%?([\w.-]+) = ", line)[1]] = nbytes
    return used
