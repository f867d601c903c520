/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of a run file's header: what machine, what kernel, what settings.
 */
#ifndef EVTLOG_LOGD_METADATA_H
#define EVTLOG_LOGD_METADATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct config;
struct run_id;
struct kernel;

/* HOST of file names: as configured, else as the kernel says, made harmless. */
const char *describe_host(const struct config *config);

/**
 * describe_run() - lines "key=value", an empty line, /proc/evtlog/format
 * @cpus_possible: number of CPUs the kernel has buffers for
 * @is_prompt: the kernel's types of events are still those of @run if it has ended
 *
 * Returns 0 or -errno; @text is malloc()ed.
 */
int describe_run(const struct config *config, const struct kernel *kernel,
		 unsigned int cpus_possible, const struct run_id *run,
		 bool is_prompt, char **text, size_t *bytes);

#endif /* EVTLOG_LOGD_METADATA_H */
