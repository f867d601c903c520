// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Orders to /proc/evtlog/probes, and its list taken apart.
 *
 * What a probe's text means is the kernel's to know.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "control.h"
#include "lib/base/array.h"
#include "pcap.h"
#include "probes.h"
#include "words.h"

/* What the kernel takes in one write. */
#define ORDER_MAX	(1024 * 1024)

static int parse_probe(struct control_probe *probe, char *line)
{
	uint64_t id = 0;

	memset(probe, 0, sizeof(*probe));
	probe->why = "";
	probe->name = words_take(&line, "probe");
	if (!probe->name || words_take_count(&line, "id", &id))
		return -EINVAL;
	probe->id = id;
	probe->mechanism = words_take(&line, "mechanism");
	if (!probe->mechanism || words_take_count(&line, "hits", &probe->hits) ||
	    words_take_count(&line, "recorded", &probe->recorded) ||
	    words_take_count(&line, "rejected", &probe->rejected) ||
	    words_take_count(&line, "lost", &probe->lost) ||
	    words_take_count(&line, "idle", &probe->idle) ||
	    words_take_count(&line, "faults", &probe->faults))
		return -EINVAL;
	/* A kernel that knows no samples has none of these. */
	if (!words_take_count(&line, "skipped", &probe->skipped) &&
	    words_take_count(&line, "rest", &probe->rest))
		return -EINVAL;
	if (strncmp(line, "spec ", 5))
		return -EINVAL;
	probe->spec = line + 5;
	return 0;
}

/* "why NAME TEXT", behind its probe */
static void parse_why(struct control_probes *probes, const char *line)
{
	const char *text = strchr(line + 4, ' ');

	if (text && probes->count)
		probes->at[probes->count - 1].why = text + 1;
}

int control_probes_parse(struct control_probes *probes, char *text)
{
	char *line, *rest;
	int error = 0;

	*probes = (struct control_probes){ .text = text, .error = "" };
	for (line = strtok_r(text, "\n", &rest); line && !error; line = strtok_r(NULL, "\n", &rest)) {
		if (!strncmp(line, "error ", 6)) {
			probes->error = line + 6;
		} else if (!strncmp(line, "why ", 4)) {
			parse_why(probes, line);
		} else if (!strncmp(line, "probe ", 6)) {
			error = array_reserve(&probes->at, &probes->capacity, probes->count,
					      sizeof(*probes->at)) ? -ENOMEM : 0;
			if (!error)
				error = parse_probe(&probes->at[probes->count], line);
			probes->count += !error;
		}
	}
	if (error)
		control_probes_free(probes);
	return error;
}

int control_probes_read(struct control_probes *probes)
{
	char *text;
	int error = control_read("probes", &text);

	return error ? error : control_probes_parse(probes, text);
}

void control_probes_free(struct control_probes *probes)
{
	free(probes->text);
	free(probes->at);
	probes->text = NULL;
	probes->at = NULL;
	probes->count = 0;
}

int control_probe_text(const char *buffer, const char *probe, char **result, char *reason,
		       size_t size)
{
	char *expanded;
	int error;

	snprintf(reason, size, "no memory");
	error = pcap_expand(probe, &expanded, reason, size);
	if (error || !buffer) {
		*result = error ? NULL : expanded;
		return error;
	}
	if (asprintf(result, ">%s %s", buffer, expanded) < 0)
		error = -ENOMEM;
	free(expanded);
	return error;
}

int control_probes_order(char sign, char *const *words, size_t count)
{
	size_t bytes = 1, used = 0;
	char *order;
	int error;

	for (size_t i = 0; i < count; i++)
		bytes += strlen(words[i]) + 2;
	if (bytes > ORDER_MAX)
		return -EFBIG;
	order = malloc(bytes);
	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		used += sprintf(order + used, "%c%s\n", sign, words[i]);
	error = control_write("probes", order);
	free(order);
	return error;
}
