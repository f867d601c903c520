/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/evtlog/probes, for evtlog probe.
 *
 * Functions return 0 or -errno and, but for control_probes_insert(), print nothing.
 */
#ifndef EVTLOG_CONTROL_PROBES_H
#define EVTLOG_CONTROL_PROBES_H

#include <stddef.h>
#include <stdint.h>

#include "session.h"

/*
 * A probe as the kernel lists it; texts are within the list's.
 *
 * @mechanism:	direct, return, jump or kprobe
 * @why:	no better one was used; "" if there is none
 * @skipped:	hits that a sample left out; @rest: of the last run, by time, behind the last records
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

/*
 * @error:	why the last order was refused; "" if it was not
 */
struct control_probes {
	char *text;
	const char *error;
	struct control_probe *at;
	size_t count, capacity;
};

/** control_probes_read() - all probes; free with control_probes_free() */
int control_probes_read(struct control_probes *probes);

/** control_probes_parse() - the same of a text, which is the list's from now on */
int control_probes_parse(struct control_probes *probes, char *text);

void control_probes_free(struct control_probes *probes);

/*
 * Probes in the form that the kernel takes.
 *
 * @texts:	for adding them; @names: for deleting them
 * @clones:	for each, a clone of its function that it does not include; or NULL
 */
struct control_probe_texts {
	char **texts, **names, **clones;
	size_t count, capacity;
};

/**
 * control_probe_texts_make() - put probes into the form that the kernel takes
 * @made:	filled in; free with control_probe_texts_free(), also after an error
 * @buffer:	the named buffer for their records, or NULL
 * @probes:	@count of them, as evtlog probe add takes them: with clones, files and addresses of functions, and
 *		with pcap expressions; one may become several
 * @reason:	a sentence about the error; of @size
 */
int control_probe_texts_make(struct control_probe_texts *made, const char *buffer,
			     char *const *probes, size_t count, char *reason, size_t size);

void control_probe_texts_free(struct control_probe_texts *made);

/** control_probe_texts_say_clones() - warn of clones that have no probe */
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
 * control_probes_order() - add or delete many
 * @sign:	'+' or '-'
 * @words:	probes, or names
 * @count:	of them
 *
 * All or none.  -EFBIG: their text is more than a MiB.
 */
int control_probes_order(char sign, char *const *words, size_t count);

/* ---- pcap.c: pcap expressions in probes, made programs that the kernel takes ---- */

/**
 * pcap_expand() - a probe's text as the kernel wants it
 * @probe:	may have `pcap "EXPRESSION"`, behind "if" or behind the last "&&" of a filter
 * @result:	the same with a program behind the expression; free() it
 * @error:	why not: a sentence
 * @size:	of @error
 *
 * libpcap is loaded when an expression is met.
 *
 * Return: 0; -EINVAL the expression is wrong; -ENOENT there is no libpcap; -ENOMEM.
 */
int pcap_expand(const char *probe, char **result, char *error, size_t size);

/** pcap_contract() - take the program out of a listed probe's text again, in place */
void pcap_contract(char *probe);

#endif /* EVTLOG_CONTROL_PROBES_H */
