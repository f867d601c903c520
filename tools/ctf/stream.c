// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the events of a CPU as a CTF stream: packets in a file.
 *
 * A packet is a header, a context and events, without padding, as metadata.c declares it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/base/io.h"
#include "stream.h"

#define PACKET_MAGIC	0xc1fc1fc1u
/* packet.header and packet.context */
#define PACKET_HEADER_BYTES	(4 + CTF_UUID_BYTES + 4 + 8 + 6 * 8 + 4)

int ctf_stream_open(struct ctf_stream *stream, struct ctf_streams *all, uint32_t cpu,
		    uint64_t begin_ns)
{
	char name[32];

	*stream = (struct ctf_stream) {
		.all = all,
		.cpu = cpu,
		.used = PACKET_HEADER_BYTES,
		.begin_ns = begin_ns,
		.last_ns = begin_ns,
	};
	snprintf(name, sizeof(name), "channel0_%u", cpu);
	stream->fd = openat(all->directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (stream->fd < 0)
		return -errno;
	stream->packet = malloc(all->packet_bytes);
	return stream->packet ? 0 : -ENOMEM;
}

static void write_packet(struct ctf_stream *stream, uint64_t end_ns)
{
	uint8_t *at = stream->packet;
	uint64_t bits = stream->used * 8;
	int error;

	at = put_u32(at, PACKET_MAGIC);
	at = put_bytes(at, stream->all->uuid, CTF_UUID_BYTES);
	at = put_u32(at, 0);
	at = put_u64(at, stream->cpu);
	at = put_u64(at, stream->begin_ns);
	at = put_u64(at, end_ns);
	at = put_u64(at, bits);
	at = put_u64(at, bits);
	at = put_u64(at, stream->packets++);
	at = put_u64(at, stream->discarded);
	put_u32(at, stream->cpu);
	error = io_write(stream->fd, stream->packet, stream->used);
	if (error && !stream->all->error)
		stream->all->error = error;
	stream->used = PACKET_HEADER_BYTES;
	stream->begin_ns = end_ns;
	stream->last_ns = end_ns;
}

void ctf_stream_flush(struct ctf_stream *stream, uint64_t end_ns)
{
	if (stream->used > PACKET_HEADER_BYTES)
		write_packet(stream, end_ns);
}

void ctf_stream_lose(struct ctf_stream *stream, uint64_t from_ns, uint64_t to_ns, uint64_t count)
{
	if (from_ns < stream->last_ns)
		from_ns = stream->last_ns;
	if (to_ns < from_ns)
		to_ns = from_ns;
	/* Readers show a loss from the end of the previous packet on, and ignore it without one. */
	if (stream->used > PACKET_HEADER_BYTES || !stream->packets || stream->begin_ns < from_ns)
		write_packet(stream, from_ns);
	stream->discarded += count;
	write_packet(stream, to_ns);
}

void ctf_stream_close(struct ctf_stream *stream, uint64_t end_ns)
{
	if (stream->packet) {
		if (end_ns < stream->last_ns)
			end_ns = stream->last_ns;
		if (stream->used > PACKET_HEADER_BYTES || !stream->packets)
			write_packet(stream, end_ns);
		free(stream->packet);
		stream->packet = NULL;
	}
	if (stream->fd >= 0 && close(stream->fd) && !stream->all->error)
		stream->all->error = -errno;
	stream->fd = -1;
}
