// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * selfread READS [SWITCHES] - a thread per CPU reads its own page READS times, while it is moved
 * between CPUs and gets signals: no sum is torn or goes back, and all equal the text. Then profiles
 * and pages are turned off and on SWITCHES times (25) on busy CPUs: waits are not user mode. Then
 * invalid accesses are refused. Run as root with profiles on. Exits with 1 if a claim was wrong.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>

#include "../../tools/lib/profile/self.c"
#include "claims.h"

#define CONTROL		"/proc/evtlog/profile/control"
#define SECRET		"/tmp/secret"

static long reads;
static volatile int running;

static __thread volatile unsigned long signals;

static void on_signal(int number)
{
	signals++;
}

static uint64_t total(const struct evtlog_profile_sums *sums)
{
	uint64_t sum = 0;

	for (int i = 0; i < EVTLOG_PROFILE_GROUPS_MAX; i++)
		sum += sums->ticks[i];
	return sum;
}

static int went_back(const struct evtlog_profile_sums *before,
		     const struct evtlog_profile_sums *now)
{
	int found = now->stamp < before->stamp;

	for (int i = 0; i < EVTLOG_PROFILE_GROUPS_MAX; i++)
		found += now->ticks[i] < before->ticks[i] || now->counts[i] < before->counts[i];
	return found;
}

/* Reads this thread's sums from a profile's text; a wait or interrupt counts by its last event. */
static int read_text(const char *path, uint64_t *ticks)
{
	char line[4096], event[64];
	const char *last;
	FILE *file = fopen(path, "r");
	int here = 0, found = 0;
	uint64_t exclusive;

	memset(ticks, 0, EVTLOG_PROFILE_GROUPS * sizeof(*ticks));
	if (!file)
		return -errno;
	while (fgets(line, sizeof(line), file)) {
		if (line[0] != ' ') {
			here = !strncmp(line, "task ", 5) && atoi(line + 5) == gettid();
			found += here;
			continue;
		}
		if (!here || sscanf(line, " %*s %*u %*u %lu", &exclusive) != 1)
			continue;
		*strchr(line + 2, ' ') = '\0';
		last = strrchr(line, '>') ? strrchr(line, '>') + 1 : line + 2;
		sscanf(last, "%63[a-z]", event);
		for (int i = 0; i < EVTLOG_PROFILE_GROUPS; i++) {
			if (!strcmp(event, names[i]))
				ticks[i] += exclusive;
		}
	}
	fclose(file);
	return found;
}

static void compare_with_text(const struct evtlog_profile_self *self, const char *path)
{
	struct evtlog_profile_sums before, after;
	uint64_t ticks[EVTLOG_PROFILE_GROUPS];
	int found, outside = 0;

	evtlog_profile_self_read(self, true, &before);
	found = read_text(path, ticks);
	evtlog_profile_self_read(self, true, &after);
	claim(found == 1, path, found);
	for (int i = 0; i < EVTLOG_PROFILE_GROUPS; i++) {
		if (ticks[i] < before.ticks[i] || ticks[i] > after.ticks[i]) {
			printf("%s: %lu, %lu in the text, %lu\n", names[i], before.ticks[i],
			       ticks[i], after.ticks[i]);
			outside++;
		}
	}
	claim(!outside, "groups of the text lie between two looks at the page", outside);
}

/* Signals, spans and functions with a timer; self.sh has chosen these groups. */
static void be_in_all_groups(void)
{
	char byte = 0;
	int ends[2], file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);

	if (file < 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		exit(2);
	for (int i = 0; i < 10; i++) {
		if (write(ends[0], &byte, 1) != 1 || read(ends[1], &byte, 1) != 1 ||
		    pread(file, &byte, 1, 0) != 1)
			exit(2);
	}
	close(file);
	close(ends[0]);
	close(ends[1]);
}

