// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Gives an order to hosts: by broadcast first if so wanted, then to each.
 *
 * Stage: between cmd-remote.c, which knows what is wanted, and exchange.c, which sends.
 * It does not tell what came of it: that is for report.c.
 */
#include <time.h>

#include "command.h"
#include "common/command.h"

/* A broadcast must be in before the question what came of it. */
#define AFTER_BROADCAST_MS	50

/* Who heard the broadcast is asked no more: @exchange has its status then. */
static int check_broadcast(struct exchange *exchange, const struct remote_order *order)
{
	const struct timespec pause = { .tv_nsec = AFTER_BROADCAST_MS * 1000000L };
	const struct message question = { .operation = EVTLOG_REMOTE_STATUS, .wants_reply = true };
	int error;

	nanosleep(&pause, NULL);
	error = exchange_run(exchange, &question);
	for (size_t i = 0; i < exchange->count; i++) {
		struct exchange_host *host = &exchange->hosts[i];

		/* Alive and not as ordered: it missed the broadcast. */
		host->wanted = host->answered && !remote_is_as_ordered(order, host);
	}
	return error;
}

int remote_order_give(const struct remote_order *order, const struct hostlist *list,
		      const struct remote_key *key)
{
	struct exchange exchange = {
		.timeout_ms = order->timeout_ms,
		.retries = order->retries,
	};
	struct message message = order->message;
	int error;

	if (exchange_open(&exchange, list, key, order->key_path))
		return EXIT_FAILED;
	error = 0;
	if (order->broadcast) {
		message.wants_reply = false;
		error = exchange_broadcast(&exchange, &message, order->broadcast);
		if (!error)
			error = check_broadcast(&exchange, order);
	}
	message.wants_reply = true;
	if (!error)
		error = exchange_run(&exchange, &message);
	error = error ? EXIT_FAILED : list->count ? remote_report(order, &exchange) : EXIT_OK;
	exchange_close(&exchange);
	return error;
}
