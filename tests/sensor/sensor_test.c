// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests a sensor's records, numbers and clients, without a kernel.
 *
 * Stage: calls tools/sensor with generated buffers.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <cmocka.h>

#include "sensor/clients.h"
#include "sensor/state.h"
#include "sensor/table.h"
#include "tests/support/seed.h"

#define BUFFER_WORDS	4096
#define FORMAT		"event\na:0:1:u b:1:2:d c:3:4:u d:7:8:d p:15:8:x\n"
#define PAYLOAD_BYTES	23

static uint64_t state;
static const char *socket_path;

static uint32_t draw(uint32_t below)
{
	return (xorshift(&state) >> 32) % below;
}

/* ---- Buffers ---- */

static union {
	struct evtlog_buffer_header header;
	uint64_t words[BUFFER_WORDS];
} buffer;

static size_t used;

static void start_buffer(void)
{
	memset(&buffer, 0, sizeof(buffer));
	buffer.header = (struct evtlog_buffer_header){
		.magic = EVTLOG_BUFFER_MAGIC, .abi_version = EVTLOG_ABI_VERSION,
		.header_bytes = sizeof(buffer.header), .ticks_hz = 1000000000,
	};
	used = sizeof(buffer.header) / 8;
}

static void put(unsigned int type, uint32_t id, const void *bytes, size_t count)
{
	uint64_t data = id | (uint64_t)count << EVTLOG_EVENT_ID_BITS;

	buffer.words[used] = data << EVTLOG_DATA_SHIFT | (uint64_t)type << EVTLOG_TYPE_SHIFT;
	if (count)
		memcpy(&buffer.words[used + 1], bytes, count);
	used += 1 + (count + 7) / 8;
	buffer.header.used_bytes = used * 8;
}

static void count_told(void *context, const struct sensor_record *record)
{
	(*(unsigned int *)context)++;
}

static int add(struct sensor_table *table, unsigned int *told)
{
	return sensor_records_add(table, &buffer.header, count_told, told);
}

/* ---- Numbers, compared with a simple model ---- */

struct model {
	uint64_t count;
	double sum;
	int64_t min, max, last;
	uint64_t buckets[SENSOR_BUCKETS];
};

/* Returns the first bucket whose limit is not below the value. */
static unsigned int slow_bucket(int64_t value)
{
	unsigned int bucket = 2;

	if (value <= 0)
		return value == 0;
	while (bucket < SENSOR_BUCKETS - 1 && (uint64_t)value > UINT64_C(1) << (bucket - 2))
		bucket++;
	return bucket;
}

static void learn(struct model *m, int64_t value)
{
	m->min = m->count && m->min < value ? m->min : value;
	m->max = m->count && m->max > value ? m->max : value;
	m->last = value;
	m->sum += value;
	m->count++;
	m->buckets[slow_bucket(value)]++;
}

static void put_random(struct model *models)
{
	static const size_t ends[] = { 1, 3, 7, 15 };
	uint8_t payload[PAYLOAD_BYTES];
	/* A short record lacks its last fields. */
	size_t bytes = draw(4) ? PAYLOAD_BYTES : draw(PAYLOAD_BYTES + 1);
	int64_t values[4];
	int64_t d = (int64_t)xorshift(&state) >> draw(64);
	uint32_t c = xorshift(&state) >> (32 + draw(32));
	int16_t b = xorshift(&state) >> draw(64);
	uint8_t a = draw(256);

	memset(payload, 0xff, sizeof(payload));
	payload[0] = a;
	memcpy(payload + 1, &b, 2);
	memcpy(payload + 3, &c, 4);
	memcpy(payload + 7, &d, 8);
	put(EVTLOG_EVENT, 7, payload, bytes);
	values[0] = a;
	values[1] = b;
	values[2] = c;
	values[3] = d;
	for (int i = 0; i < 4; i++)
		if (bytes >= ends[i])
			learn(&models[i], values[i]);
}

