/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `evtlog remote` is asked to do, and what came of it on each host.
 *
 * Stage: cmd-remote.c reads argv, command.c asks, report.c tells.
 */
#ifndef EVTLOG_REMOTE_COMMAND_H
#define EVTLOG_REMOTE_COMMAND_H

#include <stdbool.h>

#include "exchange.h"
#include "message.h"

/*
 * @broadcast:	where to send it first, or NULL
 * @timeout_ms, @retries: as of struct exchange
 */
struct remote_order {
	struct message message;
	const char *broadcast;
	const char *key_path;
	unsigned int timeout_ms;
	unsigned int retries;
	bool as_json;
};

/**
 * remote_order_give() - ask the hosts, and report
 * @list:	none: only the broadcast is sent
 *
 * Says what is wrong.  Returns an exit status, as remote_report() does.
 */
int remote_order_give(const struct remote_order *order, const struct hostlist *list,
		      const struct remote_key *key);

/** remote_has_acted() - the host did what was ordered, or it was so already */
bool remote_has_acted(const struct remote_order *order, const struct exchange_host *host);

/** remote_is_as_ordered() - its status says that it heard the broadcast */
bool remote_is_as_ordered(const struct remote_order *order, const struct exchange_host *host);

/**
 * remote_report() - print what came of it, folded or as JSON
 *
 * Returns EXIT_OK if all acted, EXIT_SOME if some did, else EXIT_FAILED; of a stop
 * EXIT_EVENTS_LOST if all acted and some lost events.
 */
int remote_report(const struct remote_order *order, const struct exchange *exchange);

#endif /* EVTLOG_REMOTE_COMMAND_H */
