// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses what is written to /proc/evtlog/sampler: "off", or "interval=4ms tree=1234", in any order.
 *
 * Called by control.c.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "sampler/sampler.h"

static const struct {
	const char *name;
	u64 ns;
} units[] = {
	{ "ns", 1 }, { "us", NSEC_PER_USEC }, { "ms", NSEC_PER_MSEC }, { "s", NSEC_PER_SEC },
};

/* Digits that always fit in a u64: simple_strtoull() does not report an overflow. */
#define DIGITS_MAX 19

/* "4ms", "250Hz", "tick" */
static int parse_interval(const char *text, u64 *ns)
{
	size_t digits = strspn(text, "0123456789");
	unsigned long long number;
	unsigned int i;
	char *unit;

	if (!strcmp(text, "tick")) {
		*ns = 0;
		return 0;
	}
	if (!digits)
		return -EINVAL;
	if (digits > DIGITS_MAX)
		return -ERANGE;
	number = simple_strtoull(text, &unit, 10);
	if (!number || number > SAMPLER_INTERVAL_MAX_NS)
		return -ERANGE;
	*ns = 0;
	if (!strcmp(unit, "Hz"))
		*ns = div64_u64(NSEC_PER_SEC, number);
	for (i = 0; i < ARRAY_SIZE(units); i++) {
		if (!strcmp(unit, units[i].name))
			*ns = number * units[i].ns;
	}
	if (!*ns && strcmp(unit, "Hz"))
		return -EINVAL;
	return *ns < SAMPLER_INTERVAL_MIN_NS || *ns > SAMPLER_INTERVAL_MAX_NS ? -ERANGE : 0;
}

static int parse_tree(const char *text, pid_t *pid)
{
	if (!strcmp(text, "all")) {
		*pid = SAMPLER_PID_ALL;
		return 0;
	}
	if (kstrtoint(text, 10, pid) || *pid <= 0)
		return -EINVAL;
	return 0;
}

/* A key that is given twice is an error, whatever its value. */
static int parse_word(const char *word, struct sampler_settings *settings)
{
	if (!strncmp(word, "interval=", 9) && !settings->names_interval) {
		settings->names_interval = true;
		return parse_interval(word + 9, &settings->interval_ns);
	}
	if (!strncmp(word, "tree=", 5) && !settings->names_tree) {
		settings->names_tree = true;
		return parse_tree(word + 5, &settings->pid);
	}
	return -EINVAL;
}

/**
 * sampler_parse() - parse a line
 * @text:	line without blanks at its ends; changed
 * @settings:	unnamed settings keep their values; "off" resets to the tick and all tasks
 *
 * Return: 0; -EINVAL: an unknown word, none, or a key twice; -ERANGE: interval out of range.
 */
int sampler_parse(char *text, struct sampler_settings *settings)
{
	char *word;

	if (!strcmp(text, "off")) {
		*settings = (struct sampler_settings){ .pid = SAMPLER_PID_ALL };
		return 0;
	}
	if (!*text)
		return -EINVAL;
	settings->is_on = true;
	settings->names_tree = settings->names_interval = false;
	while ((word = strsep(&text, " \t\n"))) {
		int error = *word ? parse_word(word, settings) : 0;

		if (error)
			return error;
	}
	return 0;
}
