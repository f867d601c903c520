// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the members of a group: of a process group, a session, or a cgroup.
 *
 * Nothing is changed here.
 */
#include <linux/cgroup.h>
#include <linux/err.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/string.h>
#include <linux/threads.h>

#include "boost/task.h"

/**
 * evtlog_boost_group_check() - check if such a group is possible
 *
 * Return: 0; -EINVAL: no such kind, or the cgroup of all tasks; -EOPNOTSUPP: a kernel without
 * cgroups.
 */
int evtlog_boost_group_check(const struct evtlog_boost_request *request)
{
	switch (request->group_kind) {
	case EVTLOG_REMOTE_PGID:
	case EVTLOG_REMOTE_SID:
		return 0;
	case EVTLOG_REMOTE_CGROUP:
		if (!request->name[strspn(request->name, "/")])
			return -EINVAL;
		return IS_ENABLED(CONFIG_CGROUPS) ? 0 : -EOPNOTSUPP;
	}
	return -EINVAL;
}

/* Visits all threads of each process, under the lock under which groups change. */
static int visit_pid(enum pid_type type, u64 nr, evtlog_boost_visit_t visit,
		     void *data)
{
	struct task_struct *task;
	struct pid *pid;
	int error = -ESRCH;

	if (!nr || nr > PID_MAX_LIMIT)
		return error;
	read_lock(&tasklist_lock);
	pid = find_pid_ns(nr, &init_pid_ns);
	do_each_pid_thread(pid, type, task) {
		error = 0;
		if (!visit(task, data))
			goto unlock;
	} while_each_pid_thread(pid, type, task);
unlock:
	read_unlock(&tasklist_lock);
	return error;
}

#ifdef CONFIG_CGROUPS
static int visit_cgroup(const char *path, evtlog_boost_visit_t visit, void *data)
{
	struct cgroup *cgroup = cgroup_get_from_path(path);
	struct cgroup_subsys_state *css;
	struct css_task_iter iter;
	struct task_struct *task;
	int error = -ESRCH;
	bool more = true;

	if (IS_ERR(cgroup))
		return error;
	rcu_read_lock();
	css_for_each_descendant_pre(css, &cgroup->self) {
		css_task_iter_start(css, 0, &iter);
		while (more && (task = css_task_iter_next(&iter))) {
			error = 0;
			more = visit(task, data);
		}
		css_task_iter_end(&iter);
		if (!more)
			break;
	}
	rcu_read_unlock();
	cgroup_put(cgroup);
	return error;
}
#else
static int visit_cgroup(const char *path, evtlog_boost_visit_t visit, void *data)
{
	return -EOPNOTSUPP;
}
#endif

/**
 * evtlog_boost_group_visit() - call @visit for each thread in a group
 * @visit:	must not sleep; returns false to stop
 * @data:	passed to @visit
 *
 * Context: task context, may sleep.
 * Return: 0; -ESRCH: no such group, or it is empty.
 */
int evtlog_boost_group_visit(const struct evtlog_boost_request *request,
			     evtlog_boost_visit_t visit, void *data)
{
	switch (request->group_kind) {
	case EVTLOG_REMOTE_PGID:
		return visit_pid(PIDTYPE_PGID, request->group, visit, data);
	case EVTLOG_REMOTE_SID:
		return visit_pid(PIDTYPE_SID, request->group, visit, data);
	default:
		return visit_cgroup(request->name, visit, data);
	}
}
