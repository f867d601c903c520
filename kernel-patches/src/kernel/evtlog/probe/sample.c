// SPDX-License-Identifier: GPL-2.0-only
/*
 * A probe's sample: which argument is its key, what readers are told of it, and its machine code.
 *
 * Called by table.c and stub.c; sample/ decides.  At the end of a run table.c tells.
 */
#include <linux/errno.h>
#include <linux/evtlog.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/random.h>
#include <linux/string.h>

#include "clock.h"
#include "probe/emit.h"
#include "probe/probe.h"
#include "ring.h"

static int find_key(struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	const struct evtlog_sample *s = &p->sample;
	unsigned int i;

	for (i = 0; i < p->nr_args; i++) {
		if (strlen(p->args[i].label) == s->by_len &&
		    !strncmp(p->args[i].label, s->by, s->by_len))
			break;
	}
	if (i == p->nr_args)
		return evtlog_probe_refuse(error, -EINVAL, "sample: the probe has no argument %.*s",
					   s->by_len, s->by);
	if (p->args[i].kind == 'c')
		return evtlog_probe_refuse(error, -EINVAL,
			"sample: %s is text; a key is a number or bytes", p->args[i].label);
	p->sample_arg = i;
	return 0;
}

static bool has_weight(const struct evtlog_probe *p)
{
	unsigned int i;

	for (i = 0; i < p->nr_args; i++) {
		if (!strcmp(p->args[i].label, "weight"))
			return true;
	}
	return false;
}

/**
 * evtlog_probe_sample_compile() - make a probe's sample
 * @p:		resolved; @sample is filled in if its text has one
 * @error:	the reason, if it is refused
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
	if (has_weight(p))
		return evtlog_probe_refuse(error, -EINVAL,
			"sample: \"weight\" is the sample's; give the argument another label");
	s->ticks = mul_u64_u64_div_u64(s->interval_ns, evtlog_ticks_hz(), NSEC_PER_SEC);
	return s->kind == EVTLOG_SAMPLE_KEY ? find_key(p, error) : 0;
}

/**
 * evtlog_probe_sample_line() - what readers must know of the sample: evtlog-file(5)
 * @p:		the probe
 * @line:	empty without a sample
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
 * evtlog_probe_sample_begin() - each CPU begins somewhere else
 * @p:		its machine code does not run yet
 */
void evtlog_probe_sample_begin(struct evtlog_probe *p)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		evtlog_sample_begin(&p->sample, &per_cpu_ptr(p->counts, cpu)->sample,
				    get_random_u64());
}

/**
 * evtlog_probe_sample_end() - a run has ended
 * @p:		the probe
 *
 * What a sample by time left out behind a CPU's last record is not of the next run's first one.
 * Should the next run have begun already, it is that one's records that lack some.
 *
 * Context: task context, the table's lock is held.
 */
void evtlog_probe_sample_end(struct evtlog_probe *p)
{
	unsigned int cpu;

	if (p->sample.kind != EVTLOG_SAMPLE_TIME)
		return;
	for_each_possible_cpu(cpu) {
		struct evtlog_probe_counts *c = per_cpu_ptr(p->counts, cpu);
		u64 passed = READ_ONCE(c->skipped) + READ_ONCE(c->lost);

		WRITE_ONCE(c->rest, passed - READ_ONCE(c->sample.last));
		WRITE_ONCE(c->sample.last, passed);
		WRITE_ONCE(c->sample.due, 0);
	}
}

/**
 * evtlog_probe_sample_is_early() - is it decided before the arguments are looked at?
 * @p:		the probe
 */
bool evtlog_probe_sample_is_early(const struct evtlog_probe *p)
{
	return p->sample.kind && p->sample.kind != EVTLOG_SAMPLE_KEY && !p->filter;
}

static void load_state(struct evtlog_code *c, const struct evtlog_probe *p, size_t offset)
{
	const char __percpu *at = (const char __percpu *)p->counts;

	evtlog_emit_load_constant(c, EVTLOG_R10, (__force unsigned long)(at +
		offsetof(struct evtlog_probe_counts, sample) + offset));
}

static void emit_countdown(struct evtlog_code *c, const struct evtlog_probe *p,
			   struct evtlog_label *skipped)
{
	load_state(c, p, offsetof(struct evtlog_sample_state, left));
	evtlog_emit(c, 0x65, 0x49, 0xff, 0x0a);		/* decq %gs:(%r10) */
	evtlog_emit_jump(c, EVTLOG_JNE, skipped);
	evtlog_emit_load_constant(c, EVTLOG_RAX, (unsigned long)p);
	evtlog_emit_call(c, evtlog_probe_call_draw);
}

