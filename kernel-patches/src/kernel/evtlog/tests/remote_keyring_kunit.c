// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: what a key permits, and that it remembers the messages that were admitted under it.
 *
 * Tests remote/keyring.c; no packet is involved.
 */
#include <kunit/test.h>
#include <linux/bottom_half.h>
#include <linux/rcupdate.h>
#include <linux/time64.h>
#include <linux/timekeeping.h>
#include <uapi/linux/evtlog_remote.h>

#include "remote/admit.h"
#include "remote/remote.h"
#include "tests/remote_kunit.h"

#define SENDER	0x0a630001
#define NONCE	1800000000000000000ULL

static bool may(u32 id, u8 operation)
{
	const struct evtlog_remote_key *key;
	bool may = false;

	rcu_read_lock();
	key = evtlog_remote_key_find(id);
	if (key)
		may = evtlog_remote_key_may(key, operation);
	rcu_read_unlock();
	return may;
}

static bool admit(u32 id, u32 sender, u64 nonce)
{
	struct evtlog_remote_key *key;
	bool admitted = false;

	rcu_read_lock();
	local_bh_disable();
	key = evtlog_remote_key_find(id);
	if (key)
		admitted = evtlog_remote_key_admit(key, htonl(sender), nonce);
	local_bh_enable();
	rcu_read_unlock();
	return admitted;
}

static u64 floor_of(u32 id)
{
	const struct evtlog_key_time now = {
		.real_ns = ktime_get_real_ns(),
		.boot_ns = ktime_get_boottime_ns(),
	};
	const struct evtlog_remote_key *key;
	u64 floor = 0;

	rcu_read_lock();
	key = evtlog_remote_key_find(id);
	if (key)
		floor = evtlog_remote_key_floor(key, &now);
	rcu_read_unlock();
	return floor;
}

static void a_key_schedules_only_if_it_was_said_so(struct kunit *test)
{
	static const struct {
		const char *text;
		int error;
		bool schedules;
	} trials[] = {
		{ "7 " EVTLOG_KUNIT_KEY, 0, false },
		{ "7 " EVTLOG_KUNIT_KEY " +sched", 0, true },
		{ "7 " EVTLOG_KUNIT_KEY " sched", -EINVAL, true },
		{ "7 " EVTLOG_KUNIT_KEY "+sched", -EINVAL, true },
		{ "7 - +sched", -EINVAL, true },
		{ "7 " EVTLOG_KUNIT_KEY, 0, false },
	};
	u8 operation;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(trials); i++) {
		KUNIT_EXPECT_EQ_MSG(test, evtlog_kunit_key(trials[i].text), trials[i].error,
				    "%s", trials[i].text);
		for (operation = EVTLOG_REMOTE_STATUS; operation <= EVTLOG_REMOTE_CANCEL;
		     operation++)
			KUNIT_EXPECT_EQ_MSG(test, may(7, operation),
					    trials[i].schedules ||
					    (operation != EVTLOG_REMOTE_SCHED &&
					     operation != EVTLOG_REMOTE_CANCEL),
					    "%s: operation %u", trials[i].text, operation);
	}
	KUNIT_EXPECT_EQ(test, evtlog_kunit_key("7 -"), 0);
	KUNIT_EXPECT_FALSE(test, may(7, EVTLOG_REMOTE_STATUS));
}

/* The owner of a key that is only for logging can use any sender's address, and any nonce. */
static void no_key_makes_messages_under_another_old(struct kunit *test)
{
	u32 i;

	KUNIT_ASSERT_EQ(test, evtlog_kunit_key("7 " EVTLOG_KUNIT_KEY), 0);
	KUNIT_ASSERT_EQ(test, evtlog_kunit_key("8 " EVTLOG_KUNIT_OTHER_KEY " +sched"), 0);
	/* Enough to make the table forget senders, which raises its floor. */
	for (i = 0; i < 2 * EVTLOG_REPLAY_SENDERS; i++)
		KUNIT_EXPECT_TRUE(test, admit(7, SENDER + i, NONCE + NSEC_PER_SEC + i));
	KUNIT_EXPECT_FALSE(test, admit(7, SENDER, NONCE + NSEC_PER_SEC));
	KUNIT_EXPECT_TRUE(test, admit(8, SENDER, NONCE));
	KUNIT_EXPECT_FALSE(test, admit(8, SENDER, NONCE));
	KUNIT_EXPECT_TRUE(test, admit(8, SENDER - 1, NONCE - 1));
	KUNIT_EXPECT_EQ(test, evtlog_kunit_key("7 -"), 0);
	KUNIT_EXPECT_FALSE(test, admit(8, SENDER, NONCE));
	KUNIT_EXPECT_EQ(test, evtlog_kunit_key("8 -"), 0);
}

static void a_key_remembers_until_other_bytes_take_its_place(struct kunit *test)
{
	/* Higher than all nonces that another case has admitted under the same bytes */
	const u64 nonce = NONCE + 10 * NSEC_PER_SEC;
	u64 floor;

	KUNIT_ASSERT_EQ(test, evtlog_kunit_key("7 " EVTLOG_KUNIT_KEY), 0);
	floor = floor_of(7);
	KUNIT_EXPECT_TRUE(test, admit(7, SENDER, nonce));
	KUNIT_EXPECT_EQ(test, evtlog_kunit_key("7 " EVTLOG_KUNIT_KEY " +sched"), 0);
	KUNIT_EXPECT_FALSE(test, admit(7, SENDER, nonce));
	KUNIT_EXPECT_EQ(test, evtlog_kunit_key("7 " EVTLOG_KUNIT_KEY), 0);
	KUNIT_EXPECT_FALSE(test, admit(7, SENDER, nonce));
	/* The clocks are read one after the other. */
	KUNIT_EXPECT_LE(test, floor_of(7), floor + NSEC_PER_MSEC);
	/* Messages under the old bytes have a wrong tag now; the age alone protects the new key. */
	KUNIT_EXPECT_EQ(test, evtlog_kunit_key("7 " EVTLOG_KUNIT_OTHER_KEY), 0);
	KUNIT_EXPECT_TRUE(test, admit(7, SENDER, NONCE));
	KUNIT_EXPECT_GT(test, floor_of(7), floor);
	/* The first key again, after the other key and after no key. */
	KUNIT_EXPECT_EQ(test, evtlog_kunit_key("7 " EVTLOG_KUNIT_KEY), 0);
	KUNIT_EXPECT_FALSE(test, admit(7, SENDER, nonce));
	KUNIT_EXPECT_EQ(test, evtlog_kunit_key("7 -"), 0);
	KUNIT_EXPECT_EQ(test, evtlog_kunit_key("7 " EVTLOG_KUNIT_KEY), 0);
	KUNIT_EXPECT_FALSE(test, admit(7, SENDER, nonce));
	KUNIT_EXPECT_TRUE(test, admit(7, SENDER, nonce + 1));
	KUNIT_EXPECT_EQ(test, evtlog_kunit_key("7 -"), 0);
}

static struct kunit_case keys_cases[] = {
	KUNIT_CASE(a_key_schedules_only_if_it_was_said_so),
	KUNIT_CASE(no_key_makes_messages_under_another_old),
	KUNIT_CASE(a_key_remembers_until_other_bytes_take_its_place),
	{}
};

static struct kunit_suite keys_suite = {
	.name = "evtlog_remote_keyring",
	.test_cases = keys_cases,
};
kunit_test_suite(keys_suite);
