/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A file without a name, for what does not fit into memory.
 *
 * The library and the commands each have a copy.
 */
#ifndef EVTLOG_LIB_BASE_NAMELESS_H
#define EVTLOG_LIB_BASE_NAMELESS_H

/*
 * nameless_file() - makes an empty file, which is gone when it is closed
 *
 * It lies in $TMPDIR, else in /var/tmp, which is more often on a disk than /tmp is.
 *
 * Return: a descriptor to read and write; -errno.
 */
int nameless_file(void);

#endif /* EVTLOG_LIB_BASE_NAMELESS_H */