static void numbers(void **unused)
{
	struct sensor_table *table = sensor_table_new(NULL, "event.*");
	struct model models[4] = { 0 };
	unsigned int told = 0, records = 0;

	for (int round = 0; round < 50; round++) {
		start_buffer();
		put(EVTLOG_EVENT_FORMAT, 7, FORMAT, strlen(FORMAT));
		while (used + 8 < BUFFER_WORDS && draw(500)) {
			put_random(models);
			records++;
		}
		assert_int_equal(add(table, &told), 0);
	}
	assert_int_equal(table->event_count, 1);
	assert_int_equal(table->events[0].records, records);
	/* Hexadecimal fields are not counted. */
	assert_int_equal(table->events[0].field_count, 4);
	for (int i = 0; i < 4; i++) {
		const struct sensor_field *field = &table->events[0].fields[i];

		assert_int_equal(field->count, models[i].count);
		assert_int_equal((int64_t)field->min, models[i].min);
		assert_int_equal((int64_t)field->max, models[i].max);
		assert_int_equal((int64_t)field->last, models[i].last);
		assert_true(field->sum == models[i].sum);
		assert_memory_equal(field->buckets, models[i].buckets, sizeof(models[i].buckets));
	}
	assert_int_equal(told, 0);
	table->events[0].is_subscribed = true;
	assert_int_equal(add(table, &told), 0);
	assert_true(told > 0);
	sensor_table_free(table);
}

/* ---- Prometheus ---- */

static bool is_counter(const char *line, const char *value)
{
	static const char *const suffixes[] = { "_sum{", "_count{", "_bucket{", "_total{" };

	for (int i = 0; i < 4; i++) {
		const char *at = strstr(line, suffixes[i]);

		if (at && at < value)
			return true;
	}
	return false;
}

/* Each counter of @before is in @now, and is not smaller. Returns how many are larger. */
static unsigned int compare_counters(char *before, const char *now)
{
	unsigned int grown = 0;
	char *line, *rest = before;

	while ((line = strsep(&rest, "\n"))) {
		char *value = strchr(line, '}');
		const char *found;

		if (!value || *line == '#' || !is_counter(line, value))
			continue;
		value[1] = '\0';
		found = strstr(now, line);
		assert_non_null(found);
		found += strlen(line);
		assert_true(strtod(found, NULL) >= strtod(value + 2, NULL));
		grown += strtod(found, NULL) > strtod(value + 2, NULL);
	}
	return grown;
}

/* With signed and unsigned values the sum sometimes decreases, but no counter does. */
static void counters(void **unused)
{
	struct named_source source = { .name = "test" };
	struct sensor_table *table = sensor_table_new(NULL, "*");
	struct sensor_state shown = { .source = &source, .table = table };
	struct model models[4] = { 0 };
	unsigned int told = 0, grown = 0, fell = 0;
	char *before = strdup("");

	for (int round = 0; round < 200; round++) {
		double sum = models[3].sum;
		size_t length;
		char *now;
		FILE *out = open_memstream(&now, &length);

		start_buffer();
		put(EVTLOG_EVENT_FORMAT, 7, FORMAT, strlen(FORMAT));
		for (int i = draw(5); i; i--)
			put_random(models);
		assert_int_equal(add(table, &told), 0);
		sensor_print_metrics(out, &shown);
		fclose(out);
		fell += models[3].sum < sum;
		grown += compare_counters(before, now);
		free(before);
		before = now;
	}
	assert_in_range(fell, 20, 180);
	assert_true(grown > 1000);
	assert_non_null(strstr(before, "evtlog_field_negative_sum{buffer=\"test\",event=\"event\",field=\"d\"} "));
	for (int i = 0; i < 4; i++) {
		const struct sensor_field *field = &table->events[0].fields[i];

		assert_int_equal(field->side_count[0] + field->side_count[1], field->count);
		assert_int_equal(field->side_count[1], models[i].buckets[0]);
	}
	free(before);
	sensor_table_free(table);
}

