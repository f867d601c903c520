/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters as the page reads them, from the server or from a file.
 */
#ifndef EVTLOG_VIEW_API_COUNTERS_H
#define EVTLOG_VIEW_API_COUNTERS_H

#include "common/json.h"
#include "view/session/counters.h"

/*
 * counter_bins_json() - puts the bins of an answer into an object that is open
 * @lanes: numbers of the lanes that are behind the sum, @question->slot_count of them
 * @wanted: bits of enum track_kind
 */
void counter_bins_json(struct json *json, const struct counters_question *question,
		       const struct counters_answer *answer, const uint32_t *lanes,
		       unsigned int wanted);

#endif /* EVTLOG_VIEW_API_COUNTERS_H */
