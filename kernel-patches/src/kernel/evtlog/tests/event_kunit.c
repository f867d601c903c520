// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: tests registered events.
 *
 * Uses a real run: registers and puts events, stops, and reads the rings of all CPUs.
 */
#include <kunit/test.h>
#include <linux/evtlog.h>
#include <linux/preempt.h>
#include <linux/string.h>

#include "buffers.h"
#include "events.h"
#include "event/route.h"
#include "event/table.h"
#include "filter/hook.h"
#include "ring.h"
#include "run.h"

/* Events found in the rings; @wrong: number of bytes that put_pattern() did not put */
struct found {
	u32 events, formats;
	u64 lost_full, lost_nmi, lost_large;
	u32 wrong;
	int id;
	char text[64];
};

static u8 pattern_at(size_t i, size_t bytes)
{
	return i * 7 + bytes;
}

static int put_pattern(int id, size_t bytes)
{
	static u8 data[EVTLOG_EVENT_BYTES_MAX + 8];
	size_t i;

	for (i = 0; i < bytes; i++)
		data[i] = pattern_at(i, bytes);
	return evtlog_event_put(id, data, bytes);
}

static bool reserve_pattern(int id, size_t bytes)
{
	unsigned long flags;
	u8 *payload = evtlog_event_reserve(id, bytes, &flags);
	size_t i;

	if (!payload)
		return false;
	for (i = 0; i < bytes; i++)
		payload[i] = pattern_at(i, bytes);
	evtlog_event_commit(flags);
	return true;
}

static void look_at(struct found *found, const u64 *record)
{
	u32 type = *record >> EVTLOG_TYPE_SHIFT & EVTLOG_TYPE_MAX;
	size_t bytes = evtlog_event_bytes(*record), i;
	const u8 *payload = (const u8 *)(record + 1);

	if (type == EVTLOG_EVENT_FORMAT) {
		found->formats++;
		strscpy(found->text, payload, min(sizeof(found->text), bytes + 1));
	}
	if (type != EVTLOG_EVENT)
		return;
	found->events++;
	found->id = *record >> EVTLOG_DATA_SHIFT & EVTLOG_EVENT_ID_MAX;
	for (i = 0; i < ALIGN(bytes, 8); i++)
		found->wrong += payload[i] != (i < bytes ? pattern_at(i, bytes) : 0);
}

static void look_through(struct found *found, const struct evtlog_buffer_header *h)
{
	const u64 *at = (const u64 *)(h + 1), *end = (const void *)h + h->used_bytes;

	found->lost_full += h->lost[EVTLOG_LOST_FULL];
	found->lost_nmi += h->lost[EVTLOG_LOST_NMI];
	found->lost_large += h->lost[EVTLOG_LOST_LARGE];
	for (; at < end; at += evtlog_record_words(*at)) {
		if (!evtlog_record_words(*at) || evtlog_record_words(*at) > end - at) {
			found->wrong++;
			return;
		}
		look_at(found, at);
	}
}

/* Stops the run and reads it. */
static struct found stop_and_read(struct kunit *test)
{
	const struct evtlog_buffer_header *h;
	struct found found = { 0 };
	unsigned int cpu;

	KUNIT_EXPECT_EQ(test, evtlog_run_stop(), 0);
	for_each_possible_cpu(cpu) {
		struct evtlog_ring *r = per_cpu_ptr(&evtlog_ring, cpu);

		while ((h = evtlog_ring_peek(r, NULL))) {
			look_through(&found, h);
			evtlog_ring_release(r);
			evtlog_run_reader_returned(cpu);
		}
	}
	KUNIT_EXPECT_EQ(test, found.wrong, 0);
	return found;
}

static void start(struct kunit *test, unsigned int buffers, unsigned int buffer_kb)
{
	int error;

	rt_mutex_lock(&evtlog_run_lock);
	evtlog_events_set(BIT_ULL(EVTLOG_EVENT));
	error = evtlog_run_set_geometry(buffers, buffer_kb);
	rt_mutex_unlock(&evtlog_run_lock);
	KUNIT_ASSERT_EQ(test, error, 0);
	KUNIT_ASSERT_EQ(test, evtlog_run_start(NULL), 0);
}

