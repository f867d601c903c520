// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints a critical path, as text or as JSON: the pieces in the order of time, then their sums.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "critical.h"

#define COLUMN_HOST	46
/* Smaller errors are those of the rate of one clock. */
#define ERROR_SHOWN_NS	1000

static bool has_hosts(const struct critical *critical)
{
	return critical->logs->set.count > 1;
}

static const char *host_of(const struct critical *critical, size_t log)
{
	return critical->logs->set.files[log].name;
}

/* ---- Text ---- */

static void put_host(struct line *line, const struct critical *critical, size_t log)
{
	const char *name = host_of(critical, log);

	line_escaped(line, name, strlen(name));
}

static void put_task(struct line *line, const struct critical *critical, const struct piece *piece)
{
	if (piece->utid == UTID_IDLE) {
		line_text(line, why_is_tree(critical->logs) ? "a task outside of the tree" :
							      "the idle task");
		return;
	}
	if (piece->pid < 0) {
		line_text(line, "an unknown task");
		return;
	}
	why_put_text(line, &critical->logs->dictionary, piece->name);
	line_printf(line, "-%" PRId64, piece->pid);
}

static void put_irq(struct line *line, const struct critical *critical, const struct piece *piece)
{
	why_put_context(line, critical->logs, piece->ran.kind, piece->ran.number, piece->ran.name);
}

static void put_packet(struct line *line, const struct critical *critical,
		       const struct piece *piece)
{
	char from[PATH_ADDRESS_TEXT], to[PATH_ADDRESS_TEXT];

	line_printf(line, "%s packet from ", path_protocol_name(&piece->key));
	put_host(line, critical, piece->sender);
	line_printf(line, ", %s to %s", path_address(piece->key.source, from),
		    path_address(piece->key.destination, to));
	if (piece->ambiguous)
		line_text(line, " (or a similar one)");
}

static void put_used_by(struct line *line, const struct critical *critical,
			const struct piece *piece)
{
	const struct why *why = piece->why ? &critical->explained[piece->why - 1] : NULL;

	if (!why || !why->meanwhile.ran_count)
		return;
	line_printf(line, ", %.0f %% used by ",
		    100.0 * why->meanwhile.ran[0].ns / why->wait.ready);
	why_put_ran(line, why, &why->meanwhile.ran[0]);
}

static void put_what(struct line *line, const struct critical *critical, const struct piece *piece)
{
	switch (piece->kind) {
	case PIECE_RUN:
		put_task(line, critical, piece);
		line_printf(line, " runs on CPU %d", (int)piece->cpu);
		break;
	case PIECE_READY:
		put_task(line, critical, piece);
		line_printf(line, " waits for CPU %d", (int)piece->cpu);
		put_used_by(line, critical, piece);
		break;
	case PIECE_BLOCKED:
		put_task(line, critical, piece);
		line_text(line, " is blocked until ");
		put_irq(line, critical, piece);
		break;
	case PIECE_IRQ:
		put_irq(line, critical, piece);
		line_printf(line, " on CPU %d, in ", (int)piece->cpu);
		put_task(line, critical, piece);
		break;
	case PIECE_PACKET:
		put_packet(line, critical, piece);
		break;
	default:
		line_text(line, "unknown: the log does not show what was before, of ");
		put_task(line, critical, piece);
		break;
	}
	if (piece->link == LINK_WAKES || piece->link == LINK_CREATES || piece->link == LINK_SENDS)
		line_printf(line, ", and %s", piece_link_names[piece->link]);
	else if (piece->link == LINK_BLOCKS && piece->kind == PIECE_RUN)
		line_text(line, ", and is blocked");
}

static void print_piece(const struct critical *critical, const struct piece *piece)
{
	struct line line = { 0 };

	why_put_seconds(&line, piece->begin - why_begin(critical->logs), 4);
	line_printf(&line, " %14.6f ", (piece->end - piece->begin) / 1e6);
	if (piece->length_error_ns == UINT64_MAX)
		line_text(&line, "?");
	else if (piece->length_error_ns >= ERROR_SHOWN_NS)
		line_printf(&line, "%.6f", piece->length_error_ns / 1e6);
	line_column(&line, 42);
	if (has_hosts(critical)) {
		put_host(&line, critical, piece->log);
		line_text(&line, "  ");
		line_column(&line, COLUMN_HOST + 8);
	}
	put_what(&line, critical, piece);
	line_print(&line, stdout);
}

static void print_sum(const struct critical *critical, const struct piece_sum *sum)
{
	const struct piece *piece = &sum->piece;
	struct line line = { 0 };

	line_printf(&line, "%7.2f %%  %12.6f ms  ",
		    100.0 * sum->ns / (critical->end - critical->begin), sum->ns / 1e6);
	if (has_hosts(critical)) {
		put_host(&line, critical, piece->log);
		line_text(&line, ": ");
	}
	switch (piece->kind) {
	case PIECE_IRQ:
		put_irq(&line, critical, piece);
		break;
	case PIECE_PACKET:
		line_text(&line, "packets from ");
		put_host(&line, critical, piece->sender);
		break;
	default:
		put_task(&line, critical, piece);
		line_text(&line, piece->kind == PIECE_RUN ? " runs" :
			  piece->kind == PIECE_READY ? " waits for a CPU" :
			  piece->kind == PIECE_BLOCKED ? " is blocked until an interrupt" :
							 ": unknown");
		break;
	}
	line_print(&line, stdout);
}

