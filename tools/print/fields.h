/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shows a record's fields as the file describes them, with names beside numbers.
 *
 * It knows kinds of fields, not types of records, so that types to come are
 * shown as well; names are names.h's.
 */
#ifndef EVTLOG_PRINT_FIELDS_H
#define EVTLOG_PRINT_FIELDS_H

#include <evtlog/evtlog.h>

#include "common/linebuf.h"

struct json;

struct fields_keys;

/*
 * @names:	enum name_kind of each field of each type
 * @keys:	for JSON, by type: made when there is an event of it
 * @comm_of:	names of tasks instead of @tasks, as fields_comm() gives them; NULL: @tasks has them
 * @comm_context: for it
 */
struct fields {
	const struct evtlog_file *file;
	const struct evtlog_tasks *tasks;
	const char *(*comm_of)(const void *context, uint32_t pid);
	const void *comm_context;
	uint8_t names[EVTLOG_TYPE_MAX + 1][EVTLOG_FIELDS_MAX];
	struct fields_keys **keys;
	/* Names of device interrupts by number, from the file's header. */
	const char **irq_names;
	unsigned int irqs;
};

/* Returns 0 or -ENOMEM. */
int fields_init(struct fields *fields, const struct evtlog_file *file,
		const struct evtlog_tasks *tasks);
void fields_free(struct fields *fields);

/* NULL when the file gives none. */
const char *fields_irq_name(const struct fields *fields, unsigned int irq);

/* The name of a task; NULL: none is known. EVTLOG_COMM_LEN bytes, untrusted. */
const char *fields_comm(const struct fields *fields, uint32_t pid);

/* "comm-pid"; "?-pid" where no name is known. */
void fields_task(const struct fields *fields, struct line *line, uint32_t pid);

/* What a record is called: its type, or a registered event that the log names by its own name. */
const char *fields_own_name(const struct fields *fields, const struct evtlog_event *event);

/* Of a registered event with a name its own fields alone, without id and size. */
void fields_show(const struct fields *fields, struct line *line,
		 const struct evtlog_event *event);
/* The members "event" and "fields" of an object of one line */
void fields_event_json(const struct fields *fields, struct json *json,
		       const struct evtlog_event *event);
/* "fields" alone */
void fields_json(const struct fields *fields, struct json *json,
		 const struct evtlog_event *event);

/* One field's value; payload.c has other places of it than a record's words. */
void fields_show_value(const struct fields *fields, struct line *line,
		       const struct evtlog_field *field, const uint64_t *words);
void fields_json_value(const struct fields *fields, struct json *json, const char *key,
		       const struct evtlog_field *field, const uint64_t *words);

/* ---- payload.c: what follows the first word of a record of variable size ---- */

/* Of other records: nothing.  @apart: a blank comes before it. */
void payload_show(const struct fields *fields, struct line *line, bool apart,
		  const struct evtlog_event *event);
void payload_json(const struct fields *fields, struct json *json,
		  const struct evtlog_event *event);

#endif /* EVTLOG_PRINT_FIELDS_H */
