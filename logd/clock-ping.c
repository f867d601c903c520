// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sends ICMP echo requests to peers: evenly during a run, and more often at its start.
 *
 * This is a separate process, so that draining never waits for the network.  The kernels at both
 * ends log requests and replies.  Nothing is received or measured here.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <netinet/ip_icmp.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "clock-ping.h"
#include "common/hostlist.h"
#include "common/say.h"
#include "daemon.h"
#include "lib/base/io.h"
#include "proc.h"

#define NS_PER_S	1000000000ull

#define BURST_HZ	100

/* How often to check whether a run is recorded. */
#define LOOK_NS		(50 * 1000000ull)

/* From linux/icmp.h, which conflicts with the C library's header. */
#define RAW_ICMP_FILTER	1

/* Minimum time between the starts of two children. */
#define PAUSE_S		3

/* If a name has no address, time until the next lookup; it is doubled for each further lookup. */
#define SEEK_FIRST_S	1
#define SEEK_MAX_S	60

/* @sought: number of names without an address, each looked up by its own thread */
struct peers {
	pthread_mutex_t lock;
	struct in_addr addresses[CONFIG_PEERS_MAX];
	unsigned int count;
	unsigned int sought;
};

struct search {
	struct peers *peers;
	const char *name;
};

/* ---- Finding the peers ---- */

/* One configuration may be used on all hosts: then the list contains this host. */
static bool is_own(struct in_addr address)
{
	struct ifaddrs *list, *at;
	bool own = false;

	if (getifaddrs(&list) < 0)
		return false;
	for (at = list; at && !own; at = at->ifa_next)
		own = at->ifa_addr && at->ifa_addr->sa_family == AF_INET &&
		      ((struct sockaddr_in *)at->ifa_addr)->sin_addr.s_addr == address.s_addr;
	freeifaddrs(list);
	return own;
}

/* Returns NULL, or why the name has no address. */
static const char *look_up(const char *name, struct in_addr *address)
{
	const struct addrinfo hints = { .ai_family = AF_INET, .ai_socktype = SOCK_RAW };
	struct addrinfo *found;
	int error = getaddrinfo(name, NULL, &hints, &found);

	if (error)
		return error == EAI_SYSTEM ? strerror(errno) : gai_strerror(error);
	*address = ((struct sockaddr_in *)found->ai_addr)->sin_addr;
	freeaddrinfo(found);
	return NULL;
}

/* At boot, the network or the name server may start later than logd. */
static struct in_addr seek(const char *name)
{
	struct in_addr address;
	const char *why = look_up(name, &address);

	if (!why)
		return address;
	say_warning("sync_peers: %s: %s; it gets no requests until it has an address, which is looked up again at least every %d s",
		    name, why, SEEK_MAX_S);
	for (unsigned int pause_s = SEEK_FIRST_S; why;) {
		sleep(pause_s);
		pause_s = 2 * pause_s < SEEK_MAX_S ? 2 * pause_s : SEEK_MAX_S;
		why = look_up(name, &address);
	}
	say_info("sync_peers: %s: found", name);
	return address;
}

static void *add_peer(void *argument)
{
	struct search *search = argument;
	struct peers *peers = search->peers;
	struct in_addr address = seek(search->name);

	pthread_mutex_lock(&peers->lock);
	if (!is_own(address) && peers->count < CONFIG_PEERS_MAX)
		peers->addresses[peers->count++] = address;
	peers->sought--;
	pthread_mutex_unlock(&peers->lock);
	free(search);
	return NULL;
}

/*
 * A failing lookup takes many seconds: other lookups, and requests to known peers, do not wait
 * for it.
 */
static void begin_search(struct peers *peers, const char *name)
{
	struct search *search = malloc(sizeof(*search));
	pthread_t thread;
	int error;

	if (!search) {
		say_warning("sync_peers: %s: %s; skipped", name, strerror(ENOMEM));
		return;
	}
	*search = (struct search){ peers, name };
	pthread_mutex_lock(&peers->lock);
	peers->sought++;
	pthread_mutex_unlock(&peers->lock);
	error = pthread_create(&thread, NULL, add_peer, search);
	if (error) {
		say_warning("sync_peers: %s: pthread_create: %s; skipped", name, strerror(error));
		pthread_mutex_lock(&peers->lock);
		peers->sought--;
		pthread_mutex_unlock(&peers->lock);
		free(search);
		return;
	}
	pthread_detach(thread);
}

/* The list is not freed: threads use its names. */
static void find_peers(struct peers *peers, const char *names)
{
	struct hostlist list = { 0 };
	char why[HOSTLIST_WHY_BYTES];

	if (hostlist_add(&list, names, why))
		say_warning("sync_peers: %s", why);
	for (size_t i = 0; i < list.count; i++)
		begin_search(peers, list.hosts[i]);
}

