# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs evtlog's tests under pytest: each tests/*/NAME.test is one test, and must be executable.

A test passes if it exits with 0. It is skipped if it exits with 77; its last line of output is
the reason. It fails with any other status, after 20 minutes (in the full tier after an hour: a busy
host must not decide, and guests have limits of CPU time), and if it leaves processes. Its output is
written to DIR/FOLDER-NAME.log, where DIR is the value of --out. A comment in the first 2 KiB of the
test classifies it; all parts are optional, in this order:

    # tier: full; alone; needs: guest debug

tier: full - `make check-full` runs the test, `make check` does not; the next comment line gives
    the reason.
alone - no other test runs at the same time; the test starts after all others.
needs - variants of tests/kernel/build; these kernels are built before the test starts.

Start it with tests/run, which calls pytest with this project's options.
"""
import collections
import contextlib
import ctypes
import fcntl
import glob
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time

import pytest
from xdist.scheduler.load import LoadScheduling

TOP = pathlib.Path(__file__).resolve().parent.parent
VARIANTS = re.findall(r"^([a-z]+)\) fragments=", (TOP / "tests/kernel/build").read_text(), re.M)
NEEDS = rf"needs:(?: (?:{'|'.join(VARIANTS)}))+"
HEAD = re.compile(rf"(?:#|//) ((?:tier: full|alone)(?:; alone)?(?:; {NEEDS})?|{NEEDS})")
LIKE_A_HEAD = re.compile(r"^[ \t]*(?:#|//)[ \t]*(?:tier|alone\b|needs).*", re.M | re.I)
MARK = re.compile(r"WRONG|FAIL|not ok|error:|guest: ")
LIMIT_S, LIMIT_FULL_S = 1200, 3600


def pytest_addoption(parser):
    group = parser.getgroup("evtlog")
    group.addoption("--seed", default=os.environ.get("SEED", "1"),
                    help="seed of the random inputs: 1 to 4294967295, or random (default $SEED, or 1)")
    group.addoption("--out", default="out/check", help="directory for the output of the tests (default out/check)")


def pytest_configure(config):
    # SIGTERM has the same effect as ^C: run_program() ends the test and its children.
    if threading.current_thread() is threading.main_thread():
        # In a worker of xdist this may not be the main thread, and only that can set handlers.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # A worker does not report a path that does not exist. tests/run came from the directory OLDPWD.
    for n, path in enumerate(config.args):
        if not (TOP / path).exists():
            config.args[n] = os.path.join(os.environ.get("OLDPWD", TOP), path)
            if not os.path.exists(config.args[n]):
                raise pytest.UsageError(f"{path}: no such test or directory")
    seed = config.getoption("seed")
    if seed == "random":
        seed = str(int.from_bytes(os.urandom(4), "little") or 1)
    if not seed.isdigit() or not 0 < int(seed) < 1 << 32:
        raise pytest.UsageError(f"--seed {seed}: give a number from 1 to 4294967295, or random")
    # Worker processes inherit the seed through the environment.
    os.environ["SEED"] = config.option.seed = seed
    config.addinivalue_line("markers", "full: not part of make check")
    if hasattr(config, "workerinput"):
        die_with_parent()
    else:
        make_scratch(config)
    config.out = TOP / config.getoption("out")
    config.out.mkdir(parents=True, exist_ok=True)


def make_scratch(config):
    """Makes the directory for all scratch files of this run, and removes those of killed runs."""
    prefix = f"{tempfile.gettempdir()}/evtlog-tests."
    for old in glob.glob(f"{prefix}*"):
        if not os.path.exists(f"/proc/{old.removeprefix(prefix)}"):
            shutil.rmtree(old, ignore_errors=True)
    config.scratch = f"{prefix}{os.getpid()}"
    os.mkdir(config.scratch)
    os.chmod(config.scratch, 0o1777)  # as /tmp: some tests run programs as another user
    os.environ["TMPDIR"] = config.scratch


def pytest_report_header(config):
    return f"SEED={os.environ['SEED']}; logs in {config.out}"


def pytest_collect_file(parent, file_path):
    # Also a misspelled extension, such as .tests or .tset: collect() refuses it.
    if re.fullmatch(r"\.[tes]{3,6}", file_path.suffix, re.I):
        return TestFile.from_parent(parent, path=file_path)
    return None


class TestFile(pytest.File):
    def collect(self):
        if self.path.suffix != ".test" or not os.access(self.path, os.X_OK):
            raise self.CollectError(f"{self.path}: a test is executable and its name ends in .test")
        yield Test.from_parent(self, name=self.path.name)


class Test(pytest.Item):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self._nodeid = self.parent.nodeid
        self.alone, self.needs = False, []
        for line in LIKE_A_HEAD.findall(self.path.read_text()[:2048]):
            head = HEAD.fullmatch(line)
            if not head:
                raise pytest.Collector.CollectError(f"{self.path}: not a valid head: '{line}'; see tests/conftest.py")
            for item in head[1].split("; "):
                if item == "tier: full":
                    self.add_marker("full")
                elif item == "alone":
                    self.alone = True
                else:
                    self.needs = item.split()[1:]
                    self.extra_keyword_matches.update(self.needs)
        self.log = self.config.out / f"{self.path.parent.name}-{self.path.stem}.log"

    def runtest(self):
        for variant in self.needs:
            build = subprocess.run([TOP / "tests/kernel/build", "--variant", variant],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            if build.returncode:
                raise Failed(f"tests/kernel/build --variant {variant} failed: {build.stderr[-2000:]}")
        with open(self.config.out / ".alone", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX if self.alone else fcntl.LOCK_SH)
            begin = time.monotonic()
            status, usage, left = self.run_program()
            duration = time.monotonic() - begin
        self.user_properties.append(("cpu_s", round(usage.ru_utime + usage.ru_stime, 1)))
        # The rule of CONTRIBUTING.md
        if not self.get_closest_marker("full"):
            self.user_properties.append(("allowed_s", 6 if self.needs else 3))
        text = self.log.read_text(errors="replace")
        if status == 77 and not left:
            reason = (text.splitlines() or ["no reason given"])[-1]
            if os.environ.get("CI") == "true":
                raise Failed(f"skipped, which CI=true does not allow: {reason}")
            pytest.skip(reason)
        if status or left:
            # The first error may be far above the last lines.
            lines = text.splitlines()
            marked = [line for line in lines[:-60] if MARK.match(line)][:20]
            late = f": stopped after {self.limit_s()} s" if duration >= self.limit_s() else ""
            raise Failed("\n".join([f"exit status {status}{late}"] + [f"    still ran: {line}" for line in left] +
                                   [f"    ! {m}" for m in marked] + [f"    | {line}" for line in lines[-60:]]))

    def limit_s(self):
        return LIMIT_FULL_S if self.get_closest_marker("full") else LIMIT_S

    def run_program(self):
        """Returns the test's exit status (128 + N after signal N), its resource usage with children, and
        the processes that it left."""
        with open(self.log, "wb") as log:
            program = subprocess.Popen(["timeout", "--kill-after=30", str(self.limit_s()), self.path],
                                       stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=TOP,
                                       start_new_session=True, preexec_fn=die_with_parent)
            try:
                _, status, usage = os.wait4(program.pid, 0)
                program.returncode = os.waitstatus_to_exitcode(status)
            except BaseException:
                with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
                    os.killpg(program.pid, signal.SIGTERM)
                    program.wait(5)
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(program.pid, signal.SIGKILL)
                raise
        code = program.returncode
        return code if code >= 0 else 128 - code, usage, end_session(program.pid)

    def repr_failure(self, excinfo):
        return str(excinfo.value) if excinfo.errisinstance(Failed) else super().repr_failure(excinfo)

    def reportinfo(self):
        return self.path, None, f"{self.path.parent.name}/{self.path.stem}"


def die_with_parent():
    """A worker gets SIGTERM if the run dies; timeout(1) if its worker dies, and passes it on."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


