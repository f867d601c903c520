// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes waits as JSON: the facts of print.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json.h"
#include "why.h"

void why_json_text(struct json *json, const char *key, const struct dictionary *dictionary,
		   int64_t id)
{
	struct dictionary_text text;

	if (id < 0) {
		json_null(json, key);
		return;
	}
	text = dictionary_text(dictionary, id);
	json_bytes(json, key, text.bytes, text.length);
}

void why_json_number(struct json *json, const char *key, int64_t number)
{
	if (number < 0)
		json_null(json, key);
	else
		json_s64(json, key, number);
}

void why_json_time(struct json *json, const char *key, const struct query_logs *logs,
		   int64_t time)
{
	json_fixed(json, key, time - why_begin(logs), 9);
}

/* pid and comm; pid 0: the idle task; null: unknown */
static void put_task(struct json *json, const struct query_logs *logs,
		     const struct threads *threads, int64_t utid, int64_t time)
{
	const struct thread *thread = utid > UTID_IDLE ? why_threads_find(threads, utid) : NULL;

	why_json_number(json, "pid", utid == UTID_IDLE ? 0 : thread ? (int64_t)thread->pid : -1);
	why_json_text(json, "comm", &logs->dictionary,
		      thread ? why_threads_name_at(threads, thread, time) : TEXT_UNKNOWN);
}

static const char *ready_after(const struct why_wait *wait, const struct dictionary *dictionary)
{
	if (wait->woken)
		return wait->state == TEXT_UNKNOWN && !wait->begin_unknown ? "fork" : "wakeup";
	if (wait->ready_state == TEXT_UNKNOWN)
		return NULL;
	return dictionary_text(dictionary, wait->ready_state).length > 1 ? "preemption" : "yield";
}

/* What the table and the explanation have in common */
static void put_wait(struct json *json, const struct query_logs *logs,
		     const struct threads *threads, const struct why_wait *wait)
{
	json_string(json, "host", logs->set.files[wait->log].name);
	put_task(json, logs, threads, wait->utid, wait->since);
	why_json_time(json, "since", logs, wait->since);
	json_s64(json, "wait_ns", wait->blocked + wait->ready);
	json_bool(json, "begin_known", !wait->begin_unknown);
	json_bool(json, "end_known", wait->runs);
	json_s64(json, "blocked_ns", wait->blocked);
	why_json_text(json, "state", &logs->dictionary, wait->state);
	json_s64(json, "ready_ns", wait->ready);
	json_string(json, "ready_after", ready_after(wait, &logs->dictionary));
}

void why_json_table(const struct why_search *search, const struct why_found *found)
{
	const struct query_logs *logs = search->logs;
	struct json json;

	json_start(&json, stdout, false);
	json_object(&json, NULL);
	json_string(&json, "sort", why_sort_names[search->sort]);
	json_array(&json, "waits");
	for (size_t i = 0; i < found->waits.count; i++) {
		const struct why_wait *wait = &found->waits.at[i];

		json_object(&json, NULL);
		put_wait(&json, logs, &found->threads, wait);
		why_json_number(&json, "cpu", wait->cpu);
		if (wait->woken) {
			json_object(&json, "waker");
			why_json_number(&json, "cpu", wait->waker_cpu);
			json_bool(&json, "in_interrupt", wait->in_irq);
			put_task(&json, logs, &found->threads, wait->waker,
				 why_wait_ready_at(wait));
			json_end(&json);
		} else {
			json_null(&json, "waker");
		}
		json_end(&json);
	}
	json_end(&json);
	json_end(&json);
}

/* ---- Explanation ---- */

static void put_wake(struct json *json, const struct why *why)
{
	const struct why_wake *wake = &why->wake;

	if (!wake->known) {
		json_null(json, "waker");
		return;
	}
	json_object(json, "waker");
	why_json_time(json, "time", why->logs, wake->time);
	json_s64(json, "cpu", wake->cpu);
	json_bool(json, "in_interrupt", wake->in_irq);
	json_string(json, "context", !wake->in_irq ? "task" : wake->doubtful ? NULL :
		    ran_kind_names[wake->kind]);
	why_json_number(json, "number", wake->doubtful ? -1 : wake->number);
	why_json_text(json, "name", &why->logs->dictionary,
		      wake->doubtful ? TEXT_UNKNOWN : wake->name);
	put_task(json, why->logs, &why->threads, wake->waker, wake->time);
	json_end(json);
}