static int registered(struct kunit *test, const char *name, const char *fields)
{
	int id = evtlog_event_register(name, fields);

	KUNIT_ASSERT_GT(test, id, 0);
	KUNIT_ASSERT_LE(test, id, EVTLOG_EVENT_ID_MAX);
	return id;
}

static void a_record_of_each_size_is_read_back(struct kunit *test)
{
	int id = registered(test, "kunit_sizes", "");
	u32 put = 0, refused = 0, bytes;
	struct found found;

	start(test, 64, 1024);
	for (bytes = 0; bytes <= EVTLOG_EVENT_BYTES_MAX; bytes += bytes < 40 ? 1 : 33) {
		refused += put_pattern(id, bytes) != 0;
		refused += !reserve_pattern(id, bytes);
		put += 2;
	}
	refused += put_pattern(id, EVTLOG_EVENT_BYTES_MAX) != 0;
	put++;
	found = stop_and_read(test);
	evtlog_event_unregister(id);

	KUNIT_EXPECT_EQ(test, refused, 0);
	KUNIT_EXPECT_EQ(test, found.events, put);
	KUNIT_EXPECT_EQ(test, found.id, id);
	KUNIT_EXPECT_EQ(test, found.lost_full, 0);
}

static void formats_are_told_at_the_start_and_when_they_come(struct kunit *test)
{
	int first = registered(test, "kunit_first", "a:0:4:u"), second;
	struct found found;

	start(test, 2, 256);
	second = registered(test, "kunit_second", "b:0:8:x c:8:0:c");
	KUNIT_EXPECT_NE(test, first, second);
	found = stop_and_read(test);
	KUNIT_EXPECT_GE(test, found.formats, 2);
	KUNIT_EXPECT_STREQ(test, found.text, "kunit_second\nb:0:8:x c:8:0:c\n");
	evtlog_event_unregister(first);
	evtlog_event_unregister(second);
}

static void an_id_is_not_given_anew_within_a_run(struct kunit *test)
{
	unsigned int i;
	int id, again;

	start(test, 2, 1024);
	id = registered(test, "kunit_gone", "");
	evtlog_event_unregister(id);
	KUNIT_EXPECT_EQ(test, put_pattern(id, 8), -EINVAL);
	KUNIT_EXPECT_FALSE(test, reserve_pattern(id, 8));
	for (i = 0; i < 100; i++) {
		again = registered(test, "kunit_gone", "");
		KUNIT_EXPECT_NE(test, again, id);
		evtlog_event_unregister(again);
	}
	KUNIT_EXPECT_EQ(test, stop_and_read(test).events, 0);
}

static void what_is_too_large_is_refused_and_counted(struct kunit *test)
{
	int id = registered(test, "kunit_large", "");
	struct found found;

	start(test, 64, 4);
	KUNIT_EXPECT_EQ(test, put_pattern(id, 1016), 0);
	KUNIT_EXPECT_EQ(test, put_pattern(id, 1017), -EMSGSIZE);
	KUNIT_EXPECT_EQ(test, put_pattern(id, EVTLOG_EVENT_BYTES_MAX + 1), -EMSGSIZE);
	KUNIT_EXPECT_FALSE(test, reserve_pattern(id, SIZE_MAX));
	KUNIT_EXPECT_EQ(test, evtlog_event_register("kunit_larger", "a:1016:1:u"), -EMSGSIZE);
	found = stop_and_read(test);
	evtlog_event_unregister(id);
	KUNIT_EXPECT_EQ(test, found.events, 1);
	KUNIT_EXPECT_EQ(test, found.lost_large, 3);
}

