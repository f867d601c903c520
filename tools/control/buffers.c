// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parses the kernel's list of named buffers and writes commands to it.
 *
 * The kernel checks the commands, and its message explains why a command was refused.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"
#include "common/error.h"
#include "control.h"
#include "file.h"
#include "lib/base/array.h"

#define ORDER_BYTES	4096

static int parse_buffer(struct control_buffer *buffer, char *line)
{
	memset(buffer, 0, sizeof(*buffer));
	buffer->name = words_take(&line, "buffer");
	if (!buffer->name || words_take_count(&line, "run", &buffer->run))
		return -EINVAL;
	buffer->state = words_take(&line, "state");
	if (!buffer->state || words_take_count(&line, "buffers", &buffer->buffers) ||
	    words_take_count(&line, "kb", &buffer->kb) ||
	    words_take_count(&line, "records", &buffer->records) ||
	    words_take_count(&line, "rejected", &buffer->rejected) ||
	    words_take_count(&line, "lost", &buffer->lost) ||
	    words_take_count(&line, "waiting", &buffer->waiting))
		return -EINVAL;
	buffer->events = words_take(&line, "events");
	buffer->urgent = words_take(&line, "urgent");
	if (!buffer->events || !buffer->urgent)
		return -EINVAL;
	buffer->is_global = !strncmp(line, "global", 6) && (!line[6] || line[6] == ' ');
	if (buffer->is_global)
		line += 6 + !!line[6];
	buffer->overwrites = !words_take_count(&line, "overwritten", &buffer->overwritten);
	buffer->condition = strncmp(line, "if ", 3) ? "" : line + 3;
	return 0;
}

/* @buffers takes ownership of @text. */
static int parse_buffers(struct control_buffers *buffers, char *text)
{
	char *line, *rest;
	int error = 0;

	*buffers = (struct control_buffers){ .text = text, .error = "" };
	for (line = strtok_r(text, "\n", &rest); line && !error; line = strtok_r(NULL, "\n", &rest)) {
		if (!strncmp(line, "error ", 6)) {
			buffers->error = line + 6;
		} else if (!strncmp(line, "buffer ", 7)) {
			error = array_reserve(&buffers->at, &buffers->capacity, buffers->count,
					      sizeof(*buffers->at)) ? -ENOMEM : 0;
			if (!error)
				error = parse_buffer(&buffers->at[buffers->count], line);
			buffers->count += !error;
		}
	}
	if (error)
		control_buffers_free(buffers);
	return error;
}

int control_buffers_read(struct control_buffers *buffers)
{
	char *text;
	int error = control_read(CONTROL_BUFFERS, &text);

	return error ? error : parse_buffers(buffers, text);
}

int control_buffer_read(struct control_buffers *buffers, const char *name,
			struct control_status *status)
{
	char file[64], *text, *copy;
	int error;

	snprintf(file, sizeof(file), "named/%s/status", name);
	error = control_read(file, &text);
	if (error)
		return error;
	copy = status ? strdup(text) : NULL;
	error = parse_buffers(buffers, text);
	if (!error && buffers->count != 1) {
		control_buffers_free(buffers);
		error = -EPROTO;
	}
	if (!error && status) {
		error = copy ? control_status_parse(status, copy) : -ENOMEM;
		if (error)
			control_buffers_free(buffers);
	}
	free(copy);
	return error == -EINVAL ? -EPROTO : error;
}

void control_buffers_free(struct control_buffers *buffers)
{
	free(buffers->text);
	free(buffers->at);
	buffers->text = NULL;
	buffers->at = NULL;
	buffers->count = 0;
}

/* ---- Orders ---- */

static size_t print_key(char *at, size_t room, const char *key, const char *value)
{
	size_t bytes = value ? snprintf(at, room, " %s%s", key, value) : 0;

	return bytes < room ? bytes : room;
}

void control_buffers_size(char *text, const char **buffers, const char **kb)
{
	char *size = strchr(text, 'x');

	if (size) {
		*size++ = '\0';
		if (*size && size[strlen(size) - 1] == 'K')
			size[strlen(size) - 1] = '\0';
		*kb = size;
	}
	if (*text || !size)
		*buffers = text;
}

const char *control_buffer_bad(const struct control_buffer_wanted *wanted)
{
	const struct {
		const char *what, *value;
	} words[] = {
		{ "NAME", wanted->name }, { "--buffers", wanted->buffers },
		{ "--buffers", wanted->kb }, { "--events", wanted->events }, { "--urgent", wanted->urgent },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (words[i].value && !words_is_one(words[i].value))
			return words[i].what;
	return NULL;
}

int control_buffer_add(struct control_session *session, const struct control_buffer_wanted *wanted)
{
	const struct {
		const char *key, *value;
	} keys[] = {
		{ "global", wanted->is_global ? "" : NULL },
		{ "buffers=", wanted->buffers }, { "kb=", wanted->kb },
		{ "events=", wanted->events }, { "urgent=", wanted->urgent },
		{ "mode=", wanted->overwrites ? "overwrite" : NULL },
		{ "if ", wanted->condition },
	};
	char text[ORDER_BYTES], undo[72];
	size_t used = snprintf(text, sizeof(text), "+%.64s", wanted->name);

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		used += print_key(text + used, sizeof(text) - used, keys[i].key, keys[i].value);
	if (used >= sizeof(text))
		return -E2BIG;
	if (!session)
		return control_write(CONTROL_BUFFERS, text);
	snprintf(undo, sizeof(undo), "-%.64s", wanted->name);
	return control_session_order(session, CONTROL_BUFFERS, text, undo, NULL);
}

int control_buffer_order(char sign, const char *name)
{
	char text[ORDER_BYTES];

	if ((size_t)snprintf(text, sizeof(text), "%c%s", sign, name) >= sizeof(text))
		return -E2BIG;
	return control_write(CONTROL_BUFFERS, text);
}

void control_buffer_say_refused(const char *name, int error)
{
	if (error == -E2BIG)
		pr_err("%s: its line is too long: make the lists or the filter shorter", name);
	else
		control_say_refused(CONTROL_BUFFERS, name, error);
}
