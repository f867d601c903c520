/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds logs and samples by hand, with known parts, and attributes them.
 *
 * One tick is one ns.  CPU 0 runs task 100, "bench", in user mode unless a test changes this.
 * A test calls begin_log(), adds records, calls end_log(), take_samples() and attribute(), and
 * checks the result.
 */
#ifndef EVTLOG_TESTS_JITTER_UNITS_BY_HAND_H
#define EVTLOG_TESTS_JITTER_UNITS_BY_HAND_H

#include <evtlog/jitter.h>

#include "../../support/loggen.h"

#define BASE		5000000000
#define BENCH		100
#define DAEMON		200
#define OTHER		201
#define KWORKER		50
#define SLEEPS		1
#define PREEMPTED	EVTLOG_STATE_PREEMPTED
#define TIMER		1

/* State of the current test; give_back() frees it. */
extern struct loggen *gen;
extern struct evtlog_jitter *jitter;
extern struct evtlog_error why;

/* Number of samples for which there was no room */
extern uint64_t dropped;

/* Further lines of the log's header, or NULL */
extern const char *meta;

/* A sample of the loop, which takes 10 ticks undisturbed. */
struct span {
	uint64_t begin;
	uint64_t end;
};

/* A record of one word, at this number of ticks after BASE */
void at_cpu(unsigned int cpu, uint64_t at, unsigned int type, uint32_t data);
void at(uint64_t ticks, unsigned int type, uint32_t data);
void switch_on(unsigned int cpu, uint64_t ticks, uint32_t next, unsigned int state);
void switch_to(uint64_t ticks, uint32_t next, unsigned int state);
/* Leave and enter user mode, but not by a system call. */
void leave(uint64_t ticks);
void enter(uint64_t ticks, uint32_t pid);
/* A timer interrupt */
void interrupt(uint64_t from, uint64_t to);
/* Timer interrupts of @length on CPU 0, one tick after @step, 2 * @step, and so on up to @last */
void interrupt_each(uint64_t step, uint64_t last, uint64_t length);

void begin_log(unsigned int cpus);
void end_log(unsigned int cpus, uint64_t ticks);
void take_samples(const struct span *spans, size_t count, uint64_t end);

/* Returns the result of evtlog_jitter_new().  attribute() must succeed. */
int attribute_by(const struct evtlog_jitter_options *options);
/* The same for evtlog_jitter_new_of() */
int attribute_of(const struct evtlog_jitter_span *spans, size_t count,
		 const struct evtlog_jitter_options *options);
void attribute(void);
int give_back(void **state);

#define TEST(name) cmocka_unit_test_teardown(name, give_back)

/* An expected part, with the name of its source */
struct expected {
	uint64_t begin;
	uint64_t end;
	uint64_t own;
	const char *source;
	uint32_t pid;
	bool activation;
};

/* Checks all parts of interruption @number. */
void expect_parts(size_t number, const struct expected *expected, size_t count);

#define EXPECT(number, ...) do {						\
	const struct expected list[] = { __VA_ARGS__ };				\
	expect_parts(number, list, sizeof(list) / sizeof(list[0]));		\
} while (0)

/* By name and by number; it must exist. */
const struct evtlog_jitter_source *source(const char *wanted);
const struct evtlog_jitter_sample *sample(size_t number);

#endif /* EVTLOG_TESTS_JITTER_UNITS_BY_HAND_H */
