// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sends packets of Ganglia's protocol, gm_protocol.x.
 *
 * Each metric has a packet with metadata and a packet with its value as text.  gmond loses
 * metadata when it restarts, and does not ask unicast senders for it.  So metadata is sent every
 * minute, and when there is a new metric.
 */
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/error.h"
#include "common/number.h"
#include "state.h"

#define METADATA_EVERY_NS	(60 * UINT64_C(1000000000))
/* The default limit of gmond. */
#define PACKET_BYTES		1472

enum { FORMAT_METADATA = 128, FORMAT_STRING = 133 };
enum { SLOPE_POSITIVE = 1, SLOPE_BOTH = 3 };

struct packet {
	uint8_t at[PACKET_BYTES];
	size_t bytes;
};

struct metric {
	char name[3 * EVTLOG_NAME_MAX + 32];
	char title[3 * EVTLOG_NAME_MAX + 32];
	const char *type, *units, *description;
	uint32_t slope;
	char value[32];
};

struct sending {
	struct ganglia *ganglia;
	bool with_metadata;
	size_t metrics;
};

static void put_u32(struct packet *packet, uint32_t value)
{
	uint8_t *at = packet->at + packet->bytes;

	at[0] = value >> 24;
	at[1] = value >> 16;
	at[2] = value >> 8;
	at[3] = value;
	packet->bytes += 4;
}

/* All strings of a metric are much shorter than a packet: names have at most 31 bytes. */
static void put_text(struct packet *packet, const char *text)
{
	size_t length = strlen(text), padded = (length + 3) / 4 * 4;

	put_u32(packet, length);
	memset(packet->at + packet->bytes, 0, padded);
	memcpy(packet->at + packet->bytes, text, length);
	packet->bytes += padded;
}

static void put_head(struct packet *packet, uint32_t format, const struct ganglia *ganglia,
		     const struct metric *metric)
{
	packet->bytes = 0;
	put_u32(packet, format);
	put_text(packet, ganglia->host);
	put_text(packet, metric->name);
	put_u32(packet, 0);	/* not spoofed: a metric of this host */
}

static void put_extra(struct packet *packet, const char *name, const char *value)
{
	put_text(packet, name);
	put_text(packet, value);
}

