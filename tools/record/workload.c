// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs a command between start and stop of a recording.
 *
 * It does not access recordings.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/io.h"
#include "workload.h"

static const int ours[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

static sigset_t mask_before;
static volatile sig_atomic_t signals_seen;
/* The command, while signals are forwarded to it; else 0. */
static volatile pid_t listener;

static void on_signal(int number, siginfo_t *info, void *context)
{
	signals_seen++;
	/* A signal from the terminal has already reached the whole foreground group. */
	if (listener > 0 && info->si_code <= 0)
		kill(listener, number);
}

static void on_child(int number)
{
}

void workload_signals(void)
{
	struct sigaction action = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO };
	struct sigaction child = { .sa_handler = on_child };
	static bool done;
	sigset_t blocked;

	/* A second call would save our own mask. */
	if (done)
		return;
	done = true;
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGCHLD);
	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		sigaddset(&blocked, ours[i]);
	sigprocmask(SIG_BLOCK, &blocked, &mask_before);
	sigaction(SIGCHLD, &child, NULL);
	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++) {
		struct sigaction before;

		/* Like nohup and shells' background jobs: signals that are ignored stay ignored. */
		sigaction(ours[i], NULL, &before);
		if (before.sa_handler != SIG_IGN)
			sigaction(ours[i], &action, NULL);
	}
}

/* Signals are unblocked during sleep; a pending one ends it at once. */
static sigset_t open_mask(void)
{
	sigset_t open = mask_before;

	sigdelset(&open, SIGCHLD);
	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		sigdelset(&open, ours[i]);
	return open;
}

static void sleep_until_signal(void)
{
	sigset_t open = open_mask();

	sigsuspend(&open);
}

bool workload_interrupted(void)
{
	sigset_t pending;

	if (signals_seen)
		return true;
	sigpending(&pending);
	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		if (sigismember(&pending, ours[i]))
			return true;
	return false;
}

void workload_restore_mask(void)
{
	sigprocmask(SIG_SETMASK, &mask_before, NULL);
}

static _Noreturn void be_command(int gate, int report, char **argv, int (*begin)(void *context),
				 void *context)
{
	char byte;
	int error;

	/* A byte means: run the command.  End of file means: cancelled. */
	if (io_read(gate, &byte, 1) != 1)
		_exit(0);
	workload_restore_mask();
	error = begin ? begin(context) : 0;
	if (!error) {
		execvp(argv[0], argv);
		error = errno;
	}
	io_write(report, &error, sizeof(error));
	_exit(127);
}

int workload_prepare_with(struct workload *workload, char **argv, int (*begin)(void *context),
			  void *context)
{
	int gate[2], report[2], error;

	if (pipe2(gate, O_CLOEXEC) < 0)
		return -errno;
	if (pipe2(report, O_CLOEXEC) < 0) {
		error = -errno;
		goto close_gate;
	}
	workload->pid = fork();
	if (workload->pid < 0) {
		error = -errno;
		goto close_report;
	}
	if (workload->pid == 0) {
		close(gate[1]);
		be_command(gate[0], report[1], argv, begin, context);
	}
	close(gate[0]);
	close(report[1]);
	workload->gate = gate[1];
	workload->report = report[0];
	return 0;

close_report:
	close(report[0]);
	close(report[1]);
close_gate:
	close(gate[0]);
	close(gate[1]);
	return error;
}

int workload_prepare(struct workload *workload, char **argv)
{
	return workload_prepare_with(workload, argv, NULL, NULL);
}

int workload_go(struct workload *workload)
{
	int error;

	listener = workload->pid;
	error = -io_write(workload->gate, "", 1);
	close(workload->gate);
	/* A successful exec closes the other end, and nothing is read. */
	io_read(workload->report, &error, sizeof(error));
	close(workload->report);
	if (!error)
		return 0;
	listener = 0;
	io_wait(workload->pid, NULL);
	return -error;
}

void workload_cancel(struct workload *workload)
{
	close(workload->gate);
	close(workload->report);
	io_wait(workload->pid, NULL);
}

int workload_wait(struct workload *workload, int *status)
{
	for (;;) {
		if (waitpid(workload->pid, status, WNOHANG) == workload->pid) {
			listener = 0;
			return 0;
		}
		if (signals_seen > 1) {
			listener = 0;
			return -EINTR;
		}
		sleep_until_signal();
	}
}

void workload_wait_signal(void)
{
	while (!signals_seen)
		sleep_until_signal();
}

bool workload_wait_fd(int fd, int timeout_ms)
{
	const struct timespec timeout = {
		.tv_sec = timeout_ms / 1000,
		.tv_nsec = timeout_ms % 1000 * 1000000L,
	};
	struct pollfd poll = { .fd = fd, .events = POLLIN };
	sigset_t open = open_mask();

	return ppoll(&poll, 1, timeout_ms < 0 ? NULL : &timeout, &open) == 1;
}
