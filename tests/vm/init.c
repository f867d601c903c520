// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * init.c - PID 1 of the test guest: sets the machine up, runs one script as root, and reports its
 * exit status to the host over a channel of its own.
 *
 * tests/vm/run puts it into the initramfs with /etc/vm/job (one "key value" per line) and
 * /etc/vm/argv (NUL-separated). Without a job, the guest is a template: tests/vm/template.sh saves
 * its state while it waits for a job. An emulator that continues from this state passes the job in
 * shared memory. init only mounts file systems, sets the host's name and connects the network; the
 * script does the test. The verdict contains a nonce and is written last, so a guest that stops
 * earlier has not passed.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <linux/random.h>
#include <net/if.h>
#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_ARGS	1024
#define TERM_GRACE_MS	5000

static struct job {
	char nonce[64];
	bool in_host_root;
	int node;
	int nodes;
	bool has_net;
	bool is_virtual;
} job;

static char argv_text[65536];
static char *script_argv[MAX_ARGS + 1];
static int verdict_fd = -1;

static void power_off(void)
{
	sync();
	reboot(RB_AUTOBOOT);	/* the host runs QEMU with -no-reboot */
	for (;;)
		pause();
}

/* Other guests may still need answers: the host ends all guests together. */
static void stay_reachable(void)
{
	sync();
	for (;;)
		pause();
}

static void write_all(int fd, const char *text, size_t len)
{
	while (len) {
		ssize_t n = write(fd, text, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return;
		text += n;
		len -= n;
	}
}

static void report(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

/* Writes a line to the verdict's channel: "up" after the boot, later the verdict. */
static void report(const char *format, ...)
{
	char line[512];
	va_list args;
	int n;

	n = snprintf(line, sizeof(line), "%s ", job.nonce);
	va_start(args, format);
	n += vsnprintf(line + n, sizeof(line) - n - 1, format, args);
	va_end(args);
	if (n > (int)sizeof(line) - 2)
		n = sizeof(line) - 2;
	line[n++] = '\n';
	fprintf(stderr, "init: %.*s", n, line);
	if (verdict_fd >= 0)
		write_all(verdict_fd, line, n);
}

/* Ends the machine after its only verdict. */
static void end(void)
{
	if (verdict_fd >= 0)
		close(verdict_fd);
	if (job.nodes > 1)
		stay_reachable();
	power_off();
}

static void fail(const char *object)
{
	report("boot %s: %s", object, strerror(errno));
	end();
}

static void mount_at(const char *source, const char *target, const char *type,
		     unsigned long flags, const char *options)
{
	mkdir(target, 0755);
	if (mount(source, target, type, flags, options))
		fail(target);
}

static void mount_optional(const char *target, const char *type)
{
	mkdir(target, 0755);
	mount(type, target, type, 0, NULL);
}

static void mount_kernel_views(void)
{
	mount_at("proc", "/proc", "proc", 0, NULL);
	mount_at("sysfs", "/sys", "sysfs", 0, NULL);
	mount_at("devtmpfs", "/dev", "devtmpfs", 0, NULL);
	mount_at("devpts", "/dev/pts", "devpts", 0, "ptmxmode=0666");
	mount_at("tmpfs", "/dev/shm", "tmpfs", 0, NULL);
	mount_at("tmpfs", "/tmp", "tmpfs", 0, "mode=1777");
	mount_at("tmpfs", "/run", "tmpfs", 0, "mode=0755");
	mount_optional("/sys/fs/cgroup", "cgroup2");
	mount_optional("/sys/kernel/debug", "debugfs");
	mount_optional("/sys/kernel/tracing", "tracefs");
	symlink("/proc/self/fd", "/dev/fd");
	symlink("/proc/self/fd/0", "/dev/stdin");
	symlink("/proc/self/fd/1", "/dev/stdout");
	symlink("/proc/self/fd/2", "/dev/stderr");
}

/* Modules without which the guest does not reach its host: those of a distribution's kernel */
static void load_early_modules(void)
{
	glob_t found;

	if (glob("/etc/vm/early/*", 0, NULL, &found))
		return;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		int fd = open(found.gl_pathv[i], O_RDONLY | O_CLOEXEC);

		if (fd < 0 || syscall(SYS_finit_module, fd, "", 0))
			fail(found.gl_pathv[i]);
		close(fd);
	}
	globfree(&found);
}

static void read_job(void)
{
	char line[256], key[32], value[200];
	FILE *file = fopen("/etc/vm/job", "re");

	if (!file)
		fail("/etc/vm/job");
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%31s %199s", key, value) != 2)
			continue;
		if (!strcmp(key, "nonce"))
			snprintf(job.nonce, sizeof(job.nonce), "%.63s", value);
		else if (!strcmp(key, "host_root"))
			job.in_host_root = !strcmp(value, "yes");
		else if (!strcmp(key, "node"))
			job.node = atoi(value);
		else if (!strcmp(key, "nodes"))
			job.nodes = atoi(value);
		else if (!strcmp(key, "net"))
			job.has_net = !strcmp(value, "yes");
		else if (!strcmp(key, "clock"))
			job.is_virtual = !strcmp(value, "virtual");
	}
	fclose(file);
}

