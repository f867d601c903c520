/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `evtlog path LOG...`: from logs to the report and to pcapng.
 */
#ifndef EVTLOG_PATH_PATH_H
#define EVTLOG_PATH_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/log-set.h"
#include "summary.h"

enum path_form { PATH_TEXT, PATH_JSON, PATH_CSV };

/*
 * @from_ns, @to_ns: since the start of the run
 * @pcapng:	file to write; NULL: none
 */
struct path_options {
	struct log_set_options clocks;
	struct path_filter filter;
	uint64_t from_ns;
	uint64_t to_ns;
	enum path_form form;
	bool with_packets;
	uint64_t limit;
	const char *pcapng;
};

/* Prints errors. Returns an exit status. */
int path_show(const struct path_options *options, char **paths, size_t count);

/* ---- probes.c: inserts the stations' probes into the running kernel, and deletes them ---- */

/*
 * path_probes_add() - insert the missing probes of all stations of these protocols
 * @protocols:	bits
 * @bytes:	number of bytes to record of each packet
 * @offsets:	file with the offsets; NULL: use the kernel's BTF
 * @only_show:	print the probes instead
 *
 * Prints errors. Returns an exit status.
 */
int path_probes_add(unsigned int protocols, unsigned int bytes, const char *offsets,
		    bool only_show);

/* Deletes the probes of all protocols. Prints errors. Returns an exit status. */
int path_probes_delete(void);

#endif /* EVTLOG_PATH_PATH_H */
