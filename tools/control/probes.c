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

/* What the kernel takes in one write. */
#define ORDER_MAX	(1024 * 1024)

/* The word behind "NAME ", which ends there; NULL: the line has no such word. */
static char *take_word(char **line, const char *name)
{
	size_t length = strlen(name);
	char *value = *line, *end;

	if (strncmp(value, name, length) || value[length] != ' ')
		return NULL;
	value += length + 1;
	end = strchr(value, ' ');
	if (end)
		*end++ = '\0';
	*line = end ? end : value + strlen(value);
	return value;
}

static int take_count(char **line, const char *name, uint64_t *count)
{
	const char *value = take_word(line, name);

	if (!value)
		return -EINVAL;
	*count = strtoull(value, NULL, 10);
	return 0;
}

static int parse_probe(struct control_probe *probe, char *line)
{
	uint64_t id = 0;

	memset(probe, 0, sizeof(*probe));
	probe->why = "";
	probe->name = take_word(&line, "probe");
	if (!probe->name || take_count(&line, "id", &id))
		return -EINVAL;
	probe->id = id;
	probe->mechanism = take_word(&line, "mechanism");
	if (!probe->mechanism || take_count(&line, "hits", &probe->hits) ||
	    take_count(&line, "recorded", &probe->recorded) ||
	    take_count(&line, "rejected", &probe->rejected) ||
	    take_count(&line, "lost", &probe->lost) ||
	    take_count(&line, "idle", &probe->idle) ||
	    take_count(&line, "faults", &probe->faults))
		return -EINVAL;
	/* A kernel that knows no samples has none of these. */
	if (!take_count(&line, "skipped", &probe->skipped) &&
	    take_count(&line, "rest", &probe->rest))
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
