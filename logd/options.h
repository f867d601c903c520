/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line of logd.
 */
#ifndef EVTLOG_LOGD_OPTIONS_H
#define EVTLOG_LOGD_OPTIONS_H

#include <stdbool.h>

#include "common/say.h"
#include "config.h"

/*
 * @config_file: file to read; @config_file_given: it must exist
 * @settings:	keys and values that override the file
 */
struct options {
	const char *config_file;
	bool config_file_given;
	bool check_only;
	bool daemonise;
	bool once;
	enum say_amount how_much;
	struct options_setting {
		const char *key;
		char *value;
	} settings[16];
	unsigned int setting_count;
};

/**
 * options_parse() - read the command line
 *
 * Handles --help and --version.  Returns -1 to continue, else the exit status: 0, or 2 after
 * printing the error.
 */
int options_parse(struct options *options, int argc, char **argv);

/**
 * options_config() - set the configuration: defaults, then the file, then the command line
 *
 * Prints errors.  Returns 0 or -errno.
 */
int options_config(const struct options *options, struct config *config);

void options_free(struct options *options);

#endif /* EVTLOG_LOGD_OPTIONS_H */
