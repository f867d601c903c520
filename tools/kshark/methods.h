/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What KernelShark asks of a stream of ours and of its entries.
 */
#ifndef EVTLOG_KSHARK_METHODS_H
#define EVTLOG_KSHARK_METHODS_H

#include <stddef.h>

#include <libkshark.h>

#include "host.h"

/* Fills in all functions of an interface, for streams whose handle is a struct host. */
void methods_init(struct kshark_generic_stream_interface *interface);

/* How many ids get_all_event_ids() gives. */
int methods_event_count(const struct host *host);

/*
 * A name from a log, which is untrusted: what is no printable character is \xNN.  The caller frees
 * it.  NULL: no memory.
 */
char *methods_copy_escaped(const char *bytes, size_t length);

#endif /* EVTLOG_KSHARK_METHODS_H */
