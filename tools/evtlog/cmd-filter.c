// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog filter: list, set and delete the kernel's filters of events.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "common/json.h"
#include "common/options.h"
#include "control/control.h"

struct request {
	bool as_json;
};

static void print_filter(struct json *json, const struct control_filter *filter)
{
	if (!json) {
		printf("%s if %s: rejected %" PRIu64 "\n", filter->type, filter->text,
		       filter->rejected);
		return;
	}
	json_object(json, NULL);
	json_string(json, "event", filter->type);
	json_string(json, "filter", filter->text);
	json_u64(json, "rejected", filter->rejected);
	json_end(json);
}

static int list(bool as_json)
{
	char *text, *at, *line;
	struct json json;
	int error = control_read(CONTROL_FILTERS, &text);

	if (error) {
		control_say_failed(CONTROL_FILTERS, error);
		return EXIT_FAILED;
	}
	if (as_json) {
		json_start(&json, stdout, false);
		json_object(&json, NULL);
		json_array(&json, "filters");
	}
	for (at = text; (line = strsep(&at, "\n"));) {
		struct control_filter filter;

		if (control_filter_parse(&filter, line))
			print_filter(as_json ? &json : NULL, &filter);
	}
	if (as_json) {
		json_end(&json);
		json_end(&json);
	}
	free(text);
	return EXIT_OK;
}

static int order(const char *type, const char *condition)
{
	return control_filter_set(NULL, type, condition) ? EXIT_FAILED : EXIT_OK;
}

static int take_option(void *context, int option, char *value)
{
	struct request *request = context;

	request->as_json = true;
	return 0;
}

static const struct option_desc table[] = {
	{ 'j', "json", .help = "print the list as JSON" },
	{ }
};

static const struct options options = {
	.command = "filter",
	.usage = "[-j]\n"
		 "TYPE CONDITION\n"
		 "del TYPE...",
	.about = "Show, set or delete filters of events in the kernel. With a filter, an event of "
		 "TYPE is recorded only if CONDITION is true. A rejected event costs about 15 "
		 "instructions; types without a filter cost no more than before. Rejected events "
		 "are counted. A type with a filter counts as not recorded, because rejected "
		 "events are missing in timelines. Filters can be changed only between runs.\n"
		 "\n"
		 "TYPE is sched_switch, sched_waking, sched_wakeup_new, sched_migrate_task, "
		 "user_exit, user_enter, icmp_rx, icmp_tx, put, put_at, or a group: softirq "
		 "(softirq_entry, softirq_exit), irq_handler, local_timer, reschedule, "
		 "call_function, irq_work, vector, exception; or the name of an event that a "
		 "module has registered. CONDITION then uses the fields of this event.",
	.table = table,
	.notes =
	"For del, '*' is all types with a filter.\n"
	"\n"
	"Exit status: 0 success; 1 failed, also if the kernel refuses the condition;\n"
	"2 misuse.\n"
	"\n"
	"Examples:\n"
	"  evtlog filter sched_switch 'pid==4711 || next_pid==4711'\n"
	"  evtlog filter softirq 'vec in {2, 3} && cpu!=0'\n"
	"  evtlog filter user_exit 'nr in {0, 1} && tgid==4711'\n"
	"  evtlog filter sched_waking 'comm~\"nfs*\" && prio<100'\n"
	"  evtlog filter\n"
	"  evtlog filter del sched_switch softirq\n",
	.operands = VALUE_TYPES,
	.take = take_option,
};

/* "*" */
static int delete_each(void)
{
	char *text, *at, *line;
	int result = EXIT_OK, error = control_read(CONTROL_FILTERS, &text);

	if (error) {
		control_say_failed(CONTROL_FILTERS, error);
		return EXIT_FAILED;
	}
	for (at = text; (line = strsep(&at, "\n"));) {
		struct control_filter filter;

		if (control_filter_parse(&filter, line) && order(filter.type, "") != EXIT_OK)
			result = EXIT_FAILED;
	}
	free(text);
	return result;
}

static int delete_all(char **types)
{
	int result = EXIT_OK;

	for (; *types; types++)
		if ((strcmp(*types, "*") ? order(*types, "") : delete_each()) != EXIT_OK)
			result = EXIT_FAILED;
	return result;
}

static int run(int argc, char **argv)
{
	struct request request = { 0 };
	int result = options_take(&options, argc, argv, &request);

	if (result != OPTIONS_TAKEN)
		return result;
	argv += optind;
	argc -= optind;
	if (argc && !strcmp(*argv, "del")) {
		if (argc < 2)
			return misuse("filter", "del: no type of event is given");
		return finish(delete_all(argv + 1));
	}
	if (!argc)
		return finish(list(request.as_json));
	if (argc != 2)
		return misuse("filter", argc < 2 ? "%s: its condition is missing" :
						   "%s: more than one condition; put it in quotes",
			      argv[0]);
	/* The kernel would delete the type's filter. */
	if (!argv[1][strspn(argv[1], " \t\n")])
		return misuse("filter", "%s: its condition is empty; del deletes the filter",
			      argv[0]);
	return finish(order(argv[0], argv[1]));
}

const struct evtlog_command command_filter = {
	.name = "filter",
	.summary = "record only events for which a condition is true",
	.run = run,
};
