/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a sensor knows as lines of JSON: evtlog-sensor(1) describes them.
 */
#ifndef EVTLOG_SENSOR_LINES_H
#define EVTLOG_SENSOR_LINES_H

#include <stdio.h>

#include "records.h"
#include "state.h"

/** sensor_print_hello() - the first line that a client gets */
void sensor_print_hello(FILE *out, const struct sensor_state *state);

/** sensor_print_stats() - all counts, rates and histograms; @is_last: no more come */
void sensor_print_stats(FILE *out, const struct sensor_state *state, bool is_last);

/** sensor_print_record() - one record */
void sensor_print_record(FILE *out, const struct sensor_record *record);

#endif /* EVTLOG_SENSOR_LINES_H */
