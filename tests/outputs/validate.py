#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Validates documents on the schema: validate.py SCHEMA FILE... What the schema lacks is a fault, too."""
import json
import sys

import jsonschema


def close(node):
    """Forbids properties that are not named."""
    if isinstance(node, dict):
        if node.get("type") == "object" and "properties" in node:
            node["additionalProperties"] = False
        for child in node.values():
            close(child)
    elif isinstance(node, list):
        for child in node:
            close(child)


def check_ids(document):
    """What is referred to is there."""
    ids = {key: {x["id"] for x in document[key]} for key in
           ("processes", "threads", "modules", "functions", "frames", "stacks", "counters")}
    lists = {"process": "processes", "thread": "threads", "module": "modules", "function": "functions",
             "kernel_function": "functions", "frame": "frames", "stack": "stacks", "parent": None,
             "counter": "counters", "max_thread": "threads"}

    def walk(node, within):
        if isinstance(node, list):
            for child in node:
                walk(child, within)
        elif isinstance(node, dict):
            for key, child in node.items():
                name = lists.get(key, key) or within
                if name in ids and isinstance(child, int):
                    assert child in ids[name], (key, child)
                walk(child, key)

    walk(document, None)


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        schema = json.load(f)
    close(schema)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)

    def refuse(text):
        raise ValueError("not a number of JSON: " + text)

    for name in sys.argv[2:]:
        with open(name, "rb") as f:
            document = json.loads(f.read().decode("utf-8"), parse_constant=refuse)
        for error in validator.iter_errors(document):
            sys.exit("%s: %s: %s" % (name, "/".join(map(str, error.absolute_path)), error.message))
        check_ids(document)


if __name__ == "__main__":
    main()