static void a_full_ring_refuses_each(struct kunit *test)
{
	int id = registered(test, "kunit_full", "");
	u32 put = 0, refused = 0, i;
	struct found found;

	start(test, 2, 16);
	for (i = 0; i < 100; i++) {
		int error = put_pattern(id, 1000 + i);

		put += !error;
		refused += error == -ENOBUFS;
	}
	found = stop_and_read(test);
	evtlog_event_unregister(id);
	KUNIT_EXPECT_EQ(test, put + refused, 100);
	KUNIT_EXPECT_GT(test, refused, 0);
	KUNIT_EXPECT_EQ(test, found.events, put);
	KUNIT_EXPECT_GE(test, found.lost_full, refused);
}

static void nothing_is_written_in_an_nmi_or_without_a_run(struct kunit *test)
{
	int id = registered(test, "kunit_nmi", "");
	struct found found;
	unsigned long flags;

	KUNIT_EXPECT_EQ(test, put_pattern(id, 8), -ENODATA);
	KUNIT_EXPECT_FALSE(test, reserve_pattern(id, 8));
	start(test, 2, 64);
	KUNIT_EXPECT_EQ(test, put_pattern(id, 8), 0);
	local_irq_save(flags);
	preempt_count_add(NMI_OFFSET);
	KUNIT_EXPECT_EQ(test, put_pattern(id, 8), -EBUSY);
	preempt_count_sub(NMI_OFFSET);
	local_irq_restore(flags);
	found = stop_and_read(test);
	evtlog_event_unregister(id);
	KUNIT_EXPECT_EQ(test, found.events, 1);
	KUNIT_EXPECT_EQ(test, found.lost_nmi, 1);
}

/* Writes as a hook that interrupts: with interrupts off already. */
static bool nested_event(int id)
{
	u64 *record = evtlog_reserve_irqoff(EVTLOG_EVENT_TAG(id, 56), 8);
	unsigned int i;

	for (i = 0; record && i < 56; i++)
		((u8 *)(record + 1))[i] = pattern_at(i, 56);
	return record;
}

static void what_comes_within_a_reservation_hands_no_buffer_over(struct kunit *test)
{
	int id = registered(test, "kunit_nested", "");
	unsigned long flags;
	u32 inner = 0, i;
	struct found found;
	u8 *payload;

	start(test, 8, 4);
	payload = evtlog_event_reserve(id, 100, &flags);
	KUNIT_EXPECT_NOT_NULL(test, payload);
	if (payload) {
		/* More than fits in the rest of the buffer */
		for (i = 0; i < 100; i++)
			inner += i % 2 ? nested_event(id) : put_pattern(id, 20) == 0;
		KUNIT_EXPECT_LT(test, inner, 100);
		KUNIT_EXPECT_NULL(test, evtlog_ring_peek(this_cpu_ptr(&evtlog_ring), NULL));
		for (i = 0; i < 100; i++)
			payload[i] = pattern_at(i, 100);
		evtlog_event_commit(flags);
	}
	KUNIT_EXPECT_EQ(test, put_pattern(id, 1000), 0);
	found = stop_and_read(test);
	evtlog_event_unregister(id);
	KUNIT_EXPECT_EQ(test, found.events, inner + 2);
}

/* As while it is unregistered on another CPU */
static void a_filter_goes_with_its_event(struct kunit *test)
{
	struct evtlog_event_route *route;
	char error[160];
	int id;

	if (!IS_ENABLED(CONFIG_EVTLOG_PROBE))
		kunit_skip(test, "no machine code");
	id = registered(test, "kunit_filtered", "a:0:1:u");
	KUNIT_EXPECT_EQ(test, filter_registered_change("kunit_filtered", "a==0", error, sizeof(error)), 0);
	start(test, 2, 64);
	KUNIT_EXPECT_EQ(test, put_pattern(id, 8), -ECANCELED);
	route = evtlog_event_route_of(id);
	KUNIT_EXPECT_NOT_NULL(test, route);
	if (route)
		route->forgotten(route, id);
	KUNIT_EXPECT_EQ(test, put_pattern(id, 8), -EINVAL);
	reserve_pattern(id, 8);
	evtlog_event_unregister(id);
	KUNIT_EXPECT_EQ(test, stop_and_read(test).events, 0);
}

