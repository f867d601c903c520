// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog profile report: show profiles of the kernel and of regions as tables, pictures, and files
 * of other tools.
 */
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "common/atomic-file.h"
#include "common/error.h"
#include "common/number.h"
#include "common/options.h"
#include "profile/report/report.h"
#include "profile/subcommands.h"
#include "profile/trace.h"

enum form { FORM_TABLE, FORM_TREE, FORM_FOLDED, FORM_JSON, FORM_SVG, FORM_PPROF, FORM_TAU };

struct order {
	struct report_choice choice;
	enum form form;
	unsigned int forms;	/* number of forms that were given */
	bool trace;
	glob_t before;		/* files of all --before options */
	const char *path;	/* argument of --svg, --pprof or --tau */
};

static int say(const char *path, int error)
{
	if (error)
		pr_err("%s: %s", path, strerror(-error));
	return error ? EXIT_FAILED : EXIT_OK;
}

static int load(struct report *report, char **paths, const struct report_choice *choice)
{
	int result = EXIT_OK;

	*report = (struct report){ 0 };
	for (; !result && *paths; paths++)
		result = report_add_or_say(report, *paths, choice);
	if (!result)
		result = say("profile report", report_make_trees(report, choice->sum));
	return result;
}

static int print(const struct report *report, const struct order *order)
{
	struct atomic_file file;
	char path[4096];
	int error = 0;

	switch (order->form) {
	case FORM_TABLE:
		error = report_print_table(stdout, report);
		break;
	case FORM_TREE:
		error = report_print_tree(stdout, report);
		break;
	case FORM_FOLDED:
		error = report_print_folded(stdout, report);
		break;
	case FORM_JSON:
		error = report_print_json(stdout, report);
		break;
	case FORM_SVG:
		error = atomic_file_new(&file, order->path, 0666);
		if (error)
			return say(order->path, error);
		return atomic_file_close(&file, report_print_svg(file.out, report));
	case FORM_PPROF:
		return say(order->path, report_write_pprof(report, order->path));
	case FORM_TAU:
		error = report_write_tau(report, order->path, path, sizeof(path));
		if (error == -EEXIST)
			pr_err("%s: is of an earlier report, and TAU would add both: name a new directory, or delete it",
			       path);
		return error == -EEXIST ? EXIT_FAILED : say(path, error);
	}
	return say("profile report", error);
}

/* Checks before anything is read that the output does not replace an input file or a device. */
static int check_output(const struct order *order, char **paths)
{
	const char *option = order->form == FORM_SVG ? "--svg" : "--pprof";
	size_t count = 0;

	if (order->form != FORM_SVG && order->form != FORM_PPROF)
		return EXIT_OK;
	while (paths[count])
		count++;
	return output_check("profile report", option, order->path, paths, count);
}

static int report_files(char **paths, const struct order *order)
{
	struct report report = { 0 };
	int result = check_output(order, paths);

	if (!result)
		result = load(&report, paths, &order->choice);
	if (!result && !report.count && !strcmp(*paths, "live")) {
		pr_err("no such task has a profile%s", report.profiles[0]->about.is_on ?
		       ": it has ended, or never existed" :
		       "; evtlog profile start starts profiles");
		result = EXIT_FAILED;
	} else if (!result && !report.count) {
		pr_err(order->choice.pid || order->choice.cpus ?
		       "%s: has no profile of such a task or CPU; choose another with --pid or --per-cpu" :
		       "%s: has no profile: nothing ran in its period", *paths);
		result = EXIT_FAILED;
	}
	if (!result)
		result = print(&report, order);
	report_clear(&report);
	return result;
}

static int compare_files(char **paths, struct order *order)
{
	struct report old, new = { 0 };
	int result;

	order->choice.sum = true;
	result = load(&old, order->before.gl_pathv, &order->choice);
	if (!result)
		result = load(&new, paths, &order->choice);
	if (!result)
		result = say("profile report", report_compare(stdout, &old, &new,
							      order->form == FORM_JSON));
	report_clear(&old);
	report_clear(&new);
	globfree(&order->before);
	return result;
}

static void take_form(struct order *order, enum form form, const char *path)
{
	order->forms += order->form != form;
	order->form = form;
	order->path = path;
}

static int take_before(struct order *order, const char *pattern)
{
	int result = glob(pattern, GLOB_NOCHECK | (order->before.gl_pathc ? GLOB_APPEND : 0), NULL,
			  &order->before);

	return result ? say(pattern, result == GLOB_NOSPACE ? -ENOMEM : -EIO) : EXIT_OK;
}

enum { PID = 256, PER_CPU, SUM, BEFORE, TREE, FOLDED, SVG, PPROF, TAU, TRACE };

static int take_option(void *context, int option, char *value)
{
	struct order *order = context;

	switch (option) {
	case PID:
		return number_parse(&order->choice.pid, value, 1, INT32_MAX);
	case PER_CPU:
		order->choice.cpus = true;
		break;
	case SUM:
		order->choice.sum = true;
		break;
	case PROFILE_COMPENSATE_OPTION:
		order->choice.compensate = true;
		break;
	case TRACE:
		order->trace = true;
		break;
	case BEFORE:
		return take_before(order, value);
	case TREE:
		take_form(order, FORM_TREE, NULL);
		break;
	case FOLDED:
		take_form(order, FORM_FOLDED, NULL);
		break;
	case 'j':
		take_form(order, FORM_JSON, NULL);
		break;
	case SVG:
		take_form(order, FORM_SVG, value);
		break;
	case PPROF:
		take_form(order, FORM_PPROF, value);
		break;
	case TAU:
		take_form(order, FORM_TAU, value);
		break;
	}
	return 0;
}

