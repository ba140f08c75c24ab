"""100 lines a second through tail -f: how late is each change at the reader? Prints lines seen, and whether the latest came within 150 ms."""
import os, subprocess, sys, tempfile, threading, time

N, RATE = 150, 100
sent = {}
with tempfile.NamedTemporaryFile("a") as log:
    chain = subprocess.Popen(f"tail -f -s 0.01 {log.name} | weir -k c2 -r 'last(c1) as n'", shell=True, stdout=subprocess.PIPE, text=True, start_new_session=True)
    time.sleep(0.5)

    def write():
        begin = time.monotonic()
        for i in range(1, N + 1):
            time.sleep(max(0, begin + i / RATE - time.monotonic()))
            sent[str(i)] = time.monotonic()
            log.write(f"{i}\tk\n")
            log.flush()

    threading.Thread(target=write).start()
    seen, late = 0, []
    while seen < N:
        kind, _, n = chain.stdout.readline().rstrip("\n").split("\t")
        if kind != "-U":
            seen += 1
            late.append(time.monotonic() - sent[n])
    os.killpg(chain.pid, 15)
late.sort()
print(seen, late[int(len(late) * 0.98)] < 0.150)
print(f"latest {late[-1] * 1000:.0f} ms, median {late[len(late) // 2] * 1000:.1f} ms", file=sys.stderr)
