# SPDX-License-Identifier: GPL-2.0-only
"""Whether records are as docs/records.schema.json says, which is printed from the kernel's own
descriptions (`make docs`)."""
import functools
import json
import pathlib

FILE = pathlib.Path(__file__).resolve().parents[2] / "docs/records.schema.json"
TYPES = {"integer": int, "string": str, "boolean": bool}


@functools.cache
def variants():
    """{type: the schemas of its records}"""
    found = {}
    for record in json.loads(FILE.read_text(encoding="utf-8"))["anyOf"]:
        found.setdefault(record["title"], []).append(record)
    return found


def fits(schema, value):
    """Whether `value` may be the field's."""
    if "const" in schema:
        return value == schema["const"] and isinstance(value, type(schema["const"]))
    if "enum" in schema:
        return value in schema["enum"]
    return type(value) is TYPES[schema["type"]] and not (
        schema["type"] == "integer" and value < schema.get("minimum", value))


def faults_by(schema, record):
    """What keeps `record` from being one of `schema`, in words."""
    properties = schema["properties"]
    missing = [] if record.get("truncated") else sorted(set(schema["required"]) - set(record))
    wrong = [name for name, value in record.items()
             if name in properties and not fits(properties[name], value)]
    return ([f"`{name}` is unknown" for name in record if name not in properties] +
            [f"`{name}` is missing" for name in missing] +
            [f"`{name}` cannot be {json.dumps(record[name])}" for name in wrong])


def faults(record):
    """The same by the variant of its type that is nearest."""
    of_type = variants().get(record["type"])
    if not of_type:
        return ["such a record is unknown"]
    return min((faults_by(schema, record) for schema in of_type), key=len)


def unknown_records(stream, most=20):
    """Sentences about records that the schema does not allow, each kind of fault once."""
    seen = {}
    for record in stream.records:
        for fault in faults(record):
            seen.setdefault(f"record `{record['type']}`: {fault}", record["seq"])
    for sentence, seq in list(seen.items())[:most]:
        yield f"{sentence} (seq {seq}, docs/records.schema.json)"
