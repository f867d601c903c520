// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sample of a probe: finds the argument that is its key, and describes the sample for readers.
 *
 * Called by make.c, stub.c and, at the end of a run, table.c.  sample/ and sample_code.c decide.
 */
#include <linux/evtlog.h>
#include <linux/math64.h>
#include <linux/random.h>

#include "clock.h"
#include "event/route.h"
#include "probe/probe.h"

static int find_key(struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	const struct evtlog_sample *s = &p->sample;
	int i = evtlog_probe_arg_named(p, s->by, s->by_len);

	if (i < 0)
		return evtlog_probe_refuse(error, -EINVAL, "sample: the probe has no argument %.*s",
					   s->by_len, s->by);
	if (p->args[i].kind == 'c')
		return evtlog_probe_refuse(error, -EINVAL,
			"sample: %s is text; a key must be a number or bytes", p->args[i].label);
	p->sample_arg = i;
	return 0;
}

/**
 * evtlog_probe_sample_compile() - compile the sample of a probe
 * @p:		resolved probe; @sample is filled in if its text contains one
 * @error:	the reason, if the sample is refused
 *
 * Return: 0 or a negative error.
 */
int evtlog_probe_sample_compile(struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	struct evtlog_sample *s = &p->sample;
	const char *fault;

	if (!p->sample_text)
		return 0;
	fault = evtlog_sample_parse(p->sample_text, s);
	if (fault)
		return evtlog_probe_refuse(error, -EINVAL, "sample: %s: \"%.40s\"", fault,
					   p->sample_text);
	if (evtlog_probe_arg_named(p, "weight", 6) >= 0)
		return evtlog_probe_refuse(error, -EINVAL,
			"sample: the sample's own field is called \"weight\"; give the argument another label");
	s->ticks = mul_u64_u64_div_u64(s->interval_ns, evtlog_ticks_hz(), NSEC_PER_SEC);
	return s->kind == EVTLOG_SAMPLE_KEY ? find_key(p, error) : 0;
}

/**
 * evtlog_probe_sample_line() - describe the sample for readers, see evtlog-file(5)
 * @line:	result; empty without a sample
 * @size:	EVTLOG_PROBE_SAMPLE_LINE
 */
void evtlog_probe_sample_line(const struct evtlog_probe *p, char *line, size_t size)
{
	const struct evtlog_sample *s = &p->sample;

	*line = '\0';
	switch (s->kind) {
	case EVTLOG_SAMPLE_COUNT:
		scnprintf(line, size, "sample count %u\n", s->every);
		break;
	case EVTLOG_SAMPLE_PROBABILITY:
		scnprintf(line, size, "sample probability %u.%09u\n",
			  s->nano / EVTLOG_SAMPLE_P_ONE, s->nano % EVTLOG_SAMPLE_P_ONE);
		break;
	case EVTLOG_SAMPLE_TIME:
		scnprintf(line, size, "sample time %llu\n", s->interval_ns);
		break;
	case EVTLOG_SAMPLE_KEY:
		scnprintf(line, size, "sample key %u %s\n", s->every, p->args[p->sample_arg].label);
		break;
	case EVTLOG_SAMPLE_NONE:
		break;
	}
}

/**
 * evtlog_probe_sample_begin() - begin the sample at a random place on each CPU
 * @p:		probe with machine code that does not run yet
 */
void evtlog_probe_sample_begin(struct evtlog_probe *p)
{
	unsigned int cpu;

	if (!p->sample.kind)
		return;
	for_each_possible_cpu(cpu)
		evtlog_sample_begin(&p->sample, &per_cpu_ptr(p->counts, cpu)->sample,
				    get_random_u64());
}

/**
 * evtlog_probe_sample_end() - end the sample of a run
 *
 * Hits that a sample by time left out after a CPU's last record do not count for the first record
 * of the next run.  If the next run has already begun, its records lack some hits.
 *
 * Context: task context, the table's lock is held.
 */
void evtlog_probe_sample_end(struct evtlog_probe *p)
{
	unsigned int cpu;

	/* A named buffer has no runs. */
	if (p->sample.kind != EVTLOG_SAMPLE_TIME ||
	    (p->routed && evtlog_event_is_routed(p->id)))
		return;
	for_each_possible_cpu(cpu) {
		struct evtlog_probe_counts *c = per_cpu_ptr(p->counts, cpu);
		u64 passed = READ_ONCE(c->skipped) + READ_ONCE(c->lost);

		WRITE_ONCE(c->rest, passed - READ_ONCE(c->sample.last));
		WRITE_ONCE(c->sample.last, passed);
		evtlog_sample_restart(&c->sample);
	}
}

/**
 * evtlog_probe_sample_is_early() - check whether the sample is decided before arguments are read
 *
 * For a sample by key: if the key is in its register.
 */
bool evtlog_probe_sample_is_early(const struct evtlog_probe *p)
{
	const struct evtlog_probe_arg *key = &p->args[p->sample_arg];

	if (!p->sample.kind || p->filter || p->packet || p->handler)
		return false;
	return p->sample.kind != EVTLOG_SAMPLE_KEY ||
	       (p->kind == EVTLOG_PROBE_ENTRY && key->source < EVTLOG_PROBE_REGISTERS &&
		!key->loads && !key->bytes && !key->bits);
}
