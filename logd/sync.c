// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sends ICMP echo requests to peers, evenly while a run records, and often where it begins.
 *
 * Stage: beside the data's way, in a process of its own: draining never waits for the
 * network.  The kernels at both ends log what is sent and answered; nothing is received
 * or measured here.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <netinet/ip_icmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../tools/evtlog/hostlist.h"
#include "background.h"
#include "describe.h"
#include "kernel.h"
#include "notify.h"
#include "privilege.h"
#include "say.h"
#include "sync.h"

#define NS_PER_S	1000000000ull

#define BURST_HZ	100

/* Between two looks whether a run records. */
#define LOOK_NS		(50 * 1000000ull)

/* Of linux/icmp.h, which does not go with the C library's. */
#define RAW_ICMP_FILTER	1

struct peers {
	struct in_addr addresses[CONFIG_PEERS_MAX];
	unsigned int count;
};

/* ---- Finding the peers ---- */

/* One configuration may serve all hosts, and names this one too. */
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

static void add_peer(struct peers *peers, const char *name)
{
	const struct addrinfo hints = { .ai_family = AF_INET, .ai_socktype = SOCK_RAW };
	struct addrinfo *found;
	struct in_addr address;
	int error = getaddrinfo(name, NULL, &hints, &found);

	if (error) {
		say_warning("sync_peers: %s: %s; going on without it", name,
			    error == EAI_SYSTEM ? strerror(errno) : gai_strerror(error));
		return;
	}
	address = ((struct sockaddr_in *)found->ai_addr)->sin_addr;
	freeaddrinfo(found);
	if (!is_own(address) && peers->count < CONFIG_PEERS_MAX)
		peers->addresses[peers->count++] = address;
}

static void find_peers(struct peers *peers, const struct config *config)
{
	struct hostlist list = { 0 };
	char why[HOSTLIST_WHY_BYTES];

	peers->count = 0;
	if (hostlist_add(&list, config->sync_peers, why))
		say_warning("sync_peers: %s", why);
	for (size_t i = 0; i < list.count; i++)
		add_peer(peers, list.hosts[i]);
	hostlist_free(&list);
}

/* ---- The child ---- */

/*
 * @count:	echoes sent; its halves are their identifier and sequence number
 * @burst_until_ns: till then they come often
 */
struct sender {
	struct peers peers;
	int socket;
	int enable;
	uint32_t count;
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

/* RFC 1071, of a header without data. */
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
 * Both numbers together are the packet's name, by which it is found at the other end:
 * none comes again before 2^32 others.
 */
static void send_one(struct sender *sender, struct in_addr to)
{
	const struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr = to };
	struct icmphdr header = {
		.type = ICMP_ECHO,
		.un.echo.id = htons(sender->count >> 16),
		.un.echo.sequence = htons(sender->count),
	};

	sender->count++;
	header.checksum = checksum(&header);
	/* Who can't be reached now may be reached by the next; the log tells. */
	if (sendto(sender->socket, &header, sizeof(header), MSG_DONTWAIT | MSG_NOSIGNAL,
		   (const void *)&address, sizeof(address)) < 0)
		return;
}

/*
 * Rises faster than it is used, so that a logger started anew goes on behind the last; and
 * elsewhere on each host, so that packets of two do not look alike.
 */
static uint32_t first_count(const char *host)
{
	uint32_t place = 2166136261u;

	for (; *host; host++)
		place = (place ^ (unsigned char)*host) * 16777619u;
	return place + (now_ns(CLOCK_REALTIME) >> 20);
}

/* Sleeps until @at, or until a burst is asked for; then it begins. */
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
	bool was_recording = false;
	uint64_t next = 0;

	for (;;) {
		uint64_t now = now_ns(CLOCK_MONOTONIC), period;

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
		/* A burst that was asked for does not wait for the next echo's turn. */
		if (next > now + period)
			next = now;
		if (now >= next) {
			for (unsigned int i = 0; i < sender->peers.count; i++)
				send_one(sender, sender->peers.addresses[i]);
			/* Those that were missed are not sent after. */
			next = next + period > now ? next + period : now + period;
		}
		sleep_until(sender, next < now + 2 * LOOK_NS ? next : now + 2 * LOOK_NS);
	}
}

static _Noreturn void be_child(struct sender *sender, pid_t parent)
{
	sigset_t burst;

	prctl(PR_SET_NAME, "logd-sync");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	/* Taken in turn by sigtimedwait(); of the others only SIGKILL is for us. */
	sigemptyset(&burst);
	sigaddset(&burst, SIGUSR1);
	sigprocmask(SIG_BLOCK, &burst, NULL);
	background_leave();
	notify_close();
	if (privilege_drop_all())
		_exit(1);
	send_until_killed(sender);
}

/* ---- The parent ---- */

static int open_socket(void)
{
	uint32_t block_all = ~0u;
	int fd = socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_ICMP);

	if (fd < 0)
		return -errno;
	/* It only sends: no answer is to wake anybody or take memory. */
	if (setsockopt(fd, SOL_RAW, RAW_ICMP_FILTER, &block_all, sizeof(block_all)) < 0) {
		close(fd);
		return -errno;
	}
	return fd;
}

void sync_start(struct sync *sync, const struct config *config)
{
	struct sender sender = {
		.count = first_count(describe_host(config)),
		.period_ns = NS_PER_S / config->sync_rate,
	};
	pid_t parent = getpid();

	sync->child = 0;
	if (!config->sync_peers[0])
		return;
	find_peers(&sender.peers, config);
	if (!sender.peers.count) {
		say_info("sync_peers: none but this host");
		return;
	}
	sender.enable = open(KERNEL_DIRECTORY "/enable", O_RDONLY | O_CLOEXEC);
	/* The logger itself needs it too, and says what is wrong. */
	if (sender.enable < 0)
		return;
	sender.socket = open_socket();
	if (sender.socket < 0) {
		say_warning("sync_peers: raw socket: %s; needs CAP_NET_RAW; no echoes are sent",
			    strerror(-sender.socket));
		goto close_enable;
	}
	sync->child = fork();
	if (sync->child == 0)
		be_child(&sender, parent);
	if (sync->child < 0) {
		say_warning("sync_peers: %s; no echoes are sent", strerror(errno));
		sync->child = 0;
	} else {
		say_detail("sync_peers: %u peers, by process %d", sender.peers.count,
			   sync->child);
	}
	close(sender.socket);
close_enable:
	close(sender.enable);
}

void sync_burst(const struct sync *sync)
{
	if (sync->child)
		kill(sync->child, SIGUSR1);
}

void sync_stop(struct sync *sync)
{
	if (!sync->child)
		return;
	kill(sync->child, SIGKILL);
	while (waitpid(sync->child, NULL, 0) < 0 && errno == EINTR)
		;
	sync->child = 0;
}
