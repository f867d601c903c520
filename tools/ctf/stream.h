/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The events of a CPU as a CTF stream: packets in a file.
 *
 * Stage: between the writers of events (host.h) and the file.  It does not interpret events: it
 * writes a header (LTTng's event_header_large) and provides memory for the payload.
 */
#ifndef EVTLOG_CTF_STREAM_H
#define EVTLOG_CTF_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define CTF_UUID_BYTES		16
/* Each event fits into the smallest packet. */
#define CTF_PACKET_MIN_BYTES	16384
#define CTF_PACKET_MAX_BYTES	65536
#define CTF_HEADER_BYTES	14
#define CTF_ID_EXTENDED		65535

/*
 * Data that all streams of a host share.
 * @error:	first error of a write, -errno, or 0
 */
struct ctf_streams {
	int directory;
	uint8_t uuid[CTF_UUID_BYTES];
	size_t packet_bytes;
	int error;
};

/*
 * @fd:		-1 if not open
 * @packet:	current packet; @used bytes are filled
 * @begin_ns, @last_ns: begin of the packet, time of its last event
 * @packets:	number of written packets
 * @discarded:	lost events until the end of the packet
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

/* Makes the file; the first packet begins at @begin_ns.  Returns 0 or -errno. */
int ctf_stream_open(struct ctf_stream *stream, struct ctf_streams *all, uint32_t cpu,
		    uint64_t begin_ns);

/* Ends the last packet at @end_ns, or at its last event if that is later.  Sets @error of @all. */
void ctf_stream_close(struct ctf_stream *stream, uint64_t end_ns);

/*
 * Notes that @count events are lost between @from_ns and @to_ns.  Writes a packet for exactly this
 * interval, because readers show the interval of the packet as the loss.
 */
void ctf_stream_lose(struct ctf_stream *stream, uint64_t from_ns, uint64_t to_ns, uint64_t count);

void ctf_stream_flush(struct ctf_stream *stream, uint64_t end_ns);

/* ---- Bytes of a payload: each function returns the position of the next field ---- */

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
 * ctf_stream_event() - write the header of an event
 * @time_ns: not before the previous event of the stream
 * @bytes: largest size of the payload
 *
 * Return: position of the payload.  Pass its end to ctf_stream_done().
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
