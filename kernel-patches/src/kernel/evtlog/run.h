/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs: from start to stop, over all CPUs; from arming to the last buffer.
 */
#ifndef EVTLOG_RUN_H
#define EVTLOG_RUN_H

#include <linux/rtmutex.h>
#include <linux/types.h>
#include <uapi/linux/evtlog.h>

/*
 * Guards the run's state but for what is published, geometry, keys and, between runs, every
 * ring's in_run and final_due.  Taken inside cpus_read_lock() where both are held.  A
 * waiter lends its priority to the holder: a stop does not wait for a starved reader of status.
 */
extern struct rt_mutex evtlog_run_lock;

struct evtlog_run_label;

/**
 * struct evtlog_run_request - a request for a run
 * @name:	empty or NULL: the run has only its number
 * @reference_ticks: when it was asked for
 * @published:	called if the run begins, as soon as events are recorded, by the starter and
 *		in its context, which may be softirq: it must not sleep.  NULL: no call
 */
struct evtlog_run_request {
	const char *name;
	u64 reference_ticks;
	void (*published)(const struct evtlog_run_request *request);
};

/**
 * struct evtlog_run_state - the run, and how far its start or stop has come
 * @run:	its number
 * @recording:	between start and stop
 * @stopping:	stopped, but CPUs are still to leave it
 * @ready:	armed, and nothing of the last run is left: a start is one store
 * @armed:	hooks are on and buffers there
 * @armed_for_run: by a start; the stop disarms
 * @asleep_soon: the machine is about to sleep
 * @is_changing: what runs record is being changed, for longer than the run's lock is held
 *
 * The first four change under a spinlock of publish.c's, any of them in softirq; the others,
 * and @ready from false, under evtlog_run_lock.  Whoever reads one without its lock
 * reads it once, and knows that it may change.
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
void evtlog_run_free_unused(void);

#endif /* EVTLOG_RUN_H */
