/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of `evtlog jitter diff` share.
 */
#ifndef EVTLOG_JITTER_DIFF_DIFF_H
#define EVTLOG_JITTER_DIFF_DIFF_H

#include "compare.h"
#include "jitter/dataset.h"

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
