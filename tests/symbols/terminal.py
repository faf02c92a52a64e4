#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""terminal.py FILE [--interrupt TEXT] COMMAND...: runs a command whose standard error is a terminal; what it
writes there goes to FILE. Once TEXT is in that, the command gets the SIGINT of Ctrl-C. Exits as it does.
"""
import os
import pty
import signal
import subprocess
import sys

arguments = sys.argv[1:]
path, text = arguments.pop(0), None
if arguments[0] == "--interrupt":
    text, arguments = arguments[1].encode(), arguments[2:]
outer, inner = pty.openpty()
command = subprocess.Popen(arguments, stderr=inner,
                           preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
os.close(inner)
seen = b""
while True:
    try:
        part = os.read(outer, 4096)
    except OSError:
        break
    if not part:
        break
    seen += part
    if text and text in seen:
        command.send_signal(signal.SIGINT)
        text = None
with open(path, "wb") as out:
    out.write(seen)
sys.exit(command.wait())
