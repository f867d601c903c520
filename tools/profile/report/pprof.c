// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes reports as pprof's profile.proto, in gzip.
 *
 * Each call path is a sample, with its calls and its exclusive time in ns. Each value that occurs
 * has two sample types: its sum and its count. Each task or CPU with values has another sample
 * without a call path. The messages are few and flat, so they are written by hand.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "common/atomic-file.h"
#include "lib/base/array.h"
#include "lib/base/key-table.h"
#include "profile/report/report.h"

/* Field numbers of profile.proto */
enum {
	PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE = 2, PROFILE_LOCATION = 4, PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6, PROFILE_DEFAULT_SAMPLE_TYPE = 14,
	TYPE_TYPE = 1, TYPE_UNIT = 2,
	SAMPLE_LOCATION = 1, SAMPLE_VALUE = 2, SAMPLE_LABEL = 3,
	LABEL_KEY = 1, LABEL_STRING = 2, LABEL_NUMBER = 3,
	LOCATION_ID = 1, LOCATION_LINE = 4, LINE_FUNCTION = 1,
	FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_FILE = 4,
};

enum { WIRE_VARINT = 0, WIRE_BYTES = 2 };

/* @error: the first error */
struct message {
	unsigned char *at;
	size_t bytes, capacity;
	int error;
};

static void put_bytes(struct message *to, const void *from, size_t bytes)
{
	if (to->error)
		return;
	to->error = array_reserve_more(&to->at, &to->capacity, to->bytes, bytes + 1, 1);
	if (to->error)
		return;
	if (bytes)
		memcpy(to->at + to->bytes, from, bytes);
	to->bytes += bytes;
}

static void put_varint(struct message *to, uint64_t value)
{
	unsigned char bytes[10];
	size_t count = 0;

	do {
		bytes[count++] = (value & 0x7f) | (value > 0x7f ? 0x80 : 0);
		value >>= 7;
	} while (value);
	put_bytes(to, bytes, count);
}

static void put_number(struct message *to, unsigned int field, uint64_t value)
{
	put_varint(to, field << 3 | WIRE_VARINT);
	put_varint(to, value);
}

static void put_string(struct message *to, unsigned int field, const void *bytes, size_t length)
{
	put_varint(to, field << 3 | WIRE_BYTES);
	put_varint(to, length);
	put_bytes(to, bytes, length);
}

/* Empties @part, to be used again. */
static void put_message(struct message *to, unsigned int field, struct message *part)
{
	if (part->error)
		to->error = part->error;
	else
		put_string(to, field, part->at, part->bytes);
	part->bytes = 0;
}

/* Strings have numbers; 0 is "". */
struct strings {
	char **at;
	size_t count, capacity;
	struct key_table by_hash;
};

/*
 * struct pprof - a profile that is being built
 * @functions:	by number minus 1: the strings of the name and the group
 * @by_strings:	finds the index in @functions by both strings
 * @values:	has all values that occur in tasks and CPUs
 */
struct pprof {
	struct message all, part, inner;
	struct strings strings;
	struct function {
		uint64_t name, group;
	} *functions;
	size_t nr_functions, capacity;
	struct key_table by_strings;
	struct profile_slot values;
};

static bool is_string(const void *things, uint32_t number, const void *wanted)
{
	const struct strings *strings = things;

	return !strcmp(strings->at[number], wanted);
}

static uint64_t string_of(struct pprof *pprof, const char *text)
{
	struct strings *strings = &pprof->strings;
	uint64_t hash = key_table_hash(text, strlen(text));
	uint32_t found = key_table_find_same(&strings->by_hash, hash, is_string, strings, text);
	char *copy;

	if (found != KEY_NONE)
		return found;
	copy = strdup(text);
	if (!copy || array_reserve(&strings->at, &strings->capacity, strings->count,
				   sizeof(*strings->at)) ||
	    key_table_add(&strings->by_hash, hash, strings->count)) {
		free(copy);
		pprof->all.error = -ENOMEM;
		return 0;
	}
	strings->at[strings->count] = copy;
	return strings->count++;
}

