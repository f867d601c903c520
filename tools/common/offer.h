/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What there is instead of a name that there is not.
 *
 * Stage: between what was read and messages about misuse.
 */
#ifndef EVTLOG_COMMON_OFFER_H
#define EVTLOG_COMMON_OFFER_H

#include <stddef.h>

/* @names: each once, in the order they came */
struct offer {
	const char *wanted;
	char **names;
	size_t count;
	size_t capacity;
};

void offer_start(struct offer *offer, const char *wanted);

/** offer_add() - one of the choices; 0 or -ENOMEM */
int offer_add(struct offer *offer, const char *name);

/**
 * offer_misuse() - refuse the name that was wanted, and name the choices
 * @option:	that it is of: "--run"
 * @why:	"no file is of that run"
 *
 * Of many choices a few are named: one that is near, and the first.  Frees @offer.
 * Returns EXIT_MISUSE.
 */
int offer_misuse(struct offer *offer, const char *command, const char *option,
		 const char *why);

void offer_free(struct offer *offer);

#endif /* EVTLOG_COMMON_OFFER_H */
