/* SPDX-License-Identifier: GPL-2.0-only */
/* /proc/evtlog: its files, and the permission to open them */
#ifndef EVTLOG_PROC_H
#define EVTLOG_PROC_H

#include <linux/module.h>
#include <linux/types.h>

struct evtlog_ring;
struct file;
struct proc_dir_entry;
struct seq_file;

/**
 * struct evtlog_proc_file - a text file in /proc/evtlog
 * @name:	in the directory; NULL ends an array
 * @mode:	mode if there is a group of readers (evtlog.gid)
 * @show:	as for single_open().  NULL: the file cannot be read, even by root
 * @write:	gets the text written, NUL-terminated, without leading and trailing blanks; may
 *		change it.  The text is wiped afterwards, because it may be a key.  Returns 0 or a
 *		negative error.  NULL: the file is read-only
 * @bytes_max:	largest size of one write; 0: 4096
 *
 * Context of both functions: task context, may sleep; the run's lock is not held.
 */
struct evtlog_proc_file {
	const char *name;
	umode_t mode;
	int (*show)(struct seq_file *m, void *unused);
	int (*write)(char *text);
	size_t bytes_max;
};

/** evtlog_proc_bytes_max() - return the largest size of one write to a file */
static inline size_t evtlog_proc_bytes_max(const struct evtlog_proc_file *file)
{
	return file->bytes_max ?: 4096;
}

/* An open file keeps a module loaded.  A kernel that contains evtlog has nothing to keep. */
static inline int evtlog_proc_hold(void)
{
	return try_module_get(THIS_MODULE) ? 0 : -ENODEV;
}

static inline void evtlog_proc_let_go(void)
{
	module_put(THIS_MODULE);
}

/* proc.c */
char *evtlog_proc_copy_text(const char __user *from, size_t count);
int evtlog_proc_create_files(struct proc_dir_entry *dir, const char *folder,
			     const struct evtlog_proc_file *files);
const struct evtlog_proc_file *evtlog_proc_find(const char *path);

void evtlog_exit(void);

/* proc_access.c */
int evtlog_may_open(const struct file *file);
umode_t evtlog_readers_mode(umode_t mode);
struct proc_dir_entry *evtlog_readers_mkdir(const char *name, umode_t mode,
					    struct proc_dir_entry *parent);

/* proc_cpu.c */
int evtlog_proc_cpu_create(struct proc_dir_entry *dir);
bool evtlog_proc_cpu_is_kept(void);

/* proc_text.c */
__printf(4, 5)
int evtlog_refuse(char *error, size_t size, int code, const char *format, ...);
int evtlog_format_show(struct seq_file *m, void *unused);
int evtlog_status_show(struct seq_file *m, void *unused);
void evtlog_status_show_ring(struct seq_file *m, const struct evtlog_ring *r, unsigned int cpu);

#endif /* EVTLOG_PROC_H */
