/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /proc/evtlog: who may open what.
 */
#ifndef EVTLOG_PROC_H
#define EVTLOG_PROC_H

#include <linux/types.h>

struct file;
struct proc_dir_entry;
struct seq_file;

int evtlog_may_open(const struct file *file);
umode_t evtlog_readers_mode(umode_t mode);
int evtlog_proc_cpu_create(struct proc_dir_entry *dir);
bool evtlog_proc_cpu_is_open(void);

/* proc_text.c */
int evtlog_format_show(struct seq_file *m, void *unused);
int evtlog_status_show(struct seq_file *m, void *unused);

#endif /* EVTLOG_PROC_H */
