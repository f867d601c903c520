/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Logs and samples made by hand, where each part is known, and what is attributed of them.
 *
 * Stage: between loggen.h and the tests of the attribution.
 *
 * One tick is one ns. CPU 0's task is 100, "bench", in user mode unless said.  A test goes
 * begin_log(), what happens, end_log(), take_samples(), attribute(), and looks.
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

/* The test's at hand; give_back() frees them. */
extern struct loggen *gen;
extern struct evtlog_jitter *jitter;
extern struct evtlog_error why;

/* Samples for which there was no room */
extern uint64_t dropped;

/* Further lines of the log's header, or NULL */
extern const char *meta;

/* A sample of the loop, which takes 10 ticks undisturbed. */
struct span {
	uint64_t begin;
	uint64_t end;
};

/* A record, of one word, at so many ticks behind BASE. */
void at_cpu(unsigned int cpu, uint64_t at, unsigned int type, uint32_t data);
void at(uint64_t ticks, unsigned int type, uint32_t data);
void switch_on(unsigned int cpu, uint64_t ticks, uint32_t next, unsigned int state);
void switch_to(uint64_t ticks, uint32_t next, unsigned int state);
/* User mode, but for system calls. */
void leave(uint64_t ticks);
void enter(uint64_t ticks, uint32_t pid);
/* The timer's interrupt. */
void interrupt(uint64_t from, uint64_t to);
/* Interrupts of the loop on CPU 0 by the timer, @length each: 1 behind @step, 2 * @step and so on up to @last. */
void interrupt_each(uint64_t step, uint64_t last, uint64_t length);

void begin_log(unsigned int cpus);
void end_log(unsigned int cpus, uint64_t ticks);
void take_samples(const struct span *spans, size_t count, uint64_t end);

/* The one returns evtlog_jitter_new()'s result, the other must do. */
int attribute_by(const struct evtlog_jitter_options *options);
/* The same of evtlog_jitter_new_of() */
int attribute_of(const struct evtlog_jitter_span *spans, size_t count,
		 const struct evtlog_jitter_options *options);
void attribute(void);
int give_back(void **state);

#define TEST(name) cmocka_unit_test_teardown(name, give_back)

/* What a part must be; @source by its name. */
struct expected {
	uint64_t begin;
	uint64_t end;
	uint64_t own;
	const char *source;
	uint32_t pid;
	bool activation;
};

/* All parts of interruption @number. */
void expect_parts(size_t number, const struct expected *expected, size_t count);

#define EXPECT(number, ...) do {						\
	const struct expected list[] = { __VA_ARGS__ };				\
	expect_parts(number, list, sizeof(list) / sizeof(list[0]));		\
} while (0)

/* By its name, and by its number; there must be one. */
const struct evtlog_jitter_source *source(const char *wanted);
const struct evtlog_jitter_sample *sample(size_t number);

#endif /* EVTLOG_TESTS_JITTER_UNITS_BY_HAND_H */
