/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs: from start to stop, over all CPUs; which types a run records.
 */
#ifndef EVTLOG_RUN_H
#define EVTLOG_RUN_H

#include <linux/mutex.h>
#include <linux/types.h>
#include <uapi/linux/evtlog.h>

/*
 * Guards the run's state, geometry, keys and every ring's in_run and final_due.
 * Taken inside cpus_read_lock() where both are held.
 */
extern struct mutex evtlog_run_lock;

struct evtlog_run_state {
	u64 run;
	bool recording;
};

extern struct evtlog_run_state evtlog_run;

int evtlog_run_start(void);
int evtlog_run_stop(void);
int evtlog_run_set_geometry(unsigned int buffers, unsigned int buffer_kb);
int evtlog_run_prepare_buffers(void);
void evtlog_run_reader_returned(unsigned int cpu);
int evtlog_run_init(void);

/* keys.c */
void evtlog_keys_apply(bool recording);
int evtlog_events_parse(char *text, u64 *types);
u64 evtlog_events(void);
void evtlog_events_set(u64 types);
const char *evtlog_type_name(unsigned int type);

/* hook_task.c */
void evtlog_snapshot(void);

#endif /* EVTLOG_RUN_H */
