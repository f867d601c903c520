/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs on all CPUs: from start to stop, and from arming to the last buffer */
#ifndef EVTLOG_RUN_H
#define EVTLOG_RUN_H

#include <linux/rtmutex.h>
#include <linux/types.h>
#include <uapi/linux/evtlog.h>

/*
 * Guards the run's state except what is published, the geometry, the keys and, between runs,
 * @in_run and @final_due of each ring.  Nests inside cpus_read_lock().  A waiter lends its priority
 * to the holder, so that a stop does not wait for a starved reader of the status file.
 */
extern struct rt_mutex evtlog_run_lock;

struct evtlog_run_label;

/**
 * struct evtlog_run_request - a request for a run
 * @name:	empty or NULL: the run has only its number
 * @reference_ticks: time of the request
 * @published:	called by the starter if the run begins, as soon as events are recorded.  It runs in
 *		the starter's context, which may be softirq, so it must not sleep.  NULL: no call
 */
struct evtlog_run_request {
	const char *name;
	u64 reference_ticks;
	void (*published)(const struct evtlog_run_request *request);
};

/**
 * struct evtlog_run_state - the run, and the progress of its start or stop
 * @run:	its number
 * @recording:	between start and stop
 * @stopping:	stopped, but some CPUs have not left yet
 * @ready:	armed, and nothing of the last run is left: a start is one store
 * @armed:	hooks are on and buffers are allocated
 * @armed_for_run: armed by a start, so the stop disarms
 * @asleep_soon: the machine is about to sleep
 * @is_changing: what runs record is being changed, for longer than the run's lock is held
 *
 * The first four change under a spinlock of publish.c, also in softirq.  The other members change
 * under evtlog_run_lock, as does @ready when it becomes true.  Code that reads a member without its
 * lock must use READ_ONCE() and expect changes.
 */
struct evtlog_run_state {
	u64 run;
	bool recording;
	bool stopping;
	bool ready;
	bool armed;
	bool armed_for_run;
	bool asleep_soon;
	bool is_changing;
};

extern struct evtlog_run_state evtlog_run;

int evtlog_run_start(const struct evtlog_run_request *request);
void evtlog_run_complete_start(void);
int evtlog_run_complete_stop(void);
int evtlog_run_stop(void);
u64 evtlog_run_lost(void);
void evtlog_run_reader_returned(unsigned int cpu);
int evtlog_run_init(void);
void evtlog_run_exit(void);

/* publish.c */
bool evtlog_run_name_is_valid(const char *name);
int evtlog_run_publish_start(const struct evtlog_run_request *request);
int evtlog_run_publish_stop(void);
void evtlog_run_published(struct evtlog_run_state *state, struct evtlog_run_label *label);

/* arm.c */
int evtlog_run_arm(void);
int evtlog_run_disarm(void);
bool evtlog_run_is_armed(void);
int evtlog_run_prepare_reader(unsigned int cpu);
int evtlog_run_set_geometry(unsigned int buffers, unsigned int buffer_kb);
int evtlog_run_set_events(u64 types);
int evtlog_run_change_begin(void);
void evtlog_run_change_end(void);

#endif /* EVTLOG_RUN_H */
