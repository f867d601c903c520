// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog remote key: key files, and the keys of this host's kernel.
 *
 * Stage: outside the data path.  It sends no messages.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "common/error.h"
#include "common/number.h"
#include "key.h"
#include "subcommands.h"

static int make_key(const struct remote_arguments *arguments, const char *path)
{
	uint32_t id;

	if (remote_key_make(path, arguments->force, arguments->sched, &id))
		return EXIT_FAILED;
	printf("%s: key %" PRIu32 "; copy it to all hosts, and there: evtlog remote key install\n",
	       path, id);
	if (arguments->force)
		puts("This also removes the previous key of the file; until then, hosts obey the previous key.");
	return EXIT_OK;
}

static int key_of_file(const struct remote_arguments *arguments, bool install, const char *path)
{
	struct remote_keys keys;
	int error;

	if (arguments->if_exists && access(path, F_OK) < 0 && errno == ENOENT)
		return EXIT_OK;
	if (remote_keys_load(&keys, path)) {
		if (!install)
			pr_err("without the key file, use evtlog remote key remove '*' or give the key's number");
		return EXIT_FAILED;
	}
	error = install ? remote_keyring_install(&keys, path) : remote_keyring_remove(&keys);
	remote_keys_wipe(&keys);
	return error ? EXIT_FAILED : EXIT_OK;
}

static int remove_numbers(const struct remote_arguments *arguments, char **numbers)
{
	int result = EXIT_OK;
	unsigned int id;

	for (char **number = numbers; *number; number++)
		if (number_parse_u32(&id, *number, 0, UINT32_MAX))
			return misuse(arguments->command, "%s: not a key's number", *number);
	for (char **number = numbers; *number; number++) {
		number_parse_u32(&id, *number, 0, UINT32_MAX);
		if (remote_keyring_remove_id(id))
			result = EXIT_FAILED;
	}
	return result;
}

/* Options that a verb does not take. An exit status */
static int check_options(const struct remote_arguments *arguments, bool makes)
{
	if (!makes && (arguments->sched || arguments->force))
		return misuse(arguments->command, "--sched and --force are for make");
	if (makes && arguments->if_exists)
		return misuse(arguments->command, "--if-exists is for install and remove");
	return EXIT_OK;
}

static int change_keys(struct remote_arguments *arguments, char **rest)
{
	const char *verb = rest[0] ? rest[0] : "", *path = rest[0] ? rest[1] : NULL;
	bool makes = !strcmp(verb, "make"), installs = !strcmp(verb, "install");
	int result;

	if (!makes && !installs && strcmp(verb, "remove"))
		return misuse(arguments->command, "give an action: make, install or remove");
	result = check_options(arguments, makes);
	if (result != EXIT_OK)
		return result;
	if (!makes && !installs && path && isdigit((unsigned char)*path))
		return remove_numbers(arguments, rest + 1);
	if (path && rest[2])
		return misuse(arguments->command, "%s: %s takes one file", rest[2], verb);
	if (!makes && !installs && path && !strcmp(path, "*"))
		return remote_keyring_remove_all() ? EXIT_FAILED : EXIT_OK;
	if (!path)
		path = arguments->order.key_path;
	return makes ? make_key(arguments, path) : key_of_file(arguments, installs, path);
}

static const struct option_desc table[] = {
	{ REMOTE_SCHED, "sched", .help = "make: a key that also allows sched, not only logging" },
	{ 'f', "force", .help = "make: replace the file if it exists" },
	{ REMOTE_IF_EXISTS, "if-exists", .help = "install, remove: do nothing if the file does not "
	  "exist" },
	{ }
};

static const struct options options = {
	.command = "remote key",
	.usage = "make [--sched] [--force] [FILE]\n"
		 "install [--if-exists] [FILE]\n"
		 "remove [--if-exists] [FILE|NUMBER...]",
	.about = "Make a key file, or change the keys of this host's kernel. The kernel obeys "
		 "control messages that are signed with one of its keys.\n"
		 "\n"
		 "make writes a new random key to FILE (default " REMOTE_KEY_FILE "), with mode "
		 "0600. Copy it to all hosts and install it there. install gives this host's "
		 "kernel the keys of FILE, and removes its other keys; the kernel obeys a new key "
		 "after 5 s. remove removes the keys of FILE, or the keys with these numbers; '*' "
		 "is all keys.",
	.table = table,
	.notes =
	"Examples:\n"
	"  evtlog remote key make --sched\n"
	"  evtlog remote key install\n"
	"  evtlog remote key make --force /root/cluster.key\n"
	"  evtlog remote key install --if-exists /root/cluster.key\n"
	"  evtlog remote key remove 305419896\n"
	"  evtlog remote key remove '*'\n",
	.operands = VALUE_FILE,
	.take = remote_take,
};

static int run(int argc, char **argv)
{
	return remote_run(&options, argc, argv, change_keys);
}

const struct evtlog_command remote_key = {
	.name = "key",
	.summary = "make a key file; install or remove keys of this host's kernel",
	.run = run,
};
