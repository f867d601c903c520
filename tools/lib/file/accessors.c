// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Public functions that return properties of an open file.
 *
 * Stage: after file.c has opened the file.  Only evtlog_text() reads from it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"

uint64_t evtlog_size_bytes(const struct evtlog_file *file)
{
	return file->source.size_bytes;
}

int evtlog_text(const struct evtlog_file *file, char **text)
{
	uint32_t bytes = file->header.text_bytes;
	char *copy = malloc(bytes + 1);
	ssize_t got;

	*text = NULL;
	if (!copy)
		return -ENOMEM;
	got = source_read(&file->source, copy, bytes, sizeof(file->header));
	if (got != bytes) {
		free(copy);
		return got < 0 ? got : -EIO;
	}
	copy[bytes] = '\0';
	*text = copy;
	return 0;
}

uint64_t evtlog_run(const struct evtlog_file *file)
{
	return file->header.run;
}

const uint8_t *evtlog_boot_id(const struct evtlog_file *file)
{
	return file->header.boot_id;
}

const char *evtlog_meta(const struct evtlog_file *file, const char *key)
{
	return meta_find(&file->meta, key);
}

bool evtlog_meta_at(const struct evtlog_file *file, size_t number,
		    const char **key, const char **value)
{
	return meta_at(&file->meta, number, key, value);
}

unsigned int evtlog_cpu_count(const struct evtlog_file *file)
{
	return file->part_count;
}

unsigned int evtlog_cpu_number(const struct evtlog_file *file,
			       unsigned int slot)
{
	return slot < file->part_count ? file->parts[slot].cpu : 0;
}

void evtlog_summarize(const struct evtlog_file *file,
		      struct evtlog_summary *summary)
{
	*summary = file->summary;
}

const struct evtlog_type_info *evtlog_type_info(const struct evtlog_file *file,
						unsigned int number)
{
	if (number >= FORMAT_TYPES || !file->format.types[number].words)
		return NULL;
	return &file->format.types[number];
}

const char *evtlog_softirq_name(const struct evtlog_file *file,
				unsigned int vector)
{
	return vector < file->format.softirq_count ?
	       file->format.softirqs[vector] : NULL;
}

char evtlog_state_letter(const struct evtlog_file *file, unsigned int state)
{
	const char *states = file->format.states;

	if (state >= strlen(states) || states[state] <= ' ' ||
	    states[state] > '~')
		return '?';
	return states[state];
}

uint64_t evtlog_ticks_hz(const struct evtlog_file *file)
{
	return file->format.ticks_hz;
}

uint64_t evtlog_begin_ns(const struct evtlog_file *file)
{
	return file->begin_ns;
}

uint64_t evtlog_end_ns(const struct evtlog_file *file)
{
	return file->end_ns;
}

int64_t evtlog_real_ns(const struct evtlog_file *file, uint64_t raw_ns)
{
	return clock_real_ns(&file->clocks[0], raw_ns);
}

bool evtlog_real_step(const struct evtlog_file *file, size_t n, struct evtlog_real_step *step)
{
	const struct clock *clock = &file->clocks[0];

	for (size_t i = 0; i < clock->offset_count; i++) {
		const struct clock_offset *offset = &clock->offsets[i];

		if (!offset->step_ns || n--)
			continue;
		*step = (struct evtlog_real_step) { offset->before_ns, offset->ns, offset->step_ns };
		return true;
	}
	return false;
}

uint64_t evtlog_clock_error_ns(const struct evtlog_file *file)
{
	uint64_t worst = 0;

	for (unsigned int i = 0; i < file->clock_count; i++)
		if (file->clocks[i].error_ns > worst)
			worst = file->clocks[i].error_ns;
	return worst;
}

int32_t evtlog_tai_offset_s(const struct evtlog_file *file)
{
	return file->clocks[0].tai_offset_s;
}
