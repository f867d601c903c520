/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of `evtlog jitter diff` share.
 */
#ifndef EVTLOG_JITTER_DIFF_DIFF_H
#define EVTLOG_JITTER_DIFF_DIFF_H

#include <evtlog/jitter.h>

#include "compare.h"
#include "jitter/dataset.h"

/* ---- All that took time from the program, one after the other, recorded and inferred ---- */

/*
 * @source:	its row
 * @at_ns:	since the window of its thread began
 * @length_ns:	its own
 */
struct interval {
	const struct evtlog_jitter_source *source;
	double at_ns;
	double length_ns;
};

/* For each that is not excluded, thread by thread. */
void intervals_each(const struct evtlog_jitter *jitter,
		    void (*each)(void *arg, const struct interval *interval), void *arg);

/* The shortest of the threads' windows; 0: there is none. */
double intervals_window_ns(const struct evtlog_jitter *jitter);

/* CPU time of which the log knows. */
double intervals_cpu_s(const struct evtlog_jitter *jitter);

/* ---- The comparison ---- */

/* "jitter diff": for misuse() */
#define DIFF_COMMAND	"jitter diff"

/*
 * @blocks:	in the shorter recording
 * @fails:	by verdict: it makes the command exit with 5
 */
struct diff_options {
	bool by_task;
	bool force;
	bool json;
	uint32_t blocks;
	bool fails[COMPARED_VERDICTS];
};

struct diff {
	struct dataset datasets[2];
	struct compared compared;
	const struct diff_options *opts;
};

/* What is said of how a recording was made: NULL behind the last. */
struct diff_setting {
	const char *key;
	const char *name;
	bool needed;		/* it is no comparison if it differs */
};

/* By number; false: there are no more.  @a, @b: NULL: it is not told; in @room. */
bool diff_setting(const struct diff *diff, size_t i, const struct diff_setting **setting,
		  const char **a, const char **b, char capacity[2][64]);
bool diff_differs(const char *a, const char *b);

void diff_show(const struct diff *diff);
void diff_json(const struct diff *diff);
/* Whether @diff->opts has the command fail. */
bool diff_fails(const struct diff *diff);

#endif /* EVTLOG_JITTER_DIFF_DIFF_H */
