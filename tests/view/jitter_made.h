/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interruptions made by hand, as evtlog_jitter_new() returns them, for tests of curves.
 */
#ifndef TEST_VIEW_JITTER_MADE_H
#define TEST_VIEW_JITTER_MADE_H

#include "jitter/plot/curves.h"

#define MADE_SOURCES_MAX	8

/* The arrays grow with made_add(); @data is valid after made_end(). */
struct made {
	struct jitter_data data;
	struct evtlog_jitter_thread threads[2];
	struct evtlog_jitter_source sources[MADE_SOURCES_MAX];
	struct evtlog_interruption *interruptions;
	struct evtlog_jitter_part *parts;
	struct evtlog_jitter_sample *samples;
};

/* @seconds for each of @threads CPUs; a tick is half a ns. */
void made_begin(struct made *made, unsigned int threads, double seconds);
uint32_t made_source(struct made *made, const char *name);
/* An interruption by one source, from @at s on for @ns; and a sample of @user_ns, if not 0 */
void made_add(struct made *made, uint32_t thread, double at, uint64_t ns, uint64_t user_ns,
	      uint32_t source);
/* Sorts each thread's interruptions by time. */
void made_end(struct made *made);
void made_free(struct made *made);

/* 0 to 1 */
double made_random(uint64_t *state);

#endif /* TEST_VIEW_JITTER_MADE_H */
