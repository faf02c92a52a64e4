# SPDX-License-Identifier: GPL-2.0-or-later
"""Works in C code of many kinds, called by the interpreter, and sleeps, until it is told to stop."""
import hashlib
import json
import re
import time

while True:
    json.loads(json.dumps({"a": list(range(1000))}))
    hashlib.sha256(b"x" * 100000).hexdigest()
    re.findall("a+b", "aaab" * 1000)
    sorted(range(1000), key=lambda x: -x)
    time.sleep(0.001)
