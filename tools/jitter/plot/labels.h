/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where names of places on a chart stand: above the plot, in rows, each with a line down to
 * what it names, and none over another.
 *
 * It draws nothing.
 */
#ifndef EVTLOG_JITTER_PLOT_LABELS_H
#define EVTLOG_JITTER_PLOT_LABELS_H

#include <stddef.h>

/*
 * @mark: whose
 * @row: from the plot up
 * @x: of its line; @left, @right: of its text, to one side of that
 */
struct chart_label {
	size_t mark;
	unsigned int row;
	int x;
	double left;
	double right;
};

/*
 * chart_labels_place() - as many as there is room for, the first before others
 * @x: where marks are; @widths: of their names
 * @from, @to: between which all is
 * @labels: room for one more than @count
 *
 * Returns how many are placed, from right to left; without memory none.
 */
size_t chart_labels_place(const int *x, const double *widths, size_t count, double from,
			  double to, unsigned int rows, struct chart_label *labels);

#endif /* EVTLOG_JITTER_PLOT_LABELS_H */
