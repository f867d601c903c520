/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What files the arguments of a command stand for.
 *
 * It opens none.
 */
#ifndef EVTLOG_INPUT_PATHS_H
#define EVTLOG_INPUT_PATHS_H

#include <stddef.h>

/*
 * The paths that @args stand for: files as they are, directories by the *.evl in
 * them, by name.  Returns an exit status, after saying what is wrong; paths_free()
 * what it gives.
 */
int paths_expand(char **args, int count, char ***pathsp, size_t *countp);
void paths_free(char **paths, size_t count);

#endif /* EVTLOG_INPUT_PATHS_H */
