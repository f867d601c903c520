// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rights - tries accesses that must be refused: to /proc/evtlog without the capabilities or from
 * another user namespace, and writes to the buffers through a mapping.
 *
 * Usage: rights GID [OPEN-TO-GROUP]
 *
 * With OPEN-TO-GROUP, GID is the group of the kernel's parameter evtlog.gid; otherwise a group
 * without rights. Run it as root in a guest. Prints every trial; exits with 1 if a result is wrong.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <evtlog/abi.h>

#include "program.h"

#define NOBODY		65534
#define USER		1000
#define NAMES_MAX	64
#define FOLDERS_MAX	8
#define CAP(name)	(1ULL << CAP_##name)
#define CAPS_ALL	((1ULL << (CAP_LAST_CAP + 1)) - 1)

static char names[NAMES_MAX][48], folders[FOLDERS_MAX][48];
static int name_count, folder_count;
static int failures;
static gid_t group;
static int open_to_group;

static void claim(int holds, const char *who, const char *what, int error)
{
	printf("%s %s: %s: %s\n", holds ? "ok   " : "WRONG", who, what,
	       error ? strerror(error) : "allowed");
	failures += !holds;
}

/* @result is the result of a system call; negative means refused. */
static void must_refuse(const char *who, const char *what, long result)
{
	int error = result < 0 ? errno : 0;

	claim(error, who, what, error);
}

/* Adds the files of a folder, "" or "NAME/", and of the folders in it. */
static void list_folder(const char *folder)
{
	char path[64];
	struct dirent *entry;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/evtlog/%.40s", folder);
	dir = opendir(path);
	if (!dir)
		die(path);
	while ((entry = readdir(dir))) {
		char name[48];

		if (entry->d_name[0] == '.')
			continue;
		if (name_count == NAMES_MAX || folder_count == FOLDERS_MAX)
			die("/proc/evtlog has too many files");
		snprintf(name, sizeof(name), "%.20s%.24s%s", folder, entry->d_name,
			 entry->d_type == DT_DIR ? "/" : "");
		if (entry->d_type == DT_DIR) {
			strcpy(folders[folder_count++], name);
			list_folder(name);
		} else {
			strcpy(names[name_count++], name);
		}
	}
	closedir(dir);
}

static void list_names(void)
{
	list_folder("");
	/* Includes a named buffer of each CPU, and a global one. */
	if (name_count < 20 || folder_count < 3)
		die("/proc/evtlog has too few files");
}

static void keep_capabilities(uint64_t caps)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2];

	for (int i = 0; i < 2; i++) {
		data[i].effective = caps >> (32 * i);
		data[i].permitted = caps >> (32 * i);
		data[i].inheritable = 0;
	}
	if (syscall(SYS_capset, &header, data))
		die("capset");
}

static void become_nobody(void)
{
	if (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) ||
	    setresuid(NOBODY, NOBODY, NOBODY))
		die("setresuid");
}

static void write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		die(path);
	close(fd);
}

/* Becomes root of a new user namespace, with every capability in it. */
static void enter_user_namespace(int flags)
{
	char map[64];

	snprintf(map, sizeof(map), "0 %d 1", (int)geteuid());
	if (unshare(CLONE_NEWUSER | flags))
		die("unshare");
	write_text("/proc/self/setgroups", "deny");
	write_text("/proc/self/uid_map", map);
}

/* Files that each user may open, with the rights of ptrace(); the first only for reading */
static int is_public(const char *name)
{
	return !strcmp(name, "profile/self") || !strcmp(name, "profile/others");
}

/* Keys cannot be read by any user. */
static int wanted_of(const char *name, int flags, int reading, int writing)
{
	int wanted = flags == O_RDONLY ? reading : writing;

	if (is_public(name))
		return flags == O_RDONLY || !strcmp(name, "profile/others") ? 0 : EACCES;
	if (!wanted && flags != O_RDONLY && !strcmp(name, "profile/all"))
		return EACCES;
	if (!wanted && flags != O_WRONLY && !strcmp(name, "remote_key"))
		return EACCES;
	return wanted;
}

/*
 * Opens a file for reading, writing, both, and ioctl() only; @reading and @writing are 0 or an errno.
 * To open it for ioctl() only, the right to read is enough, if the file's mode allows it.
 */
