/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters in the format that the page reads, from the server or from an exported file.
 */
#ifndef EVTLOG_VIEW_API_COUNTERS_H
#define EVTLOG_VIEW_API_COUNTERS_H

#include "common/json.h"
#include "view/session/counters.h"

/*
 * counter_bins_json() - put the bins of an answer into an open object
 * @lanes: numbers of the @question->slot_count lanes that follow the sum
 * @wanted: bits of enum track_kind
 */
void counter_bins_json(struct json *json, const struct counters_question *question,
		       const struct counters_answer *answer, const uint32_t *lanes,
		       unsigned int wanted);

#endif /* EVTLOG_VIEW_API_COUNTERS_H */
