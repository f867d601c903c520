/* SPDX-License-Identifier: GPL-2.0-only */
/* Values: numbers without a time, such as bytes read and lengths of queues */
#ifndef EVTLOG_PROFILE_VALUE_H
#define EVTLOG_PROFILE_VALUE_H

#include <linux/evtlog_span.h>

struct evtlog_profile;
struct seq_file;

/**
 * struct evtlog_profile_value - the sums of a value
 * @count:	number of values
 * @sum:	of all values
 * @squares:	sum of their squares; U64_MAX: this or more
 * @not_least:	complement of the smallest value, so that 0 means no value
 * @largest:	of all values
 */
struct evtlog_profile_value {
	u64 count;
	u64 sum;
	u64 squares;
	u32 not_least;
	u32 largest;
};

static inline u32 evtlog_profile_value_least(const struct evtlog_profile_value *value)
{
	return ~value->not_least;
}

/**
 * struct evtlog_profile_values - all values of a task or CPU
 * @of:		by enum evtlog_value
 */
struct evtlog_profile_values {
	struct evtlog_profile_value of[EVTLOG_VALUES];
};

void evtlog_profile_values_begin(void);
void evtlog_profile_values_of_cpu(unsigned int cpu, struct evtlog_profile_values *values);
void evtlog_profile_values_add(struct evtlog_profile_values *to,
			       const struct evtlog_profile_values *values);
void evtlog_profile_values_show(struct seq_file *m, const struct evtlog_profile_values *values);

#endif /* EVTLOG_PROFILE_VALUE_H */
