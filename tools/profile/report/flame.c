// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes reports as a flame graph: a single SVG file.
 *
 * Each call path is a box as wide as its inclusive time, on top of the box that contains it. A
 * click on a box zooms to it; a click on the background shows all boxes again.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "profile/report/report.h"

#define WIDTH	1200.0
#define ROW	18
#define MARGIN	10
#define TOP	40
/* A box that is narrower is not visible. */
#define LEAST	0.05
/* width of a letter that is 11 px high */
#define LETTER	6.6

static const char *const colours[REPORT_KINDS] = {
	[REPORT_USER] = "#7fb069", [REPORT_REGION] = "#a9d18e", [REPORT_KERNEL] = "#f0a35e",
	[REPORT_TASK] = "#d8c45e", [REPORT_WAITING] = "#e0685a", [REPORT_PREEMPTED] = "#c65fa0",
	[REPORT_BLOCKED] = "#8ea6c9", [REPORT_IDLE] = "#d0d0d0",
};

static const char script[] =
"<script><![CDATA[\n"
"const boxes = [...document.querySelectorAll('g.box')];\n"
"const place = (g) => ({ x: +g.dataset.x, w: +g.dataset.w, y: +g.dataset.y });\n"
"function zoom(to) {\n"
"	const at = to ? place(to) : { x: 0, w: 1, y: -1 };\n"
"	for (const g of boxes) {\n"
"		const own = place(g), rect = g.querySelector('rect'), text = g.querySelector('text');\n"
"		const below = own.y <= at.y && own.x <= at.x && own.x + own.w >= at.x + at.w;\n"
"		const from = below ? 0 : Math.max(0, (own.x - at.x) / at.w);\n"
"		const until = below ? 1 : Math.min(1, (own.x + own.w - at.x) / at.w);\n"
"		const width = (until - from) * 1180;\n"
"		g.style.display = until - from > 1e-9 && width >= 0.05 ? '' : 'none';\n"
"		rect.setAttribute('x', 10 + from * 1180);\n"
"		rect.setAttribute('width', Math.max(0, width));\n"
"		text.setAttribute('x', 13 + from * 1180);\n"
"		const room = Math.floor((width - 6) / 6.6), name = g.dataset.name;\n"
"		text.textContent = room < 3 ? '' : name.length > room ? name.slice(0, room - 2) + '..' : name;\n"
"	}\n"
"}\n"
"for (const g of boxes)\n"
"	g.addEventListener('click', () => zoom(g));\n"
"document.querySelector('.ground').addEventListener('click', () => zoom(null));\n"
"]]></script>\n";

/* Writes text that is valid in XML: no control characters, no markup, only ASCII. */
static void put_text(FILE *out, const char *text, size_t most)
{
	for (size_t i = 0; text[i] && i < most; i++) {
		unsigned char c = text[i];

		if (c == '<')
			fputs("&lt;", out);
		else if (c == '>')
			fputs("&gt;", out);
		else if (c == '&')
			fputs("&amp;", out);
		else if (c == '"')
			fputs("&quot;", out);
		else
			fputc(c < ' ' || c > '~' ? '_' : c, out);
	}
}

struct picture {
	FILE *out;
	const struct report *report;
	double ticks;		/* of the whole width */
	unsigned int rows;
};

