// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: whether a control message is accepted, compared with models that remember everything;
 * contents of its answer.
 *
 * Tests remote/admit.c and remote/reply.c; no packet is involved.
 *
 * "remote_kunit.seed=N" on the kernel's command line repeats a run.
 */
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/moduleparam.h>
#include <linux/prandom.h>
#include <linux/random.h>
#include <linux/time64.h>
#include <uapi/linux/evtlog_remote.h>

#include "remote/admit.h"
#include "remote/command.h"
#include "remote/remote.h"

#define WINDOW		((u64)EVTLOG_REMOTE_WINDOW_NS)
#define NOW		1800000000000000000ULL

static unsigned int seed;
module_param(seed, uint, 0);
MODULE_PARM_DESC(seed, "what random trials start from; 0: a random number");

static void random_begin(struct kunit *test, struct rnd_state *random)
{
	if (!seed)
		seed = get_random_u32() | 1;
	prandom_seed_state(random, seed);
	kunit_info(test, "seed %u\n", seed);
}

static void a_nonce_is_right_only_within_the_window_and_above_the_floor(struct kunit *test)
{
	static const struct {
		u64 nonce, real_ns, floor;
		enum evtlog_age age;
	} cases[] = {
		{ NOW, NOW, 0, EVTLOG_AGE_RIGHT },
		{ NOW + WINDOW, NOW, 0, EVTLOG_AGE_RIGHT },
		{ NOW + WINDOW + 1, NOW, 0, EVTLOG_AGE_FUTURE },
		{ NOW - WINDOW, NOW, 0, EVTLOG_AGE_RIGHT },
		{ NOW - WINDOW - 1, NOW, 0, EVTLOG_AGE_STALE },
		{ NOW, NOW, NOW, EVTLOG_AGE_STALE },
		{ NOW, NOW, NOW - 1, EVTLOG_AGE_RIGHT },
		{ NOW, NOW, U64_MAX, EVTLOG_AGE_STALE },
		{ 0, 0, 0, EVTLOG_AGE_STALE },
		{ 1, 0, 0, EVTLOG_AGE_RIGHT },
		{ U64_MAX, 0, 0, EVTLOG_AGE_FUTURE },
		{ U64_MAX, NOW, 0, EVTLOG_AGE_FUTURE },
		{ 0, U64_MAX, 0, EVTLOG_AGE_STALE },
		{ U64_MAX, U64_MAX, 0, EVTLOG_AGE_RIGHT },
		{ U64_MAX, U64_MAX, U64_MAX, EVTLOG_AGE_STALE },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		KUNIT_EXPECT_EQ_MSG(test, evtlog_nonce_age(cases[i].nonce, cases[i].real_ns,
							   cases[i].floor),
				    cases[i].age, "case %u", i);
}

static void a_key_is_as_young_as_either_clock_says(struct kunit *test)
{
	static const struct {
		const char *what;
		struct evtlog_key_time set, now;
		u64 floor;
	} cases[] = {
		{ "just set", { NOW, 50 }, { NOW, 50 }, NOW + WINDOW },
		{ "just set, by a clock that is behind", { NOW, 50 }, { NOW - 9, 40 },
		  NOW + WINDOW },
		{ "a while ago", { NOW, 50 }, { NOW + 1000, 1050 }, NOW + WINDOW },
		{ "clock set forward since", { 1000, 50 }, { NOW, 60 },
		  NOW - 10 + WINDOW },
		{ "clock set back since", { NOW, 50 }, { 1000, 60 }, NOW + WINDOW },
		{ "clock behind its own epoch", { 5, 50 }, { 7, 1000000 }, 5 + WINDOW },
		{ "at the end of time", { U64_MAX - 1, 50 }, { U64_MAX, 51 }, U64_MAX },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		KUNIT_EXPECT_EQ_MSG(test, evtlog_key_floor(&cases[i].set, &cases[i].now),
				    cases[i].floor, "%s", cases[i].what);
}

/* A model that forgets no sender: all admitted nonces, by sender. */
#define MODEL_SENDERS	(4 * EVTLOG_REPLAY_SENDERS)

struct trial {
	struct evtlog_replay replay;
	u64 newest[MODEL_SENDERS];
	u64 highest;
	int admitted, refused, forgotten;
};

static void send(struct kunit *test, struct trial *t, u32 sender, u64 nonce)
{
	bool was_new = nonce > t->newest[sender];
	u64 floor = t->replay.floor;
	bool admitted = evtlog_replay_admit(&t->replay,
					    (__force __be32)(sender * 0x01000193u + 7),
					    nonce);

	if (admitted) {
		if (!was_new)
			KUNIT_FAIL(test, "sender %u: nonce %llu admitted behind %llu\n",
				   sender, nonce, t->newest[sender]);
		t->newest[sender] = nonce;
		t->highest = max(t->highest, nonce);
		t->admitted++;
	} else {
		/* A new nonce is refused only because senders had to be forgotten. */
		if (was_new && nonce > floor)
			KUNIT_FAIL(test, "sender %u: nonce %llu refused, floor %llu\n",
				   sender, nonce, floor);
		t->refused++;
	}
	if (t->replay.floor < floor)
		KUNIT_FAIL(test, "the floor fell from %llu to %llu\n", floor,
			   t->replay.floor);
	t->forgotten += t->replay.floor > floor;
}

static void no_nonce_is_admitted_twice_whoever_had_to_be_forgotten(struct kunit *test)
{
	struct trial *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	struct rnd_state random;
	u64 clock = NOW;
	int i;

	KUNIT_ASSERT_NOT_NULL(test, t);
	random_begin(test, &random);
	for (i = 0; i < 200000; i++) {
		/* Mostly a few senders, sometimes all of them. */
		u32 many = i / 20000 % 2 ? MODEL_SENDERS : EVTLOG_REPLAY_SENDERS / 2;
		u32 sender = prandom_u32_state(&random) % many;
		u64 nonce;

		clock += prandom_u32_state(&random) % 1000;
		switch (prandom_u32_state(&random) % 4) {
		case 0:
			nonce = t->newest[sender];
			break;
		case 1:
			nonce = max(t->newest[sender], NOW) -
				prandom_u32_state(&random) % 2000;
			break;
		case 2:
			nonce = clock - prandom_u32_state(&random) % 100000;
			break;
		default:
			nonce = clock;
		}
		send(test, t, sender, nonce);
	}
	kunit_info(test, "%d admitted, %d refused, %d forgotten\n", t->admitted,
		   t->refused, t->forgotten);
	KUNIT_EXPECT_GT(test, t->admitted, 40000);
	KUNIT_EXPECT_GT(test, t->forgotten, 1000);
}

static void as_many_as_there_are_places_disturb_nobody(struct kunit *test)
{
	struct trial *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	u32 sender, round;

	KUNIT_ASSERT_NOT_NULL(test, t);
	/* Clocks that are seconds apart: each sender has its own time. */
	for (round = 0; round < 10; round++) {
		for (sender = 0; sender < EVTLOG_REPLAY_SENDERS; sender++)
			send(test, t, sender, NOW + sender * NSEC_PER_SEC + round);
	}
	KUNIT_EXPECT_EQ(test, t->refused, 0);
	KUNIT_EXPECT_EQ(test, t->forgotten, 0);
	for (sender = 0; sender < EVTLOG_REPLAY_SENDERS; sender++)
		send(test, t, sender, NOW + sender * NSEC_PER_SEC + 9);
	KUNIT_EXPECT_EQ(test, t->refused, EVTLOG_REPLAY_SENDERS);
}

/*
 * Fields that an answer does not use are zero, whatever their memory contained: kernel memory must
 * not be sent, or look like a state or a note.
 */
static void an_answer_has_nothing_of_the_stack_in_it(struct kunit *test)
{
	const struct evtlog_remote_outcome outcome = { .result = -EBUSY };
	const struct evtlog_command command = { .operation = EVTLOG_REMOTE_STATUS };
	struct evtlog_remote_reply *replies;
	unsigned int i;

	replies = kunit_kzalloc(test, 2 * sizeof(*replies), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, replies);
	for (i = 0; i < 2; i++) {
		memset(&replies[i], i ? 0xff : 0x5a, sizeof(replies[i]));
		evtlog_remote_reply_fill(&replies[i], &command, &outcome);
	}
	KUNIT_EXPECT_EQ(test, memcmp(&replies[0], &replies[1], sizeof(replies[0])), 0);
	KUNIT_EXPECT_NULL(test, memchr_inv(replies->reserved, 0, sizeof(replies->reserved)));
	KUNIT_EXPECT_EQ(test, replies->notes, 0);
	KUNIT_EXPECT_EQ(test, replies->state, 0);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(replies->result), EBUSY);
	KUNIT_EXPECT_EQ(test, replies->head.operation,
			EVTLOG_REMOTE_STATUS | EVTLOG_REMOTE_REPLY);
}

#ifdef CONFIG_AUDIT
/* The audit records are in the kernel's log, which tests/kernel/kunit.test checks. */
static void audit_is_told_of_orders_that_change_something(struct kunit *test)
{
	struct evtlog_command command = {
		.sender = htonl(0x0a630001),
		.key_id = 7,
		.request = 21,
		.operation = EVTLOG_REMOTE_STATUS,
	};

	evtlog_remote_audit(&command, 0);
	command.operation = EVTLOG_REMOTE_START;
	command.name_bytes = strscpy(command.name, "job1", sizeof(command.name));
	evtlog_remote_audit(&command, 0);
	command.operation = EVTLOG_REMOTE_SCHED;
	command.group_kind = EVTLOG_REMOTE_CGROUP;
	command.duration_ns = 50000000;
	command.name_bytes = strscpy(command.name, "/a b\" res=1", sizeof(command.name));
	evtlog_remote_audit(&command, -EPERM);
	command.operation = EVTLOG_REMOTE_REPLY;
	evtlog_remote_audit(&command, 0);
	/* A thread prints the record. */
	ssleep(1);
}
#endif

static struct kunit_case remote_cases[] = {
	KUNIT_CASE(a_nonce_is_right_only_within_the_window_and_above_the_floor),
	KUNIT_CASE(a_key_is_as_young_as_either_clock_says),
	KUNIT_CASE(no_nonce_is_admitted_twice_whoever_had_to_be_forgotten),
	KUNIT_CASE(as_many_as_there_are_places_disturb_nobody),
	KUNIT_CASE(an_answer_has_nothing_of_the_stack_in_it),
#ifdef CONFIG_AUDIT
	KUNIT_CASE(audit_is_told_of_orders_that_change_something),
#endif
	{}
};

static struct kunit_suite remote_suite = {
	.name = "evtlog_remote",
	.test_cases = remote_cases,
};
kunit_test_suite(remote_suite);
