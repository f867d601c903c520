/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A match of a watch, for people and as JSON: evtlog watch and flight.
 */
#ifndef EVTLOG_CONTROL_MATCH_PRINT_H
#define EVTLOG_CONTROL_MATCH_PRINT_H

#include <stdbool.h>

#include "watches.h"

/** match_print() - to stdout, at once; with @as_json one object a line */
void match_print(const struct control_match *match, bool as_json);

#endif /* EVTLOG_CONTROL_MATCH_PRINT_H */