void critical_print(const struct critical *critical)
{
	const struct piece *last = critical->count ? &critical->pieces[0] : NULL;
	struct line line = { 0 };

	if (last)
		put_task(&line, critical, last);
	line_text(&line, " on ");
	put_host(&line, critical, critical->wait.log);
	line_text(&line, ": critical path of ");
	why_put_ms(&line, critical->end - critical->begin);
	line_print(&line, stdout);
	printf("%14s %14s %s\n", "from s", "ms", has_hosts(critical) ? "+- ms" : "");
	if (critical->more)
		printf("... %" PRIu64 " earlier pieces\n", critical->more);
	for (size_t i = critical->count; i--;)
		print_piece(critical, &critical->pieces[i]);
	printf("Shares of the path\n");
	for (size_t i = 0; i < critical->sum_count; i++)
		print_sum(critical, &critical->sums[i]);
}

/* ---- JSON ---- */

static void json_error(struct json *json, const char *key, uint64_t ns)
{
	if (ns == UINT64_MAX)
		json_null(json, key);
	else
		json_u64(json, key, ns);
}

/* What a piece and a sum have in common */
static void json_who(struct json *json, const struct critical *critical, const struct piece *piece)
{
	const struct dictionary *dictionary = &critical->logs->dictionary;

	json_string(json, "kind", piece_kind_names[piece->kind]);
	json_string(json, "host", host_of(critical, piece->log));
	why_json_number(json, "pid", piece->pid);
	why_json_text(json, "comm", dictionary, piece->name);
	if (piece->ran.kind >= RAN_SOFTIRQ) {
		json_object(json, "interrupt");
		json_string(json, "kind", ran_kind_names[piece->ran.kind]);
		why_json_number(json, "number", piece->ran.number);
		why_json_text(json, "name", dictionary, piece->ran.name);
		json_end(json);
	} else {
		json_null(json, "interrupt");
	}
	json_string(json, "sender", piece->kind == PIECE_PACKET ?
		    host_of(critical, piece->sender) : NULL);
}

static void json_packet(struct json *json, const struct piece *piece)
{
	char text[PATH_ADDRESS_TEXT];

	if (piece->kind != PIECE_PACKET) {
		json_null(json, "packet");
		return;
	}
	json_object(json, "packet");
	json_string(json, "protocol", path_protocol_name(&piece->key));
	json_string(json, "source", path_address(piece->key.source, text));
	json_u64(json, "source_port", piece->key.source_port);
	json_string(json, "destination", path_address(piece->key.destination, text));
	json_u64(json, "destination_port", piece->key.destination_port);
	json_bool(json, "ambiguous", piece->ambiguous);
	json_end(json);
}

static void json_piece(struct json *json, const struct critical *critical,
		       const struct piece *piece)
{
	json_object(json, NULL);
	json_who(json, critical, piece);
	why_json_number(json, "cpu", piece->cpu);
	why_json_time(json, "begin", critical->logs, piece->begin);
	why_json_time(json, "end", critical->logs, piece->end);
	json_s64(json, "ns", piece->end - piece->begin);
	json_error(json, "error_ns", piece->error_ns);
	json_error(json, "length_error_ns", piece->length_error_ns);
	json_bool(json, "cut", piece->cut);
	json_string(json, "then", piece_link_names[piece->link]);
	json_packet(json, piece);
	if (piece->why)
		why_json_meanwhile(json, &critical->explained[piece->why - 1]);
	json_end(json);
}

void critical_json(const struct critical *critical)
{
	const struct piece *last = critical->count ? &critical->pieces[0] : NULL;
	struct json json;

	json_start(&json, stdout, false);
	json_object(&json, NULL);
	json_string(&json, "host", host_of(critical, critical->wait.log));
	why_json_number(&json, "pid", last ? last->pid : -1);
	why_json_text(&json, "comm", &critical->logs->dictionary, last ? last->name : TEXT_UNKNOWN);
	why_json_time(&json, "begin", critical->logs, critical->begin);
	why_json_time(&json, "end", critical->logs, critical->end);
	json_s64(&json, "ns", critical->end - critical->begin);
	json_array(&json, "pieces");
	for (size_t i = critical->count; i--;)
		json_piece(&json, critical, &critical->pieces[i]);
	json_end(&json);
	json_u64(&json, "more_pieces", critical->more);
	json_array(&json, "shares");
	for (size_t i = 0; i < critical->sum_count; i++) {
		const struct piece_sum *sum = &critical->sums[i];

		json_object(&json, NULL);
		json_who(&json, critical, &sum->piece);
		json_s64(&json, "ns", sum->ns);
		json_double(&json, "share", (double)sum->ns / (critical->end - critical->begin), 6);
		json_u64(&json, "pieces", sum->count);
		json_end(&json);
	}
	json_end(&json);
	json_end(&json);
}
