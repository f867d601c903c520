// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shows in /proc/evtlog/status that evtlog is a module, and which types of events it cannot record.
 */
#include <linux/bits.h>
#include <linux/evtlog.h>
#include <linux/seq_file.h>

#include "events.h"
#include "feature.h"

static void show_status(struct seq_file *m)
{
	unsigned int i;

	seq_puts(m, "form module\nunsupported");
	for (i = 0; i <= EVTLOG_TYPE_MAX; i++) {
		if (evtlog_type_name(i) && !(evtlog_events_possible() & BIT_ULL(i)))
			seq_printf(m, " %s", evtlog_type_name(i));
	}
	seq_putc(m, '\n');
}

static struct evtlog_feature form __ro_after_init = {
	.name = "form",
	.show_status = show_status,
};
evtlog_feature(form);