/* Returns the number of known peers, -1 if there are none and no lookup is running. */
static int known_peers(struct peers *peers, struct in_addr *addresses)
{
	int count;

	pthread_mutex_lock(&peers->lock);
	count = peers->count;
	memcpy(addresses, peers->addresses, count * sizeof(*addresses));
	if (!count && !peers->sought)
		count = -1;
	pthread_mutex_unlock(&peers->lock);
	return count;
}

/* ---- The child ---- */

/*
 * @count:	requests sent by all children; its halves are identifier and sequence number
 * @burst_until_ns: end of the burst
 */
struct sender {
	struct peers peers;
	int socket;
	int enable;
	uint32_t *count;
	uint64_t period_ns;
	uint64_t burst_until_ns;
};

static uint64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * NS_PER_S + now.tv_nsec;
}

static bool is_recording(const struct sender *sender)
{
	char text[2];

	return pread(sender->enable, text, sizeof(text), 0) > 0 && text[0] == '1';
}

/* RFC 1071, for a header without data. */
static uint16_t checksum(const struct icmphdr *header)
{
	const uint16_t *words = (const void *)header;
	uint32_t sum = 0;

	for (size_t i = 0; i < sizeof(*header) / 2; i++)
		sum += words[i];
	sum = (sum & 0xffff) + (sum >> 16);
	return ~(sum + (sum >> 16));
}

/*
 * Both numbers together identify the packet at the other end.  They are repeated only after 2^32
 * packets.
 */
static void send_one(struct sender *sender, struct in_addr to)
{
	const struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr = to };
	struct icmphdr header = {
		.type = ICMP_ECHO,
		.un.echo.id = htons(*sender->count >> 16),
		.un.echo.sequence = htons(*sender->count),
	};

	++*sender->count;
	header.checksum = checksum(&header);
	/* Ignore errors: the peer may be reachable later, and the log shows the packets sent. */
	if (sendto(sender->socket, &header, sizeof(header), MSG_DONTWAIT | MSG_NOSIGNAL,
		   (const void *)&address, sizeof(address)) < 0)
		return;
}

/*
 * Grows faster than packets are sent, so that a restarted logger continues after the last
 * number.  Begins elsewhere on each host, so that packets of two hosts differ.
 */
static uint32_t first_count(const char *host)
{
	uint32_t place = 2166136261u;

	for (; *host; host++)
		place = (place ^ (unsigned char)*host) * 16777619u;
	return place + (now_ns(CLOCK_REALTIME) >> 20);
}

/* Sleeps until @at.  If a burst is requested, starts it and returns. */
static void sleep_until(struct sender *sender, uint64_t at)
{
	uint64_t now = now_ns(CLOCK_MONOTONIC);
	struct timespec left;
	sigset_t burst;

	if (at <= now)
		return;
	left.tv_sec = (at - now) / NS_PER_S;
	left.tv_nsec = (at - now) % NS_PER_S;
	sigemptyset(&burst);
	sigaddset(&burst, SIGUSR1);
	if (sigtimedwait(&burst, NULL, &left) == SIGUSR1)
		sender->burst_until_ns = now_ns(CLOCK_MONOTONIC) + SYNC_BURST_MS * 1000000ull;
}

static _Noreturn void send_until_killed(struct sender *sender)
{
	struct in_addr addresses[CONFIG_PEERS_MAX];
	bool was_recording = false;
	uint64_t next = 0;

	for (;;) {
		uint64_t now = now_ns(CLOCK_MONOTONIC), period;
		int count = known_peers(&sender->peers, addresses);

		if (count < 0) {
			say_info("sync_peers: only this host is listed");
			_exit(0);
		}
		if (!is_recording(sender)) {
			was_recording = false;
			sleep_until(sender, now + LOOK_NS);
			continue;
		}
		if (!was_recording) {
			sender->burst_until_ns = now + SYNC_BURST_MS * 1000000ull;
			next = now;
		}
		was_recording = true;
		period = now < sender->burst_until_ns ? NS_PER_S / BURST_HZ : sender->period_ns;
		/* A requested burst does not wait for the next regular request. */
		if (next > now + period)
			next = now;
		if (now >= next) {
			for (int i = 0; i < count; i++)
				send_one(sender, addresses[i]);
			/* Missed requests are not sent later. */
			next = next + period > now ? next + period : now + period;
		}
		sleep_until(sender, next < now + 2 * LOOK_NS ? next : now + 2 * LOOK_NS);
	}
}

/* A child that is started later has logd's buffers and files, which it must close. */
static void close_all_but(int low, int high)
{
	int from = STDERR_FILENO + 1;

	if (low > from)
		close_range(from, low - 1, 0);
	if (low >= from)
		from = low + 1;
	if (high > from)
		close_range(from, high - 1, 0);
	if (high >= from)
		from = high + 1;
	close_range(from, ~0u, 0);
	say_reopen();
}

