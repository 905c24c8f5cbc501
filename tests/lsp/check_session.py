"""A session with `tkc lsp`, by a client of its own: messages, hover, definition, completion, symbols, tokens and fixes.

    check_session.py TKC FOLDER

Positions are found by a mark in the text: "sum$" is the end of the first "sum". Characters are UTF-16 units, and the text has some that are
two of them.
"""
import json
import os
import shutil
import subprocess
import sys
import time

HELPER = '''import triton
import triton.language as tl


# The sum of two tiles,
# twice.
@triton.jit
def twice(x, y=0.5):
    return (x + y) * 2
'''

KERNEL = '''import triton
import triton.language as tl
from lib.helper import twice
import lib.helper as h

# Größe 𝔸 of a block
SIZE = tl.constexpr(64)


@triton.jit
def k(x: "*fp16:16", n: "i32", BLOCK: tl.constexpr = 128):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    "𝔸𝔸"; tile = tl.load(x + offsets, mask=offsets < n, other=0.0)
    wide = tile.to(tl.float32)
    total = tl.sum(wide, axis=0)
    both = twice(wide, total)
    both = h.twice(both)
    tl.store(x + offsets, both, mask=offsets < n)
'''

WRONG = KERNEL.replace("tl.load(", "tl.laod(")


class Client:
    """One server process, and the messages from it that no request waits for."""

    def __init__(self, command):
        # The client ends its server itself.
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # pylint: disable=consider-using-with
        self.number = 0
        self.waiting = []

    def send(self, **message):
        """Sends a message, with the part of it that all have."""
        body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def receive(self):
        """The next message."""
        length = 0
        while True:
            line = self.process.stdout.readline()
            assert line, "the server is gone"
            if line == b"\r\n":
                break
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))

    def request(self, method, params):
        """The answer of a request: its result, or its error."""
        self.number += 1
        self.send(id=self.number, method=method, params=params)
        while True:
            message = self.receive()
            if message.get("id") == self.number:
                return message.get("result", message.get("error"))
            self.waiting.append(message)

    def diagnostics(self, uri):
        """The next diagnostics of a file."""
        while True:
            message = self.waiting.pop(0) if self.waiting else self.receive()
            if message["method"] == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri:
                return message["params"]["diagnostics"]


