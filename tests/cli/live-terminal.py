"""A terminal of known size around a command, for the tests of --live: live-terminal.py COLUMNSxLINES STEP... -- COMMAND

    in TEXT      to the standard input of the command (\\t, \\n)    eof          closes it
    until TEXT   waits until the screen has TEXT                  pause S      waits S seconds
    size CxL     another size; long lines are broken              type TEXT    keys; \\x03 is Ctrl-C
    screen       prints the screen                                escapes      prints which escapes came
    writes       prints the most frames in a second, if over 4    gone         the terminal goes away
    wait         waits for the end and prints the status"""
import codecs, fcntl, os, pty, re, select, signal, struct, sys, termios, time


class Terminal:
    def __init__(self, size):
        self.line, self.row, self.col = [""], 0, 0
        self.seen, self.frames = set(), []
        self.decode = codecs.getincrementaldecoder("utf-8")("replace")
        self.rest = ""
        self.resize(size)

    def resize(self, size):
        self.cols, self.rows = map(int, size.split("x"))
        lines, row = [], self.row
        for at, line in enumerate(self.line):
            parts = [line[i : i + self.cols] for i in range(0, len(line), self.cols)] or [""]
            if at < self.row:
                row += len(parts) - 1
            lines += parts
        self.line, self.row = lines, row

    def put(self, char):
        if self.col == self.cols:
            self.newline()
            self.col = 0
        line = self.line[self.row].ljust(self.col)
        self.line[self.row] = line[: self.col] + char + line[self.col + 1 :]
        self.col += 1

    def newline(self):
        self.row += 1
        if self.row == len(self.line):
            self.line.append("")

    def escape(self, number, letter):
        self.seen.add(letter)
        if letter == "A":
            self.row = max(self.row - int(number or 1), len(self.line) - self.rows, 0)
        elif letter in "JK":
            self.line[self.row] = self.line[self.row][: self.col]
            if letter == "J":
                self.line[self.row + 1 :] = []

    def feed(self, data):
        if b"\x1b[J" in data:
            self.frames.append(time.monotonic())
        text = self.rest + self.decode.decode(data)
        self.rest = ""
        for part in re.findall(r"\x1b\[[0-9;]*[A-Za-z]|\x1b\[?[0-9;]*$|.", text, re.S):
            if part == "\r":
                self.col = 0
            elif part == "\n":
                self.newline()
            elif part[0] != "\x1b":
                self.put(part)
            elif part[-1].isalpha():
                self.escape(part[2:-1], part[-1])
            else:
                self.rest = part

    def screen(self):
        return [line.rstrip() for line in self.line[-self.rows :]]


class Run:
    def __init__(self, size, command):
        self.term = Terminal(size)
        self.master, slave = pty.openpty()
        self.set_size()
        read, self.input = os.pipe()
        self.pid = os.fork()
        if not self.pid:
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
            for fd, to in ((read, 0), (slave, 1), (slave, 2)):
                os.dup2(fd, to)
            os.closerange(3, 100)
            for number in (signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
                signal.signal(number, signal.SIG_DFL)
            os.execvp(command[0], command)
        os.close(slave)
        os.close(read)

    def set_size(self):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", self.term.rows, self.term.cols, 0, 0))

    def listen(self, seconds):
        if self.master < 0:
            return time.sleep(seconds)
        if select.select([self.master], [], [], seconds)[0]:
            try:
                self.term.feed(os.read(self.master, 1 << 16))
            except OSError:
                os.close(self.master)
                self.master = -1

    def until(self, text):
        end = time.monotonic() + 10
        while not any(text in line for line in self.term.screen()):
            if time.monotonic() > end:
                return print(f"never came: {text}")
            self.listen(0.05)

    def pause(self, seconds):
        end = time.monotonic() + float(seconds)
        while time.monotonic() < end:
            self.listen(max(0, end - time.monotonic()))

    def size(self, size):
        self.term.resize(size)
        self.set_size()

    def gone(self):
        os.close(self.master)
        self.master = -1

    def wait(self):
        end = time.monotonic() + 10
        while True:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > end:
                os.kill(self.pid, signal.SIGKILL)
            self.listen(0.05)
        while self.master >= 0:
            self.listen(0.05)
        code = os.waitstatus_to_exitcode(status)
        print(f"signal {-code}" if code < 0 else f"status {code}")

    def step(self, word, text):
        if word == "in":
            os.write(self.input, codecs.decode(text, "unicode_escape").encode("latin1"))
        elif word == "eof":
            os.close(self.input)
        elif word == "type":
            os.write(self.master, codecs.decode(text, "unicode_escape").encode())
        elif word == "screen":
            print("\n".join(self.term.screen()).rstrip("\n"))
        elif word == "escapes":
            print("escapes:", " ".join(sorted(self.term.seen)) or "none")
        elif word == "writes":
            f = self.term.frames
            print("frames:", "too many" if any(b - a < 0.9 for a, b in zip(f, f[4:-1])) else "4 a second at most")
        else:
            getattr(self, word)(*([text] if text else []))


split = sys.argv.index("--")
run = Run(sys.argv[1], sys.argv[split + 1 :])
for step in sys.argv[2:split]:
    run.step(*step.partition(" ")[::2])