static void malformed_names_and_fields_are_refused(struct kunit *test)
{
	static const char * const names[] = { "", "1a", "a-b", "a b", "a\n",
		"of_more_than_thirty-one_characters" };
	static const char * const fields[] = { "a", "a:0", "a:0:4", "a:0:4:", "a:0:4:uu",
		"a:0:3:u", "a:0:4:z", "a:0:4:u ", " a:0:4:u", "a:0:0:u", "a:0:0:b b:0:1:u",
		"a:4000:1:u", "a:99999999999:1:u", ":0:4:u", "a:0:4:u\n" };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		KUNIT_EXPECT_EQ_MSG(test, evtlog_event_register(names[i], ""), -EINVAL,
				    "%s", names[i]);
	for (i = 0; i < ARRAY_SIZE(fields); i++)
		KUNIT_EXPECT_EQ_MSG(test, evtlog_event_register("a", fields[i]), -EINVAL,
				    "%s", fields[i]);
	KUNIT_EXPECT_EQ(test, evtlog_event_fields_check("a:0:4:u b:8:0:c"), 8);
	KUNIT_EXPECT_EQ(test, evtlog_event_fields_check("a:3992:8:d"), 4000);
}

static void a_name_is_free_before_its_event_goes(struct kunit *test)
{
	int first = evtlog_event_register("kunit_name", ""), second;

	KUNIT_ASSERT_GT(test, first, 0);
	KUNIT_EXPECT_EQ(test, evtlog_event_register("kunit_name", ""), -EEXIST);
	evtlog_event_keep_name(first, false);
	second = evtlog_event_register("kunit_name", "");
	KUNIT_EXPECT_GT(test, second, 0);
	KUNIT_EXPECT_NE(test, second, first);
	evtlog_event_forget(second);
	evtlog_event_keep_name(first, true);
	KUNIT_EXPECT_EQ(test, evtlog_event_register("kunit_name", ""), -EEXIST);
	evtlog_event_unregister(first);
	second = evtlog_event_register("kunit_name", "");
	KUNIT_EXPECT_GT(test, second, 0);
	evtlog_event_unregister(second);
	/* Both do nothing. */
	evtlog_event_forget(second);
	evtlog_event_keep_name(-1, false);
}

static u64 events_before;

static int event_init(struct kunit *test)
{
	events_before = evtlog_events();
	return 0;
}

/* Restores all settings, also after a failure. */
static void event_exit(struct kunit *test)
{
	evtlog_run_stop();
	rt_mutex_lock(&evtlog_run_lock);
	evtlog_events_set(events_before);
	evtlog_run_set_geometry(2, 1024);
	rt_mutex_unlock(&evtlog_run_lock);
}

static struct kunit_case event_cases[] = {
	KUNIT_CASE(a_record_of_each_size_is_read_back),
	KUNIT_CASE(formats_are_told_at_the_start_and_when_they_come),
	KUNIT_CASE(an_id_is_not_given_anew_within_a_run),
	KUNIT_CASE(what_is_too_large_is_refused_and_counted),
	KUNIT_CASE(a_full_ring_refuses_each),
	KUNIT_CASE(nothing_is_written_in_an_nmi_or_without_a_run),
	KUNIT_CASE(what_comes_within_a_reservation_hands_no_buffer_over),
	KUNIT_CASE(a_filter_goes_with_its_event),
	KUNIT_CASE(malformed_names_and_fields_are_refused),
	KUNIT_CASE(a_name_is_free_before_its_event_goes),
	{}
};

static struct kunit_suite event_suite = {
	.name = "evtlog_event",
	.init = event_init,
	.exit = event_exit,
	.test_cases = event_cases,
};
kunit_test_suite(event_suite);
