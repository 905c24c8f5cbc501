#!/usr/bin/env python3
"""Messages as JSON and SARIF 2.1.0: the members that the formats ask for, and their values for the sources of check_diagnostics.sh.

    check_diagnostics.py FOLDER
"""
import json
import os
import sys


class Shape:
    """A JSON value: a type, or members of an object by name; a name with ? may be missing, others must be there, more must not."""

    def __init__(self, **members):
        self.members = members

    def check(self, value, path):
        assert isinstance(value, dict), f"{path}: no object"
        for name, shape in self.members.items():
            optional, plain = name.endswith("_"), name.rstrip("_").replace("dollar", "$")
            if plain in value:
                check(value[plain], shape, f"{path}.{plain}")
            else:
                assert optional, f"{path}: no {plain}"
        known = {name.rstrip("_").replace("dollar", "$") for name in self.members}
        assert set(value) <= known, f"{path}: {set(value) - known} is not known"


def check(value, shape, path):
    if isinstance(shape, Shape):
        shape.check(value, path)
    elif isinstance(shape, list):
        assert isinstance(value, list), f"{path}: no array"
        for i, item in enumerate(value):
            check(item, shape[0], f"{path}[{i}]")
    elif isinstance(shape, set):
        assert value in shape, f"{path}: {value} is none of {shape}"
    elif isinstance(shape, tuple):
        assert value is None or check(value, shape[0], path) is None
    else:
        assert isinstance(value, shape) and not (shape is int and (isinstance(value, bool) or value < 1)), f"{path}: {value}"


PLACE = Shape(file=str, line_=int, column_=int, end_column_=int, character_=int, end_character_=int)
MESSAGE = dict(severity={"error", "warning", "note"}, message=str, name=(str,), place=(PLACE,), fix=(Shape(place=PLACE, text=str),))
JSON = Shape(tkc=str, ok=bool, diagnostics=[Shape(notes=[Shape(**MESSAGE)], **MESSAGE)])

# The used members of SARIF 2.1.0, with the types and the required members of its schema.
REGION = Shape(startLine=int, startColumn=int, endColumn=int)
ARTIFACT = Shape(uri=str)
TEXT = Shape(text=str)
PHYSICAL = Shape(artifactLocation=ARTIFACT, region_=REGION)
FIX = Shape(artifactChanges=[Shape(artifactLocation=ARTIFACT, replacements=[Shape(deletedRegion=REGION, insertedContent=TEXT)])])
RESULT = Shape(ruleId=str, level={"error", "warning", "note"}, message=TEXT, locations_=[Shape(physicalLocation=PHYSICAL)],
               relatedLocations_=[Shape(physicalLocation=PHYSICAL, message=TEXT)], fixes_=[FIX])
DRIVER = Shape(name={"tkc"}, version=str, rules=[Shape(id=str, shortDescription_=TEXT)])
SARIF = Shape(dollarschema=str, version={"2.1.0"},
              runs=[Shape(tool=Shape(driver=DRIVER), invocations=[Shape(executionSuccessful=bool)],
                          columnKind={"unicodeCodePoints"}, results=[RESULT])])


def main(folder):
    def read(name, shape):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            value = json.load(file)
        check(value, shape, name)
        return value

    wrong, colon, good = (read(name, JSON) for name in ("w.json", "c.json", "good.json"))
    assert not wrong["ok"] and not colon["ok"] and good["ok"]
    assertion, missing = wrong["diagnostics"]
    assert assertion["message"] == "static assertion failed: inner äöü", assertion
    note, = assertion["notes"]
    # """ä"""; stands before the call: nine characters, ten bytes.
    assert note["place"] == {"file": "wrong.tk", "line": 12, "column": 15, "end_column": 23, "character": 14, "end_character": 22}, note
    assert missing["message"].startswith("missing is not defined") and missing["place"]["line"] == 13
    error, = colon["diagnostics"]
    assert error["fix"]["text"] == ":" and error["fix"]["place"]["column"] == error["fix"]["place"]["end_column"] == 13, error

    runs = read("w.sarif", SARIF)["runs"][0]
    assert [result["level"] for result in runs["results"]] == ["error", "error"]
    related = runs["results"][0]["relatedLocations"][0]["physicalLocation"]["region"]
    assert related == {"startLine": 12, "startColumn": 14, "endColumn": 22}, related
    fixed = read("c.sarif", SARIF)["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0]["replacements"][0]
    assert fixed["insertedContent"]["text"] == ":"
    # A fix, done as it says, compiles.
    with open(os.path.join(folder, "colon.tk"), encoding="utf-8") as file:
        lines = file.read().split("\n")
    region = fixed["deletedRegion"]
    line = lines[region["startLine"] - 1]
    lines[region["startLine"] - 1] = line[:region["startColumn"] - 1] + ":" + line[region["endColumn"] - 1:]
    assert lines[6] == "    if n > 0:", lines[6]
    results = read("good.sarif", SARIF)["runs"][0]
    assert results["invocations"][0]["executionSuccessful"]
    rules = {rule["id"] for rule in results["tool"]["driver"]["rules"]}
    assert {"warning/slow", "remark/access"} <= rules, rules
    slow, = (one for one in read("slow.json", JSON)["diagnostics"] if one["name"])
    assert slow["name"] == "slow" and slow["severity"] == "warning", slow
    remark = [one for one in read("remarks.json", JSON)["diagnostics"] if one["name"] == "access"]
    assert remark, "no remark has its name"
    levels = {one["ruleId"]: one["level"] for one in read("slow.sarif", SARIF)["runs"][0]["results"]}
    assert levels["warning/slow"] == "error", levels
    assert {result["ruleId"] for result in runs["results"] + results["results"]} <= rules


if __name__ == "__main__":
    main(sys.argv[1])