def position(text, mark, last=False):
    """The position at the $ of a mark."""
    before, after = mark.split("$")
    at = (text.rindex if last else text.index)(before + after) + len(before)
    line = text.count("\n", 0, at)
    start = text.rfind("\n", 0, at) + 1
    return {"line": line, "character": len(text[start:at].encode("utf-16-le")) // 2}


def part(text, where):
    """The text in a range."""
    lines = text.split("\n")
    line = lines[where["start"]["line"]].encode("utf-16-le")
    assert where["start"]["line"] == where["end"]["line"]
    return line[2 * where["start"]["character"]:2 * where["end"]["character"]].decode("utf-16-le")


def check(condition, what):
    """Ends the test with what went wrong."""
    if not condition:
        sys.exit(f"failed: {what}")


def check_hovers(client, uri):
    """Types and layouts of values, documentation of builtins, signatures of functions."""
    def hover(mark, last=False):
        found = client.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": position(KERNEL, mark, last)})
        return found and found["contents"]["value"]

    text = hover("tl.lo$ad")
    check("tl.load(pointer, mask=None" in text and "fp16[128]" in text, f"hover of tl.load: {text}")
    text = hover("program_$id")
    check("i32\n" in text and "[" not in text.split("```")[3], f"hover of the inner of two expressions: {text}")
    check("i32[128]" in hover("off$sets = "), "hover of the outer of two expressions")
    text = hover("ti$le =")
    check("fp16[128]" in text and "layout: " in text and "lane" in text, f"hover of tile: {text}")
    check("fp32[128]" in hover("wide$, total"), "hover of a use of wide")
    text = hover("tot$al)")
    check("fp32\n" in text and "layout" not in text, f"hover of a scalar: {text}")
    text = hover("n$: \"i32\"")
    check("parameter `n`" in text and "i32" in text, f"hover of a parameter: {text}")
    text = hover("twi$ce(wide")
    check("def twice(x, y=0.5)" in text and "The sum of two tiles,\ntwice." in text, f"hover of an imported function: {text}")
    check("tl.sum(" in hover("tl.su$m"), "hover of tl.sum")
    check("bitcast" in hover("tile.t$o("), "hover of a method")
    check(hover("# Grö$ße") is None, "hover of a comment")


def check_definitions(client, uri, helper_uri):
    """Definitions in this file, and behind both forms of import."""
    def definition(mark, last=False):
        return client.request("textDocument/definition", {"textDocument": {"uri": uri}, "position": position(KERNEL, mark, last)})

    found = definition("til$e.to")
    check(found["uri"] == uri and part(KERNEL, found["range"]) == "tile", f"definition of tile: {found}")
    check(found["range"]["start"] == position(KERNEL, "$tile ="), "columns count UTF-16 units")
    for mark in ("twi$ce(wide", "h.twi$ce"):
        found = definition(mark)
        check(found["uri"] == helper_uri and part(HELPER, found["range"]) == "twice", f"definition of {mark}: {found}")
    check(part(KERNEL, definition("BLO$CK +")["range"]) == "BLOCK", "definition of a parameter")
    check(definition("tl.lo$ad") is None, "a builtin has no file")


def check_rest(client, uri):
    """Completion, symbols, tokens."""
    def complete(mark):
        found = client.request("textDocument/completion", {"textDocument": {"uri": uri}, "position": position(KERNEL, mark)})
        return {item["label"]: item for item in found["items"]}

    items = complete("tl.lo$ad")
    check("load" in items and "load_tensor_descriptor" in items and "store" not in items, f"completion of tl.lo: {sorted(items)}")
    check("mask=None" in items["load"]["detail"] and items["load"]["documentation"], "completion has signatures and documentation")
    items = complete("tile.t$o(")
    check("to" in items and "trans" in items, f"completion of methods: {sorted(items)}")
    check({"tile", "total", "twice", "triton"} >= set(complete("t$ile = ")) - {"try", "type", "tl", "tuple"}, "completion of names")
    check("wide" in complete("w$ide, total"), "completion of a variable")
    check("twice" in complete("h.tw$ice"), "completion of a file's functions")

    symbols = client.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    check([(s["name"], s["kind"]) for s in symbols] == [("SIZE", 13), ("k", 12)], f"symbols: {symbols}")
    check(symbols[1]["detail"] == "@triton.jit" and symbols[1]["range"]["end"]["line"] == KERNEL.count("\n") - 1, "the kernel's range")

    data = client.request("textDocument/semanticTokens/full", {"textDocument": {"uri": uri}})["data"]
    legend = ("keyword", "string", "number", "operator", "namespace", "function", "class", "parameter", "variable", "method", "decorator")
    line = character = 0
    tokens = {}
    for i in range(0, len(data), 5):
        line += data[i]
        character = data[i + 1] + (0 if data[i] else character)
        where = {"start": {"line": line, "character": character}, "end": {"line": line, "character": character + data[i + 2]}}
        tokens.setdefault(part(KERNEL, where), legend[data[i + 3]])
    wanted = {"def": "keyword", "k": "function", "x": "parameter", "tl": "namespace", "tile": "variable", "load": "method",
              "0.0": "number", '"i32"': "string", "jit": "decorator", "*": "operator"}
    check({name: tokens.get(name) for name in wanted} == wanted, f"tokens: {tokens}")


def check_fix(client, uri):
    """An error with a fix, its action, and the fixed text without errors; then a text that one is typing."""
    client.send(method="textDocument/didChange", params={"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": WRONG}]})
    errors = client.diagnostics(uri)
    check(len(errors) == 1 and errors[0]["severity"] == 1 and "laod" in errors[0]["message"], f"the error: {errors}")
    check("laod" in part(WRONG, errors[0]["range"]), f"its place: {errors}")
    actions = client.request("textDocument/codeAction", {"textDocument": {"uri": uri}, "range": errors[0]["range"],
                                                         "context": {"diagnostics": errors}})
    check(len(actions) == 1, f"actions: {actions}")
    edit = actions[0]["edit"]["changes"][uri][0]
    lines = WRONG.split("\n")
    row, start, end = edit["range"]["start"]["line"], edit["range"]["start"]["character"], edit["range"]["end"]["character"]
    units = lines[row].encode("utf-16-le")
    lines[row] = (units[:2 * start] + edit["newText"].encode("utf-16-le") + units[2 * end:]).decode("utf-16-le")
    check("\n".join(lines) == KERNEL, f"the fix: {edit}")
    other = client.request("textDocument/codeAction", {"textDocument": {"uri": uri}, "context": {"diagnostics": []},
                                                       "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}})
    check(other == [], "an action far from its message")

    typed = KERNEL.replace("    wide = tile.to(tl.float32)\n", "    wide = tile.to(tl.float32)\n    tl.\n")
    client.send(method="textDocument/didChange", params={"textDocument": {"uri": uri, "version": 3}, "contentChanges": [{"text": typed}]})
    found = client.request("textDocument/completion", {"textDocument": {"uri": uri}, "position": position(typed, "    tl.$\n")})
    check("sum" in {item["label"] for item in found["items"]}, "completion in a text that does not parse")
    check(client.diagnostics(uri)[0]["severity"] == 1, "a text that does not parse has no error")
    client.send(method="textDocument/didChange", params={"textDocument": {"uri": uri, "version": 4}, "contentChanges": [{"text": KERNEL}]})
    check(client.diagnostics(uri) == [], "the right text has messages")


def check_import(client, uri, helper_uri):
    """An import as it is in the editor counts, not as it is on disk; its errors are told in the file that imports it."""
    broken = HELPER.replace("(x + y) * 2", "nothing * 2")
    client.send(method="textDocument/didOpen", params={"textDocument": {"uri": helper_uri, "languageId": "python", "version": 1,
                                                                        "text": broken}})
    client.diagnostics(helper_uri)
    client.send(method="textDocument/didSave", params={"textDocument": {"uri": helper_uri}})
    errors = client.diagnostics(uri)
    check(any("nothing" in error["message"] and "helper.py" in error["message"] for error in errors), f"an error in an import: {errors}")
    client.send(method="textDocument/didClose", params={"textDocument": {"uri": helper_uri}})
    client.send(method="textDocument/didSave", params={"textDocument": {"uri": uri}})


def check_other_files(client, folder):
    """Functions without types are no error in an editor, and host code has no messages."""
    uri = f"file://{folder}/other.py"
    client.send(method="textDocument/didOpen", params={"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": HELPER}})
    told = client.diagnostics(uri)
    check([message["severity"] for message in told] == [3] and "has no type" in told[0]["message"], f"a file of functions: {told}")
    client.send(method="textDocument/didChange", params={"textDocument": {"uri": uri, "version": 2},
                                                         "contentChanges": [{"text": "import os\n\nprint(os.name)\n"}]})
    check(client.diagnostics(uri) == [], "host code has messages")


def check_beside(client, folder):
    """An analysis that takes long holds nothing up, and a change of its text ends it."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "decode_layer.tk"), encoding="utf-8") as file:
        text = file.read()
    uri = f"file://{folder}/slow.tk"
    client.send(method="textDocument/didOpen", params={"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": text}})
    time.sleep(0.2)  # it has begun
    symbols = client.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    told = [message for message in client.waiting if message["params"]["uri"] == uri]
    check(symbols and not told, "a request waits for an analysis")
    client.send(method="textDocument/didChange", params={"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": WRONG}]})
    check("laod" in client.diagnostics(uri)[0]["message"], "an analysis goes on behind a change of its text")
    client.send(method="textDocument/didChange", params={"textDocument": {"uri": uri, "version": 3}, "contentChanges": [{"text": text}]})
    time.sleep(0.2)
    client.send(method="textDocument/didClose", params={"textDocument": {"uri": uri}})
    check(client.diagnostics(uri) == [], "an analysis goes on behind the end of its text")


def check_long(client, folder):
    """The time of the tokens of a long file grows with its length, not with the square of it, which were a minute here."""
    uri = f"file://{folder}/long.py"
    text = "import triton\n" + "".join(f"def f{i}(x):\n    y{i} = x + {i}\n    return y{i}\n\n" for i in range(6000))
    client.send(method="textDocument/didOpen", params={"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": text}})
    begun = time.monotonic()
    data = client.request("textDocument/semanticTokens/full", {"textDocument": {"uri": uri}})["data"]
    taken = time.monotonic() - begun
    check(len(data) > 5 * 50000 and taken < 20, f"{len(data) // 5} tokens in {taken:.1f} s")
    client.send(method="textDocument/didClose", params={"textDocument": {"uri": uri}})


def main():
    """The command line."""
    tkc, folder = sys.argv[1], os.path.abspath(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.join(folder, "lib"))
    with open(os.path.join(folder, "lib/helper.py"), "w", encoding="utf-8") as file:
        file.write(HELPER)
    uri, helper_uri = (f"file://{folder}/{name}" for name in ("k%20k.py", "lib/helper.py"))
    client = Client([tkc, "lsp", "-t", "sm_90a"])
    check(client.request("textDocument/hover", {})["code"] == -32002, "a request before initialize")
    started = client.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    check(started["capabilities"]["positionEncoding"] == "utf-16", "the encoding of positions")
    client.send(method="initialized", params={})
    client.send(method="textDocument/didOpen", params={"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": KERNEL}})
    check(client.diagnostics(uri) == [], "a right kernel has messages")
    check_hovers(client, uri)
    check_definitions(client, uri, helper_uri)
    check_rest(client, uri)
    check_fix(client, uri)
    check_import(client, uri, helper_uri)
    check_other_files(client, folder)
    check_beside(client, folder)
    check_long(client, folder)
    check(client.request("textDocument/unknown", {})["code"] == -32601, "an unknown method")
    check(client.request("shutdown", None) is None, "shutdown")
    client.send(method="exit")
    check(client.process.wait(10) == 0, "the exit status")
    check(subprocess.run([tkc, "lsp", "k.tk"], stderr=subprocess.DEVNULL, check=False).returncode == 2, "tkc lsp with a source")
    print("the language server answers")


if __name__ == "__main__":
    main()