static void bounds(void **unused)
{
	static const char one[] = "event\na:0:8:u\n";
	static const uint64_t values[] = { 0, 1, 2, 3, 4, 5, UINT64_C(1) << 63,
					   (UINT64_C(1) << 63) + 1, UINT64_MAX };
	static const int wanted[] = { 1, 2, 3, 4, 4, 5, 65, 66, 66 };
	struct sensor_table *table = sensor_table_new(NULL, "*");
	unsigned int told;

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		start_buffer();
		put(EVTLOG_EVENT_FORMAT, 1, one, strlen(one));
		put(EVTLOG_EVENT, 1, &values[i], 8);
		assert_int_equal(add(table, &told), 0);
		assert_true(table->events[0].fields[0].buckets[wanted[i]] > 0);
		table->events[0].fields[0].buckets[wanted[i]]--;
		for (int k = 0; k < SENSOR_BUCKETS; k++)
			if (k != wanted[i])
				assert_int_equal(table->events[0].fields[0].buckets[k], 0);
	}
	sensor_table_free(table);
}

/* ---- Formats ---- */

static void formats(void **unused)
{
	static const char other[] = "other\nx:0:4:u\n", again[] = "event\na:0:4:u\n";
	struct sensor_table *table = sensor_table_new("event.?", NULL);
	unsigned int told;
	uint32_t value = 5;
	char many[16384];
	int bytes = 0;

	start_buffer();
	put(EVTLOG_EVENT, 3, &value, 4);
	put(EVTLOG_EVENT_FORMAT, 3, "?", 1);
	assert_int_equal(add(table, &told), -ENOENT);
	assert_int_equal(table->unknown, 1);
	/* An id that is reused, and an event that gets another id */
	start_buffer();
	put(EVTLOG_EVENT_FORMAT, 3, again, strlen(again));
	put(EVTLOG_EVENT, 3, &value, 4);
	put(EVTLOG_EVENT_FORMAT, 3, other, strlen(other));
	put(EVTLOG_EVENT, 3, &value, 4);
	put(EVTLOG_EVENT_FORMAT, 4, again, strlen(again));
	put(EVTLOG_EVENT, 4, &value, 4);
	assert_int_equal(add(table, &told), 0);
	assert_int_equal(table->event_count, 2);
	assert_int_equal(table->events[0].records, 2);
	assert_int_equal(table->events[0].fields[0].count, 2);
	assert_int_equal(table->events[1].records, 1);
	assert_int_equal(table->events[1].field_count, 0);
	/* Events beyond the maximum are refused. */
	for (int i = 0; i < SENSOR_EVENTS_MAX + 10; i++) {
		bytes = snprintf(many, sizeof(many), "e%d\na:0:4:u\n", i);
		assert_int_equal(sensor_table_learn(table, 10 + i, many, bytes),
				 i + 2 < SENSOR_EVENTS_MAX ? 0 : -ENOSPC);
	}
	bytes = sprintf(many, "event\n");
	for (int i = 0; i < 200; i++)
		bytes += sprintf(many + bytes, "f%d:0:4:u ", i);
	strcpy(many + bytes - 1, "\n");
	sensor_table_free(table);
	table = sensor_table_new(NULL, NULL);
	assert_int_equal(sensor_table_learn(table, 9, many, bytes), 0);
	assert_int_equal(table->events[0].field_count, SENSOR_FIELDS_MAX);
	sensor_table_add(table, sensor_table_format(table, 9), &value, 4);
	assert_int_equal(sensor_table_learn(table, 9, "x", 1), -EBADMSG);
	sensor_table_free(table);
}

/* Adds two words as a record of a built-in event. */
static void put_builtin(unsigned int type, uint64_t data, uint64_t second, unsigned int words)
{
	buffer.words[used++] = data << EVTLOG_DATA_SHIFT | (uint64_t)type << EVTLOG_TYPE_SHIFT;
	buffer.words[used] = second;
	used += words - 1;
	buffer.header.used_bytes = used * 8;
}

