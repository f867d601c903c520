# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs evtlog's tests under pytest: each executable tests/*/NAME.test is one test.

A test passes with exit status 0 and is skipped with 77; its last line is then the reason.
What it prints goes to DIR/FOLDER-NAME.log.  A comment at its head classifies it:

    # tier: full; alone; needs: guest debug

tier: full - it is not part of `make check`; the comment goes on with the reason.
alone - nothing else runs beside it; it comes last.
needs - kernels of tests/kernel/build that must be built before it starts.

tests/run calls pytest with this project's options.
"""
import collections
import fcntl
import os
import pathlib
import re
import signal
import subprocess
import threading

import pytest

TOP = pathlib.Path(__file__).resolve().parent.parent
HEAD = re.compile(r"^(?:#|//) ((?:tier: full|alone|needs: [a-z ]+)(?:; (?:alone|needs: [a-z ]+))*)$", re.M)
LIMIT_S = 1200


def pytest_addoption(parser):
    group = parser.getgroup("evtlog")
    group.addoption("--seed", default=os.environ.get("SEED", "1"),
                    help="what tests draw at random starts from it: 1 (default) to 4294967295, or random")
    group.addoption("--out", default="out/check", help="where logs go (default out/check)")


def pytest_configure(config):
    # As ^C does: whoever runs a test ends it, and what it has started.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    seed = config.getoption("seed")
    if seed == "random":
        seed = str(int.from_bytes(os.urandom(4), "little") or 1)
    if not seed.isdigit() or not 0 < int(seed) < 1 << 32:
        raise pytest.UsageError(f"--seed {seed}: not a number from 1 to 4294967295, nor random")
    # Workers inherit it from the process that has drawn it.
    os.environ["SEED"] = config.option.seed = seed
    config.addinivalue_line("markers", "full: not part of make check")
    config.out = TOP / config.getoption("out")
    config.out.mkdir(parents=True, exist_ok=True)


def pytest_report_header(config):
    return f"SEED={os.environ['SEED']}; logs in {config.out}"


def pytest_collect_file(parent, file_path):
    if file_path.suffix == ".test" and os.access(file_path, os.X_OK):
        return TestFile.from_parent(parent, path=file_path)
    return None


class TestFile(pytest.File):
    def collect(self):
        yield Test.from_parent(self, name=self.path.name)


class Test(pytest.Item):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self._nodeid = self.parent.nodeid
        self.alone, self.needs = False, []
        head = HEAD.search(self.path.read_text()[:2048])
        for item in head[1].split("; ") if head else ():
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
                raise Failed(f"kernel {variant} is not built: {build.stderr[-2000:]}")
        with open(self.config.out / ".alone", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX if self.alone else fcntl.LOCK_SH)
            status, usage = self.run_program()
        self.user_properties.append(("cpu_s", round(usage.ru_utime + usage.ru_stime, 1)))
        text = self.log.read_text(errors="replace")
        if status == 77:
            reason = (text.splitlines() or ["no reason given"])[-1]
            if os.environ.get("CI") == "true":
                raise Failed(f"skipped in CI: {reason}")
            pytest.skip(reason)
        if status:
            # The reason may be far above the end.
            marked = re.findall(r"^(?:WRONG|FAIL|not ok|error:|guest: ).*", text, re.M)[:20]
            end = text.splitlines()[-60:]
            raise Failed("\n".join([f"exit status {status}"] + [f"    ! {m}" for m in marked] +
                                   [f"    | {line}" for line in end]))

    def run_program(self):
        """Its exit status (128 + N: ended by signal N), and the CPU time of all its children"""
        with open(self.log, "wb") as log:
            program = subprocess.Popen([self.path], stdin=subprocess.DEVNULL, stdout=log,
                                       stderr=log, cwd=TOP, start_new_session=True)

            def kill():
                log.write(f"FAIL: no end within {LIMIT_S} s\n".encode())
                os.killpg(program.pid, signal.SIGTERM)

            timer = threading.Timer(LIMIT_S, kill)
            timer.start()
            try:
                _, status, usage = os.wait4(program.pid, 0)
                program.returncode = os.waitstatus_to_exitcode(status)
            except BaseException:
                os.killpg(program.pid, signal.SIGTERM)
                raise
            finally:
                timer.cancel()
        code = program.returncode
        return code if code >= 0 else 128 - code, usage

    def repr_failure(self, excinfo):
        return str(excinfo.value) if excinfo.errisinstance(Failed) else super().repr_failure(excinfo)

    def reportinfo(self):
        return self.path, None, ""


class Failed(Exception):
    """A test failed: the text has what it printed."""


def pytest_report_teststatus(report):
    cpu = dict(report.user_properties).get("cpu_s")
    if report.when == "call" and cpu is not None and report.outcome != "skipped":
        return report.outcome, "", f"{report.outcome} ({report.duration:.0f} s, {cpu:.0f} s of CPU)"
    return None


def pytest_collection_modifyitems(items):
    # While the guest's kernel is built, tests run that do not need it.
    items.sort(key=lambda item: (item.alone, bool(item.needs)))


def pytest_terminal_summary(terminalreporter, config):
    took = collections.defaultdict(lambda: [0, 0])
    tests = []
    kernels = config.out / "kernels"
    if kernels.exists():
        for line in kernels.read_text().splitlines():
            wall, cpu, name = line.split()
            tests.append((float(cpu), float(wall), name))
        kernels.unlink()
    for report in sum((terminalreporter.stats.get(k, []) for k in ("passed", "failed", "skipped")), []):
        cpu = dict(report.user_properties).get("cpu_s")
        if cpu is not None:
            tests.append((cpu, report.duration, report.nodeid.removeprefix("tests/")))
    tests.sort(reverse=True)
    for cpu, wall, name in tests:
        for key in (name.split("/")[0], "all"):
            took[key][0] += cpu
            took[key][1] += wall
    (config.out / "took").write_text("".join(f"{wall:.0f} {cpu:.1f} {name}\n" for cpu, wall, name in tests))
    if len(tests) > 12:
        terminalreporter.section("where the time went: s of CPU, s")
        for name, (cpu, wall) in sorted(took.items(), key=lambda kv: -kv[1][0]):
            terminalreporter.line(f"{cpu:7.0f} {wall:7.0f}  {name}")
        terminalreporter.line("the dearest:")
        for cpu, wall, name in tests[:20]:
            terminalreporter.line(f"{cpu:7.0f} {wall:7.0f}  {name}")
    config.closing = ", ".join(f"{len(terminalreporter.stats.get(k, []))} {k}"
                               for k in ("passed", "failed", "skipped"))


def pytest_unconfigure(config):
    if hasattr(config, "closing"):
        print(config.closing)
