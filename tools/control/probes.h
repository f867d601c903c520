/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/evtlog/probes, for evtlog probe.
 *
 * Functions return 0 or -errno and, except control_probes_insert(), do not print.
 */
#ifndef EVTLOG_CONTROL_PROBES_H
#define EVTLOG_CONTROL_PROBES_H

#include <stddef.h>
#include <stdint.h>

#include "session.h"

/*
 * A probe as the kernel lists it.  Strings point into the text of the list.
 *
 * @mechanism:	direct, return, timer, jump, kprobe or ftrace
 * @why:	why the kernel did not use a faster mechanism, "" if there is no reason
 * @skipped:	hits that were not recorded because of sampling
 * @rest:	hits of the last run after the last record, with sampling by time
 */
struct control_probe {
	const char *name;
	unsigned int id;
	const char *mechanism;
	char *spec;
	const char *why;
	uint64_t hits, recorded, rejected, lost, idle, faults;
	uint64_t skipped, rest;
};

/* @error: why the last command was refused, "" if it was not */
struct control_probes {
	char *text;
	const char *error;
	struct control_probe *at;
	size_t count, capacity;
};

/** control_probes_read() - read all probes; free with control_probes_free() */
int control_probes_read(struct control_probes *probes);

void control_probes_free(struct control_probes *probes);

/*
 * Probes in the kernel's syntax.
 *
 * @texts:	to add the probes
 * @names:	to delete the probes
 * @clones:	for each probe, a clone of its function that it does not include, or NULL
 */
struct control_probe_texts {
	char **texts, **names, **clones;
	size_t count, capacity;
};

/**
 * control_probe_texts_make() - convert probes to the kernel's syntax
 * @made:	result; free with control_probe_texts_free(), also after an error
 * @buffer:	the named buffer for their records, or NULL
 * @probes:	@count probes in the syntax of evtlog probe add: with clones, files and addresses
 *		of functions, and with pcap expressions.  A probe may be expanded to several
 * @reason:	error message
 * @size:	size of @reason in bytes
 */
int control_probe_texts_make(struct control_probe_texts *made, const char *buffer,
			     char *const *probes, size_t count, char *reason, size_t size);

void control_probe_texts_free(struct control_probe_texts *made);

/** control_probe_texts_say_clones() - warn about clones that have no probe */
void control_probe_texts_say_clones(const struct control_probe_texts *made);

/**
 * control_probes_insert() - insert probes until the session ends, all or none
 * @made, @buffer, @probes, @count: as for control_probe_texts_make(); without probes nothing is done
 *
 * Prints errors, and warns of clones without a probe.
 *
 * Return: 0 or -errno.
 */
int control_probes_insert(struct control_session *session, struct control_probe_texts *made,
			  const char *buffer, char *const *probes, size_t count);

/**
 * control_probes_order() - add or delete several probes
 * @sign:	'+' to add, '-' to delete
 * @words:	texts of probes to add, or names of probes to delete
 * @count:	number of @words
 *
 * The kernel adds or deletes all of them or none.  Returns -EFBIG if the text exceeds 1 MiB.
 */
int control_probes_order(char sign, char *const *words, size_t count);

/* ---- pcap.c: pcap expressions in probes ---- */

/**
 * pcap_expand() - compile the pcap expression of a probe
 * @probe:	may contain `pcap "EXPRESSION"` after "if" or after the last "&&" of a filter
 * @result:	@probe with the program after the expression; free() it
 * @error:	error message
 * @size:	size of @error in bytes
 *
 * libpcap is loaded only if the probe contains an expression.
 *
 * Return: 0; -EINVAL if the expression is wrong; -ENOENT if libpcap is missing; -ENOMEM.
 */
int pcap_expand(const char *probe, char **result, char *error, size_t size);

/** pcap_contract() - remove the program from the text of a listed probe, in place */
void pcap_contract(char *probe);

#endif /* EVTLOG_CONTROL_PROBES_H */
