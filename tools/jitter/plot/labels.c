// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Places labels of a chart so that none overlaps another label or its line.
 *
 * view/page/jitter/labels.js does the same.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "chart.h"

/* Pixels from a line to its own label, to other labels, and between labels of a row. */
#define BESIDE		4
#define APART		3
#define BETWEEN		10

#define TRIES		5000

static bool is_free(const struct chart_label *wanted, const struct chart_label *labels,
		    size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct chart_label *other = &labels[i];

		if (abs(wanted->x - other->x) < APART)
			return false;
		if (other->row == wanted->row && wanted->left < other->right + BETWEEN &&
		    other->left < wanted->right + BETWEEN)
			return false;
		/* A line goes down from its label. */
		if (other->row > wanted->row && other->x > wanted->left - APART &&
		    other->x < wanted->right + APART)
			return false;
		if (other->row < wanted->row && wanted->x > other->left - APART &&
		    wanted->x < other->right + APART)
			return false;
	}
	return true;
}

/* @tries: number of positions that are tried before a label is left out */
struct space {
	const double *widths;
	double from;
	double to;
	unsigned int rows;
	unsigned int tries;
};

/* Places labels[@at] and the labels to its left, which follow it; each in the lowest free row. */
static bool place(struct chart_label *labels, size_t at, size_t count, struct space *space)
{
	struct chart_label *label = &labels[at];

	if (at == count)
		return true;
	for (unsigned int way = 0; way < 2 * space->rows && space->tries; way++) {
		space->tries--;
		label->row = way / 2;
		label->left = way % 2 ? label->x - BESIDE - space->widths[label->mark] :
			      label->x + BESIDE;
		label->right = label->left + space->widths[label->mark];
		if (label->left >= space->from && label->right <= space->to &&
		    is_free(label, labels, at) && place(labels, at + 1, count, space))
			return true;
	}
	return false;
}

size_t chart_labels_place(const int *x, const double *widths, size_t count, double from,
			  double to, unsigned int rows, struct chart_label *labels)
{
	struct chart_label *before = calloc(count + 1, sizeof(*before));
	size_t placed = 0;

	for (size_t i = 0; before && i < count; i++) {
		size_t at = placed;

		memcpy(before, labels, placed * sizeof(*labels));
		for (; at && labels[at - 1].x < x[i]; at--)
			labels[at] = labels[at - 1];
		labels[at] = (struct chart_label) { .mark = i, .x = x[i] };
		if (place(labels, 0, placed + 1, &(struct space) { widths, from, to, rows, TRIES }))
			placed++;
		else
			memcpy(labels, before, placed * sizeof(*labels));
	}
	free(before);
	return placed;
}