static void keep_line(void *context, const struct sensor_record *record)
{
	FILE *out = fmemopen(context, 512, "w");

	assert_non_null(out);
	sensor_print_record(out, record);
	fclose(out);
}

/* The kernel's own events have names and fields, too; in a global buffer each has its CPU. */
static void builtin(void **unused)
{
	struct sensor_table *table = sensor_table_new(NULL, NULL);
	const struct sensor_event *events;
	char line[512];

	start_buffer();
	put_builtin(EVTLOG_ON_CPU, 5, 1, 2);
	put_builtin(EVTLOG_SCHED_SWITCH, 4711 | 1 << 22, 0, 1);
	put_builtin(EVTLOG_SCHED_SWITCH, 4712, 0, 1);
	put_builtin(EVTLOG_SCHED_WAKEUP_NEW, 4713, 3 | (uint64_t)(uint32_t)-7 << 32, 2);
	put_builtin(EVTLOG_SOFTIRQ_ENTRY, 3, 0, 1);
	put_builtin(EVTLOG_LOST, 0, 1, 4);
	assert_int_equal(sensor_records_add(table, &buffer.header, keep_line, line), 0);
	assert_int_equal(table->unknown, 0);
	assert_int_equal(table->event_count, 3);
	events = table->events;
	assert_string_equal(events[0].name, "sched_switch");
	assert_int_equal(events[0].records, 2);
	assert_int_equal(events[0].field_count, 0);
	assert_int_equal(events[1].field_count, 2);
	assert_string_equal(events[1].fields[0].name, "target_cpu");
	assert_int_equal(events[1].fields[0].last, 3);
	assert_string_equal(events[1].fields[1].name, "prio");
	assert_int_equal((int64_t)events[1].fields[1].last, -7);
	assert_string_equal(events[2].name, "softirq_entry");
	assert_int_equal(events[2].field_count, 0);
	/* A client sees all fields. */
	table->events[0].is_subscribed = true;
	start_buffer();
	put_builtin(EVTLOG_ON_CPU, 6, 1, 2);
	put_builtin(EVTLOG_SCHED_SWITCH, 4711 | 1 << 22, 0, 1);
	assert_int_equal(sensor_records_add(table, &buffer.header, keep_line, line), 0);
	assert_non_null(strstr(line, "\"event\": \"sched_switch\", \"cpu\": 6,"));
	assert_non_null(strstr(line, "\"fields\": {\"next_pid\": 4711, \"prev_state\": \"S\"}"));
	sensor_table_free(table);
}

/* Every type has a format that a table accepts, and a payload of this size. */
static void all_builtin(void **unused)
{
	for (unsigned int type = 0; type <= EVTLOG_TYPE_MAX; type++) {
		struct sensor_table *table = sensor_table_new(NULL, NULL);
		bool is_type = evtlog_record_words((uint64_t)type << EVTLOG_TYPE_SHIFT);

		assert_int_equal(sensor_records_learn_builtin(table, type), is_type ? 0 : -ENOENT);
		sensor_table_free(table);
	}
	assert_int_equal(sensor_builtin_type("sched_switch"), EVTLOG_SCHED_SWITCH);
	assert_int_equal(sensor_builtin_type("nonesuch"), 0);
}

