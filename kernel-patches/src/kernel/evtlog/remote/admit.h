/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What lets a control message in, or not: its age, its novelty.
 *
 * Inside the receive path, before (age) and after (novelty) the tag is compared.
 * Pure: knows neither packets nor clocks, so that it can be tested alone.
 */
#ifndef EVTLOG_REMOTE_ADMIT_H
#define EVTLOG_REMOTE_ADMIT_H

#include <linux/types.h>

#define EVTLOG_REPLAY_SENDERS	128

enum evtlog_age {
	EVTLOG_AGE_RIGHT,
	EVTLOG_AGE_STALE,
	EVTLOG_AGE_FUTURE,
};

/*
 * struct evtlog_key_time - when a key was set, on two clocks
 * @real_ns:	CLOCK_REALTIME, which may be set
 * @boot_ns:	CLOCK_BOOTTIME, which can not
 */
struct evtlog_key_time {
	u64 real_ns;
	u64 boot_ns;
};

/*
 * struct evtlog_replay - the last nonce of each sender, under one key
 * @floor:	no message from anybody is new that has not a higher nonce: takes the
 *		place of the senders that had to be forgotten
 */
struct evtlog_replay {
	u64 floor;
	struct {
		u64 nonce;
		__be32 sender;
	} last[EVTLOG_REPLAY_SENDERS];
};

u64 evtlog_key_floor(const struct evtlog_key_time *set,
		     const struct evtlog_key_time *now);
enum evtlog_age evtlog_nonce_age(u64 nonce, u64 real_ns, u64 floor);
bool evtlog_replay_admit(struct evtlog_replay *replay, __be32 sender, u64 nonce);

#endif /* EVTLOG_REMOTE_ADMIT_H */