static void try_file(const char *who, const char *directory, const char *name, int reading,
		     int writing)
{
	static const struct {
		int flags;
		const char *name;
	} ways[] = { { O_RDONLY, "read" }, { O_WRONLY, "write" }, { O_RDWR, "both" },
		{ O_ACCMODE, "neither" } };

	for (int k = 0; k < 4; k++) {
		int wanted = wanted_of(name, ways[k].flags, reading, writing);
		char path[80], what[112];
		int fd, error;

		snprintf(path, sizeof(path), "%.24s/%.47s", directory, name);
		fd = open(path, ways[k].flags | O_CLOEXEC | O_NONBLOCK);
		error = fd < 0 ? errno : 0;
		if (fd >= 0)
			close(fd);
		snprintf(what, sizeof(what), "open %s to %s", path, ways[k].name);
		/* A file's mode may refuse before the capabilities do. */
		claim(error == wanted || (wanted == EPERM && error == EACCES) ||
		      (ways[k].flags == O_ACCMODE && (!reading || is_public(name))), who, what, error);
	}
}

static void try_all(const char *who, const char *directory, int reading, int writing)
{
	for (int i = 0; i < name_count; i++)
		try_file(who, directory, names[i], reading, writing);
}

/* Files with data, which readers need; the others control. */
static int is_data(const char *name)
{
	if (!strncmp(name, "named/", 6))
		return strcmp(name, "named/control") != 0;
	if (!strncmp(name, "profile/", 8))
		return !strcmp(name, "profile/all");
	return !strncmp(name, "cpu", 3) || !strcmp(name, "format") || !strcmp(name, "status") ||
	       !strcmp(name, "tasks");
}

static int is_write_only(const char *name)
{
	return !strcmp(name, "remote_key") || !strcmp(name, "session");
}

/* Tries all files as a user who may not control or write. */
static void try_as_reader(const char *who, int reading)
{
	for (int i = 0; i < name_count; i++)
		try_file(who, "/proc/evtlog", names[i], is_data(names[i]) ? reading : EACCES,
			 EACCES);
}

static void as_nobody(void)
{
	struct stat st;

	become_nobody();
	must_refuse("nobody", "open the directory", open("/proc/evtlog", O_RDONLY));
	must_refuse("nobody", "open a folder", open("/proc/evtlog/profile", O_RDONLY));
	must_refuse("nobody", "stat a file of a folder", stat("/proc/evtlog/named/control", &st));
	try_all("nobody", "/proc/evtlog", EACCES, EACCES);
}

static void as_root_without_capabilities(void)
{
	keep_capabilities(0);
	try_all("root without capabilities", "/proc/evtlog", EPERM, EPERM);
}

/* With all capabilities except the two that are checked. */
static void as_root_with_others(void)
{
	keep_capabilities(CAPS_ALL & ~(CAP(SYS_ADMIN) | CAP(PERFMON)));
	try_all("root without CAP_SYS_ADMIN and CAP_PERFMON", "/proc/evtlog", EPERM,
		EPERM);
}

static void try_to_map(int fd, const char *who, int protection, int flags, size_t bytes,
		       off_t offset, const char *what, int allowed)
{
	void *map = mmap(NULL, bytes, protection, flags, fd, offset);
	int error = map == MAP_FAILED ? errno : 0;

	claim(allowed ? !error : error, who, what, error);
	if (!error)
		munmap(map, bytes);
}

/* Files with buffers */
static const char *const readable[] = {
	"/proc/evtlog/cpu0", "/proc/evtlog/named/each/cpu0", "/proc/evtlog/named/common/all",
};

/* Reads buffers without taking them, which fails with @error: EPERM, or EAGAIN as none is full. */
static void look_at_buffers(const char *who, int error)
{
	static char buffer[1 << 20];
	struct evtlog_position position;
	struct evtlog_watermark mark = { .bytes = 1 << 20 };
	struct evtlog_get get;

	for (int i = 0; i < 3; i++) {
		const char *path = readable[i];
		char what[96];
		int fd;

		fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		snprintf(what, sizeof(what), "map %s", path);
		try_to_map(fd, who, PROT_READ, MAP_SHARED, 4096, 0, what, 1);
		snprintf(what, sizeof(what), "poll %s", path);
		claim(poll(&(struct pollfd){ .fd = fd, .events = POLLIN }, 1, 0) >= 0, who, what, 0);
		snprintf(what, sizeof(what), "read %s", path);
		claim(read(fd, buffer, sizeof(buffer)) < 0 && errno == error, who, what, errno);
		snprintf(what, sizeof(what), "get a buffer of %s", path);
		claim(ioctl(fd, EVTLOG_IOC_GET, &get) < 0 && errno == error, who, what, errno);
		if (i) {
			int refused = ioctl(fd, EVTLOG_IOC_WATERMARK, &mark) ? errno : 0;

			snprintf(what, sizeof(what), "set a watermark of %s", path);
			claim(refused == (error == EPERM ? EPERM : 0), who, what, refused);
		} else {
			claim(!ioctl(fd, EVTLOG_IOC_POSITION, &position) && position.run, who,
			      "ask for the position", 0);
		}
		close(fd);
	}
}

