// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Applies the settings that need privileges at the start, then drops privileges.
 */
#include <errno.h>
#include <linux/capability.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "config.h"
#include "log.h"
#include "privilege.h"

static void apply_cpus(const struct config *config)
{
	if (!config_has_cpus(config))
		return;
	if (syscall(SYS_sched_setaffinity, 0, sizeof(config->cpus), config->cpus) < 0)
		say_warning("cpus: %s; running on any CPU", strerror(errno));
}

/*
 * With equal weight, the scheduler would take the CPU from a busy logger and give it to the load
 * on this CPU, which fills more buffers.  Children start with nice 0.  A scheduling policy with
 * which logd was started is kept.
 */
static void apply_nice(const struct config *config)
{
	const struct sched_param param = { .sched_priority = 0 };

	if (sched_getscheduler(0) != SCHED_OTHER)
		return;
	if (sched_setscheduler(0, SCHED_OTHER | SCHED_RESET_ON_FORK, &param) < 0 ||
	    setpriority(PRIO_PROCESS, 0, config->nice) < 0)
		say_warning("nice: %s; needs CAP_SYS_NICE; running at %d", strerror(errno),
			    getpriority(PRIO_PROCESS, 0));
}

static void apply_rt_priority(const struct config *config)
{
	struct sched_param param = { .sched_priority = config->rt_priority };

	if (!config->rt_priority)
		return;
	if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param) < 0)
		say_warning("rt_priority: %s; needs CAP_SYS_NICE; running without",
			    strerror(errno));
}

static void apply_mlockall(const struct config *config)
{
	struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };

	if (!config->mlockall)
		return;
	/* Without CAP_IPC_LOCK, memory allocated later is limited, too. */
	if (setrlimit(RLIMIT_MEMLOCK, &unlimited) < 0 || mlockall(MCL_CURRENT | MCL_FUTURE) < 0)
		say_warning("mlockall: %s; needs CAP_IPC_LOCK and CAP_SYS_RESOURCE; running unlocked",
			    strerror(errno));
}

void privilege_apply(const struct config *config)
{
	apply_cpus(config);
	apply_nice(config);
	apply_rt_priority(config);
	apply_mlockall(config);
}

static int keep_only(__u32 keep)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -errno;
	if (syscall(SYS_capget, &header, data) < 0)
		return -errno;
	data[0].effective &= keep;
	data[0].permitted &= keep;
	data[0].inheritable = 0;
	data[1].effective = 0;
	data[1].permitted = 0;
	data[1].inheritable = 0;
	if (syscall(SYS_capset, &header, data) < 0)
		return -errno;
	return 0;
}

int privilege_drop(void)
{
	/* The directory may belong to a user other than root, and files may get another group. */
	return keep_only(1u << CAP_DAC_OVERRIDE | 1u << CAP_CHOWN);
}

int privilege_drop_all(void)
{
	return keep_only(0);
}
