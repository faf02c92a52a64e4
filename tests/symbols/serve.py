#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""serve.py DIR LOG PORTFILE: serves the files below DIR over HTTP on some port of this machine, as a
debuginfod server would, and writes each request to LOG. With "-" for DIR it takes requests and never answers.
"""
import functools
import http.server
import os
import socket
import sys


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_error(self, *args):
        pass

    def log_message(self, *args):
        with open(sys.argv[2], "a") as log:
            print(self.path, file=log)


def announce(port):
    with open(sys.argv[3] + ".new", "w") as file:
        print(port, file=file)
    os.rename(sys.argv[3] + ".new", sys.argv[3])


if sys.argv[1] == "-":
    listening = socket.create_server(("127.0.0.1", 0))
    announce(listening.getsockname()[1])
    connections = []
    while True:
        connections.append(listening.accept())
        with open(sys.argv[2], "a") as out:
            print("connection", file=out)
else:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=sys.argv[1]))
    announce(server.server_address[1])
    server.serve_forever()