static void as_root_with_perfmon(void)
{
	keep_capabilities(CAPS_ALL & ~CAP(SYS_ADMIN));
	try_all("root without CAP_SYS_ADMIN", "/proc/evtlog", 0, EPERM);
	look_at_buffers("root without CAP_SYS_ADMIN", EPERM);
}

/* Becomes an ordinary user, perhaps in the group, with only these capabilities. */
static void become_user(int in_group, uint64_t caps)
{
	gid_t groups[] = { group };

	if (prctl(PR_SET_KEEPCAPS, 1) || setgroups(in_group, groups) ||
	    setresgid(USER, USER, USER) || setresuid(USER, USER, USER))
		die("setresuid");
	keep_capabilities(caps);
}

static void as_reader(void)
{
	become_user(1, CAP(PERFMON));
	if (!open_to_group) {
		must_refuse("user of no group with rights", "open the directory",
			    open("/proc/evtlog", O_RDONLY));
		try_as_reader("user of no group with rights", EACCES);
		return;
	}
	try_as_reader("user of the group with CAP_PERFMON", 0);
	look_at_buffers("user of the group with CAP_PERFMON", EPERM);
}

/* The pages outlive the buffers, so they count as locked memory of the user. */
static void as_reader_with_two_pages(void)
{
	const char *who = "user of the group with two pages of locked memory";
	const struct rlimit two = { 2 * 4096, 2 * 4096 };

	if (setrlimit(RLIMIT_MEMLOCK, &two))
		die("setrlimit");
	become_user(1, CAP(PERFMON));
	for (int i = 0; i < 3; i++) {
		int fd = open(readable[i], O_RDONLY | O_CLOEXEC);
		char *map = mmap(NULL, 2 * 4096, PROT_READ, MAP_SHARED, fd, 0);

		claim(map != MAP_FAILED, who, readable[i], map == MAP_FAILED ? errno : 0);
		try_to_map(fd, who, PROT_READ, MAP_SHARED, 4096, 0, "map a third page", 0);
		munmap(map + 4096, 4096);
		munmap(map, 4096);
		try_to_map(fd, who, PROT_READ, MAP_SHARED, 2 * 4096, 0, "map two pages again", 1);
		close(fd);
	}
}

static void as_logger(void)
{
	char pid[16];

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	write_text("/proc/evtlog/pid", pid);
	become_user(1, CAP(PERFMON));
	look_at_buffers("the group's user that root announced as the logger", EAGAIN);
}

/* Maps the first page of a buffer; meanwhile root changes the buffers of CPU 0. */
static void look_while_changed(int ready, int changed)
{
	const char *who = "user of the group with cpu0 open and mapped";
	struct evtlog_position position;
	uint64_t first, *page;
	char byte = 0;
	int fd, other;

	become_user(1, CAP(PERFMON));
	fd = open("/proc/evtlog/cpu0", O_RDONLY | O_CLOEXEC);
	page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		die("map cpu0");
	first = *page;
	if (write(ready, &byte, 1) != 1 || read(changed, &byte, 1) != 1)
		die("pipe");
	claim(*page == first, who, "read a buffer that was freed", 0);
	claim(!ioctl(fd, EVTLOG_IOC_POSITION, &position) && !position.run, who,
	      "ask for the position", errno);
	try_to_map(fd, who, PROT_READ, MAP_SHARED, 4096, 0, "map a buffer of a CPU that has none", 0);
	other = open("/proc/evtlog/cpu0", O_RDONLY | O_CLOEXEC);
	try_to_map(other, who, PROT_READ, MAP_SHARED, 4096, 0, "make buffers", 0);
}

static void reader_beside_root(void)
{
	int ready[2], changed[2], status = 1;
	char byte = 0;
	pid_t pid;

	if (pipe(ready) || pipe(changed))
		die("pipe");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		look_while_changed(ready[1], changed[0]);
		fflush(stdout);
		_exit(!!failures);
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) == 1) {
		write_text("/proc/evtlog/enable", "0");
		write_text("/proc/evtlog/buffers", "3");
	}
	if (write(changed[1], &byte, 1) != 1)
		die("pipe");
	waitpid(pid, &status, 0);
	failures += !!status;
	write_text("/proc/evtlog/enable", "1");
}

