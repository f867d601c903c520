// SPDX-License-Identifier: GPL-2.0-only
/*
 * What lets a control message in, or not: its age, its novelty.
 *
 * Inside the receive path, before (age) and after (novelty) the tag is compared.
 * Knows neither packets nor clocks, and takes no lock.
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
 * evtlog_key_floor() - which nonces are too low, because the key is younger
 * @set:	when the key was set
 * @now:	now, or up to a tick before
 *
 * What was sent before the key was set, in an earlier boot for instance, may have been
 * obeyed then, and nothing here remembers.  It has a nonce of at most a window
 * behind that moment; and if CLOCK_REALTIME was set since, of at most a window
 * behind that moment as the clock would tell it today.
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
 * evtlog_nonce_age() - is a message of this time?
 * @nonce:	its sender's CLOCK_REALTIME
 * @real_ns:	ours
 * @floor:	of its key
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
 * evtlog_replay_admit() - is this the sender's newest message?
 * @replay:	what is known of all; taken note of if so
 * @sender:	whose
 * @nonce:	rises with each message of one sender; not 0
 *
 * Where there is no place left the sender with the lowest nonce is forgotten, and that
 * nonce is the least that anybody needs from then on: the forgotten one's
 * messages stay refused, and those of others are younger already.
 *
 * Context: the caller keeps others out.
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
