// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * region-calls.so - a preloaded library: each getppid(), read(), write(), send() and recv() of a
 * program becomes a region of libevtlog.
 */
#include <stddef.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <evtlog/region.h>

#define REGION(name, result)			\
	({					\
		typeof(result) returned;	\
		evtlog_region_begin(name);	\
		returned = result;		\
		evtlog_region_end(name);	\
		returned;			\
	})

pid_t getppid(void)
{
	return REGION("getppid", syscall(SYS_getppid));
}

ssize_t read(int fd, void *data, size_t bytes)
{
	return REGION("read", syscall(SYS_read, fd, data, bytes));
}

ssize_t write(int fd, const void *data, size_t bytes)
{
	return REGION("write", syscall(SYS_write, fd, data, bytes));
}

ssize_t send(int fd, const void *data, size_t bytes, int flags)
{
	return REGION("send", syscall(SYS_sendto, fd, data, bytes, flags, NULL, 0));
}

ssize_t recv(int fd, void *data, size_t bytes, int flags)
{
	return REGION("recv", syscall(SYS_recvfrom, fd, data, bytes, flags, NULL, NULL));
}
