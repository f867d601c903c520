// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog remote status, start, stop and sched: control messages to many hosts.
 *
 * Stage: outside the data path.  The kernels of the hosts act on the messages; evtlog remote gather
 * fetches the files.
 */
#include <stdio.h>
#include <time.h>

#include "common/command.h"
#include "common/error.h"
#include "input/event-filter.h"
#include "key.h"
#include "record/logger.h"
#include "subcommands.h"

/* A host's status does not show whether it received these. */
static bool is_for_all_who_hear(enum evtlog_remote_operation operation)
{
	return operation == EVTLOG_REMOTE_SCHED || operation == EVTLOG_REMOTE_CANCEL;
}

/* The broadcast must arrive before hosts are asked for their status. */
#define AFTER_BROADCAST_MS	50

/* Hosts that received the broadcast are not asked again: @exchange has their status. */
static int check_broadcast(struct exchange *exchange, const struct remote_order *order)
{
	const struct timespec pause = { .tv_nsec = AFTER_BROADCAST_MS * 1000000L };
	const struct message question = { .operation = EVTLOG_REMOTE_STATUS, .wants_reply = true };
	int error;

	nanosleep(&pause, NULL);
	error = exchange_run(exchange, &question);
	for (size_t i = 0; i < exchange->count; i++) {
		struct exchange_host *host = &exchange->hosts[i];

		/* The host answers, but its state is not as ordered: it missed the broadcast. */
		host->wanted = host->answered && !remote_is_as_ordered(order, host);
	}
	return error;
}

/*
 * Sends the order to the hosts and prints a report.  If @list is empty, only the broadcast is
 * sent.  Prints errors.  Returns an exit status, as remote_report().
 */
static int remote_order_give(const struct remote_order *order, const struct hostlist *list,
			     const struct remote_key *key)
{
	struct exchange exchange = {
		.timeout_ms = order->timeout_ms,
		.retries = order->retries,
	};
	struct message message = order->message;
	int error;

	if (exchange_open(&exchange, list, key, order->key_path))
		return EXIT_FAILED;
	error = 0;
	if (order->broadcast) {
		message.wants_reply = false;
		error = exchange_broadcast(&exchange, &message, order->broadcast);
		if (!error)
			error = check_broadcast(&exchange, order);
	}
	message.wants_reply = true;
	if (!error)
		error = exchange_run(&exchange, &message);
	error = error ? EXIT_FAILED : list->count ? remote_report(order, &exchange) : EXIT_OK;
	exchange_close(&exchange);
	return error;
}

static int send_order(struct remote_arguments *arguments, char **rest)
{
	struct remote_order *order = &arguments->order;
	struct hostlist list = { 0 };
	struct remote_keys keys;
	int result = EXIT_OK;

	/* Hosts do not answer a broadcast.  If it is sent alone, no list is needed. */
	if (!order->broadcast || !is_for_all_who_hear(order->message.operation))
		result = hosts_choose(&list, &arguments->hosts, rest, arguments->command);
	else if (rest[0])
		result = misuse(arguments->command, "--broadcast is for all hosts that receive it: name no hosts");
	if (result)
		goto free_list;
	result = EXIT_FAILED;
	if (remote_keys_load(&keys, order->key_path))
		goto free_list;
	result = remote_order_give(order, &list, &keys.keys[0]);
	remote_keys_wipe(&keys);
	if (!result && !list.count)
		printf("%s: sent; hosts do not answer a broadcast\n", order->broadcast);
free_list:
	hostlist_free(&list);
	return result;
}

static int ask_start(struct remote_arguments *arguments, char **rest)
{
	struct message *message = &arguments->order.message;

	if (arguments->arm) {
		message->operation = EVTLOG_REMOTE_ARM;
		return message->name[0] ? misuse(arguments->command, "--arm starts no run: leave out --name") :
					  send_order(arguments, rest);
	}
	message->operation = EVTLOG_REMOTE_START;
	if (!message->name[0])
		runname_make(message->name);
	if (!runname_is_good(message->name))
		return misuse(arguments->command, "--name %s: not a run's name: " RUNNAME_RULE,
			      message->name);
	return send_order(arguments, rest);
}

/* --disarm: also ends the run, as evtlog stop --disarm does. */
static int ask_stop(struct remote_arguments *arguments, char **rest)
{
	int stopped, disarmed;

	arguments->order.message.operation = EVTLOG_REMOTE_STOP;
	stopped = send_order(arguments, rest);
	if (!arguments->arm || stopped == EXIT_MISUSE)
		return stopped;
	arguments->order.message.operation = EVTLOG_REMOTE_DISARM;
	disarmed = send_order(arguments, rest);
	return disarmed ? disarmed : stopped;
}

static int ask_status(struct remote_arguments *arguments, char **rest)
{
	arguments->order.message.operation = EVTLOG_REMOTE_STATUS;
	return send_order(arguments, rest);
}

static int ask_sched(struct remote_arguments *arguments, char **rest)
{
	struct message *message = &arguments->order.message;

	message->operation = arguments->cancel ? EVTLOG_REMOTE_CANCEL : EVTLOG_REMOTE_SCHED;
	if (arguments->cancel && (message->group_kind || arguments->duration))
		return misuse(arguments->command, "--cancel takes no group and no --for");
	if (arguments->cancel)
		return send_order(arguments, rest);
	if (!message->group_kind)
		return misuse(arguments->command, "name a group with --tasks");
	if (!arguments->duration)
		return misuse(arguments->command, "no time is given: give one such as --for=50ms");
	if (filter_time(&message->duration_ns, arguments->duration) || !message->duration_ns ||
	    message->duration_ns > EVTLOG_REMOTE_SCHED_MAX_NS)
		return misuse(arguments->command, "--for %s: not a time such as 50ms or .5s, at most 10 s",
			      arguments->duration);
	/* A second message would prolong what the first one started. */
	if (!arguments->has_retries)
		arguments->order.retries = 0;
	return send_order(arguments, rest);
}

