// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bufread HOW CPU-FILE [FILE] - reads a CPU of a named buffer with the method HOW. Sends datagrams
 * on that CPU; a probe of the datagrams fills the buffer. Prints what is wrong and fails.
 */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <evtlog/abi.h>

#define BUFFER_BYTES	(64 * 1024)
#define MAP_BYTES	(4 * BUFFER_BYTES)

static char data[1 << 20];
static const char *how, *path;
static int fd;

static void die(const char *what, long value)
{
	fprintf(stderr, "bufread %s: %s: %ld (%s)\n", how, what, value, strerror(errno));
	exit(1);
}

static void expect(bool holds, const char *what, long value)
{
	if (!holds)
		die(what, value);
}

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static void send_udp(int count)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9) };
	static int s = -1;

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (s < 0)
		s = socket(AF_INET, SOCK_DGRAM, 0);
	while (count--) {
		/* The first sendto() returns the error of the previous datagram: nobody listens. */
		if (sendto(s, data, 100, 0, (struct sockaddr *)&to, sizeof(to)) != 100 &&
		    sendto(s, data, 100, 0, (struct sockaddr *)&to, sizeof(to)) != 100)
			die("sendto", errno);
	}
}

static int readable(int timeout_ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, timeout_ms);
}

/* Returns the number of EVENT records in a buffer. */
static int count_events(const void *buffer)
{
	const struct evtlog_buffer_header *h = buffer;
	const uint64_t *word = (const void *)((const char *)buffer + h->header_bytes);
	const uint64_t *end = (const void *)((const char *)buffer + h->used_bytes);
	int count = 0;

	expect(h->magic == EVTLOG_BUFFER_MAGIC && h->flags & EVTLOG_BUFFER_NAMED &&
	       !strcmp(h->run_name, "net"), "no buffer of net", h->flags);
	for (; word < end; word += evtlog_record_words(*word))
		count += (*word >> EVTLOG_TYPE_SHIFT & EVTLOG_TYPE_MAX) == EVTLOG_EVENT;
	expect(word == end, "records end", word - end);
	return count;
}

static int read_events(void)
{
	ssize_t bytes = read(fd, data, sizeof(data));

	expect(bytes > 0, "read", bytes);
	return count_events(data);
}

static void set_mark(uint32_t bytes, uint32_t records, uint32_t ms)
{
	struct evtlog_watermark mark = { .bytes = bytes, .records = records, .ms = ms };

	expect(!ioctl(fd, EVTLOG_IOC_WATERMARK, &mark), "watermark", errno);
	/* The watermark hands over what was there before. */
	while (readable(0) > 0)
		read_events();
}

static void by_records(void)
{
	struct evtlog_watermark wrong = { .ms = EVTLOG_WATERMARK_MS_MAX + 1 };
	int other = open("/proc/evtlog/named/net/cpu0", O_RDONLY), got;

	send_udp(7);
	expect(!readable(50), "readable with 7 records and no watermark", 0);
	set_mark(0, 10, 0);
	expect(ioctl(other, EVTLOG_IOC_WATERMARK, &wrong) < 0 && errno == EINVAL,
	       "a watermark that is none", 0);
	wrong.ms = 0;
	expect(ioctl(other, EVTLOG_IOC_WATERMARK, &wrong) < 0 && errno == EBUSY,
	       "another reader's watermark", 0);
	close(other);
	send_udp(9);
	expect(!readable(50), "readable with 9 records of 10", 0);
	send_udp(16);
	expect(readable(50) == 1, "not readable with 25 records", 0);
	got = read_events();
	expect(got == 10, "records in the first buffer", got);
	got = read_events();
	expect(got == 10, "records in the second buffer", got);
	expect(!readable(50), "readable with 5 records", 0);
}

/* A record is one word and eight bytes of arguments. */
static void by_bytes(void)
{
	int got;

	set_mark(320, 0, 0);
	send_udp(19);
	expect(!readable(50), "readable with 304 bytes of 320", 0);
	send_udp(1);
	expect(readable(50) == 1, "not readable with 320 bytes", 0);
	got = read_events();
	expect(got == 20, "records", got);
}

