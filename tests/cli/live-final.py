"""Is the last picture of --live what -F prints, for chains of many kinds? Bars are left out. Prints how many agree."""
import os, re, shlex, subprocess, sys, tempfile

CHAINS = """
-k c2 -r 'count, sum(c4)'
-w 'c4 > 90'
-k c2 -r 'sum(c4)' -t '4 by sum_c4 desc, c2 as place'
-k 'c2, c3' -r 'sum(c4)' -k c3 -t '3 by sum_c4 desc, c2'
-k 'c2, c3' -r 'sum(c4)' -k c3 -t '3 by 0 - sum_c4, c2' -w 'sum_c4 >= 0'
-k c3 -t '2 by c4, c1'
-k c3 -t 'last 2 by c4, c1'
-k c3 -t 1
-k c2 -t '2 rank by c4 desc as place'
-r 'count, max(c4)'
--time 'c1, s' --watermark 0s -k c3 --tumble 1d -r count -k window -t '3 by count desc, c3'
"""
chains = CHAINS.strip().split("\n")
agree = 0
with tempfile.NamedTemporaryFile("w", suffix=".tsv") as rows:
    for i in range(1, 301):
        print(i, f"k{i * 7 % 23}", f"g{i * 5 % 4}", i * 37 % 101, sep="\t", file=rows)
    rows.flush()
    for chain in chains:
        words = shlex.split(chain) + [rows.name]
        final = subprocess.run(["weir", "-F", "-o", "table", *words], capture_output=True, text=True).stdout
        env = {**os.environ, "TERM": "dumb", "LC_ALL": "C"}
        run = [sys.executable, "live-terminal.py", "120x400", "wait", "screen", "--", "weir", "-L", *words]
        live = subprocess.run(run, capture_output=True, text=True, env=env).stdout
        live = re.sub("  #+$", "", live.removeprefix("status 0\n"), flags=re.M)
        if live == final and final.count("\n"):
            agree += 1
        else:
            print(chain, live, final, sep="\n", file=sys.stderr)
print(f"{len(chains)} chains, {agree} agree")
