// SPDX-License-Identifier: GPL-2.0-only
/*
 * Groups of events that profiles measure: selected by the kernel's configuration, at boot by
 * "evtlog.profile=LIST", which starts profiles, and by "groups LIST" in the file control.
 *
 * A LIST is "all", "none", or names joined by commas.  "all" excludes net and block: their hooks
 * are not hooks of records, and add costs to each read and packet.  sched is always measured:
 * without it, a CPU's time would belong to no task.
 */
#include <linux/bits.h>
#include <linux/evtlog.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/printk.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "profile/profile.h"

#define SCHED	(BIT_ULL(EVTLOG_SCHED_SWITCH) | BIT_ULL(EVTLOG_SCHED_WAKING) |	\
		 BIT_ULL(EVTLOG_SCHED_PROCESS_FORK))
#define VECTOR(name)	(BIT_ULL(EVTLOG_##name##_ENTRY) | BIT_ULL(EVTLOG_##name##_EXIT))
#define USER	(BIT_ULL(EVTLOG_USER_EXIT) | BIT_ULL(EVTLOG_USER_ENTER))

/* Bits that are no record types */
#define SIGNAL	BIT_ULL(63)
#define NET	BIT_ULL(62)
#define BLOCK	BIT_ULL(61)

static const struct group {
	const char *name;
	u64 types;
} groups[] = {
	/* Also separates user mode from the kernel. */
	{ "syscall", USER },
	{ "irq", VECTOR(IRQ_HANDLER) | VECTOR(LOCAL_TIMER) | VECTOR(RESCHEDULE) |
		 VECTOR(CALL_FUNCTION) | VECTOR(CALL_FUNCTION_SINGLE) | VECTOR(IRQ_WORK) |
		 VECTOR(VECTOR) },
	{ "softirq", VECTOR(SOFTIRQ) },
	{ "exception", VECTOR(EXCEPTION) },
	/* A signal lasts until user mode. */
	{ "signal", SIGNAL | USER },
	{ "net", NET },
	{ "block", BLOCK },
};

/* Changed while profiles are off, by one task at a time. */
static u64 chosen;

/**
 * evtlog_profile_types() - return the record types whose hooks must be on
 *
 * Return: a bit for each record type.
 */
u64 evtlog_profile_types(void)
{
	return SCHED | (chosen & ~(SIGNAL | NET | BLOCK));
}

/**
 * evtlog_profile_groups_switch() - turn the hooks of signals, sockets, VFS and block on or off
 *
 * Context: as for evtlog_profile_spans_switch().
 */
void evtlog_profile_groups_switch(bool on)
{
	u64 groups_on = on ? chosen : 0;

	evtlog_profile_spans_switch(groups_on & SIGNAL, groups_on & NET, groups_on & BLOCK);
}

/**
 * evtlog_profile_root() - return the root for a profile
 * @root:	root of the profile; kept if it is neither EVTLOG_PROFILE_USER nor _TASK
 *
 * Return: EVTLOG_PROFILE_USER, or _TASK if the boundary of user mode is not measured.
 */
unsigned int evtlog_profile_root(unsigned int root)
{
	if (root != EVTLOG_PROFILE_USER && root != EVTLOG_PROFILE_TASK)
		return root;
	return chosen & BIT_ULL(EVTLOG_USER_EXIT) ? EVTLOG_PROFILE_USER : EVTLOG_PROFILE_TASK;
}

static u64 types_of(const char *name)
{
	u64 all = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(groups); i++) {
		if (!strcmp(groups[i].name, name))
			return groups[i].types;
		all |= groups[i].types & ~(NET | BLOCK);
	}
	return !strcmp(name, "all") ? all : 0;
}

/**
 * evtlog_profile_groups_choose() - select what the next start measures
 * @list:	list of groups, which is changed
 * @cause:	EVTLOG_PROFILE_ERROR_LEN bytes for the reason of a refusal
 *
 * Context: profiles are off.
 * Return: 0; -EINVAL if a name is unknown: @cause contains it, and nothing has changed.
 */
int evtlog_profile_groups_choose(char *list, char *cause)
{
	char *name;
	u64 types = 0, more;

	while ((name = strsep(&list, ","))) {
		more = types_of(name);
		if (!more && strcmp(name, "sched") && strcmp(name, "none")) {
			snprintf(cause, EVTLOG_PROFILE_ERROR_LEN,
				 "groups: \"%.32s\" is not a group; use sched, syscall, irq, softirq, exception, signal, net, block, all or none, joined by commas",
				 name);
			return -EINVAL;
		}
		types |= more;
	}
	chosen = types;
	return 0;
}

/**
 * evtlog_profile_groups_show() - print the selected groups as a line "groups LIST"
 */
void evtlog_profile_groups_show(struct seq_file *m)
{
	unsigned int i;

	seq_puts(m, "groups sched");
	for (i = 0; i < ARRAY_SIZE(groups); i++) {
		if ((chosen & groups[i].types) == groups[i].types)
			seq_printf(m, ",%s", groups[i].name);
	}
	seq_putc(m, '\n');
}

static char at_boot[64] __initdata;

static int __init take_parameter(char *text)
{
	strscpy(at_boot, text, sizeof(at_boot));
	return 1;
}
__setup("evtlog.profile=", take_parameter);

static int __init choose_first(void)
{
	char list[] = CONFIG_EVTLOG_PROFILE_GROUPS, on[] = "1", cause[EVTLOG_PROFILE_ERROR_LEN];
	int error;

	if (evtlog_profile_groups_choose(list, cause))
		pr_warn("evtlog: CONFIG_EVTLOG_PROFILE_GROUPS: %s; no group is chosen\n", cause);
	if (!*at_boot)
		return 0;
	error = evtlog_profile_groups_choose(at_boot, cause);
	if (error)
		pr_err("evtlog.profile=: %s; profiles are not started\n", cause);
	else
		error = evtlog_profile_control_write(on);
	return error;
}
late_initcall(choose_first);
