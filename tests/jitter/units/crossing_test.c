// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog check counts records that contradict the user boundary.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <evtlog/abi.h>

#include "analysis/check/user-boundary.h"

#define RUNS	7

/* x: exit, e: enter, E: enter of another task, s: switch, i: softirq, t: time, l: lost, g: gap */
static uint64_t wrong_in(const char *events)
{
	struct boundary boundary = { 0 };

	for (; *events; events++) {
		uint64_t word = (uint64_t)(*events == 'E' ? RUNS + 1 : RUNS) << EVTLOG_DATA_SHIFT;
		struct evtlog_event event = {
			.kind = *events == 'g' ? EVTLOG_EVENT_GAP : EVTLOG_EVENT_RECORD,
			.pid = RUNS,
			.words = &word,
		};

		switch (*events) {
		case 'x':
			event.known = EVTLOG_USER_EXIT;
			break;
		case 'e':
		case 'E':
			event.known = EVTLOG_USER_ENTER;
			break;
		case 's':
			event.known = EVTLOG_SCHED_SWITCH;
			break;
		case 'i':
			event.known = EVTLOG_SOFTIRQ_ENTRY;
			break;
		case 't':
			event.known = EVTLOG_TIME;
			break;
		case 'l':
			event.known = EVTLOG_LOST;
			break;
		}
		boundary_update(&boundary, &event);
	}
	return boundary_wrong(&boundary);
}

static void crossings_in_turn_are_right(void **state)
{
	(void)state;
	assert_int_equal(wrong_in("exexex"), 0);
	assert_int_equal(wrong_in("ixisexie"), 0);
	assert_int_equal(wrong_in("xsiiet"), 0);
	assert_int_equal(wrong_in("xetxe"), 0);
}

static void a_record_in_user_mode_is_wrong(void **state)
{
	(void)state;
	assert_int_equal(wrong_in("xeix"), 1);
	assert_int_equal(wrong_in("xesxeix"), 2);
	assert_int_equal(wrong_in("xeex"), 1);
}

static void leaving_twice_is_wrong(void **state)
{
	(void)state;
	assert_int_equal(wrong_in("exx"), 1);
	assert_int_equal(wrong_in("exixe"), 1);
}

static void who_does_not_run_cannot_enter(void **state)
{
	(void)state;
	assert_int_equal(wrong_in("xsExe"), 1);
	/* Without switches, it is unknown which task runs. */
	assert_int_equal(wrong_in("xExe"), 0);
}

static void behind_a_loss_all_begins_anew(void **state)
{
	(void)state;
	assert_int_equal(wrong_in("xelixe"), 0);
	assert_int_equal(wrong_in("xegixe"), 0);
	assert_int_equal(wrong_in("xlxe"), 0);
	assert_int_equal(wrong_in("xsgExe"), 0);
}

static void one_side_alone_proves_nothing(void **state)
{
	(void)state;
	assert_int_equal(wrong_in("xxxix"), 0);
	assert_int_equal(wrong_in("eieie"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(crossings_in_turn_are_right),
		cmocka_unit_test(a_record_in_user_mode_is_wrong),
		cmocka_unit_test(leaving_twice_is_wrong),
		cmocka_unit_test(who_does_not_run_cannot_enter),
		cmocka_unit_test(behind_a_loss_all_begins_anew),
		cmocka_unit_test(one_side_alone_proves_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
