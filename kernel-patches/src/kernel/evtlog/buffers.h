/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory of the rings' buffers, and their geometry */
#ifndef EVTLOG_BUFFERS_H
#define EVTLOG_BUFFERS_H

#include <linux/types.h>

struct evtlog_ring;
struct user_struct;
struct vm_area_struct;

#define EVTLOG_BUFFER_KB_MIN	4
#define EVTLOG_BUFFER_KB_MAX	65536

struct evtlog_geometry {
	unsigned int buffers;
	unsigned int buffer_kb;
};

extern struct evtlog_geometry evtlog_geometry;

/* arm.c */
bool evtlog_geometry_is_valid(const struct evtlog_geometry *geometry);

int evtlog_buffers_alloc_ring(struct evtlog_ring *r, unsigned int cpu,
			      const struct evtlog_geometry *geometry);
void evtlog_buffers_free_ring(struct evtlog_ring *r);
int evtlog_buffers_alloc(unsigned int cpu);
void evtlog_buffers_free_all(void);
int evtlog_buffers_map(const struct evtlog_ring *r, struct vm_area_struct *vma, bool charges);
struct user_struct *evtlog_charge_pages(unsigned long pages);
void evtlog_uncharge_pages(struct user_struct *user, unsigned long pages);

#endif /* EVTLOG_BUFFERS_H */