#define SHARED_OPTIONS \
	OPTION_SHARED(remote_send_options), OPTION_SHARED(remote_hosts_options), \
	OPTION_SHARED(remote_result_options)

static const struct option_desc status_table[] = {
	SHARED_OPTIONS,
	{ }
};

static const struct options status_options = {
	.command = "remote status",
	.usage = "[OPTION...] [HOST...]",
	.about = "Print the state of each host's kernel: whether it records, and which run. "
		 REMOTE_HOST_ABOUT,
	.table = status_table,
	.notes =
	"Exit status: 0 all hosts did it, or had done it before; 1 no host did it;\n"
	"2 misuse; 3 some hosts did not.\n"
	"\n"
	"Examples:\n"
	"  evtlog remote status node[1-16]\n",
	.take = remote_take,
};

static int run_status(int argc, char **argv)
{
	return remote_run(&status_options, argc, argv, ask_status);
}

const struct evtlog_command remote_status = {
	.name = "status",
	.summary = "print the state of each host",
	.run = run_status,
};

static const struct option_desc start_table[] = {
	{ REMOTE_NAME, "name", "NAME", "name the run NAME (default made from the Slurm job or "
	  "the time)", .kind = VALUE_TEXT },
	{ REMOTE_ARM, "arm", .help = "switch the hooks on and allocate the buffers, but do not "
	  "start: a later start then takes no time" },
	OPTION_SHARED(remote_broadcast_options),
	SHARED_OPTIONS,
	{ }
};

static const struct options start_options = {
	.command = "remote start",
	.usage = "[OPTION...] [HOST...]",
	.about = "Start a run with the same name on all hosts, or arm them. "
		 REMOTE_HOST_ABOUT,
	.table = start_table,
	.notes =
	"Exit status: 0 all hosts did it, or had done it before; 1 no host did it;\n"
	"2 misuse; 3 some hosts did not.\n"
	"\n"
	"Examples:\n"
	"  evtlog remote start --arm node[1-16]\n"
	"  evtlog remote start --name job1 node[1-16]\n"
	"  evtlog remote start --broadcast eth0 node[001-128] --exclude node013\n",
	.take = remote_take,
};

static int run_start(int argc, char **argv)
{
	return remote_run(&start_options, argc, argv, ask_start);
}

const struct evtlog_command remote_start = {
	.name = "start",
	.summary = "start a run of the same name on all hosts",
	.run = run_start,
};

static const struct option_desc stop_table[] = {
	{ REMOTE_ARM, "disarm", .help = "after the stop, switch the hooks off" },
	OPTION_SHARED(remote_broadcast_options),
	SHARED_OPTIONS,
	{ }
};

static const struct options stop_options = {
	.command = "remote stop",
	.usage = "[OPTION...] [HOST...]",
	.about = "Stop the run on all hosts. "
		 REMOTE_HOST_ABOUT,
	.table = stop_table,
	.notes =
	"Exit status: 0 all hosts did it, or had done it before; 1 no host did it;\n"
	"2 misuse; 3 some hosts did not; 4 all did it, but events were lost.\n"
	"\n"
	"Examples:\n"
	"  evtlog remote stop node[1-16] && evtlog remote gather --run job1 node[1-16]\n",
	.take = remote_take,
};

static int run_stop(int argc, char **argv)
{
	return remote_run(&stop_options, argc, argv, ask_stop);
}

const struct evtlog_command remote_stop = {
	.name = "stop",
	.summary = "stop the run on all hosts",
	.run = run_stop,
};

static const struct option_desc sched_table[] = {
	{ REMOTE_TASKS, "tasks", "TASKS", "schedule the process group pgid:NUMBER, the session "
	  "sid:NUMBER, or cgroup:PATH; PATH can begin with /sys/fs/cgroup", .kind = VALUE_TEXT,
	  .valid = "pgid:NUMBER, sid:NUMBER or cgroup:PATH" },
	{ REMOTE_CANCEL, "cancel", .help = "end what an earlier sched has started: the tasks get "
	  "their old policy back" },
	{ REMOTE_FOR, "for", "TIME", "schedule for TIME: 50ms, 2s (at most 10s)", .kind = VALUE_TEXT },
	OPTION_SHARED(remote_broadcast_options),
	SHARED_OPTIONS,
	{ }
};

static const struct options sched_options = {
	.command = "remote sched",
	.usage = "[OPTION...] [HOST...]",
	.about = "Schedule a group of tasks at once on all CPUs of each host, before ordinary "
		 "tasks, for a limited time. "
		 REMOTE_HOST_ABOUT,
	.table = sched_table,
	.notes =
	"Exit status: 0 all hosts did it, or had done it before; 1 no host did it;\n"
	"2 misuse; 3 some hosts did not.\n"
	"\n"
	"Examples:\n"
	"  evtlog remote sched --tasks cgroup:/job1 --for 50ms node[1-16]\n"
	"  evtlog remote sched --cancel node[1-16]\n",
	.take = remote_take,
};

static int run_sched(int argc, char **argv)
{
	return remote_run(&sched_options, argc, argv, ask_sched);
}

const struct evtlog_command remote_sched = {
	.name = "sched",
	.summary = "schedule a group of tasks on all hosts for a limited time",
	.run = run_sched,
};