static const struct option_desc table[] = {
	{ PID, "pid", "PID", .help = "report only the tasks of this process",
	  .valid = "a process's number" },
	{ PER_CPU, "per-cpu", .help = "report CPUs instead of tasks" },
	{ SUM, "sum", .help = "report one profile, the sum of all these tasks or CPUs" },
	{ TREE, "tree", .help = "print the tree of nested events instead of a table" },
	{ BEFORE, "before", "PATTERN", .kind = VALUE_FILE,
	  .help = "compare the sum of all FILEs with the sum of the files that match PATTERN, such "
	  "as 'days/*T12*', and print the largest difference first; can be repeated" },
	{ TRACE, "trace", .help = "print the last events of task PID, also after its end, or of all "
	  "tasks that evtlog profile start --events traces" },
	PROFILE_COMPENSATE,
	{ FOLDED, "folded", .help = "print folded stacks in ns, for other flame graph programs" },
	{ 'j', "json", .help = "print JSON" },
	{ SVG, "svg", "PATH", .kind = VALUE_FILE, .help = "write a flame graph to PATH" },
	{ PPROF, "pprof", "PATH", .kind = VALUE_FILE,
	  .help = "write a compressed profile.proto for pprof to PATH" },
	{ TAU, "tau", "DIR", .kind = VALUE_DIRECTORY,
	  .help = "write TAU's profile.NODE.CONTEXT.THREAD files into DIR" },
	{ }
};

static const struct options options = {
	.command = "profile report",
	.usage = "[OPTION]... [FILE...]\n"
		 "--before PATTERN [OPTION]... [FILE...]\n"
		 "--trace [-j] [PID]",
	.about = "Report profiles: without FILE, or if FILE is live, the present profiles of the "
		 "kernel. FILE is a profile with regions that a program wrote "
		 "(EVTLOG_PROFILE_FILE), a file of evtlog profile record --raw, or a copy of "
		 "/proc/evtlog/profile/all with a line ticks_hz.\n"
		 "\n"
		 "There is a table for each task, or for each CPU. Live tasks have one each, and "
		 "the ended threads of a process one for their sum. "
		 "For a task with regions, the table has a line for each region in each place, "
		 "with its calls, its time, and its own time in user mode, in the kernel, waiting "
		 "for a CPU, preempted and blocked.",
	.table = table,
	.notes =
	"Other users than root can use --pid for processes that they may trace.\n"
	"\n"
	"Exit status: 0 success; 1 failed; 2 misuse.\n"
	"\n"
	"Examples:\n"
	"  evtlog profile report --tree --pid 4711\n"
	"  evtlog profile report --per-cpu\n"
	"  EVTLOG_PROFILE_FILE=/tmp/app ./app\n"
	"  evtlog profile report /tmp/app.*\n"
	"  evtlog profile report --svg app.svg --sum /tmp/app.*\n"
	"  evtlog profile report --before 'days/*T12*' days/*T13*\n"
	"  evtlog profile report --tau tau/\n",
	.operands = VALUE_FILE,
	.take = take_option,
};

/* --trace */
static int show_trace(const struct order *order, char **argv)
{
	bool as_json = order->form == FORM_JSON;
	uint64_t pid = 0;

	if (order->forms > as_json || order->before.gl_pathc || order->choice.pid ||
	    order->choice.cpus || order->choice.sum || order->choice.compensate)
		return misuse("profile report", "--trace can only be combined with --json");
	if (*argv && number_parse(&pid, *argv, 1, INT32_MAX))
		return misuse("profile report", "--trace: %s: not the number of a task", *argv);
	if (*argv && argv[1])
		return misuse("profile report", "--trace: %s: only one task can be given", argv[1]);
	return finish(traces_show(pid, as_json));
}

static int run(int argc, char **argv)
{
	static char live[] = "live", *live_only[] = { live, NULL };
	struct order order = { 0 };
	int result = options_take(&options, argc, argv, &order);

	if (result != OPTIONS_TAKEN)
		return result;
	argv += optind;
	if (order.trace)
		return show_trace(&order, argv);
	if (!*argv)
		argv = live_only;
	if (order.choice.pid && order.choice.cpus)
		return misuse("profile report", "--pid and --per-cpu exclude each other");
	if (order.forms > 1)
		return misuse("profile report", "--tree, --folded, --json, --svg, --pprof and --tau exclude each other");
	if (!order.before.gl_pathc)
		return finish(report_files(argv, &order));
	if (order.form != FORM_TABLE && order.form != FORM_JSON)
		return misuse("profile report", "--before prints only a table or JSON");
	return finish(compare_files(argv, &order));
}

const struct evtlog_command profile_report = {
	.name = "report",
	.summary = "report profiles as tables, pictures, and files for other tools",
	.run = run,
};
