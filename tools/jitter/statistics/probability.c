// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Probability: random numbers that depend only on a seed, exact distributions of small counts, and
 * Student's t.
 */
#include <math.h>
#include <stdbool.h>

#include "probability.h"

/* ---- Random numbers ---- */

static uint64_t rotate(uint64_t x, unsigned int by)
{
	return x << by | x >> (64 - by);
}

/* splitmix64: similar seeds give very different states. */
void random_seed(struct random_state *random, uint64_t seed)
{
	for (unsigned int i = 0; i < 4; i++) {
		uint64_t z = seed += 0x9e3779b97f4a7c15ULL;

		z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
		z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
		random->s[i] = z ^ z >> 31;
	}
}

uint64_t random_next(struct random_state *random)
{
	uint64_t *s = random->s;
	uint64_t result = rotate(s[1] * 5, 7) * 9, shifted = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= shifted;
	s[3] = rotate(s[3], 45);
	return result;
}

uint64_t random_below(struct random_state *random, uint64_t bound)
{
	unsigned __int128 product = (unsigned __int128)random_next(random) * bound;

	/* Lemire: reject the low halves that would make some values more likely. */
	if ((uint64_t)product < bound) {
		uint64_t least = -bound % bound;

		while ((uint64_t)product < least)
			product = (unsigned __int128)random_next(random) * bound;
	}
	return product >> 64;
}

/* ---- Distributions ---- */

static double log_choose(double n, double k)
{
	return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

static double hypergeometric(size_t all, size_t marked, size_t draws, size_t hits)
{
	if (hits > marked || hits > draws || draws - hits > all - marked)
		return 0;
	return exp(log_choose(marked, hits) +
		   log_choose(all - marked, draws - hits) - log_choose(all, draws));
}

double exact_fisher(size_t all, size_t marked, size_t draws, size_t hits)
{
	double low = 0, high = 0, p;

	for (size_t i = 0; i <= draws; i++) {
		p = hypergeometric(all, marked, draws, i);
		if (i <= hits)
			low += p;
		if (i >= hits)
			high += p;
	}
	p = 2 * fmin(low, high);
	return fmin(p, 1);
}

double exact_binomial(size_t draws, size_t hits, double p)
{
	double sum = 0;

	if (p <= 0)
		return 1;
	if (p >= 1)
		return hits >= draws;
	for (size_t i = 0; i <= hits && i <= draws; i++)
		sum += exp(log_choose(draws, i) + i * log(p) + (draws - i) * log1p(-p));
	return fmin(sum, 1);
}

/* The p at which P(X <= @hits) is @tail. P falls as p grows. */
static double binomial_at(size_t draws, size_t hits, double tail)
{
	double low = 0, high = 1;

	for (unsigned int i = 0; i < 60; i++) {
		double middle = (low + high) / 2;

		if (exact_binomial(draws, hits, middle) > tail)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

void exact_binomial_interval(size_t draws, size_t hits, double level, double *low,
			     double *high)
{
	double tail = (1 - level) / 2;

	*low = hits ? binomial_at(draws, hits - 1, 1 - tail) : 0;
	*high = hits < draws ? binomial_at(draws, hits, tail) : 1;
}

/* P(|T| < @t), from Student's density by Simpson's rule. */
static double student_within(double freedom, double t)
{
	enum { STEPS = 400 };
	double scale = exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2)) /
		       sqrt(freedom * M_PI);
	double sum = 0;

	for (unsigned int i = 0; i <= STEPS; i++) {
		double x = t * i / STEPS;
		double density = pow(1 + x * x / freedom, -(freedom + 1) / 2);

		sum += density * (i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2);
	}
	return 2 * scale * sum * t / STEPS / 3;
}

double exact_student(unsigned int freedom, double level)
{
	double low = 0, high = 100;

	for (unsigned int i = 0; i < 60; i++) {
		double middle = (low + high) / 2;

		if (student_within(freedom, middle) < level)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

/* ---- Multiple tests ---- */

static bool can_hold(const struct holm *question, double alpha, size_t among)
{
	return question->attainable * among <= alpha;
}

/*
 * The least n such that at most n tests can be significant when n tests are counted (Tarone): a
 * source that occurs once must not make it harder to find others.
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
