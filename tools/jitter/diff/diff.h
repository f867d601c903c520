/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declarations that the parts of `evtlog jitter diff` share.
 */
#ifndef EVTLOG_JITTER_DIFF_DIFF_H
#define EVTLOG_JITTER_DIFF_DIFF_H

#include <evtlog/jitter.h>

#include "common/json.h"
#include "compare.h"
#include "jitter/dataset.h"

/* ---- All recorded and inferred intervals that took time from the program ---- */

/*
 * @source:	its row
 * @at_ns:	start, since the start of the thread's window
 * @length_ns:	its own time, without nested parts
 */
struct interval {
	const struct evtlog_jitter_source *source;
	double at_ns;
	double length_ns;
};

/* Calls @each for each interval that is not excluded, thread by thread. */
void intervals_each(const struct evtlog_jitter *jitter,
		    void (*each)(void *arg, const struct interval *interval), void *arg);

/* The shortest of the threads' windows; 0 if there are no threads. */
double intervals_window_ns(const struct evtlog_jitter *jitter);

/* CPU time without gaps. */
double intervals_cpu_s(const struct evtlog_jitter *jitter);

/* ---- The comparison ---- */

/* "jitter diff": for misuse() */
#define DIFF_COMMAND	"jitter diff"

/*
 * @blocks:	in the shorter recording
 * @fails:	by verdict: true if the verdict makes the command exit with 5
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

/* A setting of a recording. */
struct diff_setting {
	const char *key;
	const char *name;
	bool needed;		/* recordings can be compared only if it is equal */
};

/* Returns false after the last setting. @a, @b: NULL if unknown; may be in @capacity. */
bool diff_setting(const struct diff *diff, size_t i, const struct diff_setting **setting,
		  const char **a, const char **b, char capacity[2][64]);
bool diff_differs(const char *a, const char *b);

void diff_show(const struct diff *diff);
void diff_json(const struct diff *diff);

/* ---- What other comparisons use, too ---- */

/* Names of verdicts, and the words for all of them and none */
extern const char *const diff_fail_on_words[];

/* Parses a list of these words. Returns 0 or -EINVAL. */
int diff_parse_fail_on(bool fails[COMPARED_VERDICTS], char *list);

/* Print the sources, the verdicts and how they were found. */
void compared_show(const struct compared *compared);
void compared_json(struct json *json, const struct compared *compared);

#endif /* EVTLOG_JITTER_DIFF_DIFF_H */