static void send_packet(struct ganglia *ganglia, const struct packet *packet)
{
	if (send(ganglia->fd, packet->at, packet->bytes, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		ganglia->errors++;
}

/* @tmax: maximum time between values; @dmax: gmond drops the metric if none comes for this time */
static void send_metadata(struct ganglia *ganglia, const struct metric *metric)
{
	struct packet packet;

	put_head(&packet, FORMAT_METADATA, ganglia, metric);
	put_text(&packet, metric->type);
	put_text(&packet, metric->name);
	put_text(&packet, metric->units);
	put_u32(&packet, metric->slope);
	put_u32(&packet, ganglia->interval_s);
	put_u32(&packet, 10 * ganglia->interval_s < 60 ? 60 : 10 * ganglia->interval_s);
	put_u32(&packet, 3);
	put_extra(&packet, "GROUP", "evtlog");
	put_extra(&packet, "TITLE", metric->title);
	put_extra(&packet, "DESC", metric->description);
	send_packet(ganglia, &packet);
}

static void send_value(struct ganglia *ganglia, const struct metric *metric)
{
	struct packet packet;

	put_head(&packet, FORMAT_STRING, ganglia, metric);
	put_text(&packet, "%s");
	put_text(&packet, metric->value);
	send_packet(ganglia, &packet);
}

static void send_metric(struct sending *sending, const struct metric *metric)
{
	sending->metrics++;
	if (sending->with_metadata)
		send_metadata(sending->ganglia, metric);
	send_value(sending->ganglia, metric);
}

static void send_lost(struct sending *sending, const struct sensor_state *state)
{
	struct metric metric = {
		.type = "double", .units = "events", .slope = SLOPE_POSITIVE,
		.description = "Events that are in no record of the named buffer",
	};

	snprintf(metric.name, sizeof(metric.name), "evtlog_%s_lost", state->source->name);
	snprintf(metric.title, sizeof(metric.title), "%s: lost events", state->source->name);
	snprintf(metric.value, sizeof(metric.value), "%llu",
		 (unsigned long long)sensor_lost(state));
	send_metric(sending, &metric);
}

static void send_event(struct sending *sending, const struct sensor_state *state,
		       const struct sensor_event *event)
{
	const char *buffer = state->source->name;
	struct metric metric = {
		.type = "double", .units = "events/s", .slope = SLOPE_BOTH,
		.description = "Records of the event in a second",
	};

	snprintf(metric.name, sizeof(metric.name), "evtlog_%s_%s_rate", buffer, event->name);
	snprintf(metric.title, sizeof(metric.title), "%s: %s", buffer, event->name);
	snprintf(metric.value, sizeof(metric.value), "%.3f", event->rate);
	send_metric(sending, &metric);
	metric.units = "";
	metric.description = "Mean of the event's field in the last interval";
	for (size_t i = 0; i < event->field_count; i++) {
		const struct sensor_field *field = &event->fields[i];

		if (!field->has_mean)
			continue;
		snprintf(metric.name, sizeof(metric.name), "evtlog_%s_%s_%s_mean", buffer,
			 event->name, field->name);
		snprintf(metric.title, sizeof(metric.title), "%s: mean %s of %s", buffer,
			 field->name, event->name);
		snprintf(metric.value, sizeof(metric.value), "%.3f", field->mean);
		send_metric(sending, &metric);
	}
}

static size_t count_metrics(const struct sensor_table *table)
{
	size_t count = 1 + table->event_count;

	for (size_t i = 0; i < table->event_count; i++)
		for (size_t k = 0; k < table->events[i].field_count; k++)
			count += table->events[i].fields[k].has_mean;
	return count;
}

void ganglia_send(struct ganglia *ganglia, const struct sensor_state *state, uint64_t now_ns)
{
	size_t count = count_metrics(state->table);
	struct sending sending = { .ganglia = ganglia };

	/* Also sent if a metric comes back. */
	sending.with_metadata = !ganglia->metadata_ns || count > ganglia->metrics ||
				now_ns - ganglia->metadata_ns >= METADATA_EVERY_NS;
	if (sending.with_metadata) {
		ganglia->metadata_ns = now_ns;
		ganglia->metrics = count;
	}
	send_lost(&sending, state);
	for (size_t i = 0; i < state->table->event_count; i++)
		send_event(&sending, state, &state->table->events[i]);
}

/* Splits a copy of HOST:PORT or [ADDRESS]:PORT.  Returns the host, NULL for other forms. */
static char *split(char *target, char **port)
{
	char *host = target, *colon = strrchr(target, ':');
	uint64_t number;

	if (!colon || colon == target || number_parse(&number, colon + 1, 1, UINT16_MAX))
		return NULL;
	*colon = '\0';
	*port = colon + 1;
	if (*host != '[')
		return strchr(host, ':') ? NULL : host;
	if (colon[-1] != ']')
		return NULL;
	colon[-1] = '\0';
	return host + 1;
}

static int connect_first(const struct addrinfo *at)
{
	int error = -EADDRNOTAVAIL;

	for (; at; at = at->ai_next) {
		int fd = socket(at->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);

		if (fd >= 0 && !connect(fd, at->ai_addr, at->ai_addrlen))
			return fd;
		error = -errno;
		if (fd >= 0)
			close(fd);
	}
	return error;
}

int ganglia_open(struct ganglia *ganglia, const char *target, uint64_t interval_ms)
{
	struct addrinfo hints = { .ai_socktype = SOCK_DGRAM }, *found;
	char *copy = strdup(target), *port, *host = copy ? split(copy, &port) : NULL;
	int error;

	*ganglia = (struct ganglia){ .fd = -1, .host = "localhost",
				     .interval_s = (interval_ms + 999) / 1000 };
	gethostname(ganglia->host, sizeof(ganglia->host) - 1);
	if (!host) {
		free(copy);
		pr_err("--ganglia: %s: give HOST:PORT, such as 10.0.0.1:8649", target);
		return -EINVAL;
	}
	error = getaddrinfo(host, port, &hints, &found);
	free(copy);
	if (error) {
		pr_err("--ganglia: %s: %s", target, gai_strerror(error));
		return -EINVAL;
	}
	ganglia->fd = connect_first(found);
	freeaddrinfo(found);
	if (ganglia->fd < 0) {
		pr_err("--ganglia: %s: %s", target, strerror(-ganglia->fd));
		return ganglia->fd;
	}
	return 0;
}

void ganglia_close(struct ganglia *ganglia)
{
	if (ganglia->fd >= 0)
		close(ganglia->fd);
	ganglia->fd = -1;
}
