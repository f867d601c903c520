// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Labels at random places of a chart are painted onto a field, where none may cover another.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "jitter/plot/chart.h"

#define TRIALS	3000
#define MARKS	40
#define ROWS	5
#define COLUMNS	1000

static uint64_t state = 0x9e3779b97f4a7c15;

static unsigned int below(unsigned int limit)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % limit;
}

static void paint(unsigned char (*field)[COLUMNS], int row, int from, int to)
{
	for (int x = from; x < to; x++) {
		assert_in_range(x, 0, COLUMNS - 1);
		assert_int_equal(field[row][x]++, 0);
	}
}

static void check(const struct chart_label *labels, size_t count, unsigned int rows,
		  const int *x)
{
	unsigned char field[ROWS][COLUMNS] = { { 0 } };

	for (size_t i = 0; i < count; i++) {
		const struct chart_label *label = &labels[i];

		assert_true(label->row < rows);
		assert_int_equal(label->x, x[label->mark]);
		paint(field, label->row, label->left, label->right);
		for (int row = label->row; row >= 0; row--)
			paint(field, row, label->x, label->x + 1);
	}
}

static void none_is_over_another(void **unused)
{
	struct chart_label labels[MARKS + 1];
	double widths[MARKS];
	int x[MARKS];
	size_t most = 0;

	for (int trial = 0; trial < TRIALS; trial++) {
		size_t count = below(MARKS + 1), placed;
		unsigned int rows = 1 + below(ROWS);
		/* Some trials use only a part of the chart. */
		int span = trial % 2 ? COLUMNS : COLUMNS / 5;

		for (size_t i = 0; i < count; i++) {
			x[i] = COLUMNS - 1 - below(span);
			widths[i] = 20 + below(150);
		}
		placed = chart_labels_place(x, widths, count, 0, COLUMNS, rows, labels);
		check(labels, placed, rows, x);
		if (count) {
			size_t first = 0;

			while (first < placed && labels[first].mark)
				first++;
			assert_true(first < placed);
		}
		most = placed > most ? placed : most;
	}
	assert_true(most > ROWS);
}

/* Two labels that are close have room side by side, and a label at the edge stays inside. */
static void what_has_room_is_there(void **unused)
{
	const int x[] = { 500, 505, 990, 3 };
	const double widths[] = { 100, 100, 100, 100 };
	struct chart_label labels[5];

	assert_int_equal(chart_labels_place(x, widths, 4, 0, COLUMNS, 1, labels), 4);
	check(labels, 4, 1, x);
	assert_int_equal(chart_labels_place(x, widths, 0, 0, COLUMNS, 1, labels), 0);
	assert_int_equal(chart_labels_place(x, widths, 4, 0, 80, 3, labels), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(none_is_over_another),
		cmocka_unit_test(what_has_room_is_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
