// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes commands to /proc/evtlog/probes and parses its list.
 *
 * The kernel parses the texts of probes.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "control.h"
#include "file.h"
#include "functions.h"
#include "lib/base/array.h"
#include "probes.h"

/* The kernel takes at most this many bytes in one write. */
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
	/* Kernels without sampling do not print these two counts. */
	if (!words_take_count(&line, "skipped", &probe->skipped) &&
	    words_take_count(&line, "rest", &probe->rest))
		return -EINVAL;
	if (strncmp(line, "spec ", 5))
		return -EINVAL;
	probe->spec = line + 5;
	return 0;
}

/* "why NAME TEXT" follows the line of its probe. */
static void parse_why(struct control_probes *probes, const char *line)
{
	const char *text = strchr(line + 4, ' ');

	if (text && probes->count)
		probes->at[probes->count - 1].why = text + 1;
}

/* @probes takes ownership of @text. */
static int parse_probes(struct control_probes *probes, char *text)
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

	return error ? error : parse_probes(probes, text);
}

void control_probes_free(struct control_probes *probes)
{
	free(probes->text);
	free(probes->at);
	probes->text = NULL;
	probes->at = NULL;
	probes->count = 0;
}

/* ---- Texts ---- */

/* @rest: the probe's text after its function */
struct making {
	struct control_probe_texts *made;
	const char *buffer, *rest;
};

static int add_text(void *data, const char *function)
{
	struct making *making = data;
	struct control_probe_texts *made = making->made;
	const char *buffer = making->buffer;
	size_t room[3] = { made->capacity, made->capacity, made->capacity };

	if (array_reserve(&made->texts, &room[0], made->count, sizeof(*made->texts)) ||
	    array_reserve(&made->names, &room[1], made->count, sizeof(*made->names)) ||
	    array_reserve(&made->clones, &made->capacity, made->count, sizeof(*made->clones)))
		return -ENOMEM;
	made->texts[made->count] = made->names[made->count] = made->clones[made->count] = NULL;
	if (asprintf(&made->texts[made->count], "%s%s%s%s%s", buffer ? ">" : "", buffer ? buffer : "",
		     buffer ? " " : "", function, making->rest) < 0)
		return -ENOMEM;
	made->count++;
	/* A probe's name ends before its arguments, filter and sample. */
	if (asprintf(&made->names[made->count - 1], "%s%.*s", function,
		     (int)strcspn(making->rest, "( "), making->rest) < 0)
		return -ENOMEM;
	return 0;
}

static int make_text(struct making *making, const struct control_functions *functions,
		     const char *probe, char *reason, size_t size)
{
	const char *clone;
	char *expanded;
	int error = pcap_expand(probe, &expanded, reason, size);

	if (error)
		return error;
	making->rest = expanded + control_function_bytes(expanded);
	error = control_functions_expand(functions, expanded, add_text, making, &clone, reason, size);
	free(expanded);
	if (error || !clone)
		return error;
	making->made->clones[making->made->count - 1] = strdup(clone);
	return 0;
}

int control_probe_texts_make(struct control_probe_texts *made, const char *buffer,
			     char *const *probes, size_t count, char *reason, size_t size)
{
	struct making making = { .made = made, .buffer = buffer };
	struct control_functions functions;
	int error = control_functions_read(&functions, probes, count);

	*made = (struct control_probe_texts){ 0 };
	snprintf(reason, size, "no memory");
	/* Without symbols, names are used unchanged. */
	if (error != -ENOMEM)
		error = 0;
	for (size_t i = 0; i < count && !error; i++)
		error = make_text(&making, &functions, probes[i], reason, size);
	control_functions_free(&functions);
	return error;
}

void control_probe_texts_free(struct control_probe_texts *made)
{
	for (size_t i = 0; i < made->count; i++) {
		free(made->texts[i]);
		free(made->names[i]);
		free(made->clones[i]);
	}
	free(made->texts);
	free(made->names);
	free(made->clones);
	*made = (struct control_probe_texts){ 0 };
}

static bool has_probe(const struct control_probe_texts *made, const char *function)
{
	for (size_t i = 0; i < made->count; i++)
		if (!strncmp(made->names[i], function, strcspn(made->names[i], "@%+")) &&
		    strlen(function) == strcspn(made->names[i], "@%+"))
			return true;
	return false;
}

void control_probe_texts_say_clones(const struct control_probe_texts *made)
{
	for (size_t i = 0; i < made->count; i++) {
		int bytes = (int)strcspn(made->names[i], "@%+");

		if (made->clones[i] && !has_probe(made, made->clones[i]))
			pr_warn("%.*s: the probe does not see calls of the clone %s; %.*s.* probes both",
				bytes, made->names[i], made->clones[i], bytes, made->names[i]);
	}
}

/* ---- Orders ---- */

/* Makes a malloc()ed text with one line for each word, with @sign in front. */
static int join(char sign, char *const *words, size_t count, char **text)
{
	size_t bytes = 1, used = 0;

	for (size_t i = 0; i < count; i++)
		bytes += strlen(words[i]) + 2;
	if (bytes > ORDER_MAX)
		return -EFBIG;
	*text = malloc(bytes);
	if (!*text)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		used += sprintf(*text + used, "%c%s\n", sign, words[i]);
	return 0;
}

int control_probes_order(char sign, char *const *words, size_t count)
{
	char *order;
	int error = join(sign, words, count, &order);

	if (error)
		return error;
	error = control_write("probes", order);
	free(order);
	return error;
}

static int add_all(struct control_session *session, const struct control_probe_texts *made)
{
	char *order = NULL, *undo = NULL;
	int error = join('+', made->texts, made->count, &order);

	if (!error)
		error = join('-', made->names, made->count, &undo);
	if (!error)
		error = control_session_order(session, "probes", order, undo, NULL);
	free(order);
	free(undo);
	return error;
}

int control_probes_insert(struct control_session *session, struct control_probe_texts *made,
			  const char *buffer, char *const *probes, size_t count)
{
	char reason[512];
	int error;

	if (!count)
		return 0;
	error = control_probe_texts_make(made, buffer, probes, count, reason, sizeof(reason));
	if (error) {
		pr_err("--probe: %s", reason);
		return error;
	}
	error = add_all(session, made);
	if (error)
		control_say_refused("probes", count == 1 ? probes[0] : "--probe", error);
	else
		control_probe_texts_say_clones(made);
	return error;
}