static void by_ms(void)
{
	double begin;
	int got;

	set_mark(0, 0, 200);
	begin = now_ms();
	send_udp(3);
	expect(readable(2000) == 1, "not readable after 2 s", 0);
	begin = now_ms() - begin;
	expect(begin > 50 && begin < 400, "ms until a watermark of 200", (long)begin);
	got = read_events();
	expect(got == 3, "records", got);
}

static void by_urgent(void)
{
	double begin, longest = 0;

	set_mark(0, 0, 0);
	for (int i = 0; i < 100; i++) {
		int got;

		begin = now_ms();
		send_udp(1);
		expect(readable(1000) == 1, "not readable", i);
		begin = now_ms() - begin;
		longest = begin > longest ? begin : longest;
		got = read_events();
		expect(got == 1, "records", got);
	}
	/* More records than buffers: none is lost, and the reader is woken again. */
	send_udp(20);
	for (int sum = 0; sum < 20; ) {
		expect(readable(1000) == 1, "the rest is not readable", sum);
		sum += read_events();
	}
	printf("bufread urgent: 100 times alone, longest %.1f ms\n", longest);
}

static void by_mmap(void)
{
	const char *map = mmap(NULL, MAP_BYTES, PROT_READ, MAP_SHARED, fd, 0);
	struct evtlog_get get;
	int got;

	expect(map != MAP_FAILED, "mmap", errno);
	expect(mmap(NULL, MAP_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED,
	       "mapped for writing", 0);
	set_mark(0, 5, 0);
	send_udp(5);
	expect(!ioctl(fd, EVTLOG_IOC_GET, &get), "get", errno);
	got = count_events(map + get.offset);
	expect(got == 5, "records", got);
	expect(!ioctl(fd, EVTLOG_IOC_PUT), "put", errno);
	expect(ioctl(fd, EVTLOG_IOC_PUT) < 0 && errno == EINVAL, "put twice", errno);
}

static volatile sig_atomic_t signals;

static void count_signal(int unused)
{
	signals++;
}

static void by_sigio(void)
{
	int off = -1;

	signal(SIGIO, count_signal);
	set_mark(0, 1, 0);
	expect(!fcntl(fd, F_SETOWN, getpid()), "F_SETOWN", errno);
	expect(!ioctl(fd, EVTLOG_IOC_SIGIO, &fd), "sigio on", errno);
	send_udp(1);
	expect(signals == 1, "signals", signals);
	expect(read_events() == 1, "records", 0);
	expect(!ioctl(fd, EVTLOG_IOC_SIGIO, &off), "sigio off", errno);
	send_udp(1);
	expect(signals == 1, "signals after it was turned off", signals);
	expect(read_events() == 1, "records", 0);
}

static int threads(void)
{
	DIR *tasks = opendir("/proc/self/task");
	int count = 0;

	while (readdir(tasks))
		count++;
	closedir(tasks);
	return count - 2;
}

static void by_uring(void)
{
	struct io_uring_params p = { 0 };
	int ring = syscall(SYS_io_uring_setup, 4, &p), got;
	struct io_uring_sqe *sqes;
	struct io_uring_cqe *cqe;
	char *sq, *cq;

	expect(ring >= 0, "io_uring_setup", errno);
	sq = mmap(NULL, p.sq_off.array + p.sq_entries * 4, PROT_READ | PROT_WRITE, MAP_SHARED,
		  ring, IORING_OFF_SQ_RING);
	cq = mmap(NULL, p.cq_off.cqes + p.cq_entries * sizeof(*cqe), PROT_READ | PROT_WRITE,
		  MAP_SHARED, ring, IORING_OFF_CQ_RING);
	sqes = mmap(NULL, p.sq_entries * sizeof(*sqes), PROT_READ | PROT_WRITE, MAP_SHARED, ring,
		    IORING_OFF_SQES);
	expect(sq != MAP_FAILED && cq != MAP_FAILED && sqes != MAP_FAILED, "rings", errno);

	set_mark(0, 4, 0);
	sqes[0] = (struct io_uring_sqe){ .opcode = IORING_OP_READ, .fd = fd,
		.addr = (uintptr_t)data, .len = sizeof(data), .off = -1 };
	*(unsigned int *)(sq + p.sq_off.array) = 0;
	__atomic_store_n((unsigned int *)(sq + p.sq_off.tail), 1, __ATOMIC_RELEASE);
	got = syscall(SYS_io_uring_enter, ring, 1, 0, 0, NULL, 0);
	expect(got == 1, "submitted", got);
	usleep(20000);
	expect(__atomic_load_n((unsigned int *)(cq + p.cq_off.tail), __ATOMIC_ACQUIRE) == 0,
	       "complete before there is anything", 0);
	expect(threads() == 1, "threads: a worker waits for it", threads());
	send_udp(4);
	got = syscall(SYS_io_uring_enter, ring, 0, 1, IORING_ENTER_GETEVENTS, NULL, 0);
	expect(!got, "wait", got);
	cqe = (struct io_uring_cqe *)(cq + p.cq_off.cqes);
	expect(cqe->res > 0, "read", cqe->res);
	got = count_events(data);
	expect(got == 4, "records", got);
	expect(threads() == 1, "threads: a worker has done it", threads());
	printf("bufread uring: a read completed, without a worker thread\n");
}

/* Reads until the buffer is deleted. */
static void by_waiting(void)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	ssize_t bytes;

	do {
		poll(&p, 1, -1);
		bytes = read(fd, data, sizeof(data));
	} while (bytes > 0);
	expect(!bytes || errno == EIO, "read", bytes);
}

