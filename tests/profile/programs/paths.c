// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * paths [user | lost] - makes known system calls in known regions, and prints the kernel's profile
 * of the thread right after the last region. user: as another user. lost: the library's files are
 * closed, and their numbers are reused.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <evtlog/region.h>

#define BYTES	(256 * 1024)

static char profile[BYTES];

static void calls(int count)
{
	evtlog_region_begin("calls");
	for (int i = 0; i < count; i++)
		syscall(SYS_getppid);
	evtlog_region_end("calls");
}

static int bound_socket(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t length = sizeof(address);
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) ||
	    getsockname(fd, (struct sockaddr *)&address, &length) ||
	    connect(fd, (struct sockaddr *)&address, length))
		exit(1);
	return fd;
}

static void messages(int fd, int count)
{
	char data[100] = "";

	for (int i = 0; i < count; i++) {
		evtlog_region_begin("send");
		if (send(fd, data, sizeof(data), 0) != sizeof(data))
			exit(1);
		evtlog_region_end("send");
		evtlog_region_begin("receive");
		if (recv(fd, data, sizeof(data), 0) != sizeof(data))
			exit(1);
		evtlog_region_end("receive");
	}
}

static void sleeps(int count)
{
	const struct timespec some = { .tv_nsec = 5000000 };

	evtlog_region_begin("sleeps");
	for (int i = 0; i < count; i++)
		nanosleep(&some, NULL);
	evtlog_region_end("sleeps");
}

static void *work(void *unused)
{
	pthread_setname_np(pthread_self(), "worker");
	evtlog_region_begin("work");
	calls(30);
	evtlog_region_end("work");
	return NULL;
}

static void child(void)
{
	evtlog_region_begin("child");
	calls(7);
	evtlog_region_end("child");
	exit(0);
}

/* After this, the descriptor's number is not a profile. */
static void lose_file(void)
{
	int fd = open("/dev/null", O_RDONLY);

	for (int other = 3; other < 16; other++)
		dup2(fd, other);
	calls(3);
	closefrom(3);
	calls(4);
}

static void print_profile(void)
{
	int fd = open("/proc/evtlog/profile/self", O_RDONLY);
	ssize_t bytes = fd < 0 ? 0 : read(fd, profile, BYTES);

	if (bytes > 0)
		fwrite(profile, 1, bytes, stdout);
}

int main(int argc, char **argv)
{
	int fd = bound_socket();
	pthread_t thread;

	if (argc > 1 && !strcmp(argv[1], "user") && (setgid(65534) || setuid(65534)))
		return 1;
	errno = EXDEV;
	evtlog_region_begin("main");
	if (errno != EXDEV)
		return 2;
	messages(fd, 50);
	calls(10);
	sleeps(3);
	evtlog_region_begin("outer");
	calls(20);
	messages(fd, 5);
	syscall(SYS_getppid);
	evtlog_region_end("outer");
	if (pthread_create(&thread, NULL, work, NULL) || pthread_join(thread, NULL))
		return 1;
	if (!fork())
		child();
	wait(NULL);
	if (argc > 1 && !strcmp(argv[1], "lost"))
		lose_file();
	evtlog_region_end("main");
	print_profile();
	return 0;
}