static void read_argv(void)
{
	int fd = open("/etc/vm/argv", O_RDONLY | O_CLOEXEC);
	ssize_t len, at = 0;
	int argc = 0;

	if (fd < 0)
		fail("/etc/vm/argv");
	len = read(fd, argv_text, sizeof(argv_text) - 1);
	close(fd);
	while (at < len && argc < MAX_ARGS) {
		script_argv[argc++] = argv_text + at;
		at += strlen(argv_text + at) + 1;
	}
	if (!argc) {
		report("boot /etc/vm/argv: no script named");
		end();
	}
}

/* Opens the virtio-serial port with this name; returns -1 if there is none. */
static int open_port(const char *name)
{
	static const char class[] = "/sys/class/virtio-ports";
	char path[300], found[64];
	struct dirent *entry;
	DIR *dir = opendir(class);
	int fd = -1;

	if (!dir)
		return -1;
	while (fd < 0 && (entry = readdir(dir))) {
		FILE *file;

		snprintf(path, sizeof(path), "%s/%.40s/name", class, entry->d_name);
		file = fopen(path, "re");
		if (!file)
			continue;
		if (fscanf(file, "%63s", found) == 1 && !strcmp(found, name)) {
			snprintf(path, sizeof(path), "/dev/%.40s", entry->d_name);
			fd = open(path, O_WRONLY | O_CLOEXEC);
		}
		fclose(file);
	}
	closedir(dir);
	return fd;
}

/* The host names its ports shortly after the driver has found the device. */
static int wait_for_port(const char *name)
{
	const struct timespec pause_time = { .tv_nsec = 10 * 1000 * 1000 };
	int tries, fd;

	for (tries = 0; tries < 500; tries++) {
		fd = open_port(name);
		if (fd >= 0)
			return fd;
		nanosleep(&pause_time, NULL);
	}
	return -1;
}

static void set_address(const char *device, const char *address, const char *mask)
{
	struct ifreq request = { 0 };
	struct sockaddr_in *sin = (struct sockaddr_in *)&request.ifr_addr;
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		fail("socket");
	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", device);
	sin->sin_family = AF_INET;
	inet_pton(AF_INET, address, &sin->sin_addr);
	if (ioctl(fd, SIOCSIFADDR, &request))
		fail(device);
	inet_pton(AF_INET, mask, &sin->sin_addr);
	if (ioctl(fd, SIOCSIFNETMASK, &request))
		fail(device);
	if (ioctl(fd, SIOCGIFFLAGS, &request))
		fail(device);
	request.ifr_flags |= IFF_UP | IFF_RUNNING;
	if (ioctl(fd, SIOCSIFFLAGS, &request))
		fail(device);
	close(fd);
}

/* Scripts that do not run as root may ping, too. */
static void allow_ping_sockets(void)
{
	FILE *file = fopen("/proc/sys/net/ipv4/ping_group_range", "we");

	if (!file)
		return;
	fputs("0 2147483647\n", file);
	fclose(file);
}

static void set_names_and_addresses(void)
{
	char text[64];
	FILE *hosts;
	int k;

	snprintf(text, sizeof(text), "node%d", job.node);
	sethostname(text, strlen(text));
	set_address("lo", "127.0.0.1", "255.0.0.0");
	if (job.has_net) {
		snprintf(text, sizeof(text), "10.99.0.%d", job.node);
		set_address("eth0", text, "255.255.255.0");
	}
	allow_ping_sockets();

	hosts = fopen("/etc/hosts", "we");
	if (!hosts)
		fail("/etc/hosts");
	fprintf(hosts, "127.0.0.1 localhost\n");
	for (k = 1; k <= job.nodes; k++)
		fprintf(hosts, "10.99.0.%d node%d\n", k, k);
	fclose(hosts);
}

/* Unpacks a cpio archive into /. */
static void unpack(const char *archive, size_t size)
{
	int fds[2], status;
	pid_t child;

	if (pipe(fds))
		fail("pipe");
	child = fork();
	if (!child) {
		dup2(fds[0], 0);
		close(fds[1]);
		close(2); /* cpio prints the number of blocks */
		if (chdir("/") == 0)
			execl("/bin/busybox", "cpio", "-idmu", NULL);
		_exit(127);
	}
	close(fds[0]);
	write_all(fds[1], archive, size);
	close(fds[1]);
	if (child < 0 || waitpid(child, &status, 0) != child || status)
		fail("cpio");
}

