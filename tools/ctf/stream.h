/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The events of a CPU as a CTF stream: packets in a file.
 *
 * Stage: between what writes events (host.h) and the file.  It does not know what events are:
 * it gives room for their payload behind a header, as LTTng's event_header_large has it.
 */
#ifndef EVTLOG_CTF_STREAM_H
#define EVTLOG_CTF_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define CTF_UUID_BYTES		16
/* All events fit into the least packet. */
#define CTF_PACKET_MIN_BYTES	16384
#define CTF_PACKET_MAX_BYTES	65536
#define CTF_HEADER_BYTES	14
#define CTF_ID_EXTENDED		65535

/*
 * What the streams of a host share.
 * @error:	the first that a write met, or 0
 */
struct ctf_streams {
	int directory;
	uint8_t uuid[CTF_UUID_BYTES];
	size_t packet_bytes;
	int error;
};

/*
 * @fd:		-1: not open
 * @packet:	the one that is filled, @used bytes of it
 * @begin_ns, @last_ns: of the packet, and of its last event
 * @packets:	that were written
 * @discarded:	events that are lost, up to the packet's end
 */
struct ctf_stream {
	struct ctf_streams *all;
	int fd;
	uint32_t cpu;
	uint8_t *packet;
	size_t used;
	uint64_t begin_ns;
	uint64_t last_ns;
	uint64_t packets;
	uint64_t discarded;
};

/* Makes the file; the first packet begins at @begin_ns.  0 or -errno. */
int ctf_stream_open(struct ctf_stream *stream, struct ctf_streams *all, uint32_t cpu,
		    uint64_t begin_ns);

/* The last packet ends at @end_ns, or with its last event.  Errors are @all's. */
void ctf_stream_close(struct ctf_stream *stream, uint64_t end_ns);

/*
 * @count events are missing, from @from_ns to @to_ns: a packet of its own says so, which is what
 * readers show as the interval.
 */
void ctf_stream_lose(struct ctf_stream *stream, uint64_t from_ns, uint64_t to_ns, uint64_t count);

void ctf_stream_flush(struct ctf_stream *stream, uint64_t end_ns);

/* ---- Bytes of a payload: each returns where the next goes ---- */

static inline uint8_t *put_u8(uint8_t *at, uint8_t value)
{
	*at = value;
	return at + 1;
}

static inline uint8_t *put_u16(uint8_t *at, uint16_t value)
{
	memcpy(at, &value, sizeof(value));
	return at + sizeof(value);
}

static inline uint8_t *put_u32(uint8_t *at, uint32_t value)
{
	memcpy(at, &value, sizeof(value));
	return at + sizeof(value);
}

static inline uint8_t *put_u64(uint8_t *at, uint64_t value)
{
	memcpy(at, &value, sizeof(value));
	return at + sizeof(value);
}

static inline uint8_t *put_bytes(uint8_t *at, const void *bytes, size_t count)
{
	memcpy(at, bytes, count);
	return at + count;
}

/**
 * ctf_stream_event() - the header of an event
 * @time_ns: not before those of the stream's other events
 * @bytes: of its payload, at most
 *
 * Return: where the payload goes; ctf_stream_done() says where it ends.
 */
static inline uint8_t *ctf_stream_event(struct ctf_stream *stream, unsigned int id,
					uint64_t time_ns, size_t bytes)
{
	uint8_t *at;

	if (__builtin_expect(stream->used + CTF_HEADER_BYTES + bytes > stream->all->packet_bytes, 0))
		ctf_stream_flush(stream, stream->last_ns);
	at = stream->packet + stream->used;
	if (__builtin_expect((time_ns - stream->last_ns) >> 32 != 0, 0)) {
		at = put_u16(at, CTF_ID_EXTENDED);
		at = put_u32(at, id);
		at = put_u64(at, time_ns);
	} else {
		at = put_u16(at, id);
		at = put_u32(at, time_ns);
	}
	stream->last_ns = time_ns;
	return at;
}

static inline void ctf_stream_done(struct ctf_stream *stream, const uint8_t *end)
{
	stream->used = end - stream->packet;
}

#endif /* EVTLOG_CTF_STREAM_H */
