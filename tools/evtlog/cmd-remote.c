// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog remote: start, stop and schedule on many hosts by one message each.
 *
 * The kernels at the other end do it; files are brought by cmd-gather.c.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sodium.h>

#include "common/command.h"
#include "common/error.h"
#include "common/hostlist-fold.h"
#include "common/number.h"
#include "common/options.h"
#include "control/control.h"
#include "input/event-filter.h"
#include "record/run-name.h"
#include "remote/command.h"
#include "remote/key.h"
#include "remote/keyring.h"
#include "remote/targets.h"

#define CGROUP_ROOT	"/sys/fs/cgroup"
#define COLUMNS		80
#define USAGE_INDENT	20

static const char help_text[] =
	"Usage: evtlog remote status|prepare|start|stop|sched|cancel [OPTION...]\n"
	"                     [HOST...]\n"
	"       evtlog remote keygen [OPTION...] [FILE]\n"
	"       evtlog remote key install [OPTION...] [FILE]\n"
	"       evtlog remote key remove [OPTION...] [FILE | NUMBER... | --all]\n"
	"       evtlog remote hosts [OPTION...] [HOST...]\n"
	"Ask the kernels of many hosts at once, by control messages that a key signs.\n"
	"\n"
	"HOST is a list such as node[001-128,140],login1, or @FILE with one a line;\n"
	"without any, the hosts of the Slurm job (SLURM_JOB_NODELIST) are meant.\n"
	"\n"
	"  status   is it recording, and what?\n"
	"  prepare  get ready, so that a start is at once\n"
	"  start    begin a run of the same name on all of them\n"
	"  stop     end the run\n"
	"  sched    let a group of tasks run at once on all CPUs, for a short time\n"
	"  cancel   end now what sched began\n"
	"  keygen   make a key file (default " REMOTE_KEY_FILE ")\n"
	"  key      let this host's kernel have the file's keys and no others, or remove\n"
	"           some\n"
	"  hosts    print the hosts that are meant, one a line\n"
	"\n"
	"  -n, --name=NAME          of the run (default: of the job, or of the time)\n"
	"      --pgid=NUMBER        the process group to schedule\n"
	"      --sid=NUMBER         the session to schedule\n"
	"      --cgroup=PATH        the cgroup to schedule, with or without\n"
	"                           " CGROUP_ROOT "\n"
	"      --for=TIME           how long at most: 50ms, 2s (at most 10 s)\n"
	"  -b, --broadcast=WHERE    send it by broadcast first: to an address or an\n"
	"                           interface\n"
	"  -x, --exclude=HOSTS      leave these hosts out; repeatable\n"
	"      --hosts-file=FILE    as @FILE\n"
	"  -k, --key=FILE           the key file (default " REMOTE_KEY_FILE ")\n"
	"  -t, --timeout=SECONDS    wait so long for an answer (default 1)\n"
	"  -r, --retries=NUMBER     ask again so often who is silent (default 2;\n"
	"                           sched: 0)\n"
	"      --undo               prepare: be ready no longer\n"
	"      --sched              keygen: a key that may also schedule, not only log\n"
	"  -f, --force              keygen: replace the file\n"
	"      --if-exists          key: without a file, do nothing\n"
	"      --all                key remove: every key that the kernel has\n"
	"      --fold               hosts: print them as one list\n"
	"  -j, --json               print the result as JSON\n"
	"      --help               print this, or what the word before it takes\n"
	"\n"
	"Exit status: 0 all hosts did it, or it was so already; 1 none did; 2 misuse;\n"
	"3 some did not; 4 stop: all did, but events were lost.\n"
	"\n"
	"Examples:\n"
	"  evtlog remote keygen; k=" REMOTE_KEY_FILE "\n"
	"  for h in node1 node2; do scp -p $k $h:$k; done\n"
	"  evtlog remote start --name=job1 node[1-16]\n"
	"  evtlog remote start --broadcast=eth0 node[001-128] -x node013\n"
	"  evtlog remote sched --cgroup=/job1 --for=50ms node[1-16]\n"
	"  evtlog remote stop node[1-16] && evtlog gather --run=job1 node[1-16]\n";

