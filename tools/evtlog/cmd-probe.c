// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog probe: inserts probes into the running kernel, deletes and lists them.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "common/json.h"
#include "common/options.h"
#include "control/control.h"
#include "control/probes.h"

static void say_failed(int error)
{
	if (error == -ENOENT)
		pr_err(CONTROL_DIRECTORY "/probes: this kernel has no probes; boot one with CONFIG_EVTLOG_PROBE");
	else
		control_say_failed("probes", error);
}

/* The kernel's own sentence says more than the error. */
static void say_refused(int error, const char *word)
{
	struct control_probes probes;

	if (error == -EFBIG) {
		pr_err("probes: more than a MiB of text; use several commands");
		return;
	}
	if (control_probes_read(&probes)) {
		say_failed(error);
		return;
	}
	if (*probes.error)
		pr_err("%s: %s", word, probes.error);
	else
		say_failed(error);
	control_probes_free(&probes);
}

static int order(char sign, char **words, int count)
{
	int error = control_probes_order(sign, words, count);

	if (!error)
		return EXIT_OK;
	/* Which of many, the kernel's sentence tells. */
	say_refused(error, count == 1 ? words[0] : "probes");
	return EXIT_FAILED;
}

static void print_json(const struct control_probes *probes)
{
	struct json json;

	json_start(&json, stdout, false);
	json_array(&json, NULL);
	for (size_t i = 0; i < probes->count; i++) {
		const struct control_probe *p = &probes->at[i];

		json_object(&json, NULL);
		json_string(&json, "name", p->name);
		json_u64(&json, "id", p->id);
		json_string(&json, "probe", p->spec);
		json_string(&json, "mechanism", p->mechanism);
		json_string(&json, "why", *p->why ? p->why : NULL);
		json_u64(&json, "hits", p->hits);
		json_u64(&json, "recorded", p->recorded);
		json_u64(&json, "rejected", p->rejected);
		json_u64(&json, "lost", p->lost);
		json_u64(&json, "idle", p->idle);
		json_u64(&json, "faults", p->faults);
		json_u64(&json, "skipped", p->skipped);
		json_u64(&json, "rest", p->rest);
		json_end(&json);
	}
	json_end(&json);
}

static void print_text(const struct control_probes *probes)
{
	if (probes->count)
		printf("%12s %12s %10s %10s %8s %-9s %s\n", "hits", "recorded", "rejected",
		       "skipped", "lost", "mechanism", "probe");
	for (size_t i = 0; i < probes->count; i++) {
		const struct control_probe *p = &probes->at[i];

		printf("%12" PRIu64 " %12" PRIu64 " %10" PRIu64 " %10" PRIu64 " %8" PRIu64
		       " %-9s %s\n", p->hits, p->recorded, p->rejected, p->skipped, p->lost,
		       p->mechanism, p->spec);
		if (*p->why)
			printf("%67s%s: %s\n", "", p->name, p->why);
		if (p->faults)
			printf("%67s%s: %" PRIu64 " arguments could not be read\n", "", p->name,
			       p->faults);
		if (p->rest)
			printf("%67s%s: %" PRIu64 " skipped behind the last run's last records\n",
			       "", p->name, p->rest);
	}
}

static int list(bool as_json)
{
	struct control_probes probes;
	int error = control_probes_read(&probes);

	if (error) {
		say_failed(error);
		return EXIT_FAILED;
	}
	if (as_json)
		print_json(&probes);
	else
		print_text(&probes);
	control_probes_free(&probes);
	return EXIT_OK;
}

static int take_option(void *context, int option, char *value)
{
	bool *as_json = context;

	*as_json = true;
	return 0;
}

static const struct option_desc table[] = {
	{ 'j', "json", .help = "print the list as JSON" },
	{ }
};

static const struct options options = {
	.command = "probe",
	.usage = "add PROBE...\ndel NAME...\nlist [OPTION...]",
	.about = "Have functions of the running kernel log their arguments and results. A PROBE "
		 "is FUNCTION(ARGUMENT, ...), FUNCTION%return(retval), or FUNCTION+OFFSET(%REGISTER); "
		 "its NAME is what stands before the parenthesis. An ARGUMENT is a parameter's name, "
		 "or arg1 to arg6; a member of what it points to, as skb->len; bytes of memory, as "
		 "skb->data[0:64]; and a type may follow, as :u32 or :str16. 'if FILTER' records "
		 "what passes only, and 'sample SAMPLE' a part: one of N hits (1/N), each with a "
		 "probability (p=0.01), one each 10 ms and CPU (10ms), or all hits of one of N "
		 "values of an argument (1/N by ARGUMENT).",
	.table = table,
	.notes =
	"All probes are added, or deleted, at once. list shows how often each was hit,\n"
	"recorded, rejected by its filter and skipped by its sample, how it is hit, and\n"
	"why no better way was possible: direct (a call from the function), return (a\n"
	"call around it), jump and kprobe (slower).\n"
	"\n"
	"A FUNCTION may be a module's, also as MODULE:FUNCTION. The module cannot be\n"
	"unloaded while one of its functions is probed.\n"
	"\n"
	"Exit status: 0 success; 1 failure; 2 misuse.\n"
	"\n"
	"Examples:\n"
	"  evtlog probe add 'udp_sendmsg(sk, len)'\n"
	"  evtlog probe add 'ip_send_skb(skb->len, skb->data[0:64])' 'vfs_read%return'\n"
	"  evtlog probe add 'udp_sendmsg(arg1, len=arg3:u64)'\n"
	"  evtlog probe add 'udp_sendmsg(len) if len>100 sample 1/100'\n"
	"  evtlog probe list --json | jq '.[].hits'\n"
	"  evtlog probe del udp_sendmsg 'vfs_read%return'\n"
	"  evtlog probe del '*'\n",
	.take = take_option,
};

static int run(int argc, char **argv)
{
	bool as_json = false;
	int result = options_take(&options, argc, argv, &as_json);
	const char *verb = optind < argc ? argv[optind] : "";
	int words = argc - optind - 1;

	if (result != OPTIONS_TAKEN)
		return result;
	if (!strcmp(verb, "list"))
		return words ? misuse("probe", "list takes no names") : finish(list(as_json));
	if (strcmp(verb, "add") && strcmp(verb, "del"))
		return misuse("probe", "add, del or list is wanted");
	if (as_json)
		return misuse("probe", "--json is for list");
	if (words < 1)
		return misuse("probe", "%s what?", verb);
	return finish(order(*verb == 'a' ? '+' : '-', argv + optind + 1, words));
}

const struct evtlog_command command_probe = {
	.name = "probe",
	.summary = "log arguments of kernel functions while they run",
	.run = run,
};
