// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * position - asks for the position of the next record before and after a known number of system
 * calls, and checks that the map has exactly these calls in between.
 *
 * Reads /proc/evtlog/cpu0 without logd, like a benchmark that finds its own rounds in the log.
 * Runs as root in a guest of two CPUs; prints each trial, and exits with 1 if one failed.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <evtlog/abi.h>

#include "program.h"

#define BUFFERS		8
#define BUFFER_BYTES	65536

static const long rounds[] = { 1, 0, 7, 3000, 20000 };

#define ROUNDS	(sizeof(rounds) / sizeof(rounds[0]))

/* The records from one position to the next */
struct found {
	long calls, exits, enters, others, out_of_time;
	uint64_t first, last;
};

static struct evtlog_position *volatile nowhere = (struct evtlog_position *)16;
static int failures;

static void claim(bool holds, const char *what)
{
	printf("%s %s\n", holds ? "ok   " : "WRONG", what);
	failures += !holds;
}

static inline uint64_t ticks(void)
{
	uint32_t low, high;

	asm volatile("lfence; rdtsc" : "=a" (low), "=d" (high) : : "memory");
	return (uint64_t)high << 32 | low;
}

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		die(path);
	close(fd);
}

static struct evtlog_position position(int fd)
{
	struct evtlog_position p;

	memset(&p, 0xff, sizeof(p));
	if (ioctl(fd, EVTLOG_IOC_POSITION, &p))
		die("EVTLOG_IOC_POSITION");
	return p;
}

static int order(uint64_t sequence, uint32_t offset, const struct evtlog_position *p)
{
	if (sequence != p->sequence)
		return sequence < p->sequence ? -1 : 1;
	return offset < p->offset ? -1 : offset > p->offset;
}

static void call(long n)
{
	while (n--)
		syscall(SYS_getppid);
}

static void count(struct found *found, uint64_t record)
{
	uint32_t data = record >> EVTLOG_DATA_SHIFT;
	unsigned int type = record >> EVTLOG_TYPE_SHIFT & EVTLOG_TYPE_MAX;

	switch (type) {
	case EVTLOG_TIME:
		return;
	case EVTLOG_USER_EXIT:
		found->exits++;
		found->calls += data == (EVTLOG_USER_EXIT_SYSCALL | SYS_getppid << 2);
		break;
	case EVTLOG_USER_ENTER:
		found->enters++;
		break;
	default:
		found->others++;
	}
	if (!found->first)
		found->first = record;
	found->last = record;
}

/* Adds each record of a buffer to the @found that it lies in. */
static void look(const struct evtlog_buffer_header *h, const struct evtlog_position *p,
		 struct found *found, bool *begins)
{
	const uint64_t *word = (const void *)((const char *)h + h->header_bytes);
	const uint64_t *end = (const void *)((const char *)h + h->used_bytes);
	uint64_t high = h->begin_ticks >> 32;

	while (word < end) {
		unsigned int type = *word >> EVTLOG_TYPE_SHIFT & EVTLOG_TYPE_MAX;
		uint32_t offset = (const char *)word - (const char *)h;
		uint64_t now;

		if (type == EVTLOG_TIME)
			high = word[1] >> 32;
		now = high << 32 | (uint32_t)*word;
		for (size_t i = 0; i <= ROUNDS; i++)
			begins[i] |= !order(h->sequence, offset, &p[i]);
		for (size_t i = 0; i < ROUNDS; i++) {
			bool inside = order(h->sequence, offset, &p[i]) >= 0 &&
				      order(h->sequence, offset, &p[i + 1]) < 0;

			if (inside)
				count(&found[i], *word);
			if (type != EVTLOG_LOST &&
			    inside != (now >= p[i].ticks && now < p[i + 1].ticks))
				found[i].out_of_time++;
		}
		if (!evtlog_record_words(*word)) {
			claim(false, "a record of a known type");
			return;
		}
		word += evtlog_record_words(*word);
	}
}

static void read_map(int fd, const char *map, const struct evtlog_position *p,
		     struct found *found, bool *begins)
{
	struct evtlog_get get;

	while (!ioctl(fd, EVTLOG_IOC_GET, &get)) {
		look((const void *)(map + get.offset), p, found, begins);
		if (ioctl(fd, EVTLOG_IOC_PUT))
			die("EVTLOG_IOC_PUT");
	}
	if (errno != EAGAIN)
		die("EVTLOG_IOC_GET");
}

