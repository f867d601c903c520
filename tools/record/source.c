// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the files of a named buffer, as its only reader.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/error.h"
#include "control/control.h"
#include "lib/base/array.h"
#include "source.h"

const char *const named_lost_causes[EVTLOG_LOST_CAUSES] = {
	[EVTLOG_LOST_FULL] = "full",
	[EVTLOG_LOST_NMI] = "nmi",
	[EVTLOG_LOST_NESTED] = "nested",
	[EVTLOG_LOST_LARGE] = "large",
};

static int say_failed(const struct named_source *source, int error)
{
	if (error == -ENOENT)
		pr_err("%s: there is no such named buffer; see evtlog buffer list",
		       source->name);
	else if (error == -EBUSY)
		pr_err("named buffer %s: another process reads it: stop that process",
		       source->name);
	else if (error == -EACCES || error == -EPERM)
		pr_err("named buffer %s: %s; only root and the group of evtlog.gid may read it",
		       source->name, strerror(-error));
	else
		pr_err("named buffer %s: %s", source->name, strerror(-error));
	return error;
}

/* Repeating the ioctl makes the kernel pass on the records written up to now. */
int named_source_mark(const struct named_source *source, const struct named_cpu *cpu)
{
	struct evtlog_watermark mark = { .ms = source->mark_ms };

	return ioctl(cpu->fd, EVTLOG_IOC_WATERMARK, &mark) < 0 ? -errno : 0;
}

static int read_status(const struct named_source *source, char **text)
{
	char name[64];

	snprintf(name, sizeof(name), "named/%s/status", source->name);
	return control_read(name, text);
}

/*
 * Returns the number after " NAME " in a line of status, NULL if there is none.  In names of
 * buffers and events, no number can follow.
 */
static const char *find_number(const char *line, const char *name)
{
	const char *end = line + strcspn(line, "\n"), *at = line;

	while ((at = strstr(at, name)) && at < end) {
		at += strlen(name);
		if (*at >= '0' && *at <= '9')
			return at;
		/* The blank may also be the start of the next match. */
		at--;
	}
	return NULL;
}

static uint64_t number_behind(const char *line, const char *name)
{
	const char *at = find_number(line, name);

	return at ? strtoull(at, NULL, 10) : 0;
}

static int open_cpu(struct named_source *source, const char *file, unsigned int number)
{
	struct named_cpu *cpu;
	char path[320];

	if (array_reserve(&source->cpus, &source->cpu_capacity, source->cpu_count, sizeof(*cpu)))
		return -ENOMEM;
	cpu = &source->cpus[source->cpu_count];
	snprintf(path, sizeof(path), CONTROL_DIRECTORY "/named/%s/%s", source->name, file);
	*cpu = (struct named_cpu){ .number = number };
	cpu->fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (cpu->fd < 0)
		return -errno;
	source->cpu_count++;
	source->left++;
	return named_source_mark(source, cpu);
}

static int open_cpus(struct named_source *source)
{
	char path[96];
	struct dirent *entry;
	DIR *listing;
	int error = 0;

	snprintf(path, sizeof(path), CONTROL_DIRECTORY "/named/%s", source->name);
	listing = opendir(path);
	if (!listing)
		return -errno;
	while (!error && (entry = readdir(listing))) {
		unsigned int number = 0;
		bool is_all = !strcmp(entry->d_name, "all");

		source->is_global |= is_all;
		if (is_all || sscanf(entry->d_name, "cpu%u", &number) == 1)
			error = open_cpu(source, entry->d_name, number);
	}
	closedir(listing);
	return error;
}

int named_source_open(struct named_source *source, const char *name, uint32_t mark_ms)
{
	char *status = NULL, *line;
	int error;

	*source = (struct named_source){ .name = name, .mark_ms = mark_ms };
	error = read_status(source, &status);
	if (error)
		return say_failed(source, error);
	line = strstr(status, "\nbuffer ");
	source->buffer_bytes = line ? number_behind(line + 1, " kb ") * 1024 : 0;
	source->overwrites = line && find_number(line + 1, " overwritten ");
	free(status);
	source->buffer = source->buffer_bytes ? malloc(source->buffer_bytes) : NULL;
	if (!source->buffer)
		return say_failed(source, line ? -ENOMEM : -EPROTO);
	error = open_cpus(source);
	return error ? say_failed(source, error) : 0;
}

void named_source_close(struct named_source *source)
{
	for (size_t i = 0; i < source->cpu_count; i++)
		if (source->cpus[i].fd >= 0)
			close(source->cpus[i].fd);
	free(source->cpus);
	free(source->buffer);
	*source = (struct named_source){ .name = source->name };
}

static void end_cpu(struct named_source *source, struct named_cpu *cpu)
{
	close(cpu->fd);
	cpu->fd = -1;
	source->left--;
}

int named_source_read(struct named_source *source, struct named_cpu *cpu,
		       const struct evtlog_buffer_header **bufferp)
{
	const struct evtlog_buffer_header *buffer = source->buffer;
	ssize_t bytes;

	if (cpu->fd < 0)
		return 0;
	bytes = read(cpu->fd, source->buffer, source->buffer_bytes);
	if (bytes < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	/* EIO: the named buffer was deleted. */
	if (bytes < 0 && errno == EIO)
		source->was_deleted = true;
	if (!bytes || (bytes < 0 && errno == EIO)) {
		end_cpu(source, cpu);
		return 0;
	}
	if (bytes < 0)
		return say_failed(source, -errno);
	if ((size_t)bytes < sizeof(*buffer) || buffer->magic != EVTLOG_BUFFER_MAGIC ||
	    buffer->used_bytes != bytes) {
		pr_err("named buffer %s: the data from the kernel is not a buffer: use the evtlog of this kernel",
		       source->name);
		return -EPROTO;
	}
	*bufferp = buffer;
	return 1;
}

static struct named_cpu *find_cpu(struct named_source *source, unsigned int number)
{
	for (size_t i = 0; i < source->cpu_count; i++)
		if (source->is_global || source->cpus[i].number == number)
			return &source->cpus[i];
	return NULL;
}

/* Adds the losses in a line "cpu N ..." of status to @lost.  Returns their sum. */
static uint64_t add_lost(const char *line, uint64_t *lost)
{
	uint64_t all = 0;

	for (int cause = 0; cause < EVTLOG_LOST_CAUSES; cause++) {
		char name[32];
		uint64_t count;

		snprintf(name, sizeof(name), " lost_%s ", named_lost_causes[cause]);
		count = number_behind(line, name);
		lost[cause] += count;
		all += count;
	}
	return all;
}

int named_source_ask(struct named_source *source)
{
	uint64_t lost[EVTLOG_LOST_CAUSES] = { 0 };
	char *status, *line, *rest;
	int error = read_status(source, &status);

	if (error)
		return error;
	for (line = strtok_r(status, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		struct named_cpu *cpu;
		unsigned int number;
		uint64_t seen;

		if (!strncmp(line, "buffer ", 7))
			source->rejected = number_behind(line, " rejected ");
		if (sscanf(line, "cpu %u ", &number) != 1)
			continue;
		seen = number_behind(line, " records ") + add_lost(line, lost);
		cpu = find_cpu(source, number);
		/* An error: the named buffer is being deleted; the next read reports it. */
		if (cpu && cpu->fd >= 0 && cpu->seen != seen)
			named_source_mark(source, cpu);
		if (cpu)
			cpu->seen = seen;
	}
	memcpy(source->lost, lost, sizeof(lost));
	free(status);
	return 0;
}