/* With any contents of a buffer, no memory after it is read, and the output is JSON. */
static void damaged(void **unused)
{
	struct named_source source = { .name = "test" };
	struct model models[4] = { 0 };
	unsigned int told = 0, refused = 0;

	for (int round = 0; round < 2000; round++) {
		struct sensor_table *table = sensor_table_new(NULL, "*");
		struct sensor_state shown = { .source = &source, .table = table };
		FILE *out = fopen("/dev/null", "w");

		start_buffer();
		put(EVTLOG_EVENT_FORMAT, 7, FORMAT, strlen(FORMAT));
		for (int i = draw(20); i; i--)
			put_random(models);
		for (int i = draw(10); i; i--)
			((uint8_t *)&buffer)[256 + draw(8 * used - 256)] = draw(256);
		if (!draw(4))
			buffer.header.used_bytes -= 8 * draw(used - 32);
		if (!draw(8))
			buffer.header.header_bytes = draw(65536);
		/* ASan detects reads after its end. */
		size_t bytes = buffer.header.used_bytes;
		struct evtlog_buffer_header *exact = malloc(bytes);

		memcpy(exact, &buffer, bytes);
		refused += sensor_records_add(table, exact, count_told, &told) != 0;
		free(exact);
		sensor_print_stats(out, &shown, false);
		sensor_print_metrics(out, &shown);
		fclose(out);
		sensor_table_free(table);
	}
	assert_in_range(refused, 100, 1990);
}

/* ---- Clients ---- */

static int connect_client(void)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);

	strncpy(to.sun_path, socket_path, sizeof(to.sun_path) - 1);
	assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof(to)), 0);
	return fd;
}

static void turn(struct clients *clients)
{
	struct epoll_event events[64];
	int count;

	while ((count = epoll_wait(clients->epoll, events, 64, 0)) > 0) {
		bool heard = false;

		for (int i = 0; i < count; i++) {
			heard |= events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR);
			clients_ready(clients, events[i].data.u64, events[i].events, "hello\n", 6);
		}
		if (!heard)
			return;
	}
}

static void listen_at(struct clients *clients)
{
	clients_init(clients);
	assert_int_equal(clients_listen(clients, socket_path, -1, epoll_create1(0), 1ULL << 33), 0);
}

static void hang_up(struct clients *clients)
{
	int epoll = clients->epoll;

	clients_close(clients);
	close(epoll);
	assert_int_equal(access(socket_path, F_OK), -1);
}

static void say(struct clients *clients, int fd, const char *text)
{
	assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
	turn(clients);
}

static void subscriptions(void **unused)
{
	struct clients *clients = malloc(sizeof(*clients));
	char text[256] = "", line[300];
	int fd, other;

	listen_at(clients);
	fd = connect_client();
	turn(clients);
	assert_int_equal(clients->count, 1);
	assert_false(clients_want(clients, "udp_sendmsg"));
	say(clients, fd, "subscribe x,ud");
	assert_false(clients_want(clients, "udp_sendmsg"));
	say(clients, fd, "p_*\n");
	assert_true(clients_want(clients, "udp_sendmsg"));
	assert_false(clients_want(clients, "tcp_sendmsg"));
	say(clients, fd, "subscribe tcp_sendmsg\r\n");
	assert_true(clients_want(clients, "tcp_sendmsg"));
	assert_false(clients_want(clients, "udp_sendmsg"));
	clients_send(clients, "udp_sendmsg", "no\n", 3);
	clients_send(clients, "tcp_sendmsg", "yes\n", 4);
	clients_send(clients, NULL, "all\n", 4);
	assert_int_equal(recv(fd, text, sizeof(text), 0), 14);
	assert_string_equal(text, "hello\nyes\nall\n");
	/* A line without an end is ignored. */
	other = connect_client();
	turn(clients);
	memset(line, 'x', sizeof(line));
	assert_int_equal(send(other, line, sizeof(line), MSG_NOSIGNAL), sizeof(line));
	turn(clients);
	assert_int_equal(clients->count, 1);
	close(other);
	/* A client that closes its sending side may continue to read. */
	shutdown(fd, SHUT_WR);
	turn(clients);
	assert_int_equal(clients->count, 1);
	close(fd);
	turn(clients);
	assert_int_equal(clients->count, 0);
	assert_false(clients_want(clients, "tcp_sendmsg"));
	hang_up(clients);
	free(clients);
}

