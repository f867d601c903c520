// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Packages and cores of a host, as its log tells them, in the system tree of an archive.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "topology.h"

uint32_t topology_node(struct output *out, const char *name, const char *class, uint32_t parent,
		       OTF2_SystemTreeDomain domain)
{
	uint32_t name_string = archive_string(&out->archive, name);
	uint32_t class_string = archive_string(&out->archive, class);
	OTF2_GlobalDefWriter *global = out->archive.global;

	archive_check_error(&out->archive,
		OTF2_GlobalDefWriter_WriteSystemTreeNode(global, out->next_node, name_string,
							 class_string, parent));
	archive_check_error(&out->archive,
		OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(global, out->next_node, domain));
	return out->next_node++;
}

/* A line "cpu_3=0 1" of the log's header */
static bool read_place(const struct host *host, unsigned int cpu, struct topology_place *place)
{
	char key[32], rest;
	const char *text;

	snprintf(key, sizeof(key), "cpu_%u", cpu);
	text = evtlog_meta(host->file, key);
	/* The kernel does not know those that are -1. */
	return text && !strchr(text, '-') &&
	       sscanf(text, "%u %u%c", &place->package, &place->core, &rest) == 2;
}

static uint32_t find(struct topology *topology, struct host *host,
		     const struct topology_place *wanted, uint32_t parent)
{
	char name[64];

	for (size_t i = 0; i < topology->count; i++) {
		const struct topology_place *place = &topology->places[i];

		if (place->is_core == wanted->is_core && place->package == wanted->package &&
		    (!place->is_core || place->core == wanted->core))
			return place->node;
	}
	if (array_reserve(&topology->places, &topology->capacity, topology->count,
			  sizeof(*topology->places))) {
		archive_check_error(&host->out->archive, OTF2_ERROR_MEM_ALLOC_FAILED);
		return parent;
	}
	if (wanted->is_core)
		snprintf(name, sizeof(name), "package %u core %u", wanted->package, wanted->core);
	else
		snprintf(name, sizeof(name), "package %u", wanted->package);
	topology->places[topology->count] = *wanted;
	topology->places[topology->count].node =
		topology_node(host->out, name, wanted->is_core ? "core" : "package", parent,
			      wanted->is_core ? OTF2_SYSTEM_TREE_DOMAIN_CORE :
						OTF2_SYSTEM_TREE_DOMAIN_SOCKET);
	return topology->places[topology->count++].node;
}

uint32_t topology_core(struct topology *topology, struct host *host, unsigned int cpu)
{
	struct topology_place place = { .is_core = false };
	uint32_t package;

	if (!read_place(host, cpu, &place))
		return host->node;
	package = find(topology, host, &place, host->node);
	place.is_core = true;
	return find(topology, host, &place, package);
}

void topology_free(struct topology *topology)
{
	free(topology->places);
}
