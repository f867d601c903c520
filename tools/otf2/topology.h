/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packages and cores of a host, as its log tells them, in the system tree of an archive.
 */
#ifndef EVTLOG_OTF2_TOPOLOGY_H
#define EVTLOG_OTF2_TOPOLOGY_H

#include "host.h"

/* A package, or a core of it */
struct topology_place {
	uint32_t package;
	uint32_t core;
	bool is_core;
	uint32_t node;
};

struct topology {
	struct topology_place *places;
	size_t count;
	size_t capacity;
};

/*
 * Defines the core of a CPU and its package, unless they are defined; returns the core's node,
 * or the machine's if the log does not tell them.
 */
uint32_t topology_core(struct topology *topology, struct host *host, unsigned int cpu);

void topology_free(struct topology *topology);

/* A node of the system tree below @parent; returns its number. */
uint32_t topology_node(struct output *out, const char *name, const char *class, uint32_t parent,
		       OTF2_SystemTreeDomain domain);

#endif /* EVTLOG_OTF2_TOPOLOGY_H */
