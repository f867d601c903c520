// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * In what the making of two recordings differs.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "diff.h"

/* What the samples' file has no line for */
#define METHOD	"="
#define CPUS	"#"

static const struct diff_setting settings[] = {
	{ METHOD, "method", true },
	{ "threshold_ns", "threshold in ns", true },
	{ CPUS, "measured CPUs", true },
	{ "host", "host", false },
	{ "kernel", "kernel", false },
	{ "cmdline", "kernel's command line", false },
	{ "cpu_model", "CPU model", false },
	{ "governor", "governor", false },
	{ "clocksource", "clock source", false },
	{ "isolated", "isolated CPUs", false },
};

static const char *value(const struct dataset *dataset, const struct diff_setting *setting,
			 char capacity[64])
{
	static const char *const methods[] = {
		[EVTLOG_SAMPLES_LOOP] = "detour",
		[EVTLOG_SAMPLES_WORK] = "fwq",
		[EVTLOG_SAMPLES_QUANTUM] = "ftq",
	};
	const struct evtlog_samples_header *header = evtlog_samples_header(dataset->samples);

	if (!strcmp(setting->key, METHOD))
		return header->method <= EVTLOG_SAMPLES_QUANTUM ? methods[header->method] : NULL;
	if (!strcmp(setting->key, CPUS)) {
		snprintf(capacity, 64, "%" PRIu32, header->threads);
		return capacity;
	}
	return evtlog_samples_meta(dataset->samples, setting->key);
}

bool diff_setting(const struct diff *diff, size_t i, const struct diff_setting **setting,
		  const char **a, const char **b, char capacity[2][64])
{
	if (i >= sizeof(settings) / sizeof(settings[0]))
		return false;
	*setting = &settings[i];
	*a = value(&diff->datasets[0], *setting, capacity[0]);
	*b = value(&diff->datasets[1], *setting, capacity[1]);
	return true;
}

bool diff_differs(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) != 0 : a != b;
}

bool diff_fails(const struct diff *diff)
{
	for (size_t i = 0; i < diff->compared.count; i++)
		if (diff->opts->fails[diff->compared.sources[i].verdict])
			return true;
	return false;
}
