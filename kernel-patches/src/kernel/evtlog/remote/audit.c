// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records in the audit system which commands were given by message.
 *
 * The records go to auditd or to the kernel's log.  While audit is off nothing is recorded.
 */
#include <linux/audit.h>
#include <linux/evtlog.h>

#include "remote/command.h"
#include "remote/remote.h"

static const char *const operations[] = {
	[EVTLOG_REMOTE_START] = "start",
	[EVTLOG_REMOTE_STOP] = "stop",
	[EVTLOG_REMOTE_SCHED] = "sched",
	[EVTLOG_REMOTE_ARM] = "arm",
	[EVTLOG_REMOTE_DISARM] = "disarm",
	[EVTLOG_REMOTE_CANCEL] = "cancel",
};

static void log_group(struct audit_buffer *ab, const struct evtlog_command *command)
{
	if (command->operation != EVTLOG_REMOTE_SCHED)
		return;
	audit_log_format(ab, " group_kind=%u group=%llu duration_ns=%llu",
			 command->group_kind, command->group, command->duration_ns);
}

/**
 * evtlog_remote_audit() - record a command that changes something
 * @command:	message with a correct tag; a question is not recorded
 * @result:	its result, 0 or -errno
 *
 * The fields are those of auditd: op, src, res; key and request number, and the command's
 * arguments.  Execution must not wait for auditd: if there is no room the record is lost, and audit
 * counts this.
 *
 * Context: any but NMI.
 */
void evtlog_remote_audit(const struct evtlog_command *command, int result)
{
	struct audit_buffer *ab;

	if (audit_enabled == AUDIT_OFF || command->operation >= ARRAY_SIZE(operations) ||
	    !operations[command->operation])
		return;
	ab = audit_log_start(NULL, GFP_NOWAIT, AUDIT_KERNEL_OTHER);
	if (!ab)
		return;
	audit_log_format(ab, "op=evtlog-remote-%s src=%pI4 key=%u request=%u",
			 operations[command->operation], &command->sender,
			 command->key_id, command->request);
	log_group(ab, command);
	if (command->name_bytes) {
		audit_log_format(ab, " name=");
		audit_log_n_untrustedstring(ab, command->name, command->name_bytes);
	}
	audit_log_format(ab, " errno=%d res=%d", -result, !result);
	audit_log_end(ab);
}
