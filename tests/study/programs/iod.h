/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What iod and iotest say to each other over TCP: requests, each with one reply.  One byte order.
 */
#ifndef EVTLOG_STUDY_IOD_H
#define EVTLOG_STUDY_IOD_H

#include <stdint.h>

#define IOD_BYTES_MAX	(1U << 20)

/*
 * enum iod_operation - what iod does with the file of a connection
 * @IOD_OPEN:	the request has a name behind it
 * @IOD_WRITE:	@length bytes are behind the request
 * @IOD_READ:	@length bytes are behind the reply
 * @IOD_FSYNC:	no reply before it is on the medium
 * @IOD_FORGET:	the file's pages leave the cache
 */
enum iod_operation {
	IOD_OPEN,
	IOD_WRITE,
	IOD_READ,
	IOD_FSYNC,
	IOD_FORGET,
};

struct iod_request {
	uint32_t operation;
	uint32_t length;
	uint64_t offset;
};

/* @result: 0, or -errno */
struct iod_reply {
	int64_t result;
};

#endif /* EVTLOG_STUDY_IOD_H */
