// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a stub calls where its fast way does not do: a full buffer, a start or stop, bytes, the
 * next hit of a sample.
 *
 * Nothing here may be traced; what it calls may be, and finds the ring busy.
 */
#include <linux/evtlog.h>

#include "clock.h"
#include "event/route.h"
#include "probe/probe.h"
#include "ring.h"

/*
 * While a probe reads, or asks a handler, what would read as well has nothing to write: a stub
 * goes away without a commit, and a kprobe's arguments are not there.
 */
static bool is_within_reading(const struct evtlog_probe *p)
{
	return this_cpu_read(evtlog_ring.busy) &&
	       (evtlog_probe_loads(p) || p->mechanism == EVTLOG_PROBE_KPROBE);
}

/* A probe's record in a named buffer; evtlog_probe_commit() is to follow.  NULL: counted */
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
 * evtlog_probe_commit() - a record that may be in a named buffer is complete
 *
 * Context: interrupts off since it was begun, not an NMI.
 */
void evtlog_probe_commit(struct evtlog_probe *p)
{
	struct evtlog_event_route *route = this_cpu_read(p->counts->route);

	/* The id may have lost its route meanwhile, which stays until interrupts are on. */
	if (!route)
		return;
	this_cpu_write(p->counts->route, NULL);
	route->commit(route);
}

/**
 * evtlog_probe_slow() - begin a probe's record
 *
 * Counts what became of the hit, unless it is recorded.
 *
 * Context: interrupts off; any, NMIs too.
 * Return: the record, its first word stored, or NULL.
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
 * evtlog_probe_fill_slow() - fill a record that has bytes of memory
 * @record:	begun; the ring's position is behind it
 * @slots:	a value or an address for each argument
 *
 * Until it has ended no buffer is handed over.
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
 * evtlog_probe_draw() - find out which hit of the sample is the next one
 *
 * Context: interrupts off, not an NMI.
 * Return: by time: is this hit recorded?
 */
bool evtlog_probe_draw(struct evtlog_probe *p)
{
	u64 now = p->sample.kind == EVTLOG_SAMPLE_TIME ? evtlog_ticks64() : 0;
	struct evtlog_probe_counts *c = this_cpu_ptr(p->counts);

	return evtlog_sample_draw(&p->sample, &c->sample, c->skipped + c->lost, now);
}

/**
 * evtlog_probe_weight() - of the record that is written now
 *
 * Context: as above.
 */
u64 evtlog_probe_weight(struct evtlog_probe *p)
{
	struct evtlog_probe_counts *c = this_cpu_ptr(p->counts);

	return evtlog_sample_weight(&p->sample, &c->sample, c->skipped + c->lost,
				    evtlog_ticks64());
}

/* Longer keys are hashed in parts. */
#define KEY_PART	64

/* What cannot be read is a key of zeros, which is what the record will hold. */
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
 * evtlog_probe_key_is_in() - are this key's hits in the sample?
 * @p:		the probe, whose sample is by key
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
 * evtlog_probe_time_is_in() - is this hit in a sample by time?
 *
 * Context: as above.
 */
bool evtlog_probe_time_is_in(struct evtlog_probe *p)
{
	struct evtlog_probe_counts *c = this_cpu_ptr(p->counts);
	/* A named buffer records throughout. */
	bool is_in_runs = !p->routed || !evtlog_event_is_routed(p->id);

	/* Before a run, at its ends and while buffers are full evtlog_ring_slow() says. */
	if (is_in_runs && !this_cpu_read(evtlog_ring.end))
		return true;
	return evtlog_sample_is_due(&p->sample, &c->sample, c->skipped + c->lost,
				    evtlog_ticks64());
}

/**
 * evtlog_probe_is_in_sample() - what a stub decides, in C
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