/* @count: HOST arguments after the options */
struct arguments {
	struct remote_order order;
	struct hosts_choice hosts;
	const char *duration;
	bool has_retries;
	bool undo;
	bool sched;
	bool force;
	bool if_exists;
	bool all;
	bool fold;
};

static int wrong(const char *what)
{
	return misuse("remote", "%s", what);
}

/* ---- keygen, key, hosts ---- */

static int keygen(struct arguments *arguments, char **rest)
{
	const char *path = rest[0] ? rest[0] : arguments->order.key_path;
	uint32_t id;

	if (rest[0] && rest[1])
		return misuse("remote", "%s: keygen makes one file", rest[1]);
	if (remote_key_make(path, arguments->force, arguments->sched, &id))
		return EXIT_FAILED;
	printf("%s: key %" PRIu32 "; copy it to all hosts, and there: evtlog remote key install\n",
	       path, id);
	if (arguments->force)
		puts("That also removes the key that was in the file before; until then it is obeyed.");
	return EXIT_OK;
}

static int key_of_file(struct arguments *arguments, bool install, const char *path)
{
	struct remote_keys keys;
	int error;

	if (arguments->if_exists && access(path, F_OK) < 0 && errno == ENOENT)
		return EXIT_OK;
	if (remote_keys_load(&keys, path)) {
		if (!install)
			pr_err("without the key file, use evtlog remote key remove --all or give the key's number");
		return EXIT_FAILED;
	}
	error = install ? remote_keyring_install(&keys, path) : remote_keyring_remove(&keys);
	remote_keys_wipe(&keys);
	return error ? EXIT_FAILED : EXIT_OK;
}

static int remove_numbers(char **numbers)
{
	int result = EXIT_OK;
	unsigned int id;

	for (char **number = numbers; *number; number++)
		if (number_parse_u32(&id, *number, 0, UINT32_MAX))
			return misuse("remote", "%s: not a key's number", *number);
	for (char **number = numbers; *number; number++) {
		number_parse_u32(&id, *number, 0, UINT32_MAX);
		if (remote_keyring_remove_id(id))
			result = EXIT_FAILED;
	}
	return result;
}

static int key(struct arguments *arguments, char **rest)
{
	bool install = rest[0] && !strcmp(rest[0], "install");

	if (!rest[0] || (!install && strcmp(rest[0], "remove")))
		return wrong("key: say install or remove");
	if (arguments->all && (install || rest[1]))
		return wrong("--all: goes with key remove, without a file or number");
	if (arguments->all)
		return remote_keyring_remove_all() ? EXIT_FAILED : EXIT_OK;
	if (!install && rest[1] && isdigit((unsigned char)rest[1][0]))
		return remove_numbers(rest + 1);
	if (rest[1] && rest[2])
		return misuse("remote", "%s: key takes one file", rest[2]);
	return key_of_file(arguments, install, rest[1] ? rest[1] : arguments->order.key_path);
}

static int print_hosts(const struct hostlist *list, bool fold)
{
	char *folded;

	for (size_t i = 0; i < list->count && !fold; i++)
		puts(list->hosts[i]);
	if (!fold)
		return EXIT_OK;
	folded = fold_hosts((const char *const *)list->hosts, list->count);
	if (!folded) {
		pr_err("out of memory");
		return EXIT_FAILED;
	}
	puts(folded);
	free(folded);
	return EXIT_OK;
}

static int hosts(struct arguments *arguments, char **rest)
{
	struct hostlist list;
	int result = hosts_choose(&list, &arguments->hosts, rest, "remote");

	if (!result)
		result = print_hosts(&list, arguments->fold);
	hostlist_free(&list);
	return result;
}

/* ---- Orders ---- */

/* A status does not tell who heard it. */
static bool is_for_all_who_hear(enum evtlog_remote_operation operation)
{
	return operation == EVTLOG_REMOTE_SCHED || operation == EVTLOG_REMOTE_CANCEL;
}

