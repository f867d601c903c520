/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes KernelShark's entries, or its matrix, of a host's events.
 *
 * Functions of struct kshark_generic_stream_interface: see libkshark.h.
 */
#ifndef EVTLOG_KSHARK_LOAD_H
#define EVTLOG_KSHARK_LOAD_H

#include <libkshark.h>

/* The rows and each of them are the caller's to free().  Returns their number or -errno. */
ssize_t load_entries(struct kshark_data_stream *stream, struct kshark_context *context,
		     struct kshark_entry ***rowsp);

/* Columns are the caller's; those whose pointer is NULL are not made.  Returns as load_entries(). */
ssize_t load_matrix(struct kshark_data_stream *stream, struct kshark_context *context,
		    int16_t **events, int16_t **cpus, int32_t **pids, int64_t **offsets,
		    int64_t **times);

#endif /* EVTLOG_KSHARK_LOAD_H */
