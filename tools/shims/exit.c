// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * libevtlog-exit.so: saves regions of processes that do not return from main() or call exit().
 *
 * Preload it.  Regions are saved before _exit() and exec, and each EVTLOG_PROFILE_INTERVAL
 * seconds, for processes that a signal ends.  If an exec fails, the file is replaced by a later
 * one.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <evtlog/region.h>

static void say(const char *what, const char *why)
{
	char text[256];
	int bytes = snprintf(text, sizeof(text), "libevtlog-exit.so: %s: %s\n", what, why);

	if (bytes >= (int)sizeof(text))
		bytes = sizeof(text) - 1;
	if (bytes > 0 && write(STDERR_FILENO, text, bytes) < 0)
		return;
}

/* PIDs, because a child gets copies: whose thread is saving, and whose must not save any more. */
static pid_t saving, ending;

/* Else a half-written file would remain.  5 s at most: its file system may not answer. */
static void end_saving(void)
{
	static const struct timespec pause = { .tv_nsec = 1000000 };
	pid_t pid = getpid();

	__atomic_store_n(&ending, pid, __ATOMIC_SEQ_CST);
	for (int i = 0; i < 5000 && __atomic_load_n(&saving, __ATOMIC_SEQ_CST) == pid; i++)
		syscall(SYS_nanosleep, &pause, NULL);
}

static __attribute__((destructor)) void end_at_exit(void)
{
	end_saving();
}

static void save(void)
{
	int before = errno, error;

	end_saving();
	error = evtlog_region_save();

	/* For EVTLOG_TRACE_FILE, the error is already printed. */
	if (error && error != -ENODATA && secure_getenv("EVTLOG_PROFILE_FILE"))
		say("EVTLOG_PROFILE_FILE cannot be written; the regions are lost if the process ends "
		    "now; set it to a file that can be written", strerror(-error));
	errno = before;
}

/* The next library's.  Looked up early, because a child of a thread may not call dlsym(). */
static int (*next_execve)(const char *, char *const[], char *const[]);
static int (*next_execvpe)(const char *, char *const[], char *const[]);
static int (*next_fexecve)(int, char *const[], char *const[]);

void _exit(int status)
{
	save();
	for (;;)
		syscall(SYS_exit_group, status);
}

void _Exit(int status)
{
	_exit(status);
}

/* The program continues, and so does its thread. */
static int exec_failed(int result)
{
	__atomic_store_n(&ending, 0, __ATOMIC_SEQ_CST);
	return result;
}

int execve(const char *path, char *const argv[], char *const envp[])
{
	save();
	return exec_failed(next_execve(path, argv, envp));
}

int execvpe(const char *file, char *const argv[], char *const envp[])
{
	save();
	return exec_failed(next_execvpe(file, argv, envp));
}

int fexecve(int fd, char *const argv[], char *const envp[])
{
	save();
	return exec_failed(next_fexecve(fd, argv, envp));
}

int execv(const char *path, char *const argv[])
{
	return execve(path, argv, environ);
}

int execvp(const char *file, char *const argv[])
{
	return execvpe(file, argv, environ);
}

/* Puts the arguments from @first on into an array on the stack; @envp is read after their NULL. */
#define EXEC_LIST(first, envp, call)				\
	va_list args;						\
	size_t count = 1;					\
								\
	va_start(args, first);					\
	while (va_arg(args, char *))				\
		count++;					\
	va_end(args);						\
								\
	char *argv[count + 1];					\
								\
	va_start(args, first);					\
	argv[0] = (char *)first;				\
	for (size_t i = 1; i <= count; i++)			\
		argv[i] = va_arg(args, char *);			\
	char *const *environment = envp;			\
	va_end(args);						\
	return call

int execl(const char *path, const char *first, ...)
{
	EXEC_LIST(first, environ, execve(path, argv, environment));
}

int execle(const char *path, const char *first, ...)
{
	EXEC_LIST(first, va_arg(args, char *const *), execve(path, argv, environment));
}

int execlp(const char *file, const char *first, ...)
{
	EXEC_LIST(first, environ, execvpe(file, argv, environment));
}

static struct timespec interval;

static void *save_often(void *unused)
{
	pthread_setname_np(pthread_self(), "evtlog-save");
	for (;;) {
		clock_nanosleep(CLOCK_MONOTONIC, 0, &interval, NULL);
		__atomic_store_n(&saving, getpid(), __ATOMIC_SEQ_CST);
		if (__atomic_load_n(&ending, __ATOMIC_SEQ_CST) != getpid())
			evtlog_region_save();
		__atomic_store_n(&saving, 0, __ATOMIC_SEQ_CST);
	}
	return NULL;
}

/* The thread blocks all signals: they are for the program's own threads. */
static void start_saving(void)
{
	pthread_t thread;
	sigset_t all, old;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	error = pthread_create(&thread, NULL, save_often, NULL);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (error)
		say("regions are saved at the end only", strerror(error));
}

static __attribute__((constructor)) void set_up(void)
{
	const char *text = secure_getenv("EVTLOG_PROFILE_INTERVAL");
	double seconds;
	char *end;

	next_execve = (__typeof__(next_execve))dlsym(RTLD_NEXT, "execve");
	next_execvpe = (__typeof__(next_execvpe))dlsym(RTLD_NEXT, "execvpe");
	next_fexecve = (__typeof__(next_fexecve))dlsym(RTLD_NEXT, "fexecve");
	if (!text || (!secure_getenv("EVTLOG_PROFILE_FILE") && !secure_getenv("EVTLOG_TRACE_FILE")))
		return;
	seconds = strtod(text, &end);
	if (end == text || *end || !(seconds >= .01 && seconds <= 86400)) {
		say("EVTLOG_PROFILE_INTERVAL", "is not a number of seconds from 0.01 to 86400");
		return;
	}
	interval.tv_sec = (time_t)seconds;
	interval.tv_nsec = (long)((seconds - (double)interval.tv_sec) * 1e9);
	start_saving();
}