static void around_calls(int fd, int reader, const char *map)
{
	struct evtlog_position p[ROUNDS + 1];
	struct found found[ROUNDS] = { 0 };
	bool begins[ROUNDS + 1] = { 0 };

	put("/proc/evtlog/enable", "1");
	p[0] = position(fd);
	for (size_t i = 0; i < ROUNDS; i++) {
		call(rounds[i]);
		p[i + 1] = position(fd);
	}
	put("/proc/evtlog/enable", "0");
	read_map(reader, map, p, found, begins);
	for (size_t i = 0; i < ROUNDS; i++) {
		const struct found *f = &found[i];

		printf("      %ld calls, from %llu:%u to %llu:%u: %ld calls, "
		       "%ld exits, %ld enters, %ld others\n", rounds[i], p[i].sequence,
		       p[i].offset, p[i + 1].sequence, p[i + 1].offset, f->calls, f->exits,
		       f->enters, f->others);
		claim(p[i].run && p[i].run == p[i + 1].run && !p[i].reserved,
		      "both positions are of the run");
		claim(f->calls == rounds[i], "just the calls between them are there");
		claim(f->exits == f->enters && !f->others && f->exits > rounds[i],
		      "and the way back from the one, and to the other");
		claim((f->first >> EVTLOG_TYPE_SHIFT & EVTLOG_TYPE_MAX) == EVTLOG_USER_ENTER &&
		      f->last >> EVTLOG_TYPE_SHIFT == (EVTLOG_USER_EXIT |
		      (EVTLOG_USER_EXIT_SYSCALL | SYS_ioctl << 2) << EVTLOG_TYPE_BITS),
		      "they begin with the return from the one and end with the other's call");
		claim(begins[i], "a record begins at the position");
		claim(!f->out_of_time, "by their times it is the same records");
	}
	claim(p[0].sequence + 3 < p[ROUNDS].sequence, "over several buffers");
}

/* The tick counters of all CPUs are synchronous here. */
static void of_another_cpu(int fd)
{
	struct evtlog_position own, others;
	uint64_t before, after;

	put("/proc/evtlog/enable", "1");
	own = position(fd);
	must(stay_on(1), "sched_setaffinity");
	before = ticks();
	others = position(fd);
	after = ticks();
	must(stay_on(0), "sched_setaffinity");
	put("/proc/evtlog/enable", "0");
	claim(others.run == own.run && order(others.sequence, others.offset, &own) > 0,
	      "asked from another CPU it is this CPU's, and further on");
	claim(before <= others.ticks && others.ticks <= after, "and now");
}

static void while_losing(int fd, int reader, const char *map)
{
	struct evtlog_position full, still;
	const struct evtlog_buffer_header *h;
	bool told = false;
	struct evtlog_get get;

	put("/proc/evtlog/enable", "1");
	call(BUFFERS * BUFFER_BYTES / sizeof(uint64_t));
	full = position(fd);
	call(10);
	still = position(fd);
	claim(full.sequence == BUFFERS && full.offset == sizeof(*h) &&
	      still.sequence == full.sequence && still.offset == full.offset &&
	      still.ticks > full.ticks, "while all is full it is the next buffer's begin");
	for (int i = 0; i < 2; i++)
		if (ioctl(reader, EVTLOG_IOC_GET, &get) || ioctl(reader, EVTLOG_IOC_PUT))
			die("get and put");
	call(10);
	claim(position(fd).sequence == full.sequence &&
	      position(fd).offset > full.offset, "it goes on when a buffer is free");
	put("/proc/evtlog/enable", "0");
	while (!ioctl(reader, EVTLOG_IOC_GET, &get)) {
		h = (const void *)(map + get.offset);
		told |= h->sequence == full.sequence && h->run == full.run &&
			(((const uint64_t *)(h + 1))[0] >> EVTLOG_TYPE_SHIFT &
			 EVTLOG_TYPE_MAX) == EVTLOG_LOST;
		if (ioctl(reader, EVTLOG_IOC_PUT))
			die("EVTLOG_IOC_PUT");
	}
	claim(told, "the loss is told there");
}

static void stopped(int fd)
{
	uint64_t before = ticks(), after;
	struct evtlog_position p = position(fd);

	after = ticks();
	claim(!p.run && !p.sequence && !p.offset && !p.reserved, "no run: nothing but the time");
	claim(before <= p.ticks && p.ticks <= after, "which is now");
}

static void refused(int fd)
{
	struct evtlog_position p;
	int absent;

	claim(ioctl(fd, EVTLOG_IOC_POSITION, nowhere) < 0 && errno == EFAULT, "nowhere: EFAULT");
	absent = open_cpu(1);
	put("/sys/devices/system/cpu/cpu1/online", "0");
	claim(ioctl(absent, EVTLOG_IOC_POSITION, &p) < 0 && errno == ENXIO,
	      "of a CPU that is offline: ENXIO");
	put("/sys/devices/system/cpu/cpu1/online", "1");
	claim(!ioctl(absent, EVTLOG_IOC_POSITION, &p), "and when it is back: allowed");
	close(absent);
}

int main(void)
{
	int fd, reader;
	char *map;

	must(stay_on(0), "sched_setaffinity");
	put("/proc/evtlog/events", "-all +user");
	put("/proc/evtlog/buffers", "8");
	put("/proc/evtlog/buffer_kb", "64");
	fd = open_cpu(0);
	/* @reader is the consumer: @fd, which asks, never takes a buffer. */
	reader = open_cpu(0);
	map = mmap(NULL, BUFFERS * BUFFER_BYTES, PROT_READ, MAP_SHARED, reader, 0);
	if (map == MAP_FAILED)
		die("mmap");
	stopped(fd);
	around_calls(fd, reader, map);
	stopped(fd);
	of_another_cpu(fd);
	read_map(reader, map, (struct evtlog_position[ROUNDS + 1]){ 0 },
		 (struct found[ROUNDS]){ 0 }, (bool[ROUNDS + 1]){ 0 });
	while_losing(fd, reader, map);
	refused(fd);
	printf("%d trials failed\n", failures);
	return !!failures;
}