def end_session(session):
    """Waits 60 s for the processes of the session to end. Kills and returns those that remain, as "PID COMMAND"."""
    for _ in range(600):
        # Ignore zombies, which may never be reaped.
        pgrep = subprocess.run(["pgrep", "-a", "-r", "D,R,S,T,t", "-s", str(session)], capture_output=True, text=True)
        left = pgrep.stdout.splitlines()
        if not left:
            break
        time.sleep(0.1)
    for line in left:
        try:
            os.kill(int(line.split()[0]), signal.SIGKILL)
        except ProcessLookupError:
            pass
    return left


class Failed(Exception):
    """A test failed; the text is the report."""


def pytest_report_teststatus(report):
    cpu = dict(report.user_properties).get("cpu_s")
    if report.when == "call" and cpu is not None and report.outcome != "skipped":
        return report.outcome, "", f"{report.outcome} ({report.duration:.0f} s, {cpu:.0f} s of CPU)"
    return None


def pytest_collection_modifyitems(items):
    # Tests that need no kernel run first, while the guest's kernel is being built; then those of the
    # debug kernel: some take 15 minutes.
    items.sort(key=lambda item: (item.alone, bool(item.needs), "debug" not in item.needs))


def pytest_xdist_make_scheduler(config, log):
    class OneAhead(LoadScheduling):
        """Gives a worker one test in advance, not a share of all, since some take 15 minutes."""
        def _send_tests(self, node, num):
            super()._send_tests(node, min(num, 2 - len(self.node2pending[node])))

    return OneAhead(config, log)


