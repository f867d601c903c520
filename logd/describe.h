/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of a run file's header, from the configuration and the kernel.
 */
#ifndef EVTLOG_LOGD_DESCRIBE_H
#define EVTLOG_LOGD_DESCRIBE_H

#include <stdbool.h>
#include <stddef.h>

struct config;
struct run_id;
struct kernel;

/** describe_host() - return HOST for file names, as configured, else from the kernel */
const char *describe_host(const struct config *config);

/**
 * describe_run() - make the text of a run's header
 * @cpus_possible: number of CPUs for which the kernel has buffers
 * @is_prompt:	True: the kernel's types of events are those of @run, even if it has ended
 *
 * Returns 0 or -errno; @text is malloc()ed.
 */
int describe_run(const struct config *config, const struct kernel *kernel,
		 unsigned int cpus_possible, const struct run_id *run,
		 bool is_prompt, char **text, size_t *bytes);

#endif /* EVTLOG_LOGD_DESCRIBE_H */