static void as_member_without_capability(void)
{
	become_user(1, CAPS_ALL & ~(CAP(SYS_ADMIN) | CAP(PERFMON) | CAP(DAC_OVERRIDE) |
				    CAP(DAC_READ_SEARCH)));
	try_as_reader("user of the group without CAP_PERFMON", EPERM);
}

static void as_stranger_with_perfmon(void)
{
	become_user(0, CAP(PERFMON));
	try_as_reader("user with CAP_PERFMON, not of the group", EACCES);
}

/* With every capability, but only in its own namespace */
static void as_member_made_root(void)
{
	become_user(1, 0);
	prctl(PR_SET_DUMPABLE, 1);
	enter_user_namespace(0);
	try_all("user of the group as root of a user namespace", "/proc/evtlog", EPERM, EPERM);
}

static void must_have(const char *name, mode_t mode)
{
	gid_t owner = open_to_group ? group : 0;
	char path[64], what[96];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/evtlog/%.47s", name);
	if (stat(path, &st))
		die(path);
	snprintf(what, sizeof(what), "%s has mode %04o and group %u", path, st.st_mode & 07777,
		 st.st_gid);
	claim((st.st_mode & 07777) == mode && !st.st_uid && st.st_gid == owner, "root", what, 0);
}

static void modes(void)
{
	must_have("", open_to_group ? 0551 : 0501);
	for (int i = 0; i < folder_count; i++)
		must_have(folders[i], (open_to_group ? 0550 : 0500) |
				      !strcmp(folders[i], "profile/"));
	for (int i = 0; i < name_count; i++) {
		if (is_data(names[i]))
			must_have(names[i], open_to_group ? 0440 : 0400);
		else if (is_public(names[i]))
			must_have(names[i], strcmp(names[i], "profile/self") ? 0666 : 0444);
		else if (!strcmp(names[i], "matches"))
			must_have(names[i], 0400);
		else
			must_have(names[i], is_write_only(names[i]) ? 0200 : 0600);
	}
}

static void as_root(void)
{
	int fd = open("/proc/evtlog/remote_key", O_RDONLY | O_CLOEXEC);

	must_refuse("root", "open remote_key to read", fd);
	fd = open("/proc/evtlog/remote_key", O_RDWR | O_CLOEXEC);
	must_refuse("root", "open remote_key to read and write", fd);
	fd = open("/proc/evtlog/remote_key", O_WRONLY | O_CLOEXEC);
	claim(fd >= 0, "root", "open remote_key to write", fd < 0 ? errno : 0);
	claim(lseek(fd, 1, SEEK_SET) < 0 && errno == ESPIPE, "root", "seek in remote_key", 0);
	close(fd);
}

static void as_root_of_namespace(void)
{
	enter_user_namespace(0);
	try_all("root of a user namespace", "/proc/evtlog", EPERM, EPERM);
}

static void as_nobody_made_root(void)
{
	become_nobody();
	/* So that it may write its own maps of ids */
	prctl(PR_SET_DUMPABLE, 1);
	enter_user_namespace(0);
	try_all("nobody as root of a user namespace", "/proc/evtlog", EPERM, EPERM);
}

/* With a procfs of its own, as in a container */
static void as_container(void)
{
	int status = 1;
	pid_t pid;

	enter_user_namespace(CLONE_NEWNS | CLONE_NEWPID);
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
		    mount("proc", "/tmp/proc", "proc", 0, NULL))
			die("/tmp/proc");
		try_all("container", "/tmp/proc/evtlog", EPERM, EPERM);
		fflush(stdout);
		_exit(!!failures);
	}
	waitpid(pid, &status, 0);
	failures += !!status;
}

static volatile sig_atomic_t faults;
static void *volatile escape;

