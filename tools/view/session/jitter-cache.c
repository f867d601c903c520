// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the interruptions of a log when they are first asked for, and keeps them.
 *
 * Stage: between evtlog_jitter_new() and the answers.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "jitter-cache.h"
#include "jitter/dataset.h"

/* @result: of the first time, which is not tried again */
struct jitter_desk {
	char *log_path;
	char *samples_path;
	pthread_mutex_t lock;
	bool asked;
	int result;
	struct evtlog_error error;
	struct evtlog_file *file;
	struct evtlog_samples *samples;
	struct evtlog_jitter *jitter;
};

int jitter_desk_new(const char *path, struct jitter_desk **deskp)
{
	const char *slash = strrchr(path, '/');
	struct jitter_desk *desk = calloc(1, sizeof(*desk));

	*deskp = NULL;
	if (!desk)
		return -ENOMEM;
	pthread_mutex_init(&desk->lock, NULL);
	desk->log_path = strdup(path);
	if (asprintf(&desk->samples_path, "%.*s" RECORDED_LOGGED,
		     slash ? (int)(slash + 1 - path) : 0, path) < 0)
		desk->samples_path = NULL;
	if (!desk->log_path || !desk->samples_path) {
		jitter_desk_free(desk);
		return -ENOMEM;
	}
	if (access(desk->samples_path, F_OK))
		jitter_desk_free(desk);
	else
		*deskp = desk;
	return 0;
}

void jitter_desk_free(struct jitter_desk *desk)
{
	if (!desk)
		return;
	evtlog_jitter_free(desk->jitter);
	evtlog_samples_close(desk->samples);
	evtlog_close(desk->file);
	pthread_mutex_destroy(&desk->lock);
	free(desk->samples_path);
	free(desk->log_path);
	free(desk);
}

static void drop_samples(void *arg)
{
	struct jitter_desk *desk = arg;

	evtlog_samples_drop(desk->samples);
}

static int find(struct jitter_desk *desk)
{
	struct evtlog_jitter_options options = { .joined = drop_samples, .joined_arg = desk };
	int result;

	result = evtlog_samples_open(desk->samples_path, &desk->samples, &desk->error);
	if (result) {
		desk->samples = NULL;
		return result;
	}
	result = evtlog_open(desk->log_path, &desk->file, &desk->error);
	if (result) {
		desk->file = NULL;
		return result;
	}
	result = evtlog_jitter_new(desk->file, desk->samples, &options, &desk->jitter,
				   &desk->error);
	if (result)
		desk->jitter = NULL;
	return result;
}

int jitter_desk_ask(struct jitter_desk *desk, const struct evtlog_jitter **jitterp,
		    struct evtlog_error *why)
{
	int result;

	pthread_mutex_lock(&desk->lock);
	if (!desk->asked)
		desk->result = find(desk);
	desk->asked = true;
	result = desk->result;
	pthread_mutex_unlock(&desk->lock);
	*jitterp = desk->jitter;
	*why = desk->error;
	if (result && !why->reason[0])
		snprintf(why->reason, sizeof(why->reason), "%s", strerror(-result));
	return result;
}
