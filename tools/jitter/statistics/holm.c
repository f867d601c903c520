// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Many questions at once: which answers hold together at a level.
 */
#include <math.h>
#include <stdbool.h>

#include "holm.h"

static bool can_hold(const struct holm *question, double alpha, size_t among)
{
	return question->attainable * among <= alpha;
}

/*
 * Among as few as can be such that not more than those could hold: a source seen
 * once must not make it harder to find others.
 */
static size_t tarone(const struct holm *questions, size_t count, double alpha)
{
	size_t among, can = 0;

	for (among = 1; among < count; among++) {
		can = 0;
		for (size_t i = 0; i < count; i++)
			can += can_hold(&questions[i], alpha, among);
		if (can <= among)
			break;
	}
	return among;
}

size_t holm_adjust(struct holm *questions, size_t count, double level)
{
	double alpha = 1 - level, worst = 0;
	size_t among = tarone(questions, count, alpha);

	for (size_t i = 0; i < count; i++)
		questions[i].adjusted = -1;
	for (size_t step = 0; step < among; step++) {
		struct holm *least = NULL;

		for (size_t i = 0; i < count; i++)
			if (questions[i].adjusted < 0 && can_hold(&questions[i], alpha, among) &&
			    (!least || questions[i].p < least->p))
				least = &questions[i];
		if (!least)
			break;
		worst = fmax(worst, fmin(1, least->p * (among - step)));
		least->adjusted = worst;
	}
	for (size_t i = 0; i < count; i++)
		if (questions[i].adjusted < 0)
			questions[i].adjusted = 1;
	return among;
}
