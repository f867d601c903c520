// SPDX-License-Identifier: GPL-2.0-only
/*
 * Commands as REMOTE records.
 */
#include <linux/evtlog.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "remote/command.h"
#include "ring.h"

#define GROUP_KIND_SHIFT	8
#define BROADCAST_SHIFT		12
#define NAME_WORDS		2
#define REMOTE_WORDS		(6 + NAME_WORDS)

/* The end is where paths of one program's groups differ. */
static void store_name_end(u64 *words, const struct evtlog_command *command)
{
	size_t bytes = min_t(size_t, command->name_bytes, NAME_WORDS * sizeof(u64));

	memset(words, 0, NAME_WORDS * sizeof(u64));
	memcpy(words, command->name + command->name_bytes - bytes, bytes);
}

static void write_irqoff(const struct evtlog_command *command)
{
	u64 *record;

	if (!evtlog_hook_on(remote))
		return;
	record = evtlog_reserve_irqoff(EVTLOG_TAG(EVTLOG_REMOTE,
			command->operation |
			(command->group_kind & 0xf) << GROUP_KIND_SHIFT |
			command->is_broadcast << BROADCAST_SHIFT), REMOTE_WORDS);
	if (!record)
		return;
	record[1] = command->request | (u64)(__force u32)command->sender << 32;
	record[2] = command->rx_ticks;
	record[3] = command->nonce;
	record[4] = command->group;
	record[5] = command->duration_ns;
	store_name_end(&record[6], command);
}

/**
 * evtlog_command_record() - write a control message's record
 * @command:	the message
 *
 * Context: any but NMI.  Nothing where no run records this type.
 */
void evtlog_command_record(const struct evtlog_command *command)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	write_irqoff(command);
	raw_local_irq_restore(flags);
}