static int send_order(struct arguments *arguments, char **rest)
{
	struct remote_order *order = &arguments->order;
	struct hostlist list = { 0 };
	struct remote_keys keys;
	int result = EXIT_OK;

	/* To a broadcast alone nobody answers; then no list is needed either. */
	if (!order->broadcast || !is_for_all_who_hear(order->message.operation))
		result = hosts_choose(&list, &arguments->hosts, rest, "remote");
	else if (rest[0])
		result = wrong("by broadcast it is for all who hear it: name no hosts");
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

static int start(struct arguments *arguments, char **rest)
{
	struct message *message = &arguments->order.message;

	message->operation = EVTLOG_REMOTE_START;
	if (!message->name[0])
		runname_make(message->name);
	if (!runname_is_good(message->name))
		return misuse("remote", "--name %s: not a run's name: " RUNNAME_RULE,
			      message->name);
	return send_order(arguments, rest);
}

static int prepare(struct arguments *arguments, char **rest)
{
	arguments->order.message.operation = arguments->undo ? EVTLOG_REMOTE_DISARM :
							       EVTLOG_REMOTE_ARM;
	return send_order(arguments, rest);
}

static int stop(struct arguments *arguments, char **rest)
{
	arguments->order.message.operation = EVTLOG_REMOTE_STOP;
	return send_order(arguments, rest);
}

static int status(struct arguments *arguments, char **rest)
{
	arguments->order.message.operation = EVTLOG_REMOTE_STATUS;
	return send_order(arguments, rest);
}

static int sched(struct arguments *arguments, char **rest)
{
	struct message *message = &arguments->order.message;

	message->operation = EVTLOG_REMOTE_SCHED;
	if (!message->group_kind)
		return wrong("sched: name a group: --pgid, --sid or --cgroup");
	if (!arguments->duration)
		return wrong("sched: say for how long: --for=50ms");
	if (filter_time(&message->duration_ns, arguments->duration) || !message->duration_ns ||
	    message->duration_ns > EVTLOG_REMOTE_SCHED_MAX_NS)
		return misuse("remote", "--for %s: not a time such as 50ms or .5s, at most 10 s",
			      arguments->duration);
	/* The second of two messages would prolong what the first began. */
	if (!arguments->has_retries)
		arguments->order.retries = 0;
	return send_order(arguments, rest);
}

static int cancel(struct arguments *arguments, char **rest)
{
	arguments->order.message.operation = EVTLOG_REMOTE_CANCEL;
	return send_order(arguments, rest);
}

/* ---- argv ---- */

static int set_name(struct message *message, const char *name, const char *option)
{
	if (strlen(name) > EVTLOG_REMOTE_NAME_MAX)
		return misuse("remote", "%s: longer than %d characters", option,
			      EVTLOG_REMOTE_NAME_MAX);
	strcpy(message->name, name);
	return 0;
}

/* People copy the path from where they see it; the kernel knows it from the root on. */
static const char *below_cgroup_root(const char *path)
{
	size_t length = strlen(CGROUP_ROOT);

	if (strncmp(path, CGROUP_ROOT, length) || (path[length] && path[length] != '/'))
		return path;
	return path[length] ? path + length : "/";
}

static int set_group(struct message *message, enum evtlog_remote_group kind, const char *text)
{
	unsigned int number;

	if (message->group_kind)
		return wrong("sched: one group at a time");
	message->group_kind = kind;
	if (kind == EVTLOG_REMOTE_CGROUP) {
		if (*text != '/')
			return misuse("remote", "--cgroup %s: must start with '/', the root of the hierarchy",
				      text);
		return set_name(message, below_cgroup_root(text), "--cgroup");
	}
	if (number_parse_u32(&number, text, 1, (1u << EVTLOG_PID_BITS) - 1))
		return misuse("remote", "%s: not a process id", text);
	message->group = number;
	return 0;
}

static int set_timeout(unsigned int *ms, const char *text)
{
	uint64_t ns;

	if (filter_time(&ns, text) || ns < 1000000 || ns > UINT64_C(3600000000000))
		return misuse("remote", "--timeout %s: not a time such as .5 or 200ms, from 1ms to 3600 s", text);
	*ms = ns / 1000000;
	return 0;
}

enum {
	HELP = 256,
	PGID,
	SID,
	CGROUP,
	FOR,
	HOSTS_FILE,
	UNDO,
	SCHED,
	IF_EXISTS,
	ALL,
	FOLD,
	OPTIONS_END
};

static int take(struct arguments *arguments, int option)
{
	struct remote_order *order = &arguments->order;

	switch (option) {
	case 'n':
		return set_name(&order->message, optarg, "--name");
	case PGID:
		return set_group(&order->message, EVTLOG_REMOTE_PGID, optarg);
	case SID:
		return set_group(&order->message, EVTLOG_REMOTE_SID, optarg);
	case CGROUP:
		return set_group(&order->message, EVTLOG_REMOTE_CGROUP, optarg);
	case FOR:
		arguments->duration = optarg;
		return 0;
	case 'b':
		order->broadcast = optarg;
		return 0;
	case 'x':
		return hosts_exclude(&arguments->hosts, optarg, "remote");
	case HOSTS_FILE:
		return hosts_file(&arguments->hosts, optarg, "remote");
	case 'k':
		order->key_path = optarg;
		return 0;
	case 't':
		return set_timeout(&order->timeout_ms, optarg);
	case 'r':
		arguments->has_retries = true;
		return !number_parse_u32(&order->retries, optarg, 0, 100) ? 0 :
		       misuse("remote", "--retries %s: not a number from 0 to 100", optarg);
	case UNDO:
		arguments->undo = true;
		return 0;
	case SCHED:
		arguments->sched = true;
		return 0;
	case 'f':
		arguments->force = true;
		return 0;
	case IF_EXISTS:
		arguments->if_exists = true;
		return 0;
	case ALL:
		arguments->all = true;
		return 0;
	case FOLD:
		arguments->fold = true;
		return 0;
	case 'j':
		order->as_json = true;
		return 0;
	}
	return 0;
}

static const struct option longs[] = {
	{ "name", required_argument, NULL, 'n' },
	{ "pgid", required_argument, NULL, PGID },
	{ "sid", required_argument, NULL, SID },
	{ "cgroup", required_argument, NULL, CGROUP },
	{ "for", required_argument, NULL, FOR },
	{ "broadcast", required_argument, NULL, 'b' },
	{ "exclude", required_argument, NULL, 'x' },
	{ "hosts-file", required_argument, NULL, HOSTS_FILE },
	{ "key", required_argument, NULL, 'k' },
	{ "timeout", required_argument, NULL, 't' },
	{ "retries", required_argument, NULL, 'r' },
	{ "undo", no_argument, NULL, UNDO },
	{ "sched", no_argument, NULL, SCHED },
	{ "force", no_argument, NULL, 'f' },
	{ "if-exists", no_argument, NULL, IF_EXISTS },
	{ "all", no_argument, NULL, ALL },
	{ "fold", no_argument, NULL, FOLD },
	{ "json", no_argument, NULL, 'j' },
	{ "help", no_argument, NULL, HELP },
	{ NULL, 0, NULL, 0 },
};

#define HOSTS_USAGE	"[-x HOSTS] [--hosts-file=FILE] [HOST...]"
#define ASK_USAGE	"[-k FILE] [-t SECONDS] [-r NUMBER] [-j] " HOSTS_USAGE
#define HOSTS_OPTIONS	'x', HOSTS_FILE
#define ASK_OPTIONS	'k', 't', 'r', 'j', HOSTS_OPTIONS

/*
 * @options:	that it takes, ended by 0
 * @usage:	what may follow its name
 */
static const struct verb {
	const char *name;
	int (*run)(struct arguments *arguments, char **rest);
	int options[12];
	const char *usage;
} verbs[] = {
	{ "status", status, { ASK_OPTIONS }, ASK_USAGE },
	{ "prepare", prepare, { UNDO, 'b', ASK_OPTIONS }, "[--undo] [-b WHERE] " ASK_USAGE },
	{ "start", start, { 'n', 'b', ASK_OPTIONS }, "[-n NAME] [-b WHERE] " ASK_USAGE },
	{ "stop", stop, { 'b', ASK_OPTIONS }, "[-b WHERE] " ASK_USAGE },
	{ "sched", sched, { PGID, SID, CGROUP, FOR, 'b', ASK_OPTIONS },
	  "--pgid=NUMBER|--sid=NUMBER|--cgroup=PATH --for=TIME [-b WHERE] " ASK_USAGE },
	{ "cancel", cancel, { 'b', ASK_OPTIONS }, "[-b WHERE] " ASK_USAGE },
	{ "keygen", keygen, { SCHED, 'k', 'f' }, "[--sched] [-f] [-k FILE | FILE]" },
	{ "key", key, { 'k', IF_EXISTS, ALL },
	  "install [--if-exists] [-k FILE | FILE]\n"
	  "evtlog remote key remove [--if-exists] [-k FILE | FILE | NUMBER... | --all]" },
	{ "hosts", hosts, { HOSTS_OPTIONS, FOLD }, "[--fold] " HOSTS_USAGE },
};

static const struct verb *find_verb(const char *name)
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (!strcmp(verbs[i].name, name))
			return &verbs[i];
	return NULL;
}

