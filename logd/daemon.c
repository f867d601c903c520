// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The daemon as a process: it leaves the terminal, applies the settings that need privileges, drops
 * these, and reports its state to a service manager.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/say.h"
#include "config.h"
#include "daemon.h"
#include "lib/base/io.h"

/* ---- The terminal and the pid file ---- */

static int ready_pipe = -1;

static _Noreturn void wait_for_child(pid_t child, int from)
{
	int status;
	char byte;

	if (io_read(from, &byte, 1) == 1)
		_exit(0);
	io_wait(child, &status);
	_exit(WIFEXITED(status) && WEXITSTATUS(status) ? WEXITSTATUS(status) : 1);
}

int background_enter(void)
{
	int ends[2];
	pid_t child;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	fflush(NULL);
	child = fork();
	if (child < 0) {
		int error = -errno;

		close(ends[0]);
		close(ends[1]);
		return error;
	}
	if (child) {
		close(ends[1]);
		wait_for_child(child, ends[0]);
	}
	close(ends[0]);
	ready_pipe = ends[1];
	setsid();
	return 0;
}

static void leave_terminal(void)
{
	int null;

	say_to_syslog();
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null < 0)
		return;
	for (int fd = 0; fd <= 2; fd++)
		dup2(null, fd);
	if (null > 2)
		close(null);
}

void background_leave(void)
{
	if (ready_pipe < 0)
		return;
	leave_terminal();
	close(ready_pipe);
	ready_pipe = -1;
}

void background_ready(void)
{
	if (ready_pipe < 0)
		return;
	leave_terminal();
	io_write(ready_pipe, "", 1);
	close(ready_pipe);
	ready_pipe = -1;
}

int pid_file_write(const char *path)
{
	int fd, length, error;
	char text[16];

	if (!*path)
		return 0;
	/* Always a new file: the old one may be a link made by another user. */
	if (unlink(path) < 0 && errno != ENOENT)
		return -errno;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0)
		return -errno;
	length = snprintf(text, sizeof(text), "%d\n", getpid());
	error = io_write(fd, text, length);
	if (close(fd) < 0 && !error)
		error = -errno;
	if (error)
		unlink(path);
	return error;
}

void pid_file_remove(const char *path)
{
	if (*path && unlink(path) < 0 && errno != ENOENT)
		say_detail("%s: %s", path, strerror(errno));
}

/* ---- Privileges ---- */

static void apply_cpus(const struct config *config)
{
	if (!config_has_cpus(config))
		return;
	if (syscall(SYS_sched_setaffinity, 0, sizeof(config->cpus), config->cpus) < 0)
		say_warning("cpus: %s; running on any CPU", strerror(errno));
}

/*
 * With equal weight, the scheduler would take the CPU from a busy logger and give it to the load
 * on this CPU, which fills more buffers.  Children start with nice 0.  A scheduling policy with
 * which logd was started is kept.
 */
static void apply_nice(const struct config *config)
{
	const struct sched_param param = { .sched_priority = 0 };

	if (sched_getscheduler(0) != SCHED_OTHER)
		return;
	if (sched_setscheduler(0, SCHED_OTHER | SCHED_RESET_ON_FORK, &param) < 0 ||
	    setpriority(PRIO_PROCESS, 0, config->nice) < 0)
		say_warning("nice: %s; needs CAP_SYS_NICE; running at %d", strerror(errno),
			    getpriority(PRIO_PROCESS, 0));
}

static void apply_rt_priority(const struct config *config)
{
	struct sched_param param = { .sched_priority = config->rt_priority };

	if (!config->rt_priority)
		return;
	if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param) < 0)
		say_warning("rt_priority: %s; needs CAP_SYS_NICE; running without",
			    strerror(errno));
}

static void apply_mlockall(const struct config *config)
{
	struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };

	if (!config->mlockall)
		return;
	/* Without CAP_IPC_LOCK, memory allocated later is limited, too. */
	if (setrlimit(RLIMIT_MEMLOCK, &unlimited) < 0 || mlockall(MCL_CURRENT | MCL_FUTURE) < 0)
		say_warning("mlockall: %s; needs CAP_IPC_LOCK and CAP_SYS_RESOURCE; running unlocked",
			    strerror(errno));
}

void privilege_apply(const struct config *config)
{
	apply_cpus(config);
	apply_nice(config);
	apply_rt_priority(config);
	apply_mlockall(config);
}

static int keep_only(__u32 keep)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -errno;
	if (syscall(SYS_capget, &header, data) < 0)
		return -errno;
	data[0].effective &= keep;
	data[0].permitted &= keep;
	data[0].inheritable = 0;
	data[1].effective = 0;
	data[1].permitted = 0;
	data[1].inheritable = 0;
	if (syscall(SYS_capset, &header, data) < 0)
		return -errno;
	return 0;
}

int privilege_drop(void)
{
	/* The directory may belong to a user other than root, and files may get another group. */
	return keep_only(1u << CAP_DAC_OVERRIDE | 1u << CAP_CHOWN);
}

int privilege_drop_all(void)
{
	return keep_only(0);
}

/* ---- The service manager: sd_notify(3), datagrams "KEY=value" to a unix socket ---- */

static int notify_socket = -1;

void notify_open(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const char *path = getenv("NOTIFY_SOCKET");
	size_t length;

	if (!path || (*path != '/' && *path != '@'))
		return;
	length = strlen(path);
	if (length >= sizeof(address.sun_path))
		return;
	memcpy(address.sun_path, path, length);
	if (*path == '@')
		address.sun_path[0] = '\0';
	notify_socket = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (notify_socket < 0)
		return;
	/* Connect now: later the path may be inaccessible. */
	if (connect(notify_socket, (struct sockaddr *)&address,
		    offsetof(struct sockaddr_un, sun_path) + length) < 0)
		notify_close();
}

void notify_close(void)
{
	if (notify_socket >= 0)
		close(notify_socket);
	notify_socket = -1;
}

static void notify(const char *text)
{
	if (notify_socket >= 0)
		send(notify_socket, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT);
}

void notify_ready(void)
{
	notify("READY=1");
}

void notify_reloading(void)
{
	struct timespec now;
	char text[64];

	clock_gettime(CLOCK_MONOTONIC, &now);
	snprintf(text, sizeof(text), "RELOADING=1\nMONOTONIC_USEC=%lld",
		 now.tv_sec * 1000000LL + now.tv_nsec / 1000);
	notify(text);
}

void notify_stopping(void)
{
	notify("STOPPING=1");
}

void notify_status(const char *format, ...)
{
	char text[256] = "STATUS=";
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text + 7, sizeof(text) - 7, format, arguments);
	va_end(arguments);
	notify(text);
}