static void put_box(const struct picture *picture, const char *name, const char *colour,
		    double from, uint64_t inclusive, uint64_t exclusive, uint64_t count,
		    unsigned int row)
{
	double x = from / picture->ticks, w = inclusive / picture->ticks;
	double width = w * (WIDTH - 2 * MARGIN);
	size_t room = width > 6 ? (width - 6) / LETTER : 0;
	unsigned int y = TOP + (picture->rows - 1 - row) * ROW;
	FILE *out = picture->out;

	if (width < LEAST)
		return;
	fprintf(out, "<g class=\"box\" data-x=\"%.9f\" data-w=\"%.9f\" data-y=\"%u\" data-name=\"",
		x, w, row);
	put_text(out, name, SIZE_MAX);
	fputs("\"><title>", out);
	put_text(out, name, SIZE_MAX);
	fprintf(out, ": %.3f ms, %.3f ms of its own, %" PRIu64 " calls, %.2f %%</title>",
		report_us(picture->report, inclusive) / 1000,
		report_us(picture->report, exclusive) / 1000, count, w * 100);
	fprintf(out, "<rect x=\"%.3f\" y=\"%u\" width=\"%.3f\" height=\"%d\" fill=\"%s\"/>",
		MARGIN + x * (WIDTH - 2 * MARGIN), y, width, ROW - 1, colour);
	fprintf(out, "<text x=\"%.3f\" y=\"%u\">", MARGIN + 3 + x * (WIDTH - 2 * MARGIN), y + 13);
	if (room >= 3 && strlen(name) > room) {
		put_text(out, name, room - 2);
		fputs("..", out);
	} else if (room >= 3) {
		put_text(out, name, SIZE_MAX);
	}
	fputs("</text></g>\n", out);
}

/* The events of a CPU are not a tree: each is as wide as its exclusive time. */
static uint64_t width_of_node(const struct report_tree *tree, const struct report_node *node)
{
	return tree->slot->entry.cpu >= 0 ? node->exclusive : node->inclusive;
}

/* Nodes without parent are on top of the task's box. */
static void put_level(const struct picture *picture, const struct report_tree *tree, size_t at,
		      double from)
{
	for (; at != REPORT_ROOT; at = tree->at[at].next) {
		const struct report_node *node = &tree->at[at];
		uint64_t width = width_of_node(tree, node);

		put_box(picture, node->name, colours[node->kind], from, width, node->exclusive,
			node->count, node->depth + 2);
		put_level(picture, tree, node->first, from);
		from += width;
	}
}

static uint64_t width_of(const struct report_tree *tree)
{
	uint64_t width = 0;

	for (size_t i = 0; i < tree->count; i++) {
		if (tree->at[i].parent == REPORT_ROOT)
			width += width_of_node(tree, &tree->at[i]);
	}
	return width;
}

static void put_head(const struct picture *picture)
{
	unsigned int height = TOP + picture->rows * ROW + MARGIN;
	unsigned int x = MARGIN;
	FILE *out = picture->out;

	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
	fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %u\" width=\"%.0f\" "
		"height=\"%u\" font-family=\"monospace\" font-size=\"11\">\n", WIDTH, height, WIDTH,
		height);
	fputs("<style>g.box{cursor:pointer}g.box:hover rect{stroke:#000}text{pointer-events:none}"
	      "</style>\n", out);
	fprintf(out, "<rect class=\"ground\" width=\"%.0f\" height=\"%u\" fill=\"#fff\"/>\n", WIDTH,
		height);
	for (unsigned int kind = 0; kind < REPORT_KINDS; kind++) {
		fprintf(out, "<rect x=\"%u\" y=\"12\" width=\"12\" height=\"12\" fill=\"%s\"/>"
			"<text x=\"%u\" y=\"22\">%s</text>\n", x, colours[kind], x + 16,
			report_kind_names[kind]);
		x += 120;
	}
}

int report_print_svg(FILE *out, const struct report *report)
{
	struct picture picture = { .out = out, .report = report, .rows = 2 };
	uint64_t all = 0;
	double from = 0;
	char name[64];

	for (size_t i = 0; i < report->count; i++) {
		all += width_of(&report->at[i]);
		for (size_t k = 0; k < report->at[i].count; k++)
			picture.rows = fmax(picture.rows, report->at[i].at[k].depth + 3);
	}
	picture.ticks = all ? all : 1;
	put_head(&picture);
	put_box(&picture, "all", "#c8c8c8", 0, all, 0, report->count, 0);
	for (size_t i = 0; i < report->count; i++) {
		const struct report_tree *tree = &report->at[i];
		uint64_t width = width_of(tree);

		put_box(&picture, profile_plain(tree->label, "", name, sizeof(name)), "#b8b8b8", from,
			width, 0, 1, 1);
		put_level(&picture, tree, tree->count ? 0 : REPORT_ROOT, from);
		from += width;
	}
	fputs(script, out);
	fputs("</svg>\n", out);
	return 0;
}