static void *reader(void *unused)
{
	struct evtlog_profile_self *self = evtlog_profile_self_open();
	struct evtlog_profile_sums sums, before = { 0 };
	long torn = 0, back = 0, empty = 0;
	uint64_t user = 0, now;

	if (!self) {
		claim(0, "a thread opens its page", 0);
		return NULL;
	}
	claim(self->page->tid == (uint32_t)gettid(), "the page is this thread's", gettid());
	/* The first return to user mode after the map fills the page. */
	getppid();
	be_in_all_groups();
	/* Fast machines reach READS before enough signals came: continue. */
	for (long i = 0; i < reads || (signals <= (unsigned long)reads / 10000 && i < 100 * reads); i++) {
		if (evtlog_profile_self_read(self, true, &sums)) {
			empty++;
			continue;
		}
		torn += total(&sums) != sums.stamp - sums.born + sums.ahead;
		back += went_back(&before, &sums);
		before = sums;
		now = evtlog_profile_self_ticks(self, EVTLOG_PROFILE_GROUP_USER);
		back += now < user;
		user = now;
		if (!(i % 1000))
			sched_yield();
	}
	claim(!empty, "sums are there", empty);
	claim(!torn, "no sum is torn", torn);
	claim(!back, "none goes back", back);
	claim(signals > (unsigned long)reads / 10000, "signals came meanwhile", signals);
	claim(sums.counts[EVTLOG_PROFILE_GROUP_SYSCALL] > (uint64_t)reads / 1000,
	      "system calls are counted", sums.counts[EVTLOG_PROFILE_GROUP_SYSCALL]);
	claim(sums.counts[EVTLOG_PROFILE_GROUP_VECTOR] > 10, "so are system vectors",
	      sums.counts[EVTLOG_PROFILE_GROUP_VECTOR]);
	for (int i = EVTLOG_PROFILE_GROUP_SIGNAL; i <= EVTLOG_PROFILE_GROUP_BLOCK; i++)
		claim(sums.counts[i] >= 10 && sums.ticks[i], names[i], sums.counts[i]);
	__atomic_sub_fetch(&running, 1, __ATOMIC_RELAXED);
	pause();
	compare_with_text(self, "/proc/evtlog/profile/self");
	compare_with_text(self, "/proc/evtlog/profile/all");
	evtlog_profile_self_close(self);
	return NULL;
}

static void move(pthread_t thread, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	pthread_setaffinity_np(thread, sizeof(set), &set);
}

static void read_while_disturbed(void)
{
	int cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
	pthread_t threads[64];
	int i, turn = 0;

	running = cpus;
	for (i = 0; i < cpus; i++)
		pthread_create(&threads[i], NULL, reader, NULL);
	while (running) {
		for (i = 0; i < cpus; i++) {
			move(threads[i], (i + turn) % cpus);
			pthread_kill(threads[i], SIGUSR1);
		}
		turn++;
		usleep(500);
	}
	printf("moved %d times\n", turn);
	for (i = 0; i < cpus; i++) {
		/* For threads that reach pause() only now */
		usleep(20000);
		pthread_kill(threads[i], SIGUSR1);
		pthread_join(threads[i], NULL);
	}
}

static int write_control(const char *text)
{
	int fd = open(CONTROL, O_WRONLY | O_CLOEXEC), result;

	result = fd < 0 ? -errno : write(fd, text, strlen(text)) < 0 ? -errno : 0;
	close(fd);
	return result;
}

static int is_empty(const struct evtlog_profile_page *page)
{
	uint64_t all = page->sequence | page->stamp | page->user | page->born | page->ahead;

	for (int i = 0; i < EVTLOG_PROFILE_GROUPS_MAX; i++)
		all |= page->ticks[i] | page->counts[i];
	return !all;
}

