/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options of `evtlog dump` for logs of several hosts.
 */
#ifndef EVTLOG_MERGE_OPTIONS_H
#define EVTLOG_MERGE_OPTIONS_H

#include "common/options.h"
#include "merge.h"

/* --output, --compress, --report, --run, --any-run, --assume-ntp, --rho, --reference, --netns, --memory */
extern const struct option_desc merge_option_table[];

/*
 * merge_option() - take one of merge_option_table
 * @option: the option's val
 *
 * Return: 0; -EINVAL if @value is wrong or @option is not in the table; -ENOMEM.
 */
int merge_option(struct merge_options *opts, int option, char *value);

/* Returns true if an option was given that one log on its own has no use for. */
bool merge_is_asked_for(const struct merge_options *opts);

/*
 * merge_check_outputs() - refuse an output that is one of the inputs, or both outputs being one file
 *
 * Return: an exit status, after printing what is wrong.
 */
int merge_check_outputs(const struct merge_options *opts, char **paths, size_t count);

void merge_options_free(struct merge_options *opts);

#endif /* EVTLOG_MERGE_OPTIONS_H */
