// SPDX-License-Identifier: GPL-2.0-only
/*
 * Slow path of a stub: full buffers, a start or stop, bytes, the next hit of a sample.
 *
 * Functions here must not be traced.  Functions that they call may be probed; such a probe finds
 * the ring busy.
 */
#include <linux/evtlog.h>

#include "clock.h"
#include "event/route.h"
#include "probe/probe.h"
#include "ring.h"

/*
 * While a probe reads or runs a handler, a nested hit that would also read has nothing to write, and
 * its caller leaves without a commit.
 */
static bool is_within_reading(const struct evtlog_probe *p)
{
	return this_cpu_read(evtlog_ring.busy) && evtlog_probe_loads(p);
}

/* Begins a record in a named buffer, for evtlog_probe_commit().  NULL: the hit was counted. */
static u64 *begin_routed(struct evtlog_probe *p, struct evtlog_event_route *route)
{
	u64 *record;
	int error;

	if (in_nmi() || is_within_reading(p)) {
		route->drop(route, in_nmi() ? EVTLOG_LOST_NMI : EVTLOG_LOST_NESTED);
		this_cpu_inc(p->counts->lost);
		return NULL;
	}
	error = route->reserve(route, p->tag, p->payload, evtlog_event_is_urgent(p->id), &record);
	if (!error) {
		if (p->payload % 8)
			record[evtlog_probe_words(p) - 1] = 0;
		this_cpu_write(p->counts->route, route);
		return record;
	}
	if (error == -ECANCELED)
		this_cpu_inc(p->counts->rejected);
	else
		this_cpu_inc(p->counts->lost);
	return NULL;
}

/**
 * evtlog_probe_commit() - complete a record that may be in a named buffer
 *
 * Context: interrupts have been off since the record was begun; not an NMI.
 */
void evtlog_probe_commit(struct evtlog_probe *p)
{
	struct evtlog_event_route *route = this_cpu_read(p->counts->route);

	/* NULL: the id had no route.  A route that was found stays until interrupts are on. */
	if (!route)
		return;
	this_cpu_write(p->counts->route, NULL);
	route->commit(route);
}

/**
 * evtlog_probe_slow() - begin the record of a hit
 *
 * If it begins no record, it counts why.
 *
 * Context: any, NMIs too; interrupts off.
 * Return: the record with its first word stored, or NULL.
 */
u64 *evtlog_probe_slow(struct evtlog_probe *p)
{
	struct evtlog_event_route *route = p->routed ? evtlog_event_route_of(p->id) : NULL;
	u64 *record;

	if (route)
		return begin_routed(p, route);
	if (in_nmi()) {
		evtlog_drop_nmi();
		this_cpu_inc(p->counts->lost);
		return NULL;
	}
	if (evtlog_ring_is_idle()) {
		this_cpu_inc(p->counts->idle);
		return NULL;
	}
	record = evtlog_ring_slow(this_cpu_ptr(&evtlog_ring), p->tag, evtlog_probe_words(p));
	if (!record && this_cpu_read(evtlog_ring.recording))
		this_cpu_inc(p->counts->lost);
	else if (!record)
		this_cpu_inc(p->counts->idle);
	return record;
}

/**
 * evtlog_probe_fill_slow() - fill a record that contains bytes of memory
 * @record:	record that is begun; the ring's position is after it
 * @slots:	a value or an address for each argument
 *
 * No buffer is handed over until it returns.
 *
 * Context: interrupts off, not an NMI.
 */
void evtlog_probe_fill_slow(struct evtlog_probe *p, u64 *record, const u64 *slots)
{
	struct evtlog_ring *r = this_cpu_ptr(&evtlog_ring);
	u64 faults;

	r->busy++;
	barrier();
	faults = evtlog_probe_fill(p, record + 1, slots);
	barrier();
	r->busy--;
	if (faults)
		this_cpu_add(p->counts->faults, faults);
}

