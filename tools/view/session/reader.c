// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opens the session's logs for reading events, and finds the names of pids at a time.
 *
 * Reads no events.
 */
#include <errno.h>
#include <stdlib.h>

#include "session.h"

static void free_reader(struct session_reader *reader)
{
	evtlog_tasks_free(reader->names);
	evtlog_close(reader->file);
	free(reader);
}

int session_reader_get(struct session *session, uint32_t host_number,
		       struct session_reader **readerp)
{
	struct session_host *host = &session->hosts[host_number];
	struct session_reader *reader;
	int error;

	pthread_mutex_lock(&host->lock);
	reader = host->readers;
	if (reader)
		host->readers = reader->next;
	pthread_mutex_unlock(&host->lock);
	*readerp = reader;
	if (reader)
		return 0;
	reader = calloc(1, sizeof(*reader));
	if (!reader)
		return -ENOMEM;
	reader->host = host_number;
	error = evtlog_open(host->path, &reader->file, NULL);
	if (error) {
		free(reader);
		/* -ENOENT and -EINVAL would mean that the request is wrong. */
		return error == -ENOENT || error == -EINVAL ? -EIO : error;
	}
	error = evtlog_tasks_new(reader->file, &reader->names);
	if (error) {
		free_reader(reader);
		return error;
	}
	*readerp = reader;
	return 0;
}

void session_reader_put(struct session *session, struct session_reader *reader)
{
	struct session_host *host;

	if (!reader)
		return;
	host = &session->hosts[reader->host];
	pthread_mutex_lock(&host->lock);
	reader->next = host->readers;
	host->readers = reader;
	pthread_mutex_unlock(&host->lock);
}

void session_readers_free(struct session_host *host)
{
	while (host->readers) {
		struct session_reader *reader = host->readers;

		host->readers = reader->next;
		free_reader(reader);
	}
}

int session_name(struct session *session, struct session_reader *reader, uint32_t pid,
		 uint64_t raw_ns)
{
	uint32_t id = session_task_at(session, reader->host, pid, raw_ns);
	const char *comm = pid ? session_task_name(session, reader->host, id, raw_ns) : NULL;
	struct evtlog_event naming = {
		.kind = EVTLOG_EVENT_BUFFER,
		.begin_pid = pid,
	};

	if (!comm || !comm[0])
		return 0;
	naming.begin_comm = comm;
	return evtlog_tasks_update(reader->names, &naming);
}
