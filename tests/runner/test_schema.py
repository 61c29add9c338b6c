# SPDX-License-Identifier: GPL-2.0-only
"""The schema of the records against itself, a recorded run, and what must not pass."""
import json
import pathlib
import unittest

import jsonschema

import records
import schema

RECORDING = pathlib.Path(__file__).with_name("recorded.log").read_bytes()


class Schema(unittest.TestCase):
    def test_it_is_a_json_schema(self):
        jsonschema.Draft202012Validator.check_schema(json.loads(schema.FILE.read_text()))

    def test_a_recorded_run(self):
        self.assertEqual(list(schema.unknown_records(records.Stream(RECORDING))), [])

    def test_a_library_agrees_on_every_recorded_record(self):
        for record in records.Stream(RECORDING).records:
            validators = map(jsonschema.Draft202012Validator, schema.variants()[record["type"]])
            self.assertTrue(any(v.is_valid(record) for v in validators), record)

    def spoilt(self, kind, **changes):
        record = next(r for r in records.Stream(RECORDING).records if r["type"] == kind)
        return schema.faults({k: v for k, v in (record | changes).items() if v is not None})

    def test_what_does_not_fit_is_named(self):
        self.assertEqual(self.spoilt("node"), [])
        self.assertEqual(self.spoilt("node", colour=3), ["`colour` is unknown"])
        self.assertEqual(self.spoilt("node", pages=None), ["`pages` is missing"])
        self.assertEqual(self.spoilt("node", pages="many"), ['`pages` cannot be "many"'])
        self.assertEqual(self.spoilt("node", pages=-1), ["`pages` cannot be -1"])
        self.assertEqual(self.spoilt("node", pages=True), ["`pages` cannot be true"])
        self.assertEqual(self.spoilt("verdict", verdict="maybe"),
                         ['`verdict` cannot be "maybe"'])
        self.assertEqual(self.spoilt("node", type="weather"), ["such a record is unknown"])

    def test_what_was_cut_may_lack_fields(self):
        self.assertEqual(self.spoilt("node", pages=None, truncated=True), [])


if __name__ == "__main__":
    unittest.main()
