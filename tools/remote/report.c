// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints which hosts acted as ordered, and why others did not.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "common/error.h"
#include "common/hostlist.h"
#include "common/json.h"
#include "control/control.h"
#include "record/logger.h"
#include "subcommands.h"

/* Longer lists of hosts are not repeated. */
#define NAMES_BYTES	200

static const char *const operation_names[] = {
	[EVTLOG_REMOTE_STATUS] = "status",
	[EVTLOG_REMOTE_START] = "start",
	[EVTLOG_REMOTE_STOP] = "stop",
	[EVTLOG_REMOTE_SCHED] = "sched",
	[EVTLOG_REMOTE_ARM] = "prepare",
	[EVTLOG_REMOTE_DISARM] = "prepare --undo",
	[EVTLOG_REMOTE_CANCEL] = "cancel",
};

/* Returns true if the host acted as ordered, or had done so before. */
static bool has_acted(const struct remote_order *order, const struct exchange_host *host)
{
	if (!host->answered)
		return false;
	if (order->message.operation == EVTLOG_REMOTE_START ||
	    order->message.operation == EVTLOG_REMOTE_STOP ||
	    order->message.operation == EVTLOG_REMOTE_CANCEL)
		return !host->reply.result || host->reply.result == EALREADY;
	return !host->reply.result;
}

bool remote_is_as_ordered(const struct remote_order *order, const struct exchange_host *host)
{
	bool is_recording = host->answered && host->reply.state & EVTLOG_REMOTE_RECORDING;

	if (!host->answered || host->reply.result)
		return false;
	switch (order->message.operation) {
	case EVTLOG_REMOTE_STOP:
		return !is_recording;
	case EVTLOG_REMOTE_ARM:
		return is_recording || host->reply.state & EVTLOG_REMOTE_ARMED;
	case EVTLOG_REMOTE_DISARM:
		return !is_recording && !(host->reply.state & EVTLOG_REMOTE_ARMED);
	default:
		break;
	}
	return is_recording && !strcmp(host->reply.run_name, order->message.name);
}

/* "run job1", or "run 3" if it has no name. */
static void print_run(FILE *to, const struct message_reply *reply)
{
	if (runname_is_good(reply->run_name))
		fprintf(to, "run %s", reply->run_name);
	else
		fprintf(to, "run %" PRIu64, reply->run);
}

static void print_losses(FILE *to, const struct message_reply *reply)
{
	if (reply->lost)
		fprintf(to, ", %" PRIu64 " events lost", reply->lost);
	if (!(reply->state & EVTLOG_REMOTE_LOGGER))
		fputs("; no logger: start logd there", to);
}

static void print_status(FILE *to, const struct message_reply *reply)
{
	if (reply->state & EVTLOG_REMOTE_RECORDING) {
		fputs("recording ", to);
		print_run(to, reply);
	} else {
		fputs(reply->state & EVTLOG_REMOTE_ARMED ? "armed, " : "idle, ", to);
		fputs(reply->run ? "last " : "no run since boot", to);
		if (reply->run)
			print_run(to, reply);
	}
	print_losses(to, reply);
}