static void put_moves(struct json *json, const struct why *why)
{
	json_array(json, "moves");
	for (size_t i = 0; i < why->move_count; i++) {
		json_object(json, NULL);
		why_json_time(json, "time", why->logs, why->moves[i].time);
		json_s64(json, "from_cpu", why->moves[i].orig);
		json_s64(json, "to_cpu", why->moves[i].dest);
		json_s64(json, "by_cpu", why->moves[i].by);
		json_end(json);
	}
	json_end(json);
}

static void put_changes(struct json *json, const struct why *why)
{
	const struct dictionary *dictionary = &why->logs->dictionary;

	json_array(json, "changes");
	for (size_t i = 0; i < why->change_count; i++) {
		const struct why_change *change = &why->changes[i];

		json_object(json, NULL);
		why_json_time(json, "time", why->logs, change->time);
		json_s64(json, "cpu", change->cpu);
		why_json_text(json, "event", dictionary, change->name);
		json_object(json, "fields");
		for (size_t k = 0; k < change->field_count; k++) {
			const struct why_field *field = &change->fields[k];
			struct dictionary_text text = dictionary_text(dictionary, field->key);
			char key[EVTLOG_NAME_MAX + 1];

			snprintf(key, sizeof(key), "%.*s", (int)text.length, text.bytes);
			if (field->text >= 0)
				why_json_text(json, key, dictionary, field->text);
			else if (field->is_signed)
				json_exact_s64(json, key, field->number);
			else
				json_exact_u64(json, key, field->number);
		}
		json_end(json);
		json_end(json);
	}
	json_end(json);
	json_u64(json, "more_changes", why->more_changes);
}

void why_json_meanwhile(struct json *json, const struct why *why)
{
	const struct meanwhile *meanwhile = &why->meanwhile;

	json_array(json, "meanwhile");
	for (size_t i = 0; i < meanwhile->ran_count; i++) {
		const struct ran *ran = &meanwhile->ran[i];

		json_object(json, NULL);
		json_string(json, "kind", ran_kind_names[ran->kind]);
		if (ran->kind < RAN_SOFTIRQ) {
			put_task(json, why->logs, &why->threads, ran->utid,
				 why_wait_end(&why->wait));
		} else {
			why_json_number(json, "number", ran->number);
			why_json_text(json, "name", &why->logs->dictionary, ran->name);
		}
		json_s64(json, "ns", ran->ns);
		json_double(json, "share", (double)ran->ns / why->wait.ready, 6);
		json_end(json);
	}
	json_end(json);
	json_s64(json, "meanwhile_unknown_ns", why->wait.ready - meanwhile->known_ns);
}

static void put_losses(struct json *json, const struct why *why)
{
	json_array(json, "losses");
	for (size_t i = 0; i < why->loss_count; i++) {
		const struct why_loss *loss = &why->losses[i];

		json_object(json, NULL);
		json_s64(json, "cpu", loss->cpu);
		why_json_time(json, "from", why->logs, loss->from);
		why_json_time(json, "to", why->logs, loss->to);
		why_json_text(json, "cause", &why->logs->dictionary, loss->cause);
		json_s64(json, "lost", loss->lost);
		json_s64(json, "lost_buffers", loss->buffers);
		json_end(json);
	}
	json_end(json);
}

static void put_unknown(struct json *json, const struct why *why)
{
	json_array(json, "unknown");
	for (unsigned int i = 0; i < UNKNOWNS; i++) {
		char *text = NULL;
		size_t bytes;
		FILE *out;

		if (!(why->unknown >> i & 1))
			continue;
		json_object(json, NULL);
		json_string(json, "what", why_unknown_names[i]);
		out = open_memstream(&text, &bytes);
		if (out) {
			why_unknown_put(why, i, out);
			fclose(out);
		}
		json_string(json, "text", text);
		free(text);
		json_end(json);
	}
	json_end(json);
}

void why_json(const struct why *why)
{
	struct json json;

	json_start(&json, stdout, false);
	json_object(&json, NULL);
	put_wait(&json, why->logs, &why->threads, &why->wait);
	why_json_number(&json, "left_cpu", why->left_cpu);
	why_json_number(&json, "syscall", why->call_number);
	why_json_text(&json, "syscall_name", &why->logs->dictionary, why->call);
	put_wake(&json, why);
	put_moves(&json, why);
	put_changes(&json, why);
	why_json_meanwhile(&json, why);
	if (why->runs) {
		json_object(&json, "runs");
		why_json_time(&json, "time", why->logs, why->run_at);
		json_s64(&json, "cpu", why->run_cpu);
		json_end(&json);
	} else {
		json_null(&json, "runs");
	}
	put_losses(&json, why);
	put_unknown(&json, why);
	json_end(&json);
}
