// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog probe: inserts probes into the running kernel, deletes and lists them.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "common/json.h"
#include "common/options.h"
#include "control/control.h"
#include "control/functions.h"
#include "control/probes.h"

static void say_refused(int error, const char *word)
{
	if (error == -EFBIG)
		pr_err("probes: more than a MiB of text; use several commands");
	else
		control_say_refused("probes", word, error);
}

/* @typed: the words as they were given, for messages */
static int order(char sign, char **words, int count, char **typed)
{
	char many[48];
	int error = control_probes_order(sign, words, count);

	if (!error)
		return EXIT_OK;
	snprintf(many, sizeof(many), "one of %d probes", count);
	say_refused(error, count == 1 ? typed[0] : many);
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
		printf("%12s %12s %10s %10s %8s %10s %-9s %s\n", "hits", "recorded", "rejected",
		       "skipped", "lost", "idle", "mechanism", "probe");
	for (size_t i = 0; i < probes->count; i++) {
		const struct control_probe *p = &probes->at[i];

		printf("%12" PRIu64 " %12" PRIu64 " %10" PRIu64 " %10" PRIu64 " %8" PRIu64
		       " %10" PRIu64 " %-9s %s\n", p->hits, p->recorded, p->rejected, p->skipped,
		       p->lost, p->idle, p->mechanism, p->spec);
		if (*p->why)
			printf("%78s%s: %s\n", "", p->name, p->why);
		if (p->faults)
			printf("%78s%s: %" PRIu64 " arguments could not be read\n", "", p->name,
			       p->faults);
		if (p->rest)
			printf("%78s%s: %" PRIu64 " skipped after the last records of the last run\n",
			       "", p->name, p->rest);
	}
}

static int list(bool as_json)
{
	struct control_probes probes;
	int error = control_probes_read(&probes);

	if (error) {
		control_say_failed("probes", error);
		return EXIT_FAILED;
	}
	for (size_t i = 0; i < probes.count; i++)
		pcap_contract(probes.at[i].spec);
	if (as_json)
		print_json(&probes);
	else
		print_text(&probes);
	control_probes_free(&probes);
	return EXIT_OK;
}

struct request {
	const char *buffer;
	bool as_json;
	bool shows;
};

static int order_or_show(const struct request *request, const struct control_probe_texts *made,
			 char **typed)
{
	int result = EXIT_OK;

	if (!request->shows)
		result = order('+', made->texts, (int)made->count, typed);
	for (size_t i = 0; request->shows && i < made->count; i++)
		printf("+%s\n", made->texts[i]);
	if (result == EXIT_OK)
		control_probe_texts_say_clones(made);
	return result;
}

static int add(const struct request *request, char **words, int count)
{
	struct control_probe_texts made;
	char reason[512];
	int result = EXIT_FAILED;

	if (control_probe_texts_make(&made, request->buffer, words, (size_t)count, reason, sizeof(reason)))
		pr_err("%s", reason);
	else
		result = order_or_show(request, &made, words);
	control_probe_texts_free(&made);
	return result;
}

static bool is_there(const struct control_probes *probes, const char *name)
{
	for (size_t i = 0; i < probes->count; i++)
		if (!strcmp(probes->at[i].name, name))
			return true;
	return false;
}

/* Keeps the names that have a probe; if none has, keeps the first one, so that the kernel refuses it. */
static size_t keep_those_there(struct control_probe_texts *made, const struct control_probes *probes)
{
	size_t kept = 0;

	for (size_t i = 0; i < made->count; i++) {
		char *name = made->names[i];

		if (!is_there(probes, name))
			continue;
		made->names[i] = made->names[kept];
		made->names[kept++] = name;
	}
	return kept ? kept : made->count ? 1 : 0;
}

/* For a word that only this program knows, such as NAME.*: deletes the probes that it stands for. */
static int delete_meant(char *word)
{
	struct control_probe_texts made;
	struct control_probes probes;
	int error = control_probes_read(&probes), result = EXIT_FAILED;
	char reason[512];

	if (error) {
		control_say_failed("probes", error);
		return EXIT_FAILED;
	}
	if (control_probe_texts_make(&made, NULL, &word, 1, reason, sizeof(reason)))
		pr_err("%s", reason);
	else
		result = order('-', made.names, (int)keep_those_there(&made, &probes), &word);
	control_probe_texts_free(&made);
	control_probes_free(&probes);
	return result;
}

static int delete(char **words, int count)
{
	char **plain = calloc((size_t)count, sizeof(*plain));
	int result = EXIT_OK, n = 0;

	if (!plain) {
		pr_err("no memory");
		return EXIT_FAILED;
	}
	for (int i = 0; i < count && result == EXIT_OK; i++) {
		if (control_function_is_plain(words[i]))
			plain[n++] = words[i];
		else
			result = delete_meant(words[i]);
	}
	if (n && result == EXIT_OK)
		result = order('-', plain, n, plain);
	free(plain);
	return result;
}

/*
 * Refuses words with several lines: the kernel takes each line as an order of its own.
 * Returns an exit status.
 */
static int check_lines(char **words)
{
	for (; *words; words++)
		if (strchr(*words, '\n'))
			return misuse("probe", "%s: has more than one line; give each probe as an argument",
				      *words);
	return EXIT_OK;
}

