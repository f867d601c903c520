// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Relates hosts by the packets between them.
 *
 * Stage: between matched packets and the axis of each host.
 */
#include "hosts.h"

size_t network_reference(const struct host *hosts, size_t count,
			 const struct packets *packets)
{
	return 0;
}

int network_solve(struct host *hosts, size_t count, size_t reference,
		  uint64_t rho_ppb, struct packets *packets)
{
	return 0;
}
