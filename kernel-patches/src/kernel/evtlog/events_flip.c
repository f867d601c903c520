// SPDX-License-Identifier: GPL-2.0-only
/*
 * The static keys of all record types, flipped in one batch.
 *
 * static_key_enable() patches the sites of one key at a time and synchronizes all CPUs each time:
 * three broadcasts per key, some hundred for all keys.  Here the sites of all keys are one batch:
 * three broadcasts for any number of keys.  So arming is fast although each type has its own key,
 * and types need not share one key with a mask.
 */
#include <linux/bits.h>
#include <linux/bug.h>
#include <linux/cpu.h>
#include <linux/evtlog.h>
#include <linux/init.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "events.h"

/* Modules cannot use them: they are not exported, and all sites are in the kernel's own table. */
DEFINE_STATIC_KEY_ARRAY_FALSE(evtlog_event_keys, EVTLOG_TYPE_MAX + 1);

static bool is_on(unsigned int type)
{
	return static_key_enabled(&evtlog_event_keys[type]);
}

/**
 * evtlog_events_enabled() - return the types whose keys are on
 *
 * Context: the run's lock is held.
 * Return: a bit for each record type.
 */
u64 evtlog_events_enabled(void)
{
	unsigned int i;
	u64 on = 0;

	for (i = 0; i <= EVTLOG_TYPE_MAX; i++) {
		if (is_on(i))
			on |= BIT_ULL(i);
	}
	return on;
}

#if defined(CONFIG_JUMP_LABEL) && defined(HAVE_JUMP_LABEL_BATCH)

/* All sites by ascending address, because text_poke_queue() flushes if an address is lower. */
static struct jump_entry **sites __ro_after_init;
static unsigned int nr_sites __ro_after_init;

static bool is_ours(struct jump_entry *entry)
{
	unsigned long key = (unsigned long)jump_entry_key(entry);

	/* Sites in __init text are freed. */
	return key >= (unsigned long)&evtlog_event_keys[0] &&
	       key < (unsigned long)&evtlog_event_keys[ARRAY_SIZE(evtlog_event_keys)] &&
	       !jump_entry_is_init(entry);
}

static unsigned int type_of(struct jump_entry *entry)
{
	return container_of(jump_entry_key(entry), struct static_key_false, key) - evtlog_event_keys;
}

static int __init compare(const void *a, const void *b)
{
	unsigned long one = jump_entry_code(*(struct jump_entry *const *)a);
	unsigned long two = jump_entry_code(*(struct jump_entry *const *)b);

	return one < two ? -1 : one > two;
}

/**
 * evtlog_events_init() - find all sites of all keys
 *
 * Context: once, while the kernel boots.
 * Return: 0 or -ENOMEM.
 */
int __init evtlog_events_init(void)
{
	struct jump_entry *entry;
	unsigned int i = 0;

	for (entry = __start___jump_table; entry < __stop___jump_table; entry++)
		nr_sites += is_ours(entry);
	sites = kcalloc(nr_sites, sizeof(*sites), GFP_KERNEL);
	if (!sites)
		return -ENOMEM;
	for (entry = __start___jump_table; entry < __stop___jump_table; entry++) {
		if (is_ours(entry))
			sites[i++] = entry;
	}
	sort(sites, nr_sites, sizeof(*sites), compare, NULL);
	return 0;
}

static void patch_site(struct jump_entry *entry)
{
	enum jump_label_type type = is_on(type_of(entry)) ^ jump_entry_is_branch(entry);

	if (arch_jump_label_transform_queue(entry, type))
		return;
	arch_jump_label_transform_apply();
	BUG_ON(!arch_jump_label_transform_queue(entry, type));
}

/**
 * evtlog_events_flip() - turn keys on and off
 * @on:		a bit for each record type that is to be on; all other types are turned off
 *
 * Does for all keys what jump_label_update() in kernel/jump_label.c does for one.
 *
 * Context: task context; the CPU hotplug lock and the run's lock are held.
 */
void evtlog_events_flip(u64 on)
{
	unsigned int i;
	u64 changed = 0;

	lockdep_assert_cpus_held();
	jump_label_lock();
	for (i = 0; i <= EVTLOG_TYPE_MAX; i++) {
		bool wanted = on & BIT_ULL(i);

		if (is_on(i) == wanted)
			continue;
		changed |= BIT_ULL(i);
		atomic_set(&evtlog_event_keys[i].key.enabled, wanted);
	}
	for (i = 0; i < nr_sites; i++) {
		if (changed & BIT_ULL(type_of(sites[i])))
			patch_site(sites[i]);
	}
	arch_jump_label_transform_apply();
	jump_label_unlock();
}

#else

int __init evtlog_events_init(void)
{
	return 0;
}

void evtlog_events_flip(u64 on)
{
	unsigned int i;

	for (i = 0; i <= EVTLOG_TYPE_MAX; i++) {
		if (on & BIT_ULL(i))
			static_key_enable_cpuslocked(&evtlog_event_keys[i].key);
		else
			static_key_disable_cpuslocked(&evtlog_event_keys[i].key);
	}
}

#endif
