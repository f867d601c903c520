// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes CTF 1.8 metadata: the description of a host's streams.
 *
 * Structures and environment have the names of LTTng's kernel tracer 2.9 and later.  Readers use
 * these names to interpret the events.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <evtlog/record.h>

#include "common/error.h"
#include "common/utf8.h"
#include "host.h"
#include "print/names.h"

/* ---- Names of the fields of one event ---- */

/* Formats can have any field names; readers refuse events with two fields of the same name. */

/* Reserved names, for the lengths of sequences and of payloads */
#define CTF_LENGTH_NAME		"evtlog_length"
#define CTF_BYTES_NAME		"evtlog_bytes"

#define CTF_FIELD_NAMES_MAX	260
#define CTF_FIELD_NAME_BYTES	(EVTLOG_NAME_MAX + 8)

struct ctf_field_names {
	char at[CTF_FIELD_NAMES_MAX][CTF_FIELD_NAME_BYTES];
	unsigned int count;
};

static void ctf_field_names_begin(struct ctf_field_names *names)
{
	snprintf(names->at[0], CTF_FIELD_NAME_BYTES, "%s", CTF_LENGTH_NAME);
	snprintf(names->at[1], CTF_FIELD_NAME_BYTES, "%s", CTF_BYTES_NAME);
	names->count = 2;
}

static bool has(const struct ctf_field_names *names, const char *name)
{
	for (unsigned int i = 0; i < names->count; i++)
		if (!strcmp(names->at[i], name))
			return true;
	return false;
}