static uint64_t function_of(struct pprof *pprof, const char *name, const char *group)
{
	struct function function = { string_of(pprof, name), string_of(pprof, group) };
	uint64_t key = function.name << 32 | function.group;
	uint32_t found = key_table_find(&pprof->by_strings, key);

	if (found != KEY_NONE)
		return found + 1;
	if (array_reserve(&pprof->functions, &pprof->capacity, pprof->nr_functions,
			  sizeof(*pprof->functions)) ||
	    key_table_add(&pprof->by_strings, key, pprof->nr_functions)) {
		pprof->all.error = -ENOMEM;
		return 0;
	}
	pprof->functions[pprof->nr_functions++] = function;
	return pprof->nr_functions;
}

static void put_type(struct pprof *pprof, const char *type, const char *unit)
{
	put_number(&pprof->part, TYPE_TYPE, string_of(pprof, type));
	put_number(&pprof->part, TYPE_UNIT, string_of(pprof, unit));
	put_message(&pprof->all, PROFILE_SAMPLE_TYPE, &pprof->part);
}

static void put_label(struct pprof *pprof, const char *key, const char *text, uint64_t number)
{
	put_number(&pprof->inner, LABEL_KEY, string_of(pprof, key));
	if (text)
		put_number(&pprof->inner, LABEL_STRING, string_of(pprof, text));
	else
		put_number(&pprof->inner, LABEL_NUMBER, number);
	put_message(&pprof->part, SAMPLE_LABEL, &pprof->inner);
}

static void put_task(struct pprof *pprof, const struct report_tree *tree)
{
	const struct evtlog_profile_entry *entry = &tree->slot->entry;

	if (entry->cpu >= 0) {
		put_label(pprof, "cpu", NULL, entry->cpu);
	} else {
		put_label(pprof, "pid", NULL, entry->tgid);
		put_label(pprof, "tid", NULL, entry->pid);
	}
	if (tree->rank >= 0)
		put_label(pprof, "rank", NULL, tree->rank);
}

/* All samples have the same number of values. @slot: NULL: all are 0 */
static void put_values(struct pprof *pprof, const struct profile_slot *slot)
{
	const struct evtlog_profile_value none = { 0 };

	for (size_t i = 0; i < pprof->values.entry.values; i++) {
		const struct evtlog_profile_value *value = slot ?
			profile_value_find(slot, pprof->values.values[i].name) : NULL;

		if (!value)
			value = &none;
		put_number(&pprof->part, SAMPLE_VALUE, value->sum);
		put_number(&pprof->part, SAMPLE_VALUE, value->count);
	}
}

static void put_value_sample(struct pprof *pprof, const struct report_tree *tree)
{
	put_number(&pprof->part, SAMPLE_LOCATION, function_of(pprof, tree->label, "TASK"));
	put_number(&pprof->part, SAMPLE_VALUE, 0);
	put_number(&pprof->part, SAMPLE_VALUE, 0);
	put_values(pprof, tree->slot);
	put_task(pprof, tree);
	put_message(&pprof->all, PROFILE_SAMPLE, &pprof->part);
}

/* The innermost location is first. */
static void put_sample(struct pprof *pprof, const struct report *report,
		       const struct report_tree *tree, size_t at)
{
	const struct report_node *node = &tree->at[at];

	for (; at != REPORT_ROOT; at = tree->at[at].parent)
		put_number(&pprof->part, SAMPLE_LOCATION,
			   function_of(pprof, tree->at[at].name, tree->at[at].group));
	put_number(&pprof->part, SAMPLE_LOCATION, function_of(pprof, tree->label, "TASK"));
	put_number(&pprof->part, SAMPLE_VALUE, node->count);
	put_number(&pprof->part, SAMPLE_VALUE, report_ns(report, node->exclusive));
	put_values(pprof, NULL);
	put_label(pprof, "kind", report_kind_names[node->kind], 0);
	put_task(pprof, tree);
	put_message(&pprof->all, PROFILE_SAMPLE, &pprof->part);
}

/*
 * Each function is a location, as there are no addresses. The system name is left out: if it equals
 * the name, go tool pprof takes the name for mangled C++ and removes what is in <> or ().
 */
