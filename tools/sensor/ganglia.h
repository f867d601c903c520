/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sends rates, means and losses to gmond, as gmetric of Ganglia 3.1 and later does: XDR over UDP,
 * not encrypted, and not acknowledged.
 */
#ifndef EVTLOG_SENSOR_GANGLIA_H
#define EVTLOG_SENSOR_GANGLIA_H

#include "state.h"

/*
 * @host:	this one's name, as packets have it
 * @metadata_ns: of CLOCK_MONOTONIC: when all metadata was sent last; 0: never
 * @metrics:	how many that was of
 * @errors:	packets that could not be sent
 */
struct ganglia {
	int fd;
	char host[65];
	uint32_t interval_s;
	uint64_t metadata_ns;
	size_t metrics;
	uint64_t errors;
};

/**
 * ganglia_open() - where to send
 * @target:	HOST:PORT, or [ADDRESS]:PORT
 *
 * Returns 0; -EINVAL it is not HOST:PORT; -errno; each after saying what is wrong.
 */
int ganglia_open(struct ganglia *ganglia, const char *target, uint64_t interval_ms);
void ganglia_close(struct ganglia *ganglia);

/** ganglia_send() - all metrics; what can not be sent is counted */
void ganglia_send(struct ganglia *ganglia, const struct sensor_state *state, uint64_t now_ns);

#endif /* EVTLOG_SENSOR_GANGLIA_H */
