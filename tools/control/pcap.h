/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pcap expressions in probes, made programs that the kernel takes.
 */
#ifndef EVTLOG_CONTROL_PCAP_H
#define EVTLOG_CONTROL_PCAP_H

#include <stddef.h>

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

#endif /* EVTLOG_CONTROL_PCAP_H */