static void put_functions(struct pprof *pprof)
{
	for (size_t i = 0; i < pprof->nr_functions; i++) {
		put_number(&pprof->inner, LINE_FUNCTION, i + 1);
		put_number(&pprof->part, LOCATION_ID, i + 1);
		put_message(&pprof->part, LOCATION_LINE, &pprof->inner);
		put_message(&pprof->all, PROFILE_LOCATION, &pprof->part);
		put_number(&pprof->part, FUNCTION_ID, i + 1);
		put_number(&pprof->part, FUNCTION_NAME, pprof->functions[i].name);
		put_number(&pprof->part, FUNCTION_FILE, pprof->functions[i].group);
		put_message(&pprof->all, PROFILE_FUNCTION, &pprof->part);
	}
}

/* Readers refuse strings that are not UTF-8. */
static void put_strings(struct pprof *pprof)
{
	for (size_t i = 0; i < pprof->strings.count; i++) {
		char *text = pprof->strings.at[i];

		for (char *c = text; *c; c++) {
			if (*c & 0x80 || (unsigned char)*c < ' ')
				*c = '_';
		}
		put_string(&pprof->all, PROFILE_STRING, text, strlen(text));
	}
}

static int compress_to(FILE *out, const struct message *message)
{
	z_stream stream = { .next_in = message->at, .avail_in = message->bytes };
	unsigned char bytes[16384];
	int result;

	/* 16 selects gzip. */
	if (message->bytes > UINT32_MAX)
		return -EFBIG;
	if (deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	do {
		stream.next_out = bytes;
		stream.avail_out = sizeof(bytes);
		result = deflate(&stream, Z_FINISH);
		fwrite(bytes, 1, sizeof(bytes) - stream.avail_out, out);
	} while (result == Z_OK);
	deflateEnd(&stream);
	return result == Z_STREAM_END ? 0 : -EIO;
}

/* Lengths of queues are packets, all other values are bytes. */
static void put_value_types(struct pprof *pprof, const char *name)
{
	bool is_queue = !strcmp(name, "udp_queue") || !strcmp(name, "backlog");
	char count[64];

	put_type(pprof, name, is_queue ? "packets" : "bytes");
	snprintf(count, sizeof(count), "%s_count", name);
	put_type(pprof, count, "count");
}

static void make(struct pprof *pprof, const struct report *report)
{
	string_of(pprof, "");
	put_type(pprof, "calls", "count");
	put_type(pprof, "time", "nanoseconds");
	for (size_t i = 0; i < report->count; i++) {
		if (profile_values_add(&pprof->values, report->at[i].slot))
			pprof->all.error = -ENOMEM;
	}
	for (size_t i = 0; i < pprof->values.entry.values; i++)
		put_value_types(pprof, pprof->values.values[i].name);
	for (size_t i = 0; i < report->count; i++) {
		for (size_t k = 0; k < report->at[i].count; k++)
			put_sample(pprof, report, &report->at[i], k);
		if (report->at[i].slot->entry.values)
			put_value_sample(pprof, &report->at[i]);
	}
	put_functions(pprof);
	put_number(&pprof->all, PROFILE_DEFAULT_SAMPLE_TYPE, string_of(pprof, "time"));
	put_strings(pprof);
}

int report_write_pprof(const struct report *report, const char *path)
{
	struct pprof pprof = { 0 };
	struct atomic_file file;
	int error;

	make(&pprof, report);
	error = pprof.all.error;
	if (!error)
		error = atomic_file_new(&file, path, 0644);
	if (!error) {
		error = compress_to(file.out, &pprof.all);
		if (!error)
			error = atomic_file_finish(&file);
		if (error)
			atomic_file_discard(&file);
	}
	for (size_t i = 0; i < pprof.strings.count; i++)
		free(pprof.strings.at[i]);
	free(pprof.strings.at);
	key_table_free(&pprof.strings.by_hash);
	key_table_free(&pprof.by_strings);
	free(pprof.functions);
	free(pprof.all.at);
	free(pprof.part.at);
	free(pprof.inner.at);
	profile_slot_free(&pprof.values);
	return error;
}
