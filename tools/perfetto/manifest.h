/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the traces of several hosts belong together: perfetto_manifest, version 1.
 */
#ifndef EVTLOG_PERFETTO_MANIFEST_H
#define EVTLOG_PERFETTO_MANIFEST_H

#include <stdio.h>

#include "export/host-clock.h"
#include "export/sources.h"
#include "tar.h"

/*
 * @names:	of the members of each file, "" of those that are not wanted
 * @clocks:	of each
 */
void manifest_write(FILE *out, const struct sources *sources, char (*names)[TAR_NAME_BYTES],
		    const struct host_clock *clocks);

#endif /* EVTLOG_PERFETTO_MANIFEST_H */