/* Up to the next blank that is not within brackets, or the line's end. */
static size_t word_length(const char *text)
{
	unsigned int depth = 0;
	size_t length = 0;

	for (; text[length] && text[length] != '\n' && (depth || text[length] != ' '); length++)
		depth += (text[length] == '[') - (depth && text[length] == ']');
	return length;
}

/* In lines that fit a terminal. */
static void print_usage(const struct verb *verb)
{
	int column = printf("Usage: evtlog remote %s", verb->name);
	const char *at = verb->usage;

	while (*at) {
		int length = word_length(at);

		if (*at == '\n')
			column = printf("\n      ") - 1;
		else if (column + 1 + length > COLUMNS)
			column = printf("\n%*s", USAGE_INDENT, "") - 1;
		if (length)
			column += printf(" %.*s", length, at);
		at += length + (at[length] == ' ' || !length);
		at += strspn(at, " ");
	}
	puts("\nSee 'evtlog remote --help' for what these mean, and evtlog-remote(1).");
}

static int print_help(const struct verb *verb)
{
	if (!verb)
		fputs(help_text, stdout);
	else
		print_usage(verb);
	return EXIT_OK;
}

/* @seen: those options that were given */
static int check_options(const struct verb *verb, const bool *seen)
{
	for (const struct option *option = longs; option->name; option++) {
		bool takes = option->val == HELP;

		for (const int *at = verb->options; *at; at++)
			takes = takes || *at == option->val;
		if (seen[option->val] && !takes)
			return misuse("remote", "%s takes no --%s; it takes: %s", verb->name,
				      option->name, verb->usage);
	}
	return 0;
}

