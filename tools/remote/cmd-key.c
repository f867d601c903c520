// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog remote keygen, key install and key remove: key files, and the keys of this host's
 * kernel.
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

static int make_key(struct remote_arguments *arguments, char **rest)
{
	const char *path = rest[0] ? rest[0] : arguments->order.key_path;
	uint32_t id;

	if (rest[0] && rest[1])
		return misuse(arguments->command, "%s: keygen takes one file", rest[1]);
	if (remote_key_make(path, arguments->force, arguments->sched, &id))
		return EXIT_FAILED;
	printf("%s: key %" PRIu32 "; copy it to all hosts, and there: evtlog remote key install\n",
	       path, id);
	if (arguments->force)
		puts("This also removes the previous key of the file; until then, hosts obey the previous key.");
	return EXIT_OK;
}

static int key_of_file(struct remote_arguments *arguments, bool install, const char *path)
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

static int install_keys(struct remote_arguments *arguments, char **rest)
{
	if (rest[0] && rest[1])
		return misuse(arguments->command, "%s: key takes one file", rest[1]);
	return key_of_file(arguments, true, rest[0] ? rest[0] : arguments->order.key_path);
}

static int remove_keys(struct remote_arguments *arguments, char **rest)
{
	if (arguments->all && rest[0])
		return misuse(arguments->command, "--all: key remove --all takes no file or number");
	if (arguments->all)
		return remote_keyring_remove_all() ? EXIT_FAILED : EXIT_OK;
	if (rest[0] && isdigit((unsigned char)rest[0][0]))
		return remove_numbers(arguments, rest);
	if (rest[0] && rest[1])
		return misuse(arguments->command, "%s: key takes one file", rest[1]);
	return key_of_file(arguments, false, rest[0] ? rest[0] : arguments->order.key_path);
}

static const struct option_desc keygen_table[] = {
	{ REMOTE_SCHED, "sched", .help = "make a key that also allows sched, not only logging" },
	{ 'f', "force", .help = "replace the file if it exists" },
	OPTION_GROUP(remote_key_options),
	{ }
};

static const struct options keygen_options = {
	.command = "remote keygen",
	.usage = "[OPTION...] [FILE]",
	.about = "Make a key file with a new random key, mode 0600. Copy it to all hosts and "
		 "run evtlog remote key install there.",
	.table = keygen_table,
	.notes =
	"Examples:\n"
	"  evtlog remote keygen --sched\n"
	"  evtlog remote keygen --force /root/cluster.key\n",
	.operands = VALUE_FILE,
	.take = remote_take,
};

static int run_keygen(int argc, char **argv)
{
	return remote_run(&keygen_options, argc, argv, make_key);
}

const struct evtlog_command remote_keygen = {
	.name = "keygen",
	.summary = "make a key file",
	.run = run_keygen,
};

static const struct option_desc install_table[] = {
	{ REMOTE_IF_EXISTS, "if-exists", .help = "do nothing if the file does not exist" },
	OPTION_GROUP(remote_key_options),
	{ }
};

static const struct options install_options = {
	.command = "remote key install",
	.usage = "[OPTION...] [FILE]",
	.about = "Install the keys of the file in this host's kernel, and remove its other keys. "
		 "The kernel obeys a new key after 5 s.",
	.table = install_table,
	.notes =
	"Examples:\n"
	"  evtlog remote key install\n"
	"  evtlog remote key install --if-exists /root/cluster.key\n",
	.operands = VALUE_FILE,
	.take = remote_take,
};

static int run_install(int argc, char **argv)
{
	return remote_run(&install_options, argc, argv, install_keys);
}

static const struct evtlog_command key_install = {
	.name = "install",
	.summary = "install the keys of a file in this host's kernel, remove all others",
	.run = run_install,
};

static const struct option_desc remove_table[] = {
	{ REMOTE_IF_EXISTS, "if-exists", .help = "do nothing if the file does not exist" },
	{ REMOTE_ALL, "all", .help = "remove all keys of the kernel" },
	OPTION_GROUP(remote_key_options),
	{ }
};

static const struct options remove_options = {
	.command = "remote key remove",
	.usage = "[OPTION...] [FILE|NUMBER...]",
	.about = "Remove keys from this host's kernel: the keys of the file, or the keys "
		 "with these numbers.",
	.table = remove_table,
	.notes =
	"Examples:\n"
	"  evtlog remote key remove 305419896\n"
	"  evtlog remote key remove --all\n",
	.operands = VALUE_FILE,
	.take = remote_take,
};

static int run_remove(int argc, char **argv)
{
	return remote_run(&remove_options, argc, argv, remove_keys);
}

static const struct evtlog_command key_remove = {
	.name = "remove",
	.summary = "remove keys from this host's kernel",
	.run = run_remove,
};

static const struct evtlog_command *const key_commands[] = { &key_install, &key_remove };

static const struct command_table key_table = {
	.of = "remote key",
	.about = "Change the keys of this host's kernel. The kernel obeys control messages that "
		 "are signed with one of its keys.",
	.notes = "",
	.at = key_commands,
	.count = sizeof(key_commands) / sizeof(key_commands[0]),
};

static int run_key(int argc, char **argv)
{
	return table_run(&key_table, argc, argv);
}

const struct evtlog_command remote_key = {
	.name = "key",
	.summary = "install or remove keys of this host's kernel",
	.run = run_key,
};
