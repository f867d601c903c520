// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Estimates totals of a sampled event. Each kind of sampling has its own estimator.
 *
 * w is a record's weight, y its value, p the probability of being recorded, N = 1/p.
 *
 * Probability (Bernoulli sampling; Sarndal, Swensson, Wretman: Model Assisted Survey Sampling,
 * 1992, section 3.2): total sum(w y), variance sum(y^2) (1 - p) / p^2, plus the variance from
 * rounding 1/p.
 *
 * Key (Bernoulli sampling of clusters; the same, section 4.2): total N sum(y), variance
 * N (N - 1) times the sum over keys of the square of the sum of y.
 *
 * Count (one hit of each stratum of N hits of a CPU; Wolter: Introduction to Variance Estimation,
 * 2007, section 8.2, estimator v2): total N sum(y); variance, for each CPU with n records,
 * N (N - 1) n / (2 (n - 1)) sum((y[i] - y[i-1])^2).  The run's begin and end cut a stratum, at any
 * place with equal probability: each cut adds (N^2 - 1) / 6 times the mean of y^2.  A CPU with one
 * record may have had few hits: N (N - 1) y^2.
 *
 * Time (a random hit after the interval is recorded; its weight is the number of hits since the
 * CPU's last record): total sum(w y), plus an estimate for the hits after the last record, at the
 * rate of the hits before a record, and at most as many; its error is taken as large as the
 * estimate. Variance sum(w (w - 1) (y[i] - y[i-1])^2) / 2, as if hits between two records were in
 * random order. Recording the first hit after the interval would prefer hits after a pause (Claffy,
 * Polyzos, Braun: Application of Sampling Methodologies to Network Traffic Characterization, 1993).
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate.h"

/*
 * struct part - sums of one CPU
 * @records, @weight: number of records, and sum of their weights
 * @first_ns:	time of the first record
 * @last_ns, @last_weight, @last: time, weight and values of the last record
 * @weighted, @squares: sums of weight x value, and of squares of values
 * @steps:	sums of squared differences between successive values; weighted if sampled by time
 */
struct part {
	uint64_t records;
	double weight;
	uint64_t first_ns;
	uint64_t last_ns;
	double last_weight;
	double last[ESTIMATE_VALUES_MAX];
	double weighted[ESTIMATE_VALUES_MAX];
	double squares[ESTIMATE_VALUES_MAX];
	double steps[ESTIMATE_VALUES_MAX];
};

/* Sums of the values of one key. @used: this slot is in use */
struct cluster {
	uint64_t key;
	bool used;
	double sum[];
};

struct estimate {
	struct estimate_how how;
	unsigned int cpus;
	struct part *parts;
	/* Open addressing: @size is a power of 2. */
	char *clusters;
	size_t size;
	size_t count;
	double cluster_squares[ESTIMATE_VALUES_MAX];
};

struct estimate *estimate_new(const struct estimate_how *how, unsigned int cpus)
{
	struct estimate *e = calloc(1, sizeof(*e));

	if (!e)
		return NULL;
	e->how = *how;
	e->cpus = cpus;
	e->parts = calloc(cpus ? cpus : 1, sizeof(*e->parts));
	if (!e->parts) {
		free(e);
		return NULL;
	}
	return e;
}

void estimate_free(struct estimate *e)
{
	if (!e)
		return;
	free(e->parts);
	free(e->clusters);
	free(e);
}

static size_t cluster_bytes(const struct estimate *e)
{
	return sizeof(struct cluster) + e->how.values * sizeof(double);
}

static struct cluster *find_cluster(const struct estimate *e, char *table, size_t size,
				    uint64_t key)
{
	uint64_t hash = key * 0x9e3779b97f4a7c15ULL;

	for (size_t i = (hash ^ hash >> 32) & (size - 1);; i = (i + 1) & (size - 1)) {
		struct cluster *c = (struct cluster *)(table + i * cluster_bytes(e));

		if (!c->used || c->key == key)
			return c;
	}
}

static int grow(struct estimate *e)
{
	size_t size = e->size ? 2 * e->size : 256, bytes = cluster_bytes(e);
	char *table = calloc(size, bytes);

	if (!table)
		return -ENOMEM;
	for (size_t i = 0; i < e->size; i++) {
		const struct cluster *c = (const struct cluster *)(e->clusters + i * bytes);

		if (c->used)
			memcpy(find_cluster(e, table, size, c->key), c, bytes);
	}
	free(e->clusters);
	e->clusters = table;
	e->size = size;
	return 0;
}

static int add_to_cluster(struct estimate *e, const double *values, uint64_t key)
{
	struct cluster *c;

	if (2 * (e->count + 1) > e->size && grow(e))
		return -ENOMEM;
	c = find_cluster(e, e->clusters, e->size, key);
	e->count += !c->used;
	c->used = true;
	c->key = key;
	for (unsigned int i = 0; i < e->how.values; i++) {
		e->cluster_squares[i] += values[i] * (2 * c->sum[i] + values[i]);
		c->sum[i] += values[i];
	}
	return 0;
}

static int add_parts(struct estimate *e, unsigned int cpus)
{
	struct part *parts = reallocarray(e->parts, cpus, sizeof(*parts));

	if (!parts)
		return -ENOMEM;
	memset(parts + e->cpus, 0, (cpus - e->cpus) * sizeof(*parts));
	e->parts = parts;
	e->cpus = cpus;
	return 0;
}

int estimate_add(struct estimate *e, unsigned int cpu, uint64_t time_ns, uint64_t weight,
		 const double *values, uint64_t key)
{
	double w = weight;
	double spread = e->how.sampling == EVTLOG_SAMPLING_TIME ? w * (w - 1) : 1;
	struct part *part;

	if (cpu >= e->cpus && add_parts(e, cpu + 1))
		return -ENOMEM;
	part = &e->parts[cpu];

	for (unsigned int i = 0; i < e->how.values; i++) {
		double step = values[i] - part->last[i];

		if (part->records)
			part->steps[i] += spread * step * step;
		part->weighted[i] += w * values[i];
		part->squares[i] += values[i] * values[i];
		part->last[i] = values[i];
	}
	if (!part->records)
		part->first_ns = time_ns;
	part->records++;
	part->weight += w;
	part->last_ns = time_ns;
	part->last_weight = w;
	return e->how.sampling == EVTLOG_SAMPLING_KEY ? add_to_cluster(e, values, key) : 0;
}

/* Variance of a weight, which is 1 / p rounded up or down at random */
static double rounding_variance(double p)
{
	double more = 1 / p - floor(1 / p);

	return more * (1 - more);
}

static double count_variance(const struct part *part, unsigned int value, double n)
{
	double records = part->records;
	double mean_square = part->squares[value] / records;

	if (part->records == 1)
		return n * (n - 1) * mean_square;
	return n * (n - 1) * records / (2 * (records - 1)) * part->steps[value] +
	       (n * n - 1) / 3 * mean_square;
}

/*
 * Estimates the hits of a CPU after its last record, at the rate of hits before a record. If there
 * had been many more, one would have been recorded. The times of these hits are unknown.
 */
static double rest_of(const struct part *part, double interval_ns, uint64_t end_ns)
{
	double behind_ns = end_ns > part->last_ns ? end_ns - part->last_ns : 0;
	double weight = fmax(part->weight / part->records, part->last_weight);
	double apart_ns = interval_ns;

	if (part->records > 1)
		apart_ns = fmax(apart_ns, (double)(part->last_ns - part->first_ns) /
				(part->records - 1));
	return weight * fmin(behind_ns / apart_ns, 1);
}

static double part_total(const struct estimate *e, const struct part *part, unsigned int value,
			 uint64_t end_ns, double *variance)
{
	const struct estimate_how *how = &e->how;
	double total = part->weighted[value], rest;

	switch (how->sampling) {
	case EVTLOG_SAMPLING_PROBABILITY:
		*variance += part->squares[value] * ((1 - how->probability) /
			     (how->probability * how->probability) +
			     rounding_variance(how->probability));
		return total;
	case EVTLOG_SAMPLING_COUNT:
		*variance += count_variance(part, value, how->every);
		return total;
	case EVTLOG_SAMPLING_TIME:
		rest = rest_of(part, how->every, end_ns) * total / part->weight;
		*variance += part->steps[value] / 2 + rest * rest;
		return total + rest;
	default:
		return total;
	}
}

double estimate_total(const struct estimate *e, unsigned int value, uint64_t end_ns, double *error)
{
	double total = 0, variance = 0, n = e->how.every;

	for (unsigned int i = 0; i < e->cpus; i++) {
		if (e->parts[i].records)
			total += part_total(e, &e->parts[i], value, end_ns, &variance);
	}
	if (e->how.sampling == EVTLOG_SAMPLING_KEY)
		variance = n * (n - 1) * e->cluster_squares[value];
	*error = e->how.sampling == EVTLOG_SAMPLING_OTHER ? -1 : sqrt(variance);
	return total;
}

bool estimate_may_be_biased(const struct estimate *e, unsigned int value)
{
	if (e->how.sampling != EVTLOG_SAMPLING_TIME || !value)
		return false;
	/* If no hit was left out, nothing is estimated. */
	for (unsigned int i = 0; i < e->cpus; i++)
		if (e->parts[i].weight > e->parts[i].records)
			return true;
	return false;
}
