// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/evtlog/format and status, as text.
 *
 * logd reads both and copies the format into every file; `evtlog status` reads the status.
 */
#include <linux/cpumask.h>
#include <linux/evtlog.h>
#include <linux/interrupt.h>
#include <linux/seq_file.h>

#include "buffers.h"
#include "feature.h"
#include "notify.h"
#include "proc.h"
#include "ring.h"
#include "run.h"

/**
 * evtlog_format_show() - describe the format of all records
 */
int evtlog_format_show(struct seq_file *m, void *unused)
{
	unsigned int i;

	seq_printf(m, "evtlog-format %u\n", EVTLOG_ABI_VERSION);
	seq_printf(m, "ticks_hz %llu\n", evtlog_ticks_hz());
	seq_printf(m, "byteorder %s\n",
		   IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) ? "big" : "little");
	if (IS_ENABLED(MODULE))
		seq_puts(m, "form module\n");
	seq_printf(m, "states %s\n", EVTLOG_STATES);
	seq_puts(m, "softirqs");
	for (i = 0; i < NR_SOFTIRQS; i++)
		seq_printf(m, " %s", softirq_to_name[i]);
	seq_putc(m, '\n');
#define X(number, NAME, name, words, fields) \
	seq_printf(m, "type %d %s %d %s\n", number, #name, words, fields);
	EVTLOG_TYPES(X)
#undef X
	return 0;
}

/**
 * evtlog_status_show_ring() - write a ring's numbers, without the end of the line
 * @cpu:	the ring's CPU
 *
 * The numbers may change meanwhile, so they are not all of the same moment.
 */
void evtlog_status_show_ring(struct seq_file *m, const struct evtlog_ring *r, unsigned int cpu)
{
	u64 bytes = READ_ONCE(r->total_bytes);
	const u64 *pos = READ_ONCE(r->pos);
	const struct evtlog_buffer_header *h = READ_ONCE(r->current_header);

	/* Include the current buffer.  If buffers are swapped meanwhile, it is left out. */
	if (h && (unsigned long)pos - (unsigned long)h <= r->buffer_bytes)
		bytes += (const u8 *)pos - (const u8 *)h;
	seq_printf(m, "cpu %u online %d buffers %llu waiting %u bytes %llu lost_full %llu lost_nmi %llu lost_nested %llu lost_large %llu",
		   cpu, cpu_online(cpu), READ_ONCE(r->total_buffers),
		   evtlog_ring_waiting(r), bytes,
		   evtlog_ring_lost(r, EVTLOG_LOST_FULL), evtlog_ring_lost(r, EVTLOG_LOST_NMI),
		   evtlog_ring_lost(r, EVTLOG_LOST_NESTED), evtlog_ring_lost(r, EVTLOG_LOST_LARGE));
}

/**
 * evtlog_status_show() - write the present state of the run, of CPUs and of features
 *
 * Context: task context; takes the run's lock.
 */
int evtlog_status_show(struct seq_file *m, void *unused)
{
	struct evtlog_run_label label;
	struct evtlog_run_state run;
	unsigned int cpu;

	rt_mutex_lock(&evtlog_run_lock);
	evtlog_run_published(&run, &label);
	seq_printf(m, "state %s\n", run.recording ? "recording" : "stopped");
	seq_printf(m, "armed %d\n", run.armed);
	seq_printf(m, "run %llu\n", run.run);
	seq_printf(m, "run_name %s\n", *label.name ? label.name : "-");
	seq_printf(m, "reference_ticks %llu\n", label.reference_ticks);
	if (label.tree_pid)
		seq_printf(m, "tree_pid %u\n", label.tree_pid);
	seq_printf(m, "logger %d\n", evtlog_logger_pid());
	/* The pids as in events, independent of the reader's pid namespace */
	seq_printf(m, "self %d %d\n", task_tgid_nr(current), task_pid_nr(current));
	seq_printf(m, "buffers %u\n", evtlog_geometry.buffers);
	seq_printf(m, "buffer_kb %u\n", evtlog_geometry.buffer_kb);
	seq_printf(m, "ticks_hz %llu\n", evtlog_ticks_hz());
	seq_printf(m, "ticks_trusted %d\n", evtlog_ticks_trusted());
	seq_printf(m, "boot_id %pUb\n", evtlog_boot_id);
	for_each_possible_cpu(cpu) {
		const struct evtlog_ring *r = per_cpu_ptr(&evtlog_ring, cpu);
		u64 part = READ_ONCE(r->run);

		if (r->nr_buffers || (part && part == run.run)) {
			evtlog_status_show_ring(m, r, cpu);
			seq_putc(m, '\n');
		}
	}
	evtlog_features_call(show_status, m);
	rt_mutex_unlock(&evtlog_run_lock);
	return 0;
}

/**
 * evtlog_refuse() - store the reason of a refusal
 * @error:	set to the reason, a sentence
 * @code:	a negative error
 * @format:	of the sentence
 *
 * Return: @code.
 */
int evtlog_refuse(char *error, size_t size, int code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vscnprintf(error, size, format, args);
	va_end(args);
	return code;
}
