// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the interruptions of a log on the first request, and keeps them and their last chart, which
 * the page requests again if only its height or theme changes.
 *
 * Stage: between evtlog_jitter_new() and the answers.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "jitter/dataset.h"
#include "jitter/plot/plot.h"
#include "session.h"

/*
 * @result: of the first attempt, which is not repeated
 * @key: of @plot; NULL: there is none.  @plot_lock protects both
 */
struct jitter_cache {
	char *log_path;
	char *samples_path;
	pthread_mutex_t lock;
	bool asked;
	int result;
	struct evtlog_error error;
	struct evtlog_file *file;
	struct evtlog_samples *samples;
	struct evtlog_jitter *jitter;
	pthread_mutex_t plot_lock;
	char *key;
	struct jitter_plot plot;
};

int jitter_cache_new(const char *path, struct jitter_cache **cachep)
{
	const char *slash = strrchr(path, '/');
	struct jitter_cache *cache = calloc(1, sizeof(*cache));

	*cachep = NULL;
	if (!cache)
		return -ENOMEM;
	pthread_mutex_init(&cache->lock, NULL);
	pthread_mutex_init(&cache->plot_lock, NULL);
	cache->log_path = strdup(path);
	if (asprintf(&cache->samples_path, "%.*s" DATASET_LOGGED,
		     slash ? (int)(slash + 1 - path) : 0, path) < 0)
		cache->samples_path = NULL;
	if (!cache->log_path || !cache->samples_path) {
		jitter_cache_free(cache);
		return -ENOMEM;
	}
	if (access(cache->samples_path, F_OK))
		jitter_cache_free(cache);
	else
		*cachep = cache;
	return 0;
}

void jitter_cache_free(struct jitter_cache *cache)
{
	if (!cache)
		return;
	evtlog_jitter_free(cache->jitter);
	evtlog_samples_close(cache->samples);
	evtlog_close(cache->file);
	jitter_plot_free(&cache->plot);
	free(cache->key);
	pthread_mutex_destroy(&cache->plot_lock);
	pthread_mutex_destroy(&cache->lock);
	free(cache->samples_path);
	free(cache->log_path);
	free(cache);
}

static void drop_samples(void *arg)
{
	struct jitter_cache *cache = arg;

	evtlog_samples_drop(cache->samples);
}

static int find(struct jitter_cache *cache)
{
	struct evtlog_jitter_options options = { .joined = drop_samples, .joined_arg = cache };
	int result;

	result = evtlog_samples_open(cache->samples_path, &cache->samples, &cache->error);
	if (result) {
		cache->samples = NULL;
		return result;
	}
	result = evtlog_open(cache->log_path, &cache->file, &cache->error);
	if (result) {
		cache->file = NULL;
		return result;
	}
	result = evtlog_jitter_new(cache->file, cache->samples, &options, &cache->jitter,
				   &cache->error);
	if (result)
		cache->jitter = NULL;
	return result;
}

int jitter_cache_ask(struct jitter_cache *cache, const struct evtlog_jitter **jitterp,
		     struct evtlog_error *why)
{
	int result;

	pthread_mutex_lock(&cache->lock);
	if (!cache->asked)
		cache->result = find(cache);
	cache->asked = true;
	result = cache->result;
	pthread_mutex_unlock(&cache->lock);
	*jitterp = cache->jitter;
	*why = cache->error;
	if (result && !why->reason[0])
		snprintf(why->reason, sizeof(why->reason), "%s", strerror(-result));
	return result;
}

int jitter_cache_get(struct jitter_cache *cache, const char *key, const struct jitter_data *data,
		     const struct jitter_show *show, const struct jitter_plot **plotp)
{
	int error = 0;

	pthread_mutex_lock(&cache->plot_lock);
	if (!cache->key || strcmp(cache->key, key)) {
		jitter_plot_free(&cache->plot);
		free(cache->key);
		cache->key = strdup(key);
		error = jitter_plot_make(&cache->plot, data, show);
		if (error || !cache->key) {
			free(cache->key);
			cache->key = NULL;
			pthread_mutex_unlock(&cache->plot_lock);
			return -ENOMEM;
		}
	}
	*plotp = &cache->plot;
	return 0;
}

void jitter_cache_put(struct jitter_cache *cache)
{
	pthread_mutex_unlock(&cache->plot_lock);
}