/* Where the ring wants to be looked at its slow way says whether the hit is of a run. */
static void emit_time(struct evtlog_code *c, const struct evtlog_probe *p,
		      struct evtlog_label *skipped, struct evtlog_label *taken)
{
	evtlog_emit_on_cpu(c, &evtlog_ring.end, 0x48, 0x83, 0x3c);	/* cmpq $0,%gs:end */
	evtlog_emit(c, 0x00);
	evtlog_emit_jump(c, EVTLOG_JE, taken);
	evtlog_emit(c, 0x49, 0x89, 0xd3);		/* mov %rdx,%r11 */
	evtlog_emit(c, 0x0f, 0x31);			/* rdtsc */
	evtlog_emit(c, 0x48, 0xc1, 0xe2, 0x20);		/* shl $32,%rdx */
	evtlog_emit(c, 0x48, 0x09, 0xd0);		/* or %rdx,%rax */
	evtlog_emit(c, 0x4c, 0x89, 0xda);		/* mov %r11,%rdx */
	load_state(c, p, offsetof(struct evtlog_sample_state, due));
	evtlog_emit(c, 0x65, 0x49, 0x3b, 0x02);		/* cmp %gs:(%r10),%rax */
	evtlog_emit_jump(c, EVTLOG_JB, skipped);
}

static void emit_round(struct evtlog_code *c, u64 factor)
{
	evtlog_emit(c, 0x49, 0x89, 0xc2);		/* mov %rax,%r10 */
	evtlog_emit(c, 0x49, 0xc1, 0xea, 0x20);		/* shr $32,%r10 */
	evtlog_emit(c, 0x4c, 0x31, 0xd0);		/* xor %r10,%rax */
	evtlog_emit_load_constant(c, EVTLOG_R10, factor);
	evtlog_emit(c, 0x49, 0x0f, 0xaf, 0xc2);		/* imul %r10,%rax */
}

/* evtlog_sample_hash() of eight bytes */
static void emit_key(struct evtlog_code *c, const struct evtlog_probe *p,
		     struct evtlog_label *skipped)
{
	if (p->args[p->sample_arg].bytes) {
		evtlog_emit(c, 0x49, 0x89, 0xe3);	/* mov %rsp,%r11 */
		evtlog_emit_load_constant(c, EVTLOG_RAX, (unsigned long)p);
		evtlog_emit_call(c, evtlog_probe_call_key);
		evtlog_emit(c, 0x84, 0xc0);		/* test %al,%al */
		evtlog_emit_jump(c, EVTLOG_JE, skipped);
		return;
	}
	evtlog_emit_load_constant(c, EVTLOG_RAX, p->sample.seed);
	evtlog_emit(c, 0x48, 0x33, 0x84, 0x24);		/* xor SLOT(%rsp),%rax */
	evtlog_emit_u32(c, p->sample_arg * sizeof(u64));
	emit_round(c, EVTLOG_SAMPLE_FACTOR_1);
	emit_round(c, EVTLOG_SAMPLE_FACTOR_2);
	evtlog_emit_load_constant(c, EVTLOG_R10, p->sample.limit);
	evtlog_emit(c, 0x4c, 0x39, 0xd0);		/* cmp %r10,%rax */
	evtlog_emit_jump(c, EVTLOG_JA, skipped);
}

/**
 * evtlog_probe_emit_sample() - code that goes on with hits of the sample
 * @c:		emitted to; rax, r10, r11 and the flags are free, interrupts off; of a key the
 *		arguments are at rsp
 * @p:		the probe
 * @skipped:	where other hits go
 * @taken:	where the record begins
 */
void evtlog_probe_emit_sample(struct evtlog_code *c, const struct evtlog_probe *p,
			      struct evtlog_label *skipped, struct evtlog_label *taken)
{
	if (evtlog_sample_takes_all(&p->sample))
		return;
	switch (p->sample.kind) {
	case EVTLOG_SAMPLE_COUNT:
	case EVTLOG_SAMPLE_PROBABILITY:
		emit_countdown(c, p, skipped);
		break;
	case EVTLOG_SAMPLE_TIME:
		emit_time(c, p, skipped, taken);
		break;
	case EVTLOG_SAMPLE_KEY:
		emit_key(c, p, skipped);
		break;
	case EVTLOG_SAMPLE_NONE:
		break;
	}
}

/**
 * evtlog_probe_emit_weight() - code that stores a record's weight
 * @c:		emitted to; rax and r11 are free, r10 is the record
 * @p:		the probe
 */
void evtlog_probe_emit_weight(struct evtlog_code *c, const struct evtlog_probe *p)
{
	if (!p->sample.kind)
		return;
	if (evtlog_sample_weight_is_fixed(&p->sample)) {
		evtlog_emit(c, 0x49, 0xc7, 0x42, 0x08);	/* movq $weight,8(%r10) */
		evtlog_emit_u32(c, p->sample.weight);
		return;
	}
	evtlog_emit_load_constant(c, EVTLOG_RAX, (unsigned long)p);
	evtlog_emit_call(c, evtlog_probe_call_weight);
	evtlog_emit_store(c, EVTLOG_R11, EVTLOG_R10, sizeof(u64));
}
