#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""missed.py DIR EVTLOG [--check] - counts what samples miss, by the events of the same run

DIR is a directory of tests/study/openmp/run with the option --sample 250Hz: run.evl has the events
and the samples of the same tasks, and programs the times that each program printed. Prints a table
with a column for each phase, and migrations from CPU to CPU, by events and by samples; only for the
tasks of the phase's programs. Reads `evtlog dump --json`.

A run lasts from a switch to a task until one to another task. A wait lasts from when a task becomes
runnable until it runs. A sample sees a run if the task is running in it, and a wait if the task is
waiting in it. A switch from a task to the sampler and back is ignored.

A busy host stops a guest, and its sampler: so the table also shows, by events only, what passes at
exactly 4 ms intervals would miss ("not seen, 4 ms").

--check: fails if a pass contradicts the events: if it does not see what lasts from before its start
to its end; if migrations differ from those of DIR/../study.json, or samples have more.
"""
import collections
import json
import os
import statistics
import subprocess
import sys

from claims import fail

PHASES = ("big", "busy", "yield")
PROGRAM, SAMPLER = "fib", "evtlog-sampler"
TYPES = ("sched_switch", "sched_waking", "sched_wakeup_new", "sched_migrate_task", "sched_process_fork",
         "sampler_cpu", "sampler_task", "sampler_pass")
RUNS, WAITS, SLEEPS = "run", "wait", "sleep"
# The states in samples of tasks that run, wait, or do neither
SHOWN_AS = {RUNS: "R", WAITS: "+", SLEEPS: "SDI"}
TASKS = 72
SHARE_NS = 100_000_000
INTERVAL_NS = 4_000_000
# A wake-up is recorded before the task is queued, a switch after the blocking task has left.
CONTRADICTED_MOST = 0.005


def lines(evtlog, *arguments):
    """Yields the objects of a command that prints one per line."""
    command = [evtlog, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
        for line in child.stdout:
            yield json.loads(line)
    if child.returncode:
        fail(f"{' '.join(command)}: exits {child.returncode}")


class Phase:
    def __init__(self, begin_ns, end_ns):
        self.begin_ns, self.end_ns = begin_ns, end_ns
        self.lengths = {kind: [] for kind in SHOWN_AS}      # of stretches, in ns
        self.unseen = {kind: [] for kind in SHOWN_AS}       # of stretches that no sample shows
        self.between = dict.fromkeys(SHOWN_AS, 0)           # of those between passes at INTERVAL_NS
        self.judged = self.contradicted = 0
        self.moves, self.sampled_moves = collections.Counter(), collections.Counter()   # by CPU and CPU
        self.switches = self.sampled_switches = 0
        self.sampled_lengths = []                           # of runs, in passes
        self.passes = 0
        self.program_ns = collections.Counter()
        self.program_samples = collections.Counter()

    def has(self, time_ns):
        return self.begin_ns <= time_ns < self.end_ns


class Task:
    """@kind: the task's state since @since_ns; None: unknown"""

    def __init__(self):
        self.kind, self.since_ns, self.seen = None, 0, False
        self.wakes = self.is_program = False
        # In the previous pass: its CPU, and whether it ran
        self.pass_cpu = None