/* Maps a page at the faulting address, so that the access ends. */
static void on_fault(int signal, siginfo_t *info, void *context)
{
	void *page = (void *)((uintptr_t)info->si_addr & ~4095UL);

	faults++;
	if (faults > 4)
		_exit(9);
	escape = mmap(page, 4096, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

/* Tries to write to a map that may only be read. */
static void try_to_write(int fd, int flags, size_t bytes, const char *who)
{
	char *map = mmap(NULL, bytes, PROT_READ, flags, fd, 0);
	const struct sigaction action = {
		.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO,
	};
	int memory;

	claim(map != MAP_FAILED, who, "map to read", map == MAP_FAILED ? errno : 0);
	if (map == MAP_FAILED)
		return;
	must_refuse(who, "mprotect to write",
		    mprotect(map, 4096, PROT_READ | PROT_WRITE));
	must_refuse(who, "mprotect to execute",
		    mprotect(map, 4096, PROT_READ | PROT_EXEC));
	must_refuse(who, "mremap to more",
		    (long)mremap(map, bytes, bytes * 2, MREMAP_MAYMOVE));
	memory = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
	if (memory < 0)
		die("/proc/self/mem");
	must_refuse(who, "write through /proc/self/mem",
		    pwrite(memory, "spoilt", 6, (off_t)(uintptr_t)map));
	close(memory);

	fflush(stdout);
	faults = 0;
	sigaction(SIGSEGV, &action, NULL);
	*(volatile char *)(map + 4096) = 'x';
	signal(SIGSEGV, SIG_DFL);
	claim(faults == 1, who, "store to it", faults ? EFAULT : 0);
	munmap(map, bytes);
}

static void maps(void)
{
	size_t bytes;
	FILE *file;
	unsigned long buffers = 0, kb = 0;
	int fd = open("/proc/evtlog/cpu0", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	int both = open("/proc/evtlog/cpu0", O_RDWR | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		die("/proc/evtlog/cpu0");
	file = fopen("/proc/evtlog/buffers", "re");
	if (!file || fscanf(file, "%lu", &buffers) != 1)
		die("buffers");
	fclose(file);
	file = fopen("/proc/evtlog/buffer_kb", "re");
	if (!file || fscanf(file, "%lu", &kb) != 1)
		die("buffer_kb");
	fclose(file);
	bytes = buffers * kb * 1024;

	try_to_map(fd, "reader", PROT_READ, MAP_SHARED, bytes, 0, "map all to read", 1);
	try_to_map(fd, "reader", PROT_READ, MAP_SHARED, 4096, bytes - 4096,
		   "map the last page", 1);
	try_to_map(fd, "reader", PROT_READ, MAP_SHARED, 4096, bytes,
		   "map the page behind the last", 0);
	try_to_map(fd, "reader", PROT_READ, MAP_SHARED, bytes + 4096, 0,
		   "map more than there is", 0);
	try_to_map(fd, "reader", PROT_READ, MAP_SHARED, 4096, (off_t)1 << 50,
		   "map far behind the end", 0);
	try_to_map(fd, "reader", PROT_READ | PROT_WRITE, MAP_SHARED, bytes, 0,
		   "map to write", 0);
	try_to_map(fd, "reader", PROT_READ | PROT_EXEC, MAP_SHARED, bytes, 0,
		   "map to execute", 0);
	try_to_map(fd, "reader", PROT_READ | PROT_WRITE, MAP_PRIVATE, bytes, 0,
		   "map a private copy to write", 0);
	try_to_write(fd, MAP_SHARED, bytes, "reader, shared map");
	try_to_write(fd, MAP_PRIVATE, bytes, "reader, private map");
	if (both >= 0) {
		try_to_map(both, "root, open to read and write", PROT_READ | PROT_WRITE,
			   MAP_SHARED, bytes, 0, "map to write", 0);
		try_to_write(both, MAP_SHARED, bytes, "root, open to read and write");
	}
}

static void in_child(void (*trial)(void))
{
	int status = 1;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		failures = 0;
		trial();
		fflush(stdout);
		_exit(!!failures);
	}
	waitpid(pid, &status, 0);
	if (status)
		printf("rights: a trial ended with status %#x\n", status);
	failures += !!status;
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	group = (gid_t)atoi(argv[1]);
	open_to_group = argc > 2;
	list_names();
	mkdir("/tmp/proc", 0755);
	in_child(as_root);
	in_child(as_nobody);
	in_child(as_root_without_capabilities);
	in_child(as_root_with_others);
	in_child(as_root_with_perfmon);
	in_child(as_reader);
	if (open_to_group) {
		in_child(as_reader_with_two_pages);
		in_child(as_logger);
		in_child(reader_beside_root);
	}
	in_child(as_member_without_capability);
	in_child(as_stranger_with_perfmon);
	in_child(as_member_made_root);
	in_child(modes);
	in_child(as_root_of_namespace);
	in_child(as_nobody_made_root);
	in_child(as_container);
	in_child(maps);
	printf("%d trials failed\n", failures);
	return !!failures;
}