/* Nanoseconds with a suitable unit: "50 ms". */
static void print_time(FILE *to, uint64_t ns)
{
	static const struct {
		uint64_t ns;
		const char *name;
	} units[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" }, { 1, "ns" } };
	unsigned int i = 0;

	while (ns % units[i].ns)
		i++;
	fprintf(to, "%" PRIu64 " %s", ns / units[i].ns, units[i].name);
}

static void print_done(FILE *to, const struct remote_order *order,
		       const struct exchange_host *host)
{
	const struct message_reply *reply = &host->reply;
	/* After a second message, it was this order that did it. */
	bool already = reply->result == EALREADY && host->tries < 2;

	switch (order->message.operation) {
	case EVTLOG_REMOTE_START:
		fputs("recording ", to);
		print_run(to, reply);
		fputs(already ? " already" : "", to);
		print_losses(to, reply);
		break;
	case EVTLOG_REMOTE_STOP:
		if (already) {
			fputs("was not recording", to);
		} else {
			fputs("stopped ", to);
			print_run(to, reply);
		}
		print_losses(to, reply);
		break;
	case EVTLOG_REMOTE_SCHED:
		fprintf(to, "%" PRIu64 " %s scheduled for ", reply->tasks,
			reply->tasks == 1 ? "task" : "tasks");
		print_time(to, order->message.duration_ns);
		if (reply->notes & EVTLOG_REMOTE_THROTTLED)
			fputs("; real-time throttling reserves a part of each CPU for ordinary tasks: see kernel.sched_rt_runtime_us",
			      to);
		break;
	case EVTLOG_REMOTE_ARM:
		if (reply->state & EVTLOG_REMOTE_RECORDING) {
			fputs("recording ", to);
			print_run(to, reply);
			fputs(" already", to);
		} else {
			fputs("armed", to);
		}
		print_losses(to, reply);
		break;
	case EVTLOG_REMOTE_DISARM:
		fputs("disarmed", to);
		break;
	case EVTLOG_REMOTE_CANCEL:
		fputs(already ? "nothing was scheduled" : "schedule cancelled", to);
		break;
	default:
		print_status(to, reply);
	}
}

/* Why a kernel refused; for a schedule, the errors of kernel/evtlog/boost/boost.c. */
static const char *reason(const struct message *message, int error)
{
	bool is_cgroup = message->group_kind == EVTLOG_REMOTE_CGROUP;

	if (message->operation != EVTLOG_REMOTE_SCHED)
		return error == EOPNOTSUPP ? "not supported by its kernel" : strerror(error);
	switch (error) {
	case EINVAL:
		return is_cgroup && !message->name[strspn(message->name, "/")] ?
		       "the root cgroup contains all tasks: name one below it" :
		       "kind of group or duration not supported by its kernel";
	case ESRCH:
		return is_cgroup ? "no such cgroup, or no task in it" :
		       "no such group of tasks";
	case ENOSPC:
		return "too many tasks for its kernel";
	case ENOMEM:
		return "its kernel is out of memory";
	case EOPNOTSUPP:
		return "its kernel has no cgroups: name the group by --tasks pgid:NUMBER or sid:NUMBER";
	case ESHUTDOWN:
		return "its kernel is shutting down, or its key was removed";
	default:
		return strerror(error);
	}
}

static void print_refusal(FILE *to, const struct remote_order *order,
			  const struct message_reply *reply)
{
	fputs("refused: ", to);
	switch (reply->result) {
	case EBUSY:
		if (order->message.operation == EVTLOG_REMOTE_SCHED) {
			fputs("the previous schedule is still being applied", to);
		} else if (reply->state & EVTLOG_REMOTE_RECORDING) {
			print_run(to, reply);
			fputs(" is being recorded", to);
		} else {
			fputs("the end of ", to);
			print_run(to, reply);
			fputs(" is still in the kernel: start logd there", to);
		}
		break;
	case EPERM:
		fputs("its key does not allow sched: add +sched to the key in the key file and install it",
		      to);
		break;
	default:
		fputs(reason(&order->message, reply->result), to);
	}
}

static void print_silence(FILE *to, const struct remote_order *order)
{
	uint64_t ms = (uint64_t)order->timeout_ms * (order->retries + 1);

	fputs("no answer within ", to);
	print_time(to, ms * 1000000);
}

/* The host is this machine, and its kernel cannot answer. */
static bool is_here_without_evtlog(const struct exchange_host *host)
{
	bool is_here = host->address.s_addr == host->source.s_addr ||
		       ntohl(host->address.s_addr) >> 24 == IN_LOOPBACKNET;

	return is_here && access(CONTROL_DIRECTORY "/status", F_OK) < 0;
}

/* Returns a malloc()ed line, NULL if out of memory. */
static char *text_of(const struct remote_order *order, const struct exchange_host *host)
{
	size_t bytes;
	char *text;
	FILE *to = open_memstream(&text, &bytes);

	if (!to)
		return NULL;
	if (has_acted(order, host))
		print_done(to, order, host);
	else if (host->answered)
		print_refusal(to, order, &host->reply);
	else if (host->why)
		fputs(host->why, to);
	else if (is_here_without_evtlog(host))
		fputs("this kernel has no evtlog: boot a patched kernel or load the module", to);
	else
		print_silence(to, order);
	if (fclose(to)) {
		free(text);
		return NULL;
	}
	return text;
}

static void reply_json(struct json *json, const struct exchange_host *host)
{
	const struct message_reply *reply = &host->reply;
	char boot_id[37], *at = boot_id;

	for (int i = 0; i < 16; i++)
		at += sprintf(at, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
			      reply->boot_id[i]);
	json_s64(json, "result", reply->result);
	json_bool(json, "recording", reply->state & EVTLOG_REMOTE_RECORDING);
	json_bool(json, "armed", reply->state & EVTLOG_REMOTE_ARMED);
	json_bool(json, "logger", reply->state & EVTLOG_REMOTE_LOGGER);
	json_u64(json, "run", reply->run);
	json_string(json, "run_name",
		    runname_is_good(reply->run_name) ? reply->run_name : NULL);
	json_string(json, "boot_id", boot_id);
	json_u64(json, "cpus", reply->cpus);
	json_u64(json, "lost", reply->lost);
	json_u64(json, "tasks", reply->tasks);
	json_bool(json, "throttled", reply->notes & EVTLOG_REMOTE_THROTTLED);
	json_u64(json, "rx_real_ns", reply->arrival_real_ns);
	json_u64(json, "rx_raw_ns", reply->arrival_raw_ns);
	json_u64(json, "round_trip_ns", host->round_trip_ns);
}

static void host_json(struct json *json, const struct remote_order *order,
		      const struct exchange_host *host, const char *text)
{
	char address[INET_ADDRSTRLEN];

	inet_ntop(AF_INET, &host->address, address, sizeof(address));
	json_object(json, NULL);
	json_string(json, "host", host->name);
	json_string(json, "address", host->address.s_addr ? address : NULL);
	json_bool(json, "answered", host->answered);
	json_bool(json, "executed", has_acted(order, host));
	json_string(json, "outcome", text);
	if (host->answered)
		reply_json(json, host);
	json_end(json);
}

static void print_json(const struct remote_order *order, const struct exchange *exchange,
		       const struct fold_line *lines)
{
	struct json json;

	json_start(&json, stdout, false);
	json_object(&json, NULL);
	json_string(&json, "operation", operation_names[order->message.operation]);
	json_string(&json, "run_name",
		    order->message.operation == EVTLOG_REMOTE_START ? order->message.name : NULL);
	json_string(&json, "broadcast", order->broadcast);
	json_array(&json, "hosts");
	for (size_t i = 0; i < exchange->count; i++)
		host_json(&json, order, &exchange->hosts[i], lines[i].text);
	json_end(&json);
	json_end(&json);
}

static bool is_silent(const struct exchange_host *host)
{
	return !host->answered && !host->why && !is_here_without_evtlog(host);
}

/* Prints the silent hosts and possible causes.  Returns 0 or -ENOMEM. */
static int say_silent(const struct exchange *exchange, size_t silent, size_t answered)
{
	const char **names = calloc(silent, sizeof(*names));
	char *folded = NULL;
	size_t count = 0;

	for (size_t i = 0; names && i < exchange->count; i++)
		if (is_silent(&exchange->hosts[i]))
			names[count++] = exchange->hosts[i].name;
	if (names)
		folded = fold_hosts(names, count);
	free(names);
	if (!folded)
		return -ENOMEM;
	pr_err("%s%s: check that the host is up, has the same key installed for 5 s or more (evtlog remote key install), has CONFIG_EVTLOG_REMOTE, has its clock within 5 s of this one, and that the network passes ICMP type %d; 'evtlog status' there counts refused messages",
	       answered ? "no answer from " : "no host answered",
	       !answered ? "" : strlen(folded) <= NAMES_BYTES ? folded : "some hosts, named above",
	       EVTLOG_REMOTE_ICMP_TYPE);
	free(folded);
	return 0;
}

int remote_report(const struct remote_order *order, const struct exchange *exchange)
{
	struct fold_line *lines = calloc(exchange->count + 1, sizeof(*lines));
	size_t acted = 0, answered = 0, silent = 0;
	bool has_losses = false;
	int result = EXIT_FAILED;

	for (size_t i = 0; lines && i < exchange->count; i++) {
		const struct exchange_host *host = &exchange->hosts[i];

		acted += has_acted(order, host);
		answered += host->answered;
		silent += is_silent(host);
		has_losses = has_losses || (host->answered && host->reply.lost);
		lines[i] = (struct fold_line){ host->name, text_of(order, host) };
		if (!lines[i].text)
			goto out_of_memory;
	}
	if (!lines)
		goto out_of_memory;
	if (order->as_json)
		print_json(order, exchange, lines);
	else if (fold_print(stdout, lines, exchange->count))
		goto out_of_memory;
	if (silent && say_silent(exchange, silent, answered))
		goto out_of_memory;
	if (acted < exchange->count)
		result = acted ? EXIT_SOME : EXIT_FAILED;
	else if (order->message.operation == EVTLOG_REMOTE_STOP && has_losses)
		result = EXIT_EVENTS_LOST;
	else
		result = EXIT_OK;
	goto free_lines;

out_of_memory:
	pr_err("out of memory");
free_lines:
	for (size_t i = 0; lines && i < exchange->count; i++)
		free((char *)(uintptr_t)lines[i].text);
	free(lines);
	return result;
}
