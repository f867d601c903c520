/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shows the fields of a record as the file describes them, and adds names to numbers.
 *
 * It depends on kinds of fields, not on types of records, so it also shows future types.  Names
 * come from names.h.
 */
#ifndef EVTLOG_PRINT_FIELDS_H
#define EVTLOG_PRINT_FIELDS_H

#include <evtlog/evtlog.h>

#include "common/linebuf.h"

struct json;

struct fields_keys;

/*
 * @names:	enum name_kind of each field of each type
 * @keys:	JSON keys by type, made at the first event of the type; NULL without memory
 * @comm_of:	returns the name of a task, EVTLOG_COMM_LEN untrusted bytes, or NULL if unknown;
 *		NULL: use @tasks
 * @comm_context: first argument of @comm_of
 */
struct fields {
	const struct evtlog_file *file;
	const struct evtlog_tasks *tasks;
	const char *(*comm_of)(const void *context, uint32_t pid);
	const void *comm_context;
	uint8_t names[EVTLOG_TYPE_MAX + 1][EVTLOG_FIELDS_MAX];
	struct fields_keys **keys;
	/* Names of device interrupts by number, from the header of the file */
	const char **irq_names;
	unsigned int irqs;
};

/* Returns 0 or -ENOMEM. */
int fields_init(struct fields *fields, const struct evtlog_file *file,
		const struct evtlog_tasks *tasks);
void fields_free(struct fields *fields);

/* Returns NULL if the file has no name for the interrupt. */
const char *fields_irq_name(const struct fields *fields, unsigned int irq);

/* Shows "comm-pid"; "?-pid" if the name is unknown, "?" if the pid is unknown. */
void fields_task(const struct fields *fields, struct line *line, uint32_t pid);

/* Returns the name of the registered event if the log has its format, else of the record type. */
const char *fields_own_name(const struct fields *fields, const struct evtlog_event *event);

/* For a registered event with a format, shows only its own fields, without id and size. */
void fields_show(const struct fields *fields, struct line *line,
		 const struct evtlog_event *event);
/* Adds the members "event" and "fields" to an object of one line. */
void fields_event_json(const struct fields *fields, struct json *json,
		       const struct evtlog_event *event);
/* Adds "fields" only. */
void fields_json(const struct fields *fields, struct json *json,
		 const struct evtlog_event *event);

/* Show the value of a field in @words: a record's words, or a copy of a field in a payload. */
void fields_show_value(const struct fields *fields, struct line *line,
		       const struct evtlog_field *field, const uint64_t *words);
void fields_json_value(const struct fields *fields, struct json *json, const char *key,
		       const struct evtlog_field *field, const uint64_t *words);

/* ---- payload.c: the payload after the first word of a record of variable size ---- */

/* Shows nothing for other records.  @apart: put a blank in front. */
void payload_show(const struct fields *fields, struct line *line, bool apart,
		  const struct evtlog_event *event);
void payload_json(const struct fields *fields, struct json *json,
		  const struct evtlog_event *event);

#endif /* EVTLOG_PRINT_FIELDS_H */