static int run_verb(struct arguments *arguments, const bool *seen, char **rest)
{
	const struct verb *verb = rest[0] ? find_verb(rest[0]) : NULL;
	int result;

	if (seen[HELP])
		return print_help(verb);
	if (!rest[0])
		return wrong("say what to do: status, prepare, start, stop, sched, cancel, keygen, key or hosts");
	if (!verb)
		return misuse("remote", "%s: neither status, prepare, start, stop, sched, cancel, keygen, key nor hosts",
			      rest[0]);
	result = check_options(verb, seen);
	return result ? result : verb->run(arguments, rest + 1);
}

static int run(int argc, char **argv)
{
	struct arguments arguments = {
		.order = { .key_path = REMOTE_KEY_FILE, .timeout_ms = 1000, .retries = 2 },
	};
	bool seen[OPTIONS_END] = { false };
	static const struct options options = {
		.command = "remote", .letters = "n:b:x:k:t:r:fjh", .longs = longs,
	};
	int option, result;

	while ((result = options_next(&options, argc, argv, &option)) == EXIT_OK) {
		option = option == 'h' ? HELP : option;
		seen[option] = true;
		if (option != HELP)
			result = take(&arguments, option);
		if (result)
			break;
	}
	if (result == OPTIONS_TAKEN)
		result = run_verb(&arguments, seen, argv + optind);
	targets_filter_free(&arguments.hosts);
	return finish(result);
}

const struct evtlog_command command_remote = {
	.name = "remote",
	.summary = "start, stop and schedule on many hosts",
	.run = run,
};
