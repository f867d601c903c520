/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A CPU's ring with a clock that the test moves. Each test begins with a ring of two small buffers,
 * interrupts off.
 */
#ifndef UNIT_RING_TRIAL_H
#define UNIT_RING_TRIAL_H

#include "ring.h"

#include "ring_read.h"

/* In a buffer */
#define WORDS	16
#define TAG	EVTLOG_TAG(EVTLOG_SCHED_SWITCH, 42)

#define CLAIM(name)	cmocka_unit_test_setup_teardown(name, setup, teardown)

extern u64 now;
extern unsigned int handed_over;

/* The ring's calls in which a probe writes records, and the number of its attempts */
enum probe { NO_PROBE, IN_CLOCK, IN_CONTEXT, IN_HANDING_OVER };
extern enum probe probe;
extern unsigned int probed;

void make(unsigned int buffers);
int setup(void **state);
int teardown(void **state);

/* From now on, this CPU's events belong to this run. */
void publish(u64 run);

void begin(u64 run);
void end(void);
void write_many(unsigned int n);

/* Returns the oldest full buffer; there must be one. */
const struct evtlog_buffer_header *next(void);
void give_back(void);

struct record nth(const struct evtlog_buffer_header *h, unsigned int n);
unsigned int nr_records(const struct evtlog_buffer_header *h);

#endif /* UNIT_RING_TRIAL_H */
