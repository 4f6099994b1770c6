"""Prints what Python finds of the patterns in the file that it is given: a list of lists of booleans."""

import json
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    given = json.load(file)
print(json.dumps([[re.search(pattern, sample) is not None for sample in given["samples"]] for pattern in given["patterns"]]))
