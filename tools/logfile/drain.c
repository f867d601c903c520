// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Moves full buffers from the kernel into files, and returns them after they are written.
 *
 * If a buffer cannot be written, it is kept and no other buffer is taken.  Then the kernel drops
 * records and counts them; none is dropped here.
 */
#include <errno.h>
#include <string.h>

#include "common/say.h"
#include "control/stream.h"
#include "drain.h"
#include "runs.h"

static void say_blocked(const struct streams *streams, struct stream *stream, int error)
{
	if (stream->is_blocked)
		return;
	stream->is_blocked = true;
	say_error("%s/%s: %s", streams->folder, stream->name, error == -EBUSY ?
		  "another process reads it and takes its buffers: stop that process" :
		  strerror(-error));
}

/*
 * Moves at most one buffer.  Returns 1 if moved, 0 if there is none, -EAGAIN if it could not be
 * written, -EBUSY if it could not be taken or returned.
 */
static int move_one(struct streams *streams, struct stream *stream, struct runs *runs)
{
	const struct evtlog_buffer_header *buffer;
	int result = stream_get(streams, stream, &buffer);

	/* Buffers are more important than compression. */
	if (result == -ENOMEM && runs_spare_memory(runs))
		result = stream_get(streams, stream, &buffer);
	if (!result)
		return 0;
	if (result > 0 && runs_put(runs, buffer))
		return -EAGAIN;
	if (result == -EBADMSG)
		runs_put_unreadable(runs, stream->cpu, stream->held.used_bytes);
	if (result > 0 || result == -EBADMSG)
		result = stream_put(streams, stream);
	if (result) {
		say_blocked(streams, stream, result);
		return -EBUSY;
	}
	stream->is_blocked = false;
	return 1;
}

enum drain_result drain_run(struct streams *streams, struct runs *runs, unsigned int passes)
{
	for (unsigned int pass = 0; !passes || pass < passes; pass++) {
		bool blocked = false, moved = false;

		for (size_t i = 0; i < streams->count; i++) {
			int result = move_one(streams, &streams->at[i], runs);

			if (result == -EAGAIN)
				return DRAIN_STALLED;
			blocked = blocked || result == -EBUSY;
			moved = moved || result > 0;
		}
		if (!moved)
			return blocked ? DRAIN_BLOCKED : DRAIN_EMPTY;
	}
	return DRAIN_MORE;
}