def pytest_terminal_summary(terminalreporter, config):
    if hasattr(config, "workerinput"):
        return  # pytest calls this in xdist's workers, too
    took = collections.Counter()
    tests, dear = [], []
    kernels = config.out / "kernels"
    if kernels.exists():
        for line in kernels.read_text().splitlines():
            wall, cpu, name = line.split(maxsplit=2)
            tests.append((float(cpu), float(wall), name))
        kernels.unlink()
    for report in sum((terminalreporter.stats.get(k, []) for k in ("passed", "failed", "skipped")), []):
        known = dict(report.user_properties)
        if "cpu_s" in known:
            tests.append((known["cpu_s"], report.duration, report.nodeid.removeprefix("tests/")))
            if known["cpu_s"] > 2 * known.get("allowed_s", LIMIT_FULL_S):
                dear.append(tests[-1])
    tests.sort(reverse=True)
    for cpu, _, name in tests:
        took[name.split("/")[0]] += cpu
    (config.out / "took").write_text("".join(f"{wall:.0f} {cpu:.1f} {name}\n" for cpu, wall, name in tests))
    if len(tests) > 12:
        terminalreporter.section("CPU time by folder")
        for name, cpu in [*took.most_common(), ("all", sum(took.values()))]:
            terminalreporter.line(f"{cpu:7.0f} s  {name}")
    if dear:
        terminalreporter.section("more than twice the CPU time that CONTRIBUTING.md allows")
        for cpu, _, name in sorted(dear, reverse=True):
            terminalreporter.line(f"{cpu:7.0f} s  {name}")
    # An error, such as a test that cannot be read, is a failure.
    counts = {k: len(terminalreporter.stats.get(k, [])) for k in ("passed", "failed", "error", "skipped")}
    counts["failed"] += counts.pop("error")
    config.closing = ", ".join(f"{n} {k}" for k, n in counts.items())


def pytest_unconfigure(config):
    if hasattr(config, "scratch"):
        shutil.rmtree(config.scratch, ignore_errors=True)
    if hasattr(config, "closing"):
        print(config.closing)
