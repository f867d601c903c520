// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * io_cost CPU ROUNDS - prints the ns of: a read() at the end of a file; a read() of a byte; a
 * datagram that has no receiver; a TCP message of one byte to itself; a page fault. Each is the
 * shortest of ROUNDS. Also prints the median of 60 timer interrupts without other work; the
 * shortest follows a long interrupt and does less.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pinned.h"

#define CALLS_A_ROUND	64
#define TICKS		60
#define PAGE		4096
/* Without an interrupt, only a few instructions pass. */
#define IS_TICK		500

static int null_file, zero_file, udp, tcp[2];
static char byte[100];

static void read_nothing(void)
{
	if (read(null_file, byte, 1))
		die("read");
}

static void read_byte(void)
{
	if (read(zero_file, byte, 1) != 1)
		die("read");
}

static void send_datagram(void)
{
	if (send(udp, byte, sizeof(byte), 0) != sizeof(byte))
		die("send");
	if (recv(udp, byte, sizeof(byte), 0) != sizeof(byte))
		die("recv");
}

static void send_tcp(void)
{
	if (send(tcp[0], byte, 1, 0) != 1 || recv(tcp[1], byte, 1, 0) != 1)
		die("send");
}

/* Touches released memory for the first time; one system call releases many pages. */
static void fault(void)
{
	static volatile char *pages;
	static unsigned int page;

	if (!pages) {
		munlockall();
		pages = mmap(NULL, CALLS_A_ROUND * PAGE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	}
	if (pages == MAP_FAILED || (!page && madvise((void *)pages, CALLS_A_ROUND * PAGE,
						     MADV_DONTNEED)))
		die("pages");
	(void)pages[page * PAGE];
	page = (page + 1) % CALLS_A_ROUND;
}

static int compare(const void *a, const void *b)
{
	unsigned long long x = *(unsigned long long *)a, y = *(unsigned long long *)b;

	return (x > y) - (x < y);
}

/* By the tick counter, which counts instructions under --icount */
static void tick_cost(void)
{
	unsigned long long last = __builtin_ia32_rdtsc(), now, cost[TICKS];

	for (int ticks = 0; ticks < TICKS; last = now) {
		now = __builtin_ia32_rdtsc();
		if (now - last >= IS_TICK)
			cost[ticks++] = now - last;
	}
	qsort(cost, TICKS, sizeof(*cost), compare);
	printf("tick %llu\n", cost[TICKS / 2]);
}

static void cost(const char *name, void (*work)(void), long rounds)
{
	double least = 1e18, begin, end;

	for (long round = 0; round < rounds; round++) {
		begin = now_ns();
		for (int i = 0; i < CALLS_A_ROUND; i++)
			work();
		end = now_ns();
		if (end - begin < least)
			least = end - begin;
	}
	printf("%s %.2f\n", name, least / CALLS_A_ROUND);
}

static void open_sockets(void)
{
	struct sockaddr_in name = { .sin_family = AF_INET };
	socklen_t bytes = sizeof(name);
	int listener = socket(AF_INET, SOCK_STREAM, 0);

	name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	udp = socket(AF_INET, SOCK_DGRAM, 0);
	if (bind(udp, (void *)&name, sizeof(name)) || getsockname(udp, (void *)&name, &bytes) ||
	    connect(udp, (void *)&name, sizeof(name)))
		die("a datagram socket");
	name.sin_port = 0;
	tcp[0] = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(listener, (void *)&name, sizeof(name)) || listen(listener, 1) ||
	    getsockname(listener, (void *)&name, &bytes) ||
	    connect(tcp[0], (void *)&name, sizeof(name)))
		die("a stream socket");
	tcp[1] = accept(listener, NULL, NULL);
}

int main(int argc, char **argv)
{
	long rounds;

	if (argc != 3)
		return 2;
	pin(argv[1]);
	rounds = atol(argv[2]);
	null_file = open("/dev/null", O_RDONLY);
	zero_file = open("/dev/zero", O_RDONLY);
	open_sockets();
	cost("read_nothing", read_nothing, rounds);
	cost("read_byte", read_byte, rounds);
	cost("datagram", send_datagram, rounds);
	cost("tcp", send_tcp, rounds);
	cost("fault", fault, rounds);
	tick_cost();
	return 0;
}