class Model:
    def __init__(self, phases, process_of):
        self.phases, self.process_of = phases, process_of
        self.tasks = collections.defaultdict(Task)
        self.runs = {}                                      # the running pid by CPU
        self.displaced = {}                                 # tasks displaced by the sampler, by CPU
        self.at_pass, self.pass_ns = {}, 0                  # samples of the current pass; its begin
        self.runner, self.run_passes = {}, collections.Counter()    # of the previous passes, by CPU

    def phase(self, time_ns):
        return next((phase for phase in self.phases.values() if phase.has(time_ns)), None)

    # ---- Events ----

    def end_stretch(self, task, pid, time_ns):
        phase = self.phase(task.since_ns)
        if not phase or not phase.has(time_ns) or not task.kind or not task.is_program:
            return
        length = time_ns - task.since_ns
        phase.lengths[task.kind].append(length)
        if not task.seen:
            phase.unseen[task.kind].append(length)
        phase.between[task.kind] += task.since_ns // INTERVAL_NS == time_ns // INTERVAL_NS
        if task.kind == RUNS:
            phase.program_ns[self.process_of.get(pid, pid)] += length

    def become(self, pid, kind, time_ns):
        task = self.tasks[pid]
        self.end_stretch(task, pid, time_ns)
        task.kind, task.since_ns, task.seen = kind, time_ns, False

    def leave(self, pid, state, time_ns):
        """The CPU switched from the task."""
        task = self.tasks[pid]
        waits = state in "R+" or task.wakes
        task.wakes = False
        self.become(pid, WAITS if waits else SLEEPS, time_ns)

    def switch(self, cpu, event, time_ns):
        fields, pid = event["fields"], event["current_pid"]
        self.name(pid, event["current_comm"])
        self.name(fields["next_pid"], fields["next_pid_comm"])
        if fields["next_pid_comm"] == SAMPLER and pid:
            if fields["prev_state"] in "R+":
                self.displaced[cpu] = pid
                return
        displaced = self.displaced.pop(cpu, None)
        if displaced is not None:
            if displaced == fields["next_pid"]:
                return
            self.leave(displaced, "R", time_ns)
        elif pid and event["current_comm"] != SAMPLER:
            self.leave(pid, fields["prev_state"], time_ns)
        if fields["next_pid"] and fields["next_pid_comm"] != SAMPLER:
            self.become(fields["next_pid"], RUNS, time_ns)
            self.tasks[fields["next_pid"]].wakes = False
        if self.tasks[fields["next_pid"]].is_program:
            phase = self.phase(time_ns)
            if phase:
                phase.switches += 1

    def wake(self, fields, time_ns):
        pid = fields["pid"]
        self.name(pid, fields["pid_comm"])
        if self.tasks[pid].kind == RUNS:
            # It is about to block: after that it waits.
            self.tasks[pid].wakes = True
        elif self.tasks[pid].kind != WAITS:
            self.become(pid, WAITS, time_ns)

    def migrate(self, fields, time_ns):
        self.name(fields["pid"], fields["pid_comm"])
        phase = self.phase(time_ns)
        if phase and self.tasks[fields["pid"]].is_program:
            phase.moves[fields["orig_cpu"], fields["dest_cpu"]] += 1

    def name(self, pid, comm):
        self.tasks[pid].is_program = comm == PROGRAM

    # ---- Samples ----

    def sample(self, payload):
        task = self.tasks[payload["pid"]]
        self.at_pass[payload["pid"]] = payload
        if task.kind and payload["state"] in SHOWN_AS[task.kind]:
            task.seen = True

    def judge(self, phase, pid, payload, sampler_cpu):
        """Judges the pass, if the task has been in one state since before the pass began."""
        task = self.tasks[pid]
        if not task.is_program or not task.kind or task.since_ns >= self.pass_ns or task.wakes or \
           payload["state"] in "XZ":
            return
        phase.judged += 1
        # The sampler uses the task's CPU.
        waits = task.kind == RUNS and payload["cpu"] == sampler_cpu and payload["state"] == "+"
        phase.contradicted += payload["state"] not in SHOWN_AS[task.kind] and not waits

    def end_pass(self, time_ns, sampler_cpu):
        """Uses only the data of the pass."""
        samples, self.at_pass = self.at_pass, {}
        phase = self.phase(time_ns)
        runs = {}
        for pid, payload in samples.items():
            task = self.tasks[pid]
            if phase:
                self.judge(phase, pid, payload, sampler_cpu)
            if phase and task.is_program and task.pass_cpu not in (None, payload["cpu"]):
                phase.sampled_moves[task.pass_cpu, payload["cpu"]] += 1
            task.pass_cpu = payload["cpu"]
            if payload["state"] == "R" and task.is_program:
                runs[payload["cpu"]] = pid
        if not phase:
            return
        phase.passes += 1
        for cpu, pid in runs.items():
            phase.program_samples[self.process_of.get(pid, pid)] += 1
            if self.runner.get(cpu) == pid:
                self.run_passes[cpu] += 1
                continue
            if cpu in self.runner:
                phase.sampled_switches += 1
                phase.sampled_lengths.append(self.run_passes[cpu])
            self.runner[cpu], self.run_passes[cpu] = pid, 1

    def take(self, event):
        time_ns, fields = round(event["raw"] * 1e9), event["fields"]
        kind = event["event"]
        if kind == "sched_switch":
            self.switch(event["cpu"], event, time_ns)
        elif kind in ("sched_waking", "sched_wakeup_new"):
            self.wake(fields, time_ns)
        elif kind == "sched_migrate_task":
            self.migrate(fields, time_ns)
        elif kind == "sched_process_fork":
            self.process_of[fields["child_pid"]] = fields["child_tgid"]
        elif fields["id_name"] == "sampler_task":
            self.sample(fields["payload"])
        elif fields["id_name"] == "sampler_cpu":
            self.pass_ns = self.pass_ns if self.at_pass else time_ns
        else:
            self.end_pass(time_ns, event["cpu"])


def phases_of(path):
    times = collections.defaultdict(list)
    for line in open(path, encoding="ascii"):
        name, _, _, _, begin_ns, end_ns = line.split()
        times[name].append((int(begin_ns), int(end_ns)))
    return {name: Phase(min(begin for begin, _ in each), max(end for _, end in each))
            for name, each in times.items()}


