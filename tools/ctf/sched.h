/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the scheduler does with tasks, and how tasks are.
 */
#ifndef EVTLOG_CTF_SCHED_H
#define EVTLOG_CTF_SCHED_H

#include "host.h"

/* The name of a task, which on each CPU is another of the idle task; returns
 * where the next goes. */
uint8_t *ctf_put_comm(struct ctf_host *host, uint8_t *at, uint32_t pid,
		      uint32_t cpu);
uint8_t *ctf_put_pid(uint8_t *at, uint32_t pid);

/* A record of the type that each is called after. */
void ctf_write_switch(struct ctf_host *host, struct ctf_stream *stream,
		      uint64_t time_ns, const struct evtlog_event *event);
void ctf_write_waking(struct ctf_host *host, struct ctf_stream *stream,
		      uint64_t time_ns, const struct evtlog_event *event);
void ctf_write_wakeup_new(struct ctf_host *host, struct ctf_stream *stream,
			  uint64_t time_ns, const struct evtlog_event *event);
void ctf_write_migrate(struct ctf_host *host, struct ctf_stream *stream,
		       uint64_t time_ns, const struct evtlog_event *event);
void ctf_write_fork(struct ctf_host *host, struct ctf_stream *stream,
		    uint64_t time_ns, const struct evtlog_event *event);
void ctf_write_exec(struct ctf_host *host, struct ctf_stream *stream,
		    uint64_t time_ns, const struct evtlog_event *event);
void ctf_write_exit(struct ctf_host *host, struct ctf_stream *stream,
		    uint64_t time_ns, const struct evtlog_event *event);
void ctf_write_task(struct ctf_host *host, struct ctf_stream *stream,
		    uint64_t time_ns, const struct evtlog_event *event);

/* All tasks that are known, as the span begins. */
void ctf_write_tasks(struct ctf_host *host, struct ctf_stream *stream,
		     uint64_t raw_ns);

#endif /* EVTLOG_CTF_SCHED_H */
