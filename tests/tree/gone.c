// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gone FILE COMMAND [ARG...] - runs COMMAND, and kills a victim process just before COMMAND writes
 * "FILE ..." to /proc/evtlog/session. An argument @ is replaced by the victim's pid. So COMMAND has
 * looked at the victim while it lived, and uses its pid after its death.
 *
 * The exit status is COMMAND's, or 125 if COMMAND did not make such a write.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static void must(bool good, const char *what)
{
	if (good)
		return;
	perror(what);
	exit(125);
}

static pid_t make_victim(void)
{
	pid_t pid = fork();

	if (!pid) {
		for (;;)
			pause();
	}
	must(pid > 0, "fork");
	return pid;
}

static pid_t begin(char **argv, pid_t victim)
{
	char number[16];
	pid_t pid = fork();

	must(pid >= 0, "fork");
	if (pid)
		return pid;
	snprintf(number, sizeof(number), "%d", victim);
	for (unsigned int i = 1; argv[i]; i++)
		if (!strcmp(argv[i], "@"))
			argv[i] = number;
	must(!ptrace(PTRACE_TRACEME, 0, NULL, NULL), "ptrace");
	execvp(argv[0], argv);
	must(false, argv[0]);
	return 0;
}

/* Does the memory of the process at this address begin with the text? */
static bool begins(pid_t pid, unsigned long at, const char *text)
{
	size_t length = strlen(text);

	for (size_t i = 0; i < length; i += sizeof(long)) {
		size_t rest = length - i < sizeof(long) ? length - i : sizeof(long);
		long word;

		errno = 0;
		word = ptrace(PTRACE_PEEKDATA, pid, (void *)(at + i), NULL);
		if (errno || memcmp(&word, text + i, rest))
			return false;
	}
	return true;
}

/* At the entry or exit of a system call: does the call write an order for the file? */
static bool orders(pid_t pid, const char *file)
{
	struct user_regs_struct regs;

	must(!ptrace(PTRACE_GETREGS, pid, NULL, &regs), "ptrace");
	return regs.orig_rax == SYS_write && begins(pid, regs.rsi, file) &&
	       begins(pid, regs.rsi + strlen(file), " ");
}

int main(int argc, char **argv)
{
	pid_t victim, pid;
	bool gone = false;
	int status;

	if (argc < 3)
		return 125;
	victim = make_victim();
	pid = begin(argv + 2, victim);
	for (;;) {
		int signal = 0;

		must(waitpid(pid, &status, 0) == pid, "waitpid");
		if (!WIFSTOPPED(status))
			break;
		if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
			if (!gone && orders(pid, argv[1])) {
				kill(victim, SIGKILL);
				must(waitpid(victim, NULL, 0) == victim, "waitpid");
				gone = true;
			}
		} else if (WSTOPSIG(status) == SIGTRAP) {
			must(!ptrace(PTRACE_SETOPTIONS, pid, NULL, (void *)PTRACE_O_TRACESYSGOOD), "ptrace");
		} else {
			signal = WSTOPSIG(status);
		}
		must(!ptrace(gone ? PTRACE_CONT : PTRACE_SYSCALL, pid, NULL, (void *)(long)signal), "ptrace");
	}
	if (!gone) {
		kill(victim, SIGKILL);
		fprintf(stderr, "gone: %s: no order\n", argv[1]);
		return 125;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}