# ---- Lengths of run queues, by evtlog stat for both sources ----

def lengths(evtlog, log, source, begin_ns):
    """Returns {(from, cpu): mean}."""
    found = {}
    for row in lines(evtlog, "stat", "--json", "--interval", f"{SHARE_NS}ns", "--source", source, log):
        for cpu in row["hosts"][0]["cpus"]:
            if cpu["runnable"] is not None:
                found[row["from_ns"] + begin_ns, cpu["cpu"]] = cpu["runnable"]
    return found


def length_errors(evtlog, log, phases):
    begin_ns = next(round((event["raw"] - event["time"]) * 1e9) for event in
                    lines(evtlog, "dump", "--time", "raw", "--json", "--limit", "1", log))
    by_events, by_samples = (lengths(evtlog, log, source, begin_ns) for source in ("events", "samples"))
    errors = {name: [] for name in phases}
    for (at_ns, cpu), mean in by_events.items():
        for name, phase in phases.items():
            if phase.has(at_ns) and phase.has(at_ns + SHARE_NS) and (at_ns, cpu) in by_samples:
                errors[name].append(by_samples[at_ns, cpu] - mean)
    return errors


# ---- The table ----

def percent(part, whole):
    return 100 * part / whole if whole else 0.0


def rms(values):
    return statistics.fmean(each ** 2 for each in values) ** .5 if values else 0.0


def share_errors(phase):
    """Returns the errors of each program's share, in percentage points."""
    ns, samples = sum(phase.program_ns.values()), sum(phase.program_samples.values())
    return [percent(phase.program_samples[pid], samples) - percent(phase.program_ns[pid], ns)
            for pid in phase.program_ns]


def summary(phase, queue_errors):
    interval_ns = (phase.end_ns - phase.begin_ns) / max(phase.passes, 1)
    shares, out = share_errors(phase), {}
    out["seconds"] = (phase.end_ns - phase.begin_ns) / 1e9
    out["interval_ms"] = interval_ns / 1e6
    out["switches"], out["switches_seen"] = phase.switches, phase.sampled_switches
    out["migrations"], out["migrations_seen"] = phase.moves.total(), phase.sampled_moves.total()
    for key, moves in ("matrix", phase.moves), ("matrix_seen", phase.sampled_moves):
        out[key] = {f"{a} -> {b}": count for (a, b), count in sorted(moves.items())}
    for kind in SHOWN_AS:
        all_of, unseen = phase.lengths[kind], phase.unseen[kind]
        out[kind] = {
            "number": len(all_of), "unseen": len(unseen), "unseen_percent": percent(len(unseen), len(all_of)),
            "unseen_time_percent": percent(sum(unseen), sum(all_of)),
            "short_percent": percent(sum(each < interval_ns for each in all_of), len(all_of)),
            "between_percent": percent(phase.between[kind], len(all_of)),
            "mean_ms": statistics.fmean(all_of) / 1e6 if all_of else 0.0,
            "median_ms": statistics.median(all_of) / 1e6 if all_of else 0.0,
        }
    out["sampled_run_mean_ms"] = statistics.fmean(phase.sampled_lengths) * interval_ns / 1e6 \
        if phase.sampled_lengths else 0.0
    out["sampled_run_median_ms"] = statistics.median(phase.sampled_lengths) * interval_ns / 1e6 \
        if phase.sampled_lengths else 0.0
    out["judged"], out["contradicted"] = phase.judged, phase.contradicted
    out["queue_error"] = rms(queue_errors)
    out["programs"] = len(shares)
    out["share_error_rms"], out["share_error_most"] = rms(shares), max(map(abs, shares), default=0.0)
    return out


