// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the command line, which overrides the configuration file.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"

enum { OPTION_DAEMON = 256, OPTION_HELP, OPTION_VERSION, OPTION_STOP_AT_EXIT };

static const struct option long_options[] = {
	{ "config", required_argument, NULL, 'f' },
	{ "directory", required_argument, NULL, 'd' },
	{ "set", required_argument, NULL, 's' },
	{ "pid-file", required_argument, NULL, 'p' },
	{ "check", no_argument, NULL, 'n' },
	{ "once", no_argument, NULL, '1' },
	{ "stop-at-exit", no_argument, NULL, OPTION_STOP_AT_EXIT },
	{ "daemon", no_argument, NULL, OPTION_DAEMON },
	{ "quiet", no_argument, NULL, 'q' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "help", no_argument, NULL, OPTION_HELP },
	{ "version", no_argument, NULL, OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

static const char help_text[] =
	"Usage: logd [OPTION...]\n"
	"Write the kernel's log to one file per run, HOST-RUN.evl or HOST-NAME.evl.\n"
	"\n"
	"  -f, --config FILE     read FILE (default " CONFIG_DEFAULT_FILE ")\n"
	"  -d, --directory DIR   write run files to DIR\n"
	"  -s, --set KEY=VALUE   like the line \"KEY = VALUE\" in the configuration\n"
	"  -p, --pid-file FILE   write the process id to FILE\n"
	"  -n, --check           check the configuration, print it, and exit\n"
	"  -1, --once            exit when the present or next run is complete\n"
	"      --stop-at-exit    stop the run on exit\n"
	"      --daemon          run in the background; return when logd is registered\n"
	"                        with the kernel\n"
	"  -q, --quiet           print errors only\n"
	"  -v, --verbose         print more messages\n"
	"      --help            print this help and exit\n"
	"      --version         print the version and exit\n"
	"\n"
	"Signals: TERM and INT close the files and exit; HUP reads the configuration\n"
	"again and reopens the files.\n"
	"Exit status: 0 done, 1 failed, 2 misuse or a bad configuration.\n"
	"\n"
	"Examples:\n"
	"  logd -n                     check the configuration\n"
	"  logd -d /tmp/log            log until Ctrl-C\n"
	"  logd --daemon -p /run/evtlog.pid\n"
	"\n"
	"evtlog start and evtlog stop start and stop a run; see logd(8).\n";

static int misuse(void)
{
	fputs("Try 'logd --help'.\n", stderr);
	return 2;
}

/* Returns an absolute path, because the daemon changes its working directory. */
static char *absolute(const char *path)
{
	char *result, *here;

	if (*path == '/' || !*path)
		return strdup(path);
	here = getcwd(NULL, 0);
	if (!here)
		return NULL;
	if (asprintf(&result, "%s/%s", here, path) < 0)
		result = NULL;
	free(here);
	return result;
}

static int add_setting(struct options *options, const char *key, char *value)
{
	const unsigned int most = sizeof(options->settings) / sizeof(options->settings[0]);

	if (!value) {
		say_error("%s: %s", key, strerror(errno));
		return 1;
	}
	if (options->setting_count == most) {
		free(value);
		say_error("more than %u settings on the command line; use a file", most);
		return misuse();
	}
	options->settings[options->setting_count].key = key;
	options->settings[options->setting_count++].value = value;
	return -1;
}

static int add_pair(struct options *options, char *pair)
{
	char *equals = strchr(pair, '=');

	if (!equals) {
		say_error("--set %s: expected KEY=VALUE", pair);
		return misuse();
	}
	*equals = '\0';
	return add_setting(options, pair, strdup(equals + 1));
}

static int take(struct options *options, int option)
{
	switch (option) {
	case 'f':
		options->config_file = optarg;
		options->config_file_given = true;
		return -1;
	case 'd':
		return add_setting(options, "directory", absolute(optarg));
	case 's':
		return add_pair(options, optarg);
	case 'p':
		return add_setting(options, "pid_file", absolute(optarg));
	case OPTION_STOP_AT_EXIT:
		return add_setting(options, "stop_at_exit", strdup("yes"));
	case 'n':
		options->check_only = true;
		return -1;
	case '1':
		options->once = true;
		return -1;
	case OPTION_DAEMON:
		options->daemonise = true;
		return -1;
	case 'q':
		options->how_much = SAY_LITTLE;
		return -1;
	case 'v':
		options->how_much = SAY_MUCH;
		return -1;
	case OPTION_HELP:
		fputs(help_text, stdout);
		return fflush(stdout) ? 1 : 0;
	case OPTION_VERSION:
		printf("logd %s\n", EVTLOG_VERSION);
		return fflush(stdout) ? 1 : 0;
	default:
		/* getopt_long() has printed the error. */
		return misuse();
	}
}

int options_parse(struct options *options, int argc, char **argv)
{
	int option;

	memset(options, 0, sizeof(*options));
	options->config_file = CONFIG_DEFAULT_FILE;
	options->how_much = SAY_NORMAL;
	while ((option = getopt_long(argc, argv, "f:d:s:p:n1qv", long_options, NULL)) != -1) {
		int status = take(options, option);

		if (status >= 0)
			return status;
	}
	if (optind < argc) {
		say_error("%s: logd has only options", argv[optind]);
		return misuse();
	}
	return -1;
}

int options_config(const struct options *options, struct config *config)
{
	int error;

	config_set_defaults(config);
	error = config_load(config, options->config_file);
	if (error == -ENOENT && !options->config_file_given)
		error = 0;
	if (error) {
		if (error != -EINVAL)
			say_error("%s: %s", options->config_file, strerror(-error));
		return error;
	}
	for (unsigned int i = 0; i < options->setting_count; i++) {
		char why[PATH_MAX + 128];

		error = config_set(config, options->settings[i].key, options->settings[i].value,
				   why, sizeof(why));
		if (error) {
			say_error("command line: %s", why);
			return error;
		}
	}
	return 0;
}

void options_free(struct options *options)
{
	for (unsigned int i = 0; i < options->setting_count; i++)
		free(options->settings[i].value);
}