/*
 * Maps the memory that the emulator shares with the guest: BAR 2 of its ivshmem device, the only
 * device with a prefetchable BAR.
 */
static const char *map_shared(void)
{
	glob_t paths;
	struct stat file;
	void *memory;
	int fd;

	if (glob("/sys/bus/pci/devices/*/resource2_wc", 0, NULL, &paths) || paths.gl_pathc != 1)
		fail("ivshmem");
	fd = open(paths.gl_pathv[0], O_RDWR | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &file))
		fail(paths.gl_pathv[0]);
	memory = mmap(NULL, file.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED)
		fail(paths.gl_pathv[0]);
	globfree(&paths);
	close(fd);
	return memory;
}

/*
 * In the template, the shared memory is zero. An emulator that continues from the template's state
 * writes two sizes to the first 512 bytes, followed by two archives of these sizes. The guest is
 * not idle meanwhile, so that its time advances with its instructions.
 */
static void wait_for_job(void)
{
	const char *memory = map_shared();
	unsigned long programs, files;

	report("template");
	while (!*(const volatile char *)memory)
		;
	if (sscanf(memory, "%lu %lu", &programs, &files) != 2)
		fail("job");
	unpack(memory + 512, programs);
	unpack(memory + 512 + programs, files);
}

/*
 * All guests of a template have the same random numbers until each adds its nonce. The ioctl fails
 * before the kernel's generator is ready, but is not needed then.
 */
static void seed_random(void)
{
	int fd = open("/dev/urandom", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, job.nonce, strlen(job.nonce)) < 0)
		fail("/dev/urandom");
	ioctl(fd, RNDRESEEDCRNG);
	close(fd);
}

static void bind_into_root(const char *path)
{
	char target[128];

	snprintf(target, sizeof(target), "/root-of-host%s", path);
	mkdir(target, 0755);
	if (mount(path, target, NULL, MS_BIND | MS_REC, NULL))
		fail(target);
}

/*
 * The host's root is only the lower layer: 9p exports it read-only, and the script writes to a
 * tmpfs that ends with the guest.
 */
static void mount_host_root(void)
{
	static const char *const views[] = {
		"/proc", "/sys", "/dev", "/tmp", "/run", "/out",
	};
	size_t k;

	mount_at("hostroot", "/host", "9p", MS_RDONLY,
		 "trans=virtio,version=9p2000.L,cache=loose,msize=262144");
	mount_at("tmpfs", "/upper", "tmpfs", 0, "mode=0755");
	mkdir("/upper/data", 0755);
	mkdir("/upper/work", 0755);
	mount_at("overlay", "/root-of-host", "overlay", 0,
		 "lowerdir=/payload:/host,upperdir=/upper/data,workdir=/upper/work");
	for (k = 0; k < sizeof(views) / sizeof(views[0]); k++)
		bind_into_root(views[k]);
	bind_into_root("/etc/hosts");
}

static void mount_host_directory(const char *path)
{
	mount_at("out", path, "9p", 0, "trans=virtio,version=9p2000.L,cache=mmap,msize=262144");
}

static void unmount_host_directory(const char *path)
{
	if (umount(path) && umount2(path, MNT_DETACH))
		fail(path);
	sync();
}

/*
 * Copies /out to the host's directory. A guest with virtual time does this at its end, and has /out
 * in memory until then: while the host answers a 9p request, an idle guest's clock jumps ahead.
 */
static void copy_out(void)
{
	static const char host[] = "/out-of-host";
	pid_t child;
	int status;

	mount_host_directory(host);
	child = fork();
	if (!child) {
		execl("/bin/busybox", "cp", "-a", "/out/.", host, NULL);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status)
		fail("copying /out");
	unmount_host_directory(host);
}