/**
 * evtlog_probe_draw() - choose the next hit of the sample
 *
 * Context: interrupts off, not an NMI.
 * Return: for a sample by time: true if this hit is recorded.
 */
bool evtlog_probe_draw(struct evtlog_probe *p)
{
	u64 now = p->sample.kind == EVTLOG_SAMPLE_TIME ? evtlog_ticks64() : 0;
	struct evtlog_probe_counts *c = this_cpu_ptr(p->counts);

	return evtlog_sample_draw(&p->sample, &c->sample, c->skipped + c->lost, now);
}

/**
 * evtlog_probe_weight() - return the weight of the record that is being written
 *
 * Context: as above.
 */
u64 evtlog_probe_weight(struct evtlog_probe *p)
{
	struct evtlog_probe_counts *c = this_cpu_ptr(p->counts);

	return evtlog_sample_weight(&p->sample, &c->sample, c->skipped + c->lost,
				    evtlog_ticks64());
}

/* Bytes of a key that are hashed at once */
#define KEY_PART	64

/* Bytes that cannot be read are hashed as zeros: the record contains zeros, too. */
static u64 hash_bytes(u64 hash, const struct evtlog_probe_arg *arg, u64 slot)
{
	u64 part[KEY_PART / sizeof(u64)];
	unsigned int at, n;

	for (at = 0; at < arg->bytes; at += n) {
		n = min_t(unsigned int, arg->bytes - at, sizeof(part));
		evtlog_probe_copy_part(arg, part, slot, at, n);
		hash = evtlog_sample_hash(hash, part, n);
	}
	return hash;
}

/**
 * evtlog_probe_key_is_in() - check whether hits with this key are in the sample
 * @p:		probe with a sample by key
 * @slots:	a value or an address for each argument
 *
 * While memory is read the ring is busy, as in a stub.
 *
 * Context: as above.
 */
bool evtlog_probe_key_is_in(struct evtlog_probe *p, const u64 *slots)
{
	const struct evtlog_probe_arg *arg = &p->args[p->sample_arg];
	u64 slot = slots[p->sample_arg], hash;
	struct evtlog_ring *r;

	if (!arg->bytes)
		return evtlog_sample_hash(p->sample.seed, &slot, sizeof(slot)) <= p->sample.limit;
	r = this_cpu_ptr(&evtlog_ring);
	r->busy++;
	barrier();
	hash = hash_bytes(p->sample.seed, arg, slot);
	barrier();
	r->busy--;
	return hash <= p->sample.limit;
}

/**
 * evtlog_probe_time_is_in() - check whether this hit is in a sample by time
 *
 * Context: as above.
 */
bool evtlog_probe_time_is_in(struct evtlog_probe *p)
{
	struct evtlog_probe_counts *c = this_cpu_ptr(p->counts);
	/* A named buffer always records. */
	bool is_in_runs = !p->routed || !evtlog_event_is_routed(p->id);

	/* Before a run, at its ends and while buffers are full, evtlog_ring_slow() decides. */
	if (is_in_runs && !this_cpu_read(evtlog_ring.end))
		return true;
	return evtlog_sample_is_due(&p->sample, &c->sample, c->skipped + c->lost,
				    evtlog_ticks64());
}

/**
 * evtlog_probe_is_in_sample() - make a stub's decision in C
 * @slots:	a value or an address for each argument
 *
 * Context: as above.
 */
bool evtlog_probe_is_in_sample(struct evtlog_probe *p, const u64 *slots)
{
	struct evtlog_probe_counts *c = this_cpu_ptr(p->counts);

	switch (p->sample.kind) {
	case EVTLOG_SAMPLE_COUNT:
	case EVTLOG_SAMPLE_PROBABILITY:
		if (--c->sample.left)
			return false;
		evtlog_probe_draw(p);
		return true;
	case EVTLOG_SAMPLE_TIME:
		return evtlog_probe_time_is_in(p);
	case EVTLOG_SAMPLE_KEY:
		return evtlog_probe_key_is_in(p, slots);
	default:
		return true;
	}
}
