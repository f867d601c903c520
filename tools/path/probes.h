/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inserts the stations' probes into the running kernel, and deletes them.
 */
#ifndef EVTLOG_PATH_PROBES_H
#define EVTLOG_PATH_PROBES_H

#include <stdbool.h>

/*
 * path_probes_add() - of all stations of these protocols, that are not there yet
 * @protocols:	bits
 * @bytes:	of each packet
 * @offsets:	file that has the offsets; NULL: the kernel's BTF has them
 * @only_show:	print the probes instead
 *
 * Returns an exit status, after saying what is wrong.
 */
int path_probes_add(unsigned int protocols, unsigned int bytes, const char *offsets,
		    bool only_show);

/* All of them, whichever protocol's. */
int path_probes_delete(void);

#endif /* EVTLOG_PATH_PROBES_H */
