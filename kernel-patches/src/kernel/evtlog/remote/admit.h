/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks whether a control message may be executed: its age, and whether it is new.
 *
 * Part of the receive path: age is checked before the tag, novelty after it.  Pure functions
 * without packets and clocks, so that they can be tested alone.
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
 * @boot_ns:	CLOCK_BOOTTIME, which cannot be set
 */
struct evtlog_key_time {
	u64 real_ns;
	u64 boot_ns;
};

/*
 * struct evtlog_replay - the last nonce of each sender, under one key
 * @floor:	a message of any sender is new only if its nonce is higher: replaces the senders
 *		that were forgotten
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
