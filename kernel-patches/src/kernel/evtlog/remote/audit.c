// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells the audit system what was ordered by message.
 *
 * Stage: beside the answers (remote/reply.c), to auditd or the kernel's log.  While audit is
 * off nothing is told.
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

static void log_group(struct audit_buffer *ab, const struct evtlog_receipt *receipt)
{
	if (receipt->operation != EVTLOG_REMOTE_SCHED)
		return;
	audit_log_format(ab, " group_kind=%u group=%llu duration_ns=%llu",
			 receipt->group_kind, receipt->group, receipt->duration_ns);
}

/**
 * evtlog_remote_audit() - a record of an order that changes something
 * @receipt:	the message, whose tag was right; one that only asks is not told
 * @result:	what came of it, as -errno or 0
 *
 * The fields are those of auditd: op, src, res; key and request number, and what was
 * ordered.  Who obeys must not wait until auditd has read: with no room the
 * record is lost, and audit counts that.
 *
 * Context: any but NMI.
 */
void evtlog_remote_audit(const struct evtlog_receipt *receipt, int result)
{
	struct audit_buffer *ab;

	if (audit_enabled == AUDIT_OFF || receipt->operation >= ARRAY_SIZE(operations) ||
	    !operations[receipt->operation])
		return;
	ab = audit_log_start(NULL, GFP_NOWAIT, AUDIT_KERNEL_OTHER);
	if (!ab)
		return;
	audit_log_format(ab, "op=evtlog-remote-%s src=%pI4 key=%u request=%u",
			 operations[receipt->operation], &receipt->sender,
			 receipt->key_id, receipt->request);
	log_group(ab, receipt);
	if (receipt->name_bytes) {
		audit_log_format(ab, " name=");
		audit_log_n_untrustedstring(ab, receipt->name, receipt->name_bytes);
	}
	audit_log_format(ab, " errno=%d res=%d", -result, !result);
	audit_log_end(ab);
}