static void exec_script(int output_fd)
{
	char number[16];
	int null_fd = open("/dev/null", O_RDONLY);
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsid();
	dup2(null_fd, 0);
	dup2(output_fd, 1);
	dup2(output_fd, 2);
	if (job.in_host_root && chroot("/root-of-host"))
		_exit(125);
	if (chdir("/script"))
		_exit(125);
	clearenv();
	setenv("PATH", "/script:/usr/local/sbin:/usr/local/bin:"
	       "/usr/sbin:/usr/bin:/sbin:/bin", 1);
	setenv("HOME", "/root", 1);
	setenv("USER", "root", 1);
	setenv("TERM", "dumb", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	setenv("OUT", "/out", 1);
	snprintf(number, sizeof(number), "%d", job.node);
	setenv("NODE", number, 1);
	snprintf(number, sizeof(number), "%d", job.nodes);
	setenv("NODES", number, 1);
	execv(script_argv[0], script_argv);
	dprintf(2, "init: %s: %s\n", script_argv[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

/* Passes on the available data; returns false when all writers have closed the pipe. */
static bool pump(int from, int to)
{
	static char buffer[65536];
	ssize_t n = read(from, buffer, sizeof(buffer));

	if (n < 0)
		return errno == EINTR || errno == EAGAIN;
	if (n == 0)
		return false;
	write_all(to, buffer, n);
	return true;
}

/* Reaps all dead children. Returns false if no child is left; @status gets the script's status. */
static bool reap(pid_t script, int *status)
{
	int how;
	pid_t pid;

	while ((pid = waitpid(-1, &how, WNOHANG)) > 0)
		if (pid == script)
			*status = WIFEXITED(how) ? WEXITSTATUS(how)
						 : 128 + WTERMSIG(how);
	return pid == 0;
}

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/*
 * Processes that the script leaves get SIGTERM and a few seconds (a daemon closes files), then
 * SIGKILL.
 */
static int run_script(int out_port)
{
	struct pollfd polls[2];
	sigset_t child;
	long deadline = 0;
	int pipe_fds[2], status = -1;
	bool killed = false, more = true, open_pipe = true;
	pid_t script;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	polls[0].fd = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
	polls[0].events = POLLIN;
	if (polls[0].fd < 0 || pipe2(pipe_fds, O_CLOEXEC))
		fail("pipe");
	fcntl(pipe_fds[0], F_SETFL, O_NONBLOCK);
	polls[1].fd = pipe_fds[0];
	polls[1].events = POLLIN;

	script = fork();
	if (script < 0)
		fail("fork");
	if (!script)
		exec_script(pipe_fds[1]);
	close(pipe_fds[1]);

	while (more || open_pipe) {
		struct signalfd_siginfo info;

		poll(polls, 2, deadline ? 100 : -1);
		while (read(polls[0].fd, &info, sizeof(info)) > 0)
			;
		if (polls[1].revents && !pump(pipe_fds[0], out_port)) {
			open_pipe = false;
			polls[1].fd = -1;
		}
		more = reap(script, &status);
		if (status >= 0 && !deadline) {
			kill(-1, SIGTERM);
			deadline = now_ms() + TERM_GRACE_MS;
		}
		if (deadline && !killed && now_ms() > deadline) {
			kill(-1, SIGKILL);
			killed = true;
		}
	}
	return status;
}

/* Saves the whole kernel log in the format of dmesg. */
static void save_kernel_log(const char *path)
{
	char record[8192];
	FILE *file = fopen(path, "we");
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (!file || fd < 0)
		fail(path);
	for (;;) {
		unsigned long long stamp_us;
		ssize_t n = read(fd, record, sizeof(record) - 1);
		char *text, *end;

		if (n < 0 && errno == EPIPE)
			continue;	/* overwritten: continue with the oldest */
		if (n <= 0)
			break;
		record[n] = '\0';
		text = strchr(record, ';');
		if (!text || sscanf(record, "%*u,%*u,%llu", &stamp_us) != 1)
			continue;
		end = strchr(text, '\n');	/* device properties follow */
		if (end)
			*end = '\0';
		fprintf(file, "[%5llu.%06llu] %s\n", stamp_us / 1000000,
			stamp_us % 1000000, text + 1);
	}
	close(fd);
	if (fclose(file))
		fail(path);
}

int main(void)
{
	const struct rlimit cores = { 0, 0 };
	int out_port, status;
	bool is_template;

	umask(022);
	mount_kernel_views();
	load_early_modules();
	verdict_fd = wait_for_port("verdict");
	if (verdict_fd < 0)
		fail("verdict port");
	out_port = wait_for_port("output");
	if (out_port < 0)
		fail("output port");
	is_template = access("/etc/vm/job", F_OK);
	if (is_template)
		wait_for_job();
	read_job();
	if (is_template)
		seed_random();
	read_argv();
	if (job.is_virtual)
		mount_at("tmpfs", "/out", "tmpfs", 0, "mode=0755");
	else
		mount_host_directory("/out");
	set_names_and_addresses();
	if (job.in_host_root)
		mount_host_root();
	setrlimit(RLIMIT_CORE, &cores);

	report("up");
	status = run_script(out_port);

	save_kernel_log("/out/dmesg.log");
	if (job.is_virtual)
		copy_out();
	else
		unmount_host_directory("/out");
	report("exit %d", status);
	end();
}