static void turned_off(void)
{
	struct evtlog_profile_self *self = evtlog_profile_self_open();
	struct evtlog_profile_sums sums;

	if (!self) {
		claim(0, "a page", 0);
		return;
	}
	claim(!evtlog_profile_self_read(self, true, &sums), "before: sums", 0);
	write_control("self off");
	claim(is_empty(self->page), "turned off: an empty page", self->page->sequence);
	claim(evtlog_profile_self_read(self, true, &sums) == -ENODATA, "turned off: no data", 0);
	claim(!evtlog_profile_self_ticks(self, EVTLOG_PROFILE_GROUP_USER), "nor of a group", 0);
	claim(!evtlog_profile_self_open() && errno == EPERM, "turned off: no map", 0);
	write_control("self on");
	getppid();
	claim(!evtlog_profile_self_read(self, true, &sums), "turned on: sums", 0);
	write_control("0");
	claim(is_empty(self->page), "stopped: an empty page", self->page->sequence);
	write_control("1");
	getppid();
	claim(!evtlog_profile_self_read(self, true, &sums), "started: sums", 0);
	claim(total(&sums) == sums.stamp - sums.born + sums.ahead, "which add up", 0);
	evtlog_profile_self_close(self);
}

/* Times to turn each switch off and on, enough to hit waits of a reading thread */
static int switches = 25;
/* The readings are not simultaneous, and the clocks' rates differ. */
#define SLACK_NS	2e6

static uint64_t thread_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* A thread's time in user mode is at most its time on a CPU. */
static void *watcher(void *unused)
{
	struct evtlog_profile_self *self = evtlog_profile_self_open();
	struct evtlog_profile_sums sums, before = { 0 };
	uint64_t begin, since = 0;
	long looks = 0, too_long = 0, back = 0, without = 0;
	double user, ran;

	if (!self) {
		claim(0, "a thread opens its page", 0);
		return NULL;
	}
	while (running) {
		for (volatile int i = 0; i < 3000; i++)
			;
		begin = thread_ns();
		if (evtlog_profile_self_read(self, true, &sums)) {
			without++;
			continue;
		}
		if (sums.born == before.born) {
			looks++;
			ran = (double)(thread_ns() - since);
			user = (double)(int64_t)(sums.ticks[EVTLOG_PROFILE_GROUP_USER] -
						 before.ticks[EVTLOG_PROFILE_GROUP_USER]) *
			       1e9 / (double)sums.ticks_hz;
			back += went_back(&before, &sums);
			if (user > ran + SLACK_NS) {
				too_long++;
				printf("%.3f ms in user mode, %.3f ms on a CPU\n", user / 1e6, ran / 1e6);
			}
		}
		before = sums;
		since = begin;
	}
	claim(looks > switches, "turned off and on: looks between", looks);
	claim(without > 0, "turned off and on: some found no sums", without);
	claim(!back, "turned off and on: no sum goes back", back);
	claim(!too_long, "turned off and on: what waits is no user mode", too_long);
	evtlog_profile_self_close(self);
	return NULL;
}