/* Returns a unique name in the letters of the grammar; valid until the next call. */
static const char *ctf_field_names_add(struct ctf_field_names *names, const char *name)
{
	char *own = names->at[names->count], clean[EVTLOG_NAME_MAX + 1];

	snprintf(clean, sizeof(clean), "%s", name);
	for (char *at = clean; *at; at++)
		if (!((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
		      (*at >= '0' && *at <= '9')))
			*at = '_';
	snprintf(own, CTF_FIELD_NAME_BYTES, "%s", clean);
	for (unsigned int i = 2; has(names, own); i++)
		snprintf(own, CTF_FIELD_NAME_BYTES, "%s_%u", clean, i);
	if (names->count < CTF_FIELD_NAMES_MAX - 1)
		names->count++;
	return own;
}

/* ---- The metadata ---- */

const char *const ctf_notes[CTF_NOTES] = {
	[CTF_NOTE_PRIO] = "priorities are -2147483648, except in sched_wakeup_new: logs do not contain them",
	[CTF_NOTE_CALLS] = "system calls have neither arguments nor a return value: logs do not contain them",
	[CTF_NOTE_EXEC] = "filename of sched_process_exec is the task's new name: logs do not contain the path",
	[CTF_NOTE_FORK] = "in sched_process_fork parent_ns_inum and child_ns_inum are 0, and vtids is the tid in the first namespace: logs do not contain namespaces",
	[CTF_NOTE_TASK] = "in lttng_statedump_process_state mode, submode and file_table_address are unknown: logs do not contain them",
	[CTF_NOTE_EVENT] = "some registered events have no readable format: they are exported as evtlog_event, with their bytes",
	[CTF_NOTE_UNRECORDED] = "there are no sched_wakeup, sched_process_free, irq_softirq_raise, timer_* and block_*: logs do not contain such events",
};

static void put_uuid(FILE *out, const uint8_t *uuid)
{
	for (unsigned int i = 0; i < CTF_UUID_BYTES; i++)
		fprintf(out, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
}

/* Writes a string of the grammar; names of hosts and events can contain any bytes. */
static void put_quoted(FILE *out, const char *text)
{
	char *clean = utf8_clean(text, strlen(text));

	putc('"', out);
	for (const char *at = clean ? clean : ""; *at; at++) {
		unsigned char c = *at;

		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < ' ' || c == 0x7f)
			putc('?', out);
		else
			putc(c, out);
	}
	putc('"', out);
	free(clean);
}

static void put_integer(FILE *out, unsigned int bits, bool is_signed, unsigned int base,
			bool big_endian)
{
	fprintf(out, "integer { size = %u; align = 8; signed = %d; encoding = none; base = %u;%s }",
		bits, is_signed, base, big_endian ? " byte_order = be;" : "");
}

static void put_text_type(FILE *out)
{
	fputs("integer { size = 8; align = 8; signed = 1; encoding = UTF8; base = 10; }", out);
}

/* ---- The trace ---- */

static void put_types(FILE *out)
{
	static const char *const clocks[][2] = { { "27", "1" }, { "32", "8" }, { "64", "8" } };

	for (unsigned int bits = 8; bits <= 64; bits *= 2)
		fprintf(out, "typealias integer { size = %u; align = 8; signed = false; } := uint%u_t;\n",
			bits, bits);
	fputs("typealias integer { size = 64; align = 8; signed = false; } := unsigned long;\n", out);
	for (unsigned int i = 0; i < sizeof(clocks) / sizeof(*clocks); i++)
		fprintf(out, "typealias integer { size = %s; align = %s; signed = false; map = clock.monotonic.value; } := uint%s_clock_monotonic_t;\n",
			clocks[i][0], clocks[i][1], clocks[i][0]);
}

static void put_layout(FILE *out)
{
	fputs("\nstruct packet_context {\n"
	      "\tuint64_clock_monotonic_t timestamp_begin;\n"
	      "\tuint64_clock_monotonic_t timestamp_end;\n"
	      "\tuint64_t content_size;\n"
	      "\tuint64_t packet_size;\n"
	      "\tuint64_t packet_seq_num;\n"
	      "\tunsigned long events_discarded;\n"
	      "\tuint32_t cpu_id;\n"
	      "};\n\n"
	      "struct event_header_large {\n"
	      "\tenum : uint16_t { compact = 0 ... 65534, extended = 65535 } id;\n"
	      "\tvariant <id> {\n"
	      "\t\tstruct { uint32_clock_monotonic_t timestamp; } compact;\n"
	      "\t\tstruct { uint32_t id; uint64_clock_monotonic_t timestamp; } extended;\n"
	      "\t} v;\n"
	      "} align(8);\n\n"
	      "stream {\n"
	      "\tid = 0;\n"
	      "\tevent.header := struct event_header_large;\n"
	      "\tpacket.context := struct packet_context;\n"
	      "};\n", out);
}

static void put_trace(FILE *out, const struct ctf_host *host)
{
	fputs("\ntrace {\n\tmajor = 1;\n\tminor = 8;\n\tuuid = \"", out);
	put_uuid(out, host->all.uuid);
	fputs("\";\n\tbyte_order = le;\n\tpacket.header := struct {\n"
	      "\t\tuint32_t magic;\n\t\tuint8_t uuid[16];\n\t\tuint32_t stream_id;\n"
	      "\t\tuint64_t stream_instance_id;\n\t};\n};\n", out);
}

static void put_setting(FILE *out, const char *name, const char *value)
{
	fprintf(out, "\t%s = ", name);
	put_quoted(out, value ? value : "");
	fputs(";\n", out);
}

/* Writes facts that are not in the events, and the differences from a trace of LTTng. */
static void put_ours(FILE *out, const struct ctf_host *host, const struct sources *sources,
		     size_t number)
{
	const struct evtlog_host_clock *clock = sources->logs.count > 1 ?
		evtlog_clocksync_clock(sources->logs.hosts, number) : NULL;

	put_setting(out, "evtlog_version", EVTLOG_VERSION);
	fprintf(out, "\tevtlog_run = %" PRIu64 ";\n", evtlog_run(host->file));
	put_setting(out, "evtlog_clock", "CLOCK_MONOTONIC_RAW");
	if (host->clock.error_ns == UINT64_MAX)
		put_setting(out, "evtlog_clock_error_ns", "unknown");
	else
		fprintf(out, "\tevtlog_clock_error_ns = %" PRIu64 ";\n", host->clock.error_ns);
	put_setting(out, "evtlog_clock_related_by",
		    clock ? evtlog_clock_method_name(clock->method) : "nothing: one host");
	fprintf(out, "\tevtlog_clock_ahead_ns = %" PRId64 ";\n", host->clock.ahead_ns);
	fprintf(out, "\tevtlog_events = %" PRIu64 ";\n", host->written);
	fprintf(out, "\tevtlog_events_lost = %" PRIu64 ";\n", host->lost);
	for (unsigned int i = 0; i < CTF_NOTES; i++) {
		if (!(host->notes & 1u << i))
			continue;
		fprintf(out, "\tevtlog_note_%u = ", i);
		put_quoted(out, ctf_notes[i]);
		fputs(";\n", out);
	}
}

static void put_env(FILE *out, const struct ctf_host *host, const struct sources *sources,
		    size_t number)
{
	fputs("\nenv {\n", out);
	put_setting(out, "hostname", evtlog_meta(host->file, "host"));
	put_setting(out, "domain", "kernel");
	put_setting(out, "sysname", "Linux");
	put_setting(out, "kernel_release", evtlog_meta(host->file, "kernel"));
	put_setting(out, "kernel_version", evtlog_meta(host->file, "version"));
	put_setting(out, "tracer_name", "lttng-modules");
	fputs("\ttracer_major = 2;\n\ttracer_minor = 13;\n\ttracer_patchlevel = 9;\n", out);
	put_setting(out, "trace_buffering_scheme", "global");
	put_setting(out, "trace_name", host->name);
	put_ours(out, host, sources, number);
	fputs("};\n", out);
}

/* As with LTTng, the UUID is the boot id: readers assume one host for traces with the same UUID. */
static void put_clock(FILE *out, const struct ctf_host *host)
{
	fputs("\nclock {\n\tname = \"monotonic\";\n\tuuid = \"", out);
	put_uuid(out, evtlog_boot_id(host->file));
	fprintf(out, "\";\n\tdescription = \"Monotonic Clock\";\n\tfreq = 1000000000;\n"
		"\toffset = %" PRId64 ";\n};\n\n", host->clock.real_ns);
}

/* ---- Events ---- */

static void begin_event(FILE *out, const char *prefix, const char *name, const char *suffix,
			unsigned int id)
{
	char *whole;

	fputs("\nevent {\n\tname = ", out);
	if (asprintf(&whole, "%s%s%s", prefix, name, suffix) >= 0) {
		put_quoted(out, whole);
		free(whole);
	}
	fprintf(out, ";\n\tid = %u;\n\tstream_id = 0;\n\tfields := struct {\n", id);
}

static void end_event(FILE *out)
{
	fputs("\t};\n};\n", out);
}

/* Writes the type of a number in host.h's table; returns false for other types. */
static bool put_number_type(FILE *out, const char *type)
{
	static const struct {
		const char *name;
		unsigned int bits;
		bool is_signed;
		unsigned int base;
	} types[] = {
		{ "int", 32, true, 10 }, { "uint", 32, false, 10 }, { "long", 64, true, 10 },
		{ "u8", 8, false, 10 }, { "u16", 16, false, 10 }, { "u64", 64, false, 10 },
		{ "hex", 64, false, 16 },
	};

	for (unsigned int i = 0; i < sizeof(types) / sizeof(*types); i++) {
		if (strcmp(types[i].name, type))
			continue;
		put_integer(out, types[i].bits, types[i].is_signed, types[i].base, false);
		return true;
	}
	return false;
}

static void put_field(FILE *out, const char *type, const char *name)
{
	fputs("\t\t", out);
	if (!strcmp(type, "comm")) {
		put_text_type(out);
		fprintf(out, " _%s[%u];\n", name, CTF_COMM_BYTES);
	} else if (!strcmp(type, "string")) {
		fprintf(out, "string _%s;\n", name);
	} else if (!strcmp(type, "pids")) {
		put_integer(out, 8, false, 10, false);
		fprintf(out, " __%s_length;\n\t\t", name);
		put_integer(out, 32, true, 10, false);
		fprintf(out, " _%s[ __%s_length ];\n", name, name);
	} else if (put_number_type(out, type)) {
		fprintf(out, " _%s;\n", name);
	}
}

static void put_fixed(FILE *out)
{
	static const struct {
		const char *name;
		const char *fields;
	} events[CTF_FIXED] = {
#define X(NAME, name, fields) { name, fields },
		CTF_EVENTS(X)
#undef X
	};

	for (unsigned int i = 0; i < CTF_FIXED; i++) {
		char type[16], name[40];
		const char *at = events[i].fields;
		int length;

		begin_event(out, "", events[i].name, "", i);
		for (; sscanf(at, "%15s %39s%n", type, name, &length) == 2; at += length)
			put_field(out, type, name);
		end_event(out);
	}
}

static bool has_rest(const struct evtlog_type_info *info)
{
	return info->known == EVTLOG_EVENT || info->known == EVTLOG_EVENT_FORMAT;
}

/* Names begin with _, which readers remove: so no name is a keyword of the grammar. */
static void put_type(FILE *out, const struct ctf_type *type)
{
	struct ctf_field_names names;

	ctf_field_names_begin(&names);
	begin_event(out, "evtlog_", type->info->name, "", CTF_OF_TYPE + type->info->number);
	for (unsigned int i = 0; i < type->field_count; i++) {
		const struct ctf_field *field = &type->fields[i];
		char kind = field->field->kind;

		fputs("\t\t", out);
		if (field->is_text)
			fputs("string", out);
		else
			put_integer(out, field->bytes * 8, kind == 'd',
				    kind == 'x' || kind == '4' ? 16 : 10, kind == '4' || kind == 'n');
		fprintf(out, " _%s;\n", ctf_field_names_add(&names, field->field->name));
	}
	if (has_rest(type->info)) {
		fputs("\t\tuint16_t _" CTF_LENGTH_NAME ";\n\t\t", out);
		put_integer(out, 8, false, 16, false);
		fprintf(out, " _%s[ _" CTF_LENGTH_NAME " ];\n", ctf_field_names_add(&names, "payload"));
	}
	end_event(out);
}

static void put_event_field(FILE *out, const struct evtlog_event_field *field, const char *name)
{
	char kind = field->kind;

	fputs("\t\t", out);
	if (kind == 'c') {
		fprintf(out, "string _%s;\n", name);
	} else if (!field->bytes) {
		fputs("uint16_t _" CTF_LENGTH_NAME ";\n\t\t", out);
		put_integer(out, 8, false, 16, false);
		fprintf(out, " _%s[ _" CTF_LENGTH_NAME " ];\n", name);
	} else if (kind == 'b' || kind == '6' || kind == 'm') {
		put_integer(out, 8, false, 16, false);
		fprintf(out, " _%s[%u];\n", name, field->bytes);
	} else {
		put_integer(out, field->bytes * 8, kind == 'd',
			    kind == 'x' || kind == '4' ? 16 : 10, kind == '4' || kind == 'n');
		fprintf(out, " _%s;\n", name);
	}
}

static void put_events(FILE *out, const struct ctf_host *host)
{
	struct ctf_field_names names;

	for (uint32_t id = 0; host->events && id <= EVTLOG_EVENT_ID_MAX; id++) {
		const struct evtlog_event_format *format = host->events[id].format;

		if (!format)
			continue;
		begin_event(out, "evtlog_", format->name, "", CTF_OF_EVENT + id);
		ctf_field_names_begin(&names);
		fputs("\t\tuint16_t _" CTF_BYTES_NAME ";\n", out);
		for (uint32_t i = 0; i < format->field_count; i++)
			put_event_field(out, &format->fields[i],
					ctf_field_names_add(&names, format->fields[i].name));
		end_event(out);
	}
}

static void put_calls(FILE *out, const struct ctf_host *host, bool compat)
{
	const char *prefix = compat ? "compat_syscall_" : "syscall_";
	unsigned int first = compat ? CTF_OF_COMPAT : CTF_OF_CALL;
	char whole[32];

	for (unsigned int i = 0; i < CTF_CALLS; i++) {
		const char *name = compat ? syscall_name_32(i) : syscall_name(i);

		if (!host->calls[compat][i])
			continue;
		for (unsigned int exit = 0; exit < 2; exit++) {
			snprintf(whole, sizeof(whole), "%s%s_", prefix, exit ? "exit" : "entry");
			begin_event(out, whole, name, "", first + 2 * i + exit);
			end_event(out);
		}
	}
}

int ctf_metadata_write(struct ctf_host *host, const struct sources *sources, size_t number)
{
	int fd = openat(host->all.directory, "metadata", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	bool failed;
	int error;

	if (!out) {
		error = -errno;
		if (fd >= 0)
			close(fd);
		return error;
	}
	ctf_note(host, CTF_NOTE_UNRECORDED);
	fputs("/* CTF 1.8 */\n\n", out);
	put_types(out);
	put_trace(out, host);
	put_env(out, host, sources, number);
	put_clock(out, host);
	put_layout(out);
	put_fixed(out);
	for (unsigned int i = 0; i <= EVTLOG_TYPE_MAX; i++)
		if (host->types[i].info)
			put_type(out, &host->types[i]);
	put_events(out, host);
	put_calls(out, host, false);
	put_calls(out, host, true);
	failed = ferror(out);
	error = fclose(out) ? -errno : failed ? -EIO : 0;
	return error;
}