ROWS = (
    ("seconds", lambda s: f"{s['seconds']:.1f}"),
    ("passes, each ms", lambda s: f"{s['interval_ms']:.1f}"),
    ("switches to the programs' tasks", lambda s: f"{s['switches']}"),
    ("  in samples", lambda s: f"{s['switches_seen']}"),
    ("migrations", lambda s: f"{s['migrations']}"),
    ("  in samples", lambda s: f"{s['migrations_seen']}"),
    ("waits for a CPU", lambda s: f"{s[WAITS]['number']}"),
    ("  not seen, %", lambda s: f"{s[WAITS]['unseen_percent']:.1f}"),
    ("  not seen, 4 ms, %", lambda s: f"{s[WAITS]['between_percent']:.1f}"),
    ("  not seen, of their time, %", lambda s: f"{s[WAITS]['unseen_time_percent']:.2f}"),
    ("runs", lambda s: f"{s[RUNS]['number']}"),
    ("  not seen, %", lambda s: f"{s[RUNS]['unseen_percent']:.1f}"),
    ("  not seen, 4 ms, %", lambda s: f"{s[RUNS]['between_percent']:.1f}"),
    ("  not seen, of their time, %", lambda s: f"{s[RUNS]['unseen_time_percent']:.2f}"),
    ("  mean and median, ms", lambda s: f"{s[RUNS]['mean_ms']:.2f} {s[RUNS]['median_ms']:.2f}"),
    ("  in samples", lambda s: f"{s['sampled_run_mean_ms']:.2f} {s['sampled_run_median_ms']:.2f}"),
    ("blocked", lambda s: f"{s[SLEEPS]['number']}"),
    ("  not seen, %", lambda s: f"{s[SLEEPS]['unseen_percent']:.1f}"),
    ("  not seen, 4 ms, %", lambda s: f"{s[SLEEPS]['between_percent']:.1f}"),
    ("samples that contradict events, of", lambda s: f"{s['contradicted']} {s['judged']}"),
    ("run queue, each 100 ms: error, tasks", lambda s: f"{s['queue_error']:.2f}"),
    ("share of CPU of a program: error, points", lambda s: f"{s['share_error_rms']:.2f}"),
    ("  the largest", lambda s: f"{s['share_error_most']:.2f}"),
)


def print_rows(title, rows):
    print(f"\n{title}\n{'':42}" + "".join(f"{name:>14}" for name in PHASES))
    for name, show in rows:
        print(f"{name:42}" + "".join(f"{show(phase):>14}" for phase in PHASES))


def print_all(cpus, told):
    print_rows(f"{cpus} CPUs: what samples of the same run miss",
               [(name, lambda phase, show=show: show(told[phase])) for name, show in ROWS])
    pairs = sorted({pair for phase in told.values() for pair in phase["matrix"] | phase["matrix_seen"]})
    print_rows(f"{cpus} CPUs: migrations of the programs from CPU to CPU, exactly, and in samples",
               [(pair, lambda phase, pair=pair: f"{told[phase]['matrix'].get(pair, 0)} "
                                                f"{told[phase]['matrix_seen'].get(pair, 0)}") for pair in pairs])


def exact_matrices(directory):
    """Returns openmp.py's migrations of `evtlog dump`, by phase."""
    with open(os.path.join(directory, "..", "study.json"), encoding="ascii") as text:
        runs = json.load(text)["runs"]
    run = next(run for run in runs if str(run["cpus"]) == os.path.basename(directory))
    return {name: phase["matrix"] for name, phase in run["phases"].items()}


def check(told, exact):
    for name, phase in told.items():
        if phase["matrix"] != exact[name] or not exact[name]:
            fail(f"{name}: migrations {phase['matrix']}, in study.json {exact[name]}")
        if phase["judged"] < 100 or phase["contradicted"] > CONTRADICTED_MOST * phase["judged"]:
            fail(f"{name}: {phase['contradicted']} of {phase['judged']} samples contradict the events")
        if phase["switches_seen"] >= phase["switches"] or phase["queue_error"] > 5:
            fail(f"{name}: of {phase['switches']} switches samples have {phase['switches_seen']}; run queues differ "
                 f"by {phase['queue_error']:.2f} tasks")
    moves, seen = (sum(phase[key] for phase in told.values()) for key in ("migrations", "migrations_seen"))
    # The first pass of a phase also shows migrations before the phase.
    if not 0 < seen <= moves + TASKS * len(told):
        fail(f"{moves} migrations, in samples {seen}")
    for kind in (RUNS, WAITS):
        number, unseen = (sum(phase[kind][key] for phase in told.values()) for key in ("number", "unseen"))
        if not 0 < unseen < number:
            fail(f"{unseen} of {number} {kind}s are not seen")


def main():
    directory, evtlog = os.path.normpath(sys.argv[1]), sys.argv[2]
    log, phases = os.path.join(directory, "run.evl"), phases_of(os.path.join(directory, "programs"))
    model = Model(phases, {})
    for event in lines(evtlog, "dump", "--time", "raw", "--json", "--type", ",".join(TYPES), log):
        if event.get("fields") and event["event"] != "event_format":
            model.take(event)
    errors = length_errors(evtlog, log, phases)
    told = {name: summary(phases[name], errors[name]) for name in PHASES}
    print_all(os.path.basename(directory), told)
    with open(os.path.join(directory, "missed.json"), "w", encoding="ascii") as out:
        json.dump(told, out, indent=1)
        out.write("\n")
    if sys.argv[3:] == ["--check"]:
        check(told, exact_matrices(directory))


main()