static _Noreturn void be_child(const struct sync *sync, pid_t parent, unsigned int pause_s)
{
	static struct sender sender = { .peers.lock = PTHREAD_MUTEX_INITIALIZER };

	prctl(PR_SET_NAME, "logd-sync");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	background_leave();
	notify_close();
	/* The socket was opened after @enable, so its number is larger. */
	close_all_but(sync->enable, sync->socket);
	if (privilege_drop_all())
		_exit(1);
	sleep(pause_s);
	sender.socket = sync->socket;
	sender.enable = sync->enable;
	sender.period_ns = sync->period_ns;
	sender.count = sync->count;
	find_peers(&sender.peers, sync->names);
	send_until_killed(&sender);
}

/* ---- The parent ---- */

static int open_socket(void)
{
	uint32_t block_all = ~0u;
	int fd = socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_ICMP);

	if (fd < 0)
		return -errno;
	/* The socket only sends: replies must not wake the process or use memory. */
	if (setsockopt(fd, SOL_RAW, RAW_ICMP_FILTER, &block_all, sizeof(block_all)) < 0) {
		close(fd);
		return -errno;
	}
	return fd;
}

static void begin_child(struct sync *sync, unsigned int pause_s)
{
	pid_t parent = getpid();
	sigset_t burst, before;

	/* The child waits with sigtimedwait().  The signal may come before, and must be kept. */
	sigemptyset(&burst);
	sigaddset(&burst, SIGUSR1);
	sigprocmask(SIG_BLOCK, &burst, &before);
	sync->begun_ns = now_ns(CLOCK_MONOTONIC) + pause_s * NS_PER_S;
	sync->child = fork();
	if (sync->child == 0)
		be_child(sync, parent, pause_s);
	if (sync->child < 0) {
		say_warning("sync_peers: fork: %s; no more requests are sent until logd is restarted",
			    strerror(errno));
		sync->child = 0;
	} else {
		say_detail("sync_peers: process %d", sync->child);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
}

static void close_all(struct sync *sync)
{
	if (sync->count)
		munmap(sync->count, sizeof(*sync->count));
	if (sync->socket >= 0)
		close(sync->socket);
	if (sync->enable >= 0)
		close(sync->enable);
	sync->count = NULL;
	sync->socket = -1;
	sync->enable = -1;
}

/* A new child continues the count of the previous one. */
static int share_count(struct sync *sync, const struct config *config)
{
	void *map = mmap(NULL, sizeof(*sync->count), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (map == MAP_FAILED)
		return -errno;
	sync->count = map;
	*sync->count = first_count(describe_host(config));
	return 0;
}

void sync_start(struct sync *sync, const struct config *config)
{
	int error;

	*sync = (struct sync){ .socket = -1, .enable = -1 };
	if (!config->sync_peers[0])
		return;
	sync->period_ns = NS_PER_S / config->sync_rate;
	strcpy(sync->names, config->sync_peers);
	sync->enable = open(KERNEL_DIRECTORY "/enable", O_RDONLY | O_CLOEXEC);
	/* The logger also opens this file, and prints the error. */
	if (sync->enable < 0)
		return;
	sync->socket = open_socket();
	if (sync->socket < 0) {
		say_warning("sync_peers: raw socket: %s; needs CAP_NET_RAW; no requests are sent",
			    strerror(-sync->socket));
		close_all(sync);
		return;
	}
	error = share_count(sync, config);
	if (error) {
		say_warning("sync_peers: %s; no requests are sent", strerror(-error));
		close_all(sync);
		return;
	}
	begin_child(sync, 0);
}

/* If the child was killed during its pause, @begun_ns is in the future: the pause must not grow. */
static unsigned int pause_after(uint64_t begun_ns)
{
	uint64_t now = now_ns(CLOCK_MONOTONIC), may = begun_ns + PAUSE_S * NS_PER_S;

	if (begun_ns > now)
		return PAUSE_S;
	return may > now ? (may - now + NS_PER_S - 1) / NS_PER_S : 0;
}

void sync_look_after(struct sync *sync)
{
	unsigned int pause_s;
	int status;

	if (!sync->child || waitpid(sync->child, &status, WNOHANG) != sync->child)
		return;
	sync->child = 0;
	/* It had no peers to send to. */
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
		close_all(sync);
		return;
	}
	pause_s = pause_after(sync->begun_ns);
	say_warning("sync_peers: the sending process ended with %s %d; starting another one in %u s",
		    WIFSIGNALED(status) ? "signal" : "status",
		    WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), pause_s);
	begin_child(sync, pause_s);
}

void sync_burst(const struct sync *sync)
{
	if (sync->child)
		kill(sync->child, SIGUSR1);
}

void sync_stop(struct sync *sync)
{
	close_all(sync);
	if (!sync->child)
		return;
	kill(sync->child, SIGKILL);
	io_wait(sync->child, NULL);
	sync->child = 0;
}