/*
 * Without CAP_SYS_ADMIN, so that the mapping counts as locked memory: maps a buffer and puts the file
 * into epoll.  Unmaps it at a line of input, ends at the end of input.
 */
static void held(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct epoll_event event = { .events = EPOLLIN };
	struct __user_cap_data_struct sets[2];
	int epoll = epoll_create1(0);
	void *map;

	expect(!syscall(SYS_capget, &header, sets), "capget", errno);
	sets[0].effective &= ~(1U << CAP_SYS_ADMIN);
	expect(!syscall(SYS_capset, &header, sets), "capset", errno);
	close(fd);
	fd = open(path, O_RDONLY);
	map = mmap(NULL, BUFFER_BYTES, PROT_READ, MAP_SHARED, fd, 0);
	expect(map != MAP_FAILED && !epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event), "held", errno);
	puts("held");
	fflush(stdout);
	expect(read(STDIN_FILENO, data, sizeof(data)) > 0, "no line", errno);
	munmap(map, BUFFER_BYTES);
	expect(!read(STDIN_FILENO, data, sizeof(data)), "not the end", errno);
}

/* Reads into a page of a file system that is frozen for two seconds. */
static void into_frozen(const char *path)
{
	int file = open(path, O_RDWR);
	void *page = mmap(NULL, BUFFER_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	pid_t reader;

	expect(file >= 0 && page != MAP_FAILED, path, errno);
	expect(!ioctl(file, FIFREEZE, 0), "FIFREEZE", errno);
	reader = fork();
	if (!reader) {
		ssize_t bytes = read(fd, page, BUFFER_BYTES);

		_exit(bytes < 0);
	}
	/* The reader gets its data when the named buffer ends. */
	send_udp(1);
	sleep(2);
	expect(!ioctl(file, FITHAW, 0), "FITHAW", errno);
	expect(waitpid(reader, NULL, 0) == reader, "waitpid", errno);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *how;
		void (*read)(void);
	} ways[] = {
		{ "records", by_records }, { "bytes", by_bytes }, { "ms", by_ms },
		{ "urgent", by_urgent }, { "mmap", by_mmap }, { "sigio", by_sigio },
		{ "uring", by_uring }, { "wait", by_waiting }, { "held", held },
	};

	if (argc < 3 || argc > 4)
		return 2;
	how = argv[1];
	path = argv[2];
	fd = open(path, O_RDONLY);
	expect(fd >= 0, path, errno);
	if (argc == 4 && !strcmp(how, "frozen")) {
		into_frozen(argv[3]);
		return 0;
	}
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		if (strcmp(how, ways[i].how))
			continue;
		ways[i].read();
		return 0;
	}
	return 2;
}