static void too_many(void **unused)
{
	struct clients *clients = malloc(sizeof(*clients));
	int fds[CLIENTS_MAX + 3];
	char text[256];

	listen_at(clients);
	for (int i = 0; i < CLIENTS_MAX + 3; i++) {
		fds[i] = connect_client();
		turn(clients);
	}
	assert_int_equal(clients->count, CLIENTS_MAX);
	assert_true(recv(fds[CLIENTS_MAX], text, sizeof(text), 0) > 0);
	assert_non_null(strstr(text, "64 clients already"));
	for (int i = 0; i < CLIENTS_MAX + 3; i++)
		close(fds[i]);
	turn(clients);
	assert_int_equal(clients->count, 0);
	hang_up(clients);
	free(clients);
}

/* Each line is sent or counted as skipped, in whole lines, however slowly a client reads. */
static void slow(void **unused)
{
	struct clients *clients = malloc(sizeof(*clients));
	static char line[3000], text[1 << 20];
	size_t lines = 0, skipped = 0, sent = 5000, have = 0;
	int fd;

	memset(line, 'x', sizeof(line));
	line[sizeof(line) - 1] = '\n';
	listen_at(clients);
	fd = connect_client();
	turn(clients);
	for (size_t i = 0; i < sent + 200; i++) {
		size_t length = i < sent ? 2 + draw(sizeof(line) - 2) : 2;
		ssize_t bytes = 0;

		clients_send(clients, NULL, line + sizeof(line) - length, length);
		/* At the end the client reads all. */
		if (i >= sent || !draw(6))
			bytes = recv(fd, text + have, i >= sent ? sizeof(text) - have - 1 : 4000, 0);
		have += bytes > 0 ? bytes : 0;
		for (char *end; (end = memchr(text, '\n', have));) {
			size_t told;

			*end = '\0';
			if (sscanf(text, "{\"type\": \"skipped\", \"lines\": %zu}", &told) == 1)
				skipped += told;
			else
				assert_int_equal(strspn(text, text[0] == 'h' ? "hello" : "x"), strlen(text));
			lines += text[0] == 'x';
			have -= end + 1 - text;
			memmove(text, end + 1, have);
		}
		turn(clients);
	}
	assert_int_equal(lines + skipped, sent + 200);
	assert_int_equal(clients->skipped, skipped);
	assert_true(skipped > 100);
	close(fd);
	hang_up(clients);
	free(clients);
}

static void hostile(void **unused)
{
	static const char *const texts[] = { "subscribe ", "subscribe *\n", "\n", "subscribe a,b\n" };
	struct clients *clients = malloc(sizeof(*clients));
	int fds[40], open = 0;

	listen_at(clients);
	for (int round = 0; round < 20000; round++) {
		uint32_t what = draw(8);
		int at = draw(open + 1);
		char bytes[600];

		if (at == open && open < 40) {
			fds[open++] = connect_client();
		} else if (at == open || what == 0) {
			at = at == open ? 0 : at;
			close(fds[at]);
			fds[at] = fds[--open];
		} else if (what < 4) {
			send(fds[at], texts[what], strlen(texts[what]), MSG_NOSIGNAL);
		} else if (what < 6) {
			size_t length = draw(sizeof(bytes));

			for (size_t i = 0; i < length; i++)
				bytes[i] = xorshift(&state);
			send(fds[at], bytes, length, MSG_NOSIGNAL);
		} else if (what == 6) {
			recv(fds[at], bytes, draw(sizeof(bytes)), 0);
		} else {
			clients_send(clients, draw(2) ? "a" : NULL, "line\n", 5);
		}
		if (draw(2))
			turn(clients);
	}
	while (open)
		close(fds[--open]);
	turn(clients);
	assert_int_equal(clients->count, 0);
	hang_up(clients);
	free(clients);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers), cmocka_unit_test(counters),
		cmocka_unit_test(bounds), cmocka_unit_test(formats),
		cmocka_unit_test(builtin), cmocka_unit_test(all_builtin),
		cmocka_unit_test(damaged), cmocka_unit_test(subscriptions),
		cmocka_unit_test(too_many), cmocka_unit_test(slow), cmocka_unit_test(hostile),
	};

	state = seed_state();
	socket_path = argv[1];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
