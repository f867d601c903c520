/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The protocol of iod and iotest over TCP: requests with one reply each, in host byte order.
 */
#ifndef EVTLOG_STUDY_IOD_H
#define EVTLOG_STUDY_IOD_H

#include <stdint.h>

#define IOD_BYTES_MAX	(1U << 20)

/*
 * enum iod_operation - iod's operations on the file of a connection
 * @IOD_OPEN:	the request is followed by a name
 * @IOD_WRITE:	the request is followed by @length bytes
 * @IOD_READ:	the reply is followed by @length bytes
 * @IOD_FSYNC:	the reply comes after the data is on the medium
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
