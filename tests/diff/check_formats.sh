#!/bin/sh
# The options of tkc-diff: text, JSON and Markdown, budgets, outputs, exit statuses.
#   check_formats.sh TKC_DIFF TKC SOURCE_DIR FOLDER
. "$3/tests/diff/expect.sh"
softmax=$top/examples/softmax.tk
compile "$softmax" old.ptx --config 2
compile "$softmax" new.ptx --config 2 -w 8
compile "$softmax" all.ptx

# JSON: a valid text with a verdict a file and a kernel; the same bytes each time.
verdict 1 '"verdict": "different"
"name": "softmax", "old_name": "softmax", "target": "sm_80", "verdict": "changed"
"threads": {"before": 128, "after": 256}
{"kind": "global loads", "width": 2, "before": 72, "after": 36}' old.ptx new.ptx --format json
cp printed first.json
verdict 1 '' old.ptx new.ptx -f json
cmp -s first.json printed || fail "two runs differ"
if command -v python3 >/dev/null 2>&1; then
    python3 - first.json <<'end' || fail "the JSON is not as README.md says"
import json, sys
report = json.load(open(sys.argv[1]))
assert set(report) == {"verdict", "files", "worse"}
kernel, = report["files"][0]["kernels"]
assert set(kernel) == {"name", "old_name", "target", "verdict", "metrics", "code", "changes"}
for side in ("before", "after"):
    assert sum(row[side] for row in kernel["code"]["kinds"]) == kernel["metrics"]["instructions"][side]
counts = [kernel["metrics"]["instructions"][side] for side in ("before", "after")]
assert counts[1] - counts[0] == kernel["code"]["added"] - kernel["code"]["removed"]
end
fi

# Markdown: a table, and nothing that a name could break.
verdict 3 '**Kernels: worse.** 1 kernel: 1 changed.
- worse than allowed: `new.ptx: softmax: threads 128 → 256 (+128), allowed is 0`
| `new.ptx` `softmax` | changed |
<details><summary>Details</summary>' old.ptx new.ptx --format=markdown --allow threads=0
verdict 0 '**Kernels: same.** 1 kernel: 1 same.
! |' old.ptx old.ptx --format=markdown

# Text: kernels that are the same with --all alone; no report with --quiet; a file with -o.
verdict 0 '3 kernels: 3 same
! same: equal code' all.ptx all.ptx
verdict 0 'softmax_BLOCK_1024_warps_4_stages_3: same: equal code' all.ptx all.ptx --all
verdict 1 '! kernel' old.ptx new.ptx --quiet
verdict 1 '! kernel' old.ptx new.ptx -o report.txt
grep -q '1 kernel: 1 changed' report.txt || fail "-o wrote: $(cat report.txt)"
verdict 2 'cannot write no/report.txt: No such file or directory' old.ptx new.ptx -o no/report.txt

# Budgets.
verdict 1 '! worse' old.ptx new.ptx --allow instructions=0,stack=0
verdict 3 'worse than allowed: old.ptx: softmax: instructions' new.ptx old.ptx --allow instructions=5%
verdict 1 '! worse' new.ptx old.ptx --allow instructions=500%
verdict 3 'the kernel went, and 0 may go' all.ptx old.ptx --allow instructions=5%
verdict 3 'the kernel went, and 1 may go' all.ptx old.ptx --allow gone=1
verdict 1 '! worse' all.ptx old.ptx --allow gone=2
verdict 2 '--allow registers=+2 cannot be checked: the files do not say registers of any kernel' old.ptx new.ptx --allow registers=+2
verdict 2 'there is no "regsters" to allow; did you mean registers?' old.ptx new.ptx --allow regsters=1
verdict 2 'there is no "x" to allow; there are instructions, registers' old.ptx new.ptx --allow x=1
verdict 2 'registers wants a number or a percentage' old.ptx new.ptx --allow registers
verdict 2 'registers wants a number or a percentage' old.ptx new.ptx --allow registers=two
for limit in ' 2' -2 +-2 2.5 2%% % 2x 0x2; do
    verdict 2 'registers wants a number or a percentage by which it gets worse: registers=+2 or' old.ptx new.ptx --allow "registers=$limit"
done
verdict 2 'occupancy=-2 or occupancy=5%' old.ptx new.ptx --allow occupancy=+2
verdict 2 'gone wants a number of kernels: gone=2' old.ptx new.ptx --allow gone=50%
verdict 1 '! worse' new.ptx old.ptx --allow instructions=99999999999999999999%
verdict 2 'spills is there twice' old.ptx new.ptx --allow spills=1 --allow spills=2

# Wrong usage.
verdict 2 'no files to compare'
verdict 2 'no second file or folder' old.ptx
verdict 2 'one new file or folder at a time' old.ptx new.ptx all.ptx
verdict 2 '--format wants text, json or markdown, not "xml"' old.ptx new.ptx --format xml
verdict 2 'did you mean --format?' old.ptx new.ptx --formt json
verdict 2 'a folder and a file' old.ptx .
verdict 0 'Exit status: 0 the same, 1 different, 2 wrong usage or an unreadable file, 3 worse than --allow.' --help
verdict 0 'Numbers of' -h
verdict 0 'tkc-diff ' --version
verdict 0 '! kernel' -q -a old.ptx old.ptx
finish "formats, budgets and exit statuses are as documented"