/* Forks until it or its parent is killed. */
static pid_t start_load(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		pid_t child = fork();

		if (!child) {
			for (volatile int i = 0; i < 100000; i++)
				;
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
}

static void switch_busily(const char *off, const char *on)
{
	int refused = 0;

	for (int i = 0; i < switches; i++) {
		usleep(40000);
		refused += write_control(off) || write_control(on);
	}
	claim(!refused, off, refused);
}

static void switched_while_busy(void)
{
	int cpus = (int)sysconf(_SC_NPROCESSORS_ONLN), i;
	pthread_t threads[64];
	pid_t loads[64];

	for (i = 0; i < cpus; i++)
		loads[i] = start_load();
	running = 1;
	for (i = 0; i < cpus; i++)
		pthread_create(&threads[i], NULL, watcher, NULL);
	switch_busily("0", "1");
	switch_busily("self off", "self on");
	running = 0;
	for (i = 0; i < cpus; i++)
		pthread_join(threads[i], NULL);
	for (i = 0; i < cpus; i++) {
		kill(loads[i], SIGKILL);
		waitpid(loads[i], NULL, 0);
	}
}

static void refusals(void)
{
	struct evtlog_profile_self *self = evtlog_profile_self_open();
	int fd = open(SELF_FILE, O_RDONLY | O_CLOEXEC), status;
	void *page = (void *)self->page, *map;
	struct iovec local, remote = { page, 64 };
	struct iovec here = { page, 64 };
	char bytes[64];
	pid_t pid, parent = getpid();
	int ends[2];

	claim(mprotect(page, 4096, PROT_READ | PROT_WRITE) < 0, "mprotect to write", 0);
	claim(madvise(page, 4096, MADV_DOFORK) < 0, "madvise: inherit", 0);
	/* Refused, or the page is mapped again */
	madvise(page, 4096, MADV_DONTNEED);
	claim(self->page->version == EVTLOG_PROFILE_PAGE_VERSION, "madvise: not needed", 0);
	/* The page has been read, so it is in the page tables. */
	claim(!pipe(ends) && vmsplice(ends[1], &here, 1, 0) < 0 && errno == EFAULT, "pin it", 0);
	claim(write(ends[1], page, 64) == 64 && read(ends[0], bytes, 64) == 64 &&
	      !memcmp(bytes, page, 8), "write a copy", 0);
	close(ends[0]);
	close(ends[1]);
	claim(mremap(page, 4096, 8192, MREMAP_MAYMOVE) == MAP_FAILED, "mremap to more", 0);
	map = mmap(NULL, 8192, PROT_READ, MAP_SHARED, fd, 0);
	claim(map == MAP_FAILED, "map two pages", 0);
	map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 4096);
	claim(map == MAP_FAILED, "map the next page", 0);
	map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	claim(map == MAP_FAILED, "map to write", 0);
	map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	claim(map == MAP_FAILED, "map a copy to write", 0);
	claim(open(SELF_FILE, O_RDWR) < 0 || geteuid() == 0, "open to write", 0);
	pid = fork();
	if (!pid) {
		local = (struct iovec){ bytes, sizeof(bytes) };
		claim(read(fd, bytes, sizeof(bytes)) < 0 && errno == EACCES,
		      "a child reads its parent's descriptor", 0);
		map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
		claim(map == MAP_FAILED && errno == EACCES, "a child maps it", 0);
		claim(process_vm_readv(parent, &local, 1, &remote, 1, 0) < 0,
		      "a child reads its parent's page from afar", 0);
		if (wrong)
			_exit(1);
		/* The page is not inherited. */
		_exit(*(volatile char *)page & 1);
	}
	waitpid(pid, &status, 0);
	claim(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV, "a child has no page", status);
	close(fd);
	evtlog_profile_self_close(self);
}

/* In memory shared with the parent, which reads it */
static struct evtlog_profile_self *volatile shared;
static volatile int may_go;

static int exec_secret(void *unused)
{
	char *argv[] = { SECRET, "secret", NULL }, *envp[] = { NULL };

	shared = evtlog_profile_self_open();
	while (!may_go)
		sched_yield();
	execve(SECRET, argv, envp);
	_exit(2);
}

static int effective_uid(pid_t pid)
{
	char path[64], line[128];
	int uid = -1;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	file = fopen(path, "r");
	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "Uid: %*d %d", &uid);
	if (file)
		fclose(file);
	return uid;
}

static void setuid_exec(void)
{
	static char stack[65536] __attribute__((aligned(16)));
	uint64_t before;
	pid_t pid;

	if (setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534))
		_exit(3);
	pid = clone(exec_secret, stack + sizeof(stack), CLONE_VM | SIGCHLD, NULL);
	while (!shared)
		usleep(1000);
	usleep(10000);
	before = shared->page->stamp;
	claim(before && shared->page->tid == (uint32_t)pid, "setuid: before, a user's page", pid);
	may_go = 1;
	usleep(400000);
	claim(effective_uid(pid) == 0, "setuid: the program runs as root", effective_uid(pid));
	claim(is_empty(shared->page), "setuid: its page tells nothing", shared->page->sequence);
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_signal };

	if (argc < 2)
		return 2;
	if (!strcmp(argv[1], "secret")) {
		for (int i = 0; i < 80; i++)
			usleep(10000);
		return 0;
	}
	reads = atol(argv[1]);
	if (argc > 2)
		switches = atoi(argv[2]);
	sigaction(SIGUSR1, &action, NULL);
	read_while_disturbed();
	turned_off();
	switched_while_busy();
	refusals();
	in_child(setuid_exec);
	printf("%d claims wrong\n", wrong);
	return wrong > 0;
}