enum { BUFFER = 256, SHOW };

static int take_option(void *context, int option, char *value)
{
	struct request *request = context;

	if (option == BUFFER)
		request->buffer = value;
	else if (option == SHOW)
		request->shows = true;
	else
		request->as_json = true;
	return 0;
}

static const struct option_desc table[] = {
	{ BUFFER, "buffer", "NAME", .help = "add: record the events in this named buffer; see "
	  "evtlog-buffer(1)" },
	{ 'j', "json", .help = "print the list as JSON" },
	{ SHOW, "show", .help = "add: insert nothing; print the lines for /proc/evtlog/probes" },
	{ }
};

static const struct options options = {
	.command = "probe",
	.usage = "add [OPTION...] PROBE...\ndel NAME...\nlist [OPTION...]",
	.about = "Log the arguments and results of functions of the running kernel. A PROBE is "
		 "FUNCTION(ARGUMENT, ...), FUNCTION%return(retval), FUNCTION+OFFSET(%REGISTER), or "
		 "FUNCTION%timer, which logs nothing: profiles contain the time of the function. "
		 "Its NAME is the text before the parenthesis. A FUNCTION is NAME, FILE:NAME or an "
		 "address; NAME.* also probes all clones of the function, such as NAME.isra.0.\n"
		 "\n"
		 "An ARGUMENT is one of: the name of a parameter, or arg1 to arg22; a member of a "
		 "structure, such as skb->len; an element of an array, such as ports[2]; bytes of "
		 "memory, such as skb->data[0:64]; bytes of a packet, also of its fragments, such "
		 "as packet(skb)[0:64]; current.pid, current.tgid or current.cpu. A type can "
		 "follow: :u32, :be16, :ip4, :ip6, :mac or :str16.\n"
		 "\n"
		 "'if FILTER' records only hits that pass the filter. 'if pcap \"EXPRESSION\"' "
		 "records only packets that match the expression of tcpdump, if the function gets "
		 "a packet. 'sample SAMPLE' records a part of the hits: one of N hits (1/N), each "
		 "hit with a probability (p=0.01), one hit per 10 ms and CPU (10ms), or all hits "
		 "for one of N values of an argument (1/N by ARGUMENT).",
	.table = table,
	.notes =
	"All probes of a command are added or deleted together. list shows how often each\n"
	"probe was hit, recorded, rejected by its filter and skipped by its sample. It\n"
	"also shows the mechanism: direct (a call from the function), return and timer (a\n"
	"call around the function), jump and kprobe (slower), ftrace (with the module\n"
	"for Debian's kernels); and why it is neither direct nor ftrace.\n"
	"\n"
	"A FUNCTION can be in a module. MODULE:FUNCTION is the function of this module,\n"
	"vmlinux:FUNCTION the function of the kernel. A module cannot be unloaded while\n"
	"one of its functions has a probe.\n"
	"\n"
	"Exit status: 0 success; 1 failure; 2 misuse.\n"
	"\n"
	"Examples:\n"
	"  evtlog probe add 'udp_sendmsg(sk, len)'\n"
	"  evtlog probe add 'ip_send_skb(skb->len, skb->data[0:64])' 'vfs_read%return'\n"
	"  evtlog probe add 'udp_sendmsg(arg1, len=arg3:u64)'\n"
	"  evtlog probe add 'udp_sendmsg(len) if len>100 sample 1/100'\n"
	"  evtlog probe add 'ip_send_skb(skb->len) if pcap \"udp port 5001\"'\n"
	"  evtlog probe add 'tcp_sendmsg(port=sk->__sk_common.skc_dport) if port==443'\n"
	"  evtlog probe add 'finish_task_switch.*' vmalloc.c:s_next\n"
	"  evtlog probe add tcp_sendmsg%timer tcp_recvmsg%timer\n"
	"  evtlog probe list --json | jq '.[].hits'\n"
	"  evtlog probe del udp_sendmsg 'vfs_read%return'\n"
	"  evtlog probe del '*'\n",
	.take = take_option,
};

static int run(int argc, char **argv)
{
	struct request request = { 0 };
	int result = options_take(&options, argc, argv, &request);
	const char *verb = optind < argc ? argv[optind] : "";
	int words = argc - optind - 1;

	if (result != OPTIONS_TAKEN)
		return result;
	if (!strcmp(verb, "list"))
		return words ? misuse("probe", "list takes no names") : finish(list(request.as_json));
	if (strcmp(verb, "add") && strcmp(verb, "del"))
		return misuse("probe", "give an action: add, del or list");
	if (request.as_json)
		return misuse("probe", "--json is for list");
	if (words < 1)
		return misuse("probe", "%s: no probe is given", verb);
	if (request.buffer && *verb != 'a')
		return misuse("probe", "--buffer is for add");
	if (request.shows && *verb != 'a')
		return misuse("probe", "--show is for add");
	result = check_lines(argv + optind + 1);
	if (result != EXIT_OK)
		return result;
	if (*verb == 'a')
		return finish(add(&request, argv + optind + 1, words));
	return finish(delete(argv + optind + 1, words));
}

const struct evtlog_command command_probe = {
	.name = "probe",
	.summary = "log arguments and results of kernel functions",
	.run = run,
};
