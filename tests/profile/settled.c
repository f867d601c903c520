// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * settled CALLS CYCLES - two processes on one CPU send each other a byte; the second has made CALLS
 * different system calls. Prints the ns of a round after all profiles were read, and of the next
 * round: the medians of CYCLES.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"

/* They do nothing with an invalid descriptor. */
static const int calls[] = {
	SYS_write, SYS_close, SYS_fstat, SYS_lseek, SYS_ioctl, SYS_pread64, SYS_pwrite64, SYS_readv,
	SYS_writev, SYS_dup, SYS_fcntl, SYS_flock, SYS_fsync, SYS_fdatasync, SYS_ftruncate, SYS_getdents,
	SYS_fchdir, SYS_fchmod, SYS_fchown, SYS_sendto, SYS_recvfrom, SYS_sendmsg, SYS_recvmsg,
	SYS_shutdown, SYS_bind, SYS_listen, SYS_getsockname, SYS_getpeername, SYS_setsockopt,
	SYS_getsockopt, SYS_connect, SYS_accept, SYS_fstatfs, SYS_readahead, SYS_fsetxattr,
	SYS_fgetxattr, SYS_flistxattr, SYS_fremovexattr, SYS_getdents64, SYS_fadvise64, SYS_epoll_wait,
	SYS_epoll_ctl, SYS_inotify_add_watch, SYS_inotify_rm_watch, SYS_splice, SYS_tee,
	SYS_sync_file_range, SYS_vmsplice, SYS_signalfd, SYS_fallocate, SYS_timerfd_settime,
	SYS_timerfd_gettime, SYS_accept4, SYS_signalfd4, SYS_dup3, SYS_preadv, SYS_pwritev, SYS_recvmmsg,
	SYS_syncfs, SYS_sendmmsg, SYS_copy_file_range, SYS_preadv2, SYS_pwritev2, SYS_getpid, SYS_getppid,
	SYS_getuid, SYS_getgid, SYS_geteuid, SYS_getegid, SYS_gettid, SYS_getpgrp, SYS_getpgid,
	SYS_getsid, SYS_getpriority, SYS_times, SYS_getcpu, SYS_sched_getparam, SYS_sched_getscheduler,
	SYS_sched_get_priority_max, SYS_sched_get_priority_min, SYS_alarm, SYS_getitimer, SYS_getrlimit,
	SYS_getrusage,
};
#define CALLS	((long)(sizeof(calls) / sizeof(*calls)))

static int there[2], back[2];

static void answer(long count)
{
	char byte;

	for (long i = 0; i < count; i++)
		syscall(calls[i], -1L, 0L, 0L, 0L, 0L, 0L);
	while (read(there[0], &byte, 1) == 1) {
		if (write(back[1], &byte, 1) != 1)
			die("write");
	}
	_exit(0);
}

static long go_round(void)
{
	long begin = now_ns();
	char byte = 'x';

	if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
		die("round");
	return now_ns() - begin;
}

static int compare(const void *one, const void *other)
{
	long a = *(const long *)one, b = *(const long *)other;

	return (a > b) - (a < b);
}

static long middle_of(long *of, long count)
{
	qsort(of, count, sizeof(*of), compare);
	return of[count / 2];
}

static void read_all(void)
{
	static char text[1 << 16];
	int file = open("/proc/evtlog/profile/all", O_RDONLY);
	ssize_t got;

	if (file < 0)
		die("/proc/evtlog/profile/all");
	while ((got = read(file, text, sizeof(text))) > 0)
		;
	if (got < 0)
		die("read");
	close(file);
}

int main(int argc, char **argv)
{
	long count = argc > 1 ? atol(argv[1]) : 0, cycles = argc > 2 ? atol(argv[2]) : 100;
	long *first = calloc(cycles, sizeof(*first)), *next = calloc(cycles, sizeof(*next));
	pid_t pid;

	if (count > CALLS || cycles < 1 || !first || !next || pipe(there) || pipe(back))
		die("settled");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		close(there[1]);
		answer(count);
	}
	for (int i = 0; i < 10; i++)
		go_round();
	for (long i = 0; i < cycles; i++) {
		read_all();
		first[i] = go_round();
		next[i] = go_round();
	}
	/* Its profile is read while the process lives. */
	printf("%d %ld %ld\n", pid, middle_of(first, cycles), middle_of(next, cycles));
	fflush(stdout);
	if (argc > 3 && system(argv[3]))
		die(argv[3]);
	close(there[1]);
	wait(NULL);
	return 0;
}
