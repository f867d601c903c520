// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks whether a control message may be executed: its age, and whether it is new.
 *
 * Part of the receive path: age is checked before the tag, novelty after it.  Needs neither packets
 * nor clocks, and takes no lock.
 */
#include <linux/minmax.h>
#include <linux/overflow.h>
#include <uapi/linux/evtlog_remote.h>

#include "remote/admit.h"

static u64 add_sat(u64 a, u64 b)
{
	u64 sum;

	return check_add_overflow(a, b, &sum) ? U64_MAX : sum;
}

/**
 * evtlog_key_floor() - find the nonces that are too low because the key is younger
 * @set:	when the key was set
 * @now:	now, or up to a tick earlier
 *
 * A message that was sent before the key was set, for instance in an earlier boot, may have been
 * executed then, and this host has no memory of it.  Its nonce is at most one window after the
 * moment when the key was set.  If CLOCK_REALTIME was set since then, the nonce is at most one
 * window after this moment in terms of today's clock.
 *
 * Return: the highest nonce that is too low.
 */
u64 evtlog_key_floor(const struct evtlog_key_time *set,
		     const struct evtlog_key_time *now)
{
	u64 passed_ns = now->boot_ns > set->boot_ns ? now->boot_ns - set->boot_ns : 0;
	u64 told_today = now->real_ns > passed_ns ? now->real_ns - passed_ns : 0;

	return add_sat(max(set->real_ns, told_today), EVTLOG_REMOTE_WINDOW_NS);
}

/**
 * evtlog_nonce_age() - check whether a message belongs to the present time
 * @nonce:	CLOCK_REALTIME of its sender
 * @real_ns:	CLOCK_REALTIME of this host
 * @floor:	floor of its key
 */
enum evtlog_age evtlog_nonce_age(u64 nonce, u64 real_ns, u64 floor)
{
	if (nonce > real_ns && nonce - real_ns > EVTLOG_REMOTE_WINDOW_NS)
		return EVTLOG_AGE_FUTURE;
	if (nonce < real_ns && real_ns - nonce > EVTLOG_REMOTE_WINDOW_NS)
		return EVTLOG_AGE_STALE;
	return nonce > floor ? EVTLOG_AGE_RIGHT : EVTLOG_AGE_STALE;
}

/**
 * evtlog_replay_admit() - check whether this is the sender's newest message
 * @replay:	nonces of all senders; updated if it is
 * @sender:	sender of the message
 * @nonce:	increases with each message of a sender; not 0
 *
 * If the table is full, the sender with the lowest nonce is forgotten, and this nonce becomes the
 * minimum for all senders.  Old messages of the forgotten sender remain refused; the nonces of all
 * other senders are higher already.
 *
 * Context: the caller serializes calls.
 */
bool evtlog_replay_admit(struct evtlog_replay *replay, __be32 sender, u64 nonce)
{
	unsigned int i, lowest = 0;

	if (nonce <= replay->floor)
		return false;
	for (i = 0; i < EVTLOG_REPLAY_SENDERS; i++) {
		u64 last = replay->last[i].nonce;

		if (last && replay->last[i].sender == sender) {
			if (nonce <= last)
				return false;
			replay->last[i].nonce = nonce;
			return true;
		}
		if (last < replay->last[lowest].nonce)
			lowest = i;
	}
	replay->floor = max(replay->floor, replay->last[lowest].nonce);
	replay->last[lowest].sender = sender;
	replay->last[lowest].nonce = nonce;
	return true;
}
