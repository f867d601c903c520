// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters: parses a text into a checked tree.
 *
 * Called in task context by all that accept a filter's text.  The tree can be run and compiled to
 * code without further checks: sizes are limited, and numbers fit their values.
 *
 * Parentheses are required where C's precedence would be a surprise: around a mask that is
 * compared, and around a comparison after "!".
 */
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "filter/tree.h"

#define WORD_MAX	24	/* characters of the text in an error */

/*
 * @bare:	the last node that was parsed, if it is a value without a comparison so far
 * @error, @size: buffer for the first error; @failed: True: there was one
 */
struct parser {
	struct filter_lexer lexer;
	struct evtlog_filter *filter;
	const struct evtlog_filter_field *fields;
	unsigned int nr_fields;
	unsigned int depth;
	u16 bare;
	bool failed;
	char *error;
	size_t size;
};

static const struct {
	struct evtlog_filter_field field;
	u8 special;
} specials[] = {
	{ { .name = "cpu", .width = 4 }, FILTER_CPU },
	{ { .name = "pid", .width = 4, .is_signed = true }, FILTER_PID },
	{ { .name = "tgid", .width = 4, .is_signed = true }, FILTER_TGID },
	{ { .name = "prio", .width = 4, .is_signed = true }, FILTER_PRIO },
	{ { .name = "trees", .width = 4 }, FILTER_TREES },
};

static u16 parse_any(struct parser *p);

static unsigned int column(const struct parser *p)
{
	return p->lexer.start - p->lexer.text + 1;
}

/* Keeps only the first fault: later faults may be consequences of it. */
static u16 fault(struct parser *p, const char *text)
{
	if (!p->failed)
		snprintf(p->error, p->size, "column %u: %s", column(p), text);
	p->failed = true;
	return FILTER_NONE;
}

static u16 expected(struct parser *p, const char *what)
{
	const struct filter_lexer *l = &p->lexer;
	char found[WORD_MAX + 1], text[EVTLOG_FILTER_ERROR_MAX];
	unsigned int i;

	if (l->token == TOKEN_BAD)
		return fault(p, l->fault);
	for (i = 0; i < l->length && i < WORD_MAX; i++)
		found[i] = l->start[i] >= ' ' && l->start[i] <= '~' ? l->start[i] : '?';
	found[i] = '\0';
	if (l->token == TOKEN_END)
		snprintf(text, sizeof(text), "expected %s, found the end", what);
	else
		snprintf(text, sizeof(text), "expected %s, found %s", what, found);
	return fault(p, text);
}

static bool is_word(const struct parser *p, const char *word)
{
	return p->lexer.token == TOKEN_NAME && strlen(word) == p->lexer.length &&
	       !strncmp(word, p->lexer.start, p->lexer.length);
}

/* Returns true for a word of the current task, also if a field has the same name. */
static bool is_task_word(const struct parser *p, const char *word)
{
	static const char prefix[] = "current.";
	size_t skip = sizeof(prefix) - 1;

	return is_word(p, word) ||
	       (p->lexer.token == TOKEN_NAME && p->lexer.length == skip + strlen(word) &&
		!strncmp(p->lexer.start, prefix, skip) &&
		!strncmp(p->lexer.start + skip, word, strlen(word)));
}

static bool accept(struct parser *p, enum filter_token token)
{
	if (p->lexer.token != token)
		return false;
	filter_lex(&p->lexer);
	return true;
}

static struct filter_node *node_at(const struct parser *p, u16 index)
{
	return &p->filter->nodes[index];
}

static u16 new_node(struct parser *p, enum filter_kind kind)
{
	struct filter_node *node;

	if (p->filter->nr_nodes == EVTLOG_FILTER_NODES_MAX)
		return fault(p, "too many tests: at most 128, each && and || included");
	node = node_at(p, p->filter->nr_nodes);
	node->kind = kind;
	node->child = node->next = FILTER_NONE;
	return p->filter->nr_nodes++;
}

/* True if the value's bytes can hold it; in hexadecimal, a signed value may use all bits. */
static bool fits(const struct filter_lexer *l, bool is_negative, unsigned int width,
		 bool is_signed)
{
	u64 max = filter_extend(~0ULL, width, false);

	if (!is_signed)
		return l->number <= (is_negative ? 0 : max);
	if (is_negative)
		return l->number <= max / 2 + 1;
	return l->number <= (l->is_hex ? max : max / 2);
}

static bool parse_number(struct parser *p, unsigned int width, bool is_signed, u64 *number)
{
	bool is_negative = accept(p, TOKEN_MINUS);
	char text[64];

	if (p->lexer.token != TOKEN_NUMBER) {
		expected(p, "a number");
		return false;
	}
	if (!fits(&p->lexer, is_negative, width, is_signed)) {
		snprintf(text, sizeof(text), "expected a number of %u bits, %s", 8 * width,
			 is_signed ? "signed" : "not negative");
		fault(p, text);
		return false;
	}
	*number = is_negative ? -p->lexer.number : p->lexer.number;
	*number = filter_extend(*number, width, is_signed);
	filter_lex(&p->lexer);
	return true;
}

static bool parse_compare(struct parser *p, u8 *compare)
{
	if (p->lexer.token < TOKEN_EQ || p->lexer.token > TOKEN_GE)
		return false;
	*compare = FILTER_EQ + (p->lexer.token - TOKEN_EQ);
	filter_lex(&p->lexer);
	return true;
}

/* Inserts into the sorted ranges from @first on, and joins ranges that touch. */
static bool insert_range(struct parser *p, u16 first, struct filter_range range, bool is_signed)
{
	struct evtlog_filter *f = p->filter;
	struct filter_range *r = f->ranges;
	u16 from = first, to;

	while (from < f->nr_ranges && filter_less(r[from].high, range.low, is_signed) &&
	       r[from].high + 1 != range.low)
		from++;
	to = from;
	while (to < f->nr_ranges && (!filter_less(range.high, r[to].low, is_signed) ||
				     range.high + 1 == r[to].low)) {
		if (filter_less(r[to].low, range.low, is_signed))
			range.low = r[to].low;
		if (filter_less(range.high, r[to].high, is_signed))
			range.high = r[to].high;
		to++;
	}
	if (to == from && f->nr_ranges == EVTLOG_FILTER_ITEMS_MAX)
		return false;
	memmove(&r[from + 1], &r[to], (f->nr_ranges - to) * sizeof(*r));
	r[from] = range;
	f->nr_ranges += from + 1 - to;
	return true;
}

static u16 parse_set(struct parser *p, u16 index)
{
	struct filter_node *node = node_at(p, index);
	struct filter_range range;
	unsigned int items = 0;

	if (!accept(p, TOKEN_OPEN_SET))
		return expected(p, "{");
	node->kind = FILTER_SET;
	node->first_range = p->filter->nr_ranges;
	do {
		if (!parse_number(p, node->width, node->is_signed, &range.low))
			return FILTER_NONE;
		range.high = range.low;
		if (accept(p, TOKEN_MINUS) &&
		    !parse_number(p, node->width, node->is_signed, &range.high))
			return FILTER_NONE;
		if (filter_less(range.high, range.low, node->is_signed))
			return fault(p, "the range before this ends before it begins");
		if (++items > EVTLOG_FILTER_ITEMS_MAX ||
		    !insert_range(p, node->first_range, range, node->is_signed))
			return fault(p, "too many items in sets: at most 256");
	} while (accept(p, TOKEN_COMMA));
	if (!accept(p, TOKEN_CLOSE_SET))
		return expected(p, "a comma or }");
	node->nr_ranges = p->filter->nr_ranges - node->first_range;
	return index;
}

/* After a value: parses a comparison, if there is one. */
static u16 parse_relation(struct parser *p, u16 index)
{
	struct filter_node *node = node_at(p, index);

	if (is_word(p, "in")) {
		filter_lex(&p->lexer);
		return parse_set(p, index);
	}
	if (!parse_compare(p, &node->compare)) {
		p->bare = index;
		return index;
	}
	return parse_number(p, node->width, node->is_signed, &node->number) ? index :
									      FILTER_NONE;
}

static bool begins_relation(const struct parser *p)
{
	return is_word(p, "in") || (p->lexer.token >= TOKEN_EQ && p->lexer.token <= TOKEN_LIKE);
}

static u16 parse_mask(struct parser *p, u16 index)
{
	struct filter_node *node = node_at(p, index);

	if (!parse_number(p, node->width, false, &node->mask))
		return FILTER_NONE;
	node->is_masked = true;
	node->is_signed = false;
	if (begins_relation(p))
		return fault(p, "a mask that is compared needs parentheses: (flags&0xff)==2");
	p->bare = index;
	return index;
}

/*
 * Parses == "text", != "text" or ~ "text*" after the name of @index.  @bytes: number to compare, at
 * most @max.  They include the NUL, unless the text ends in a star.
 */
static u16 parse_quoted(struct parser *p, u16 index, char *text, u8 *bytes, unsigned int max)
{
	bool is_like = accept(p, TOKEN_LIKE);
	const char *star = NULL;
	unsigned int compared;
	char why[56];

	if (!is_like && (p->lexer.token > TOKEN_NE || !parse_compare(p, &node_at(p, index)->compare)))
		return expected(p, "==, != or ~");
	if (p->lexer.token != TOKEN_STRING)
		return expected(p, "a text in quotes");
	if (is_like)
		star = memchr(p->lexer.start, '*', p->lexer.length);
	if (star && star - p->lexer.start != p->lexer.length - 1)
		return fault(p, "* is allowed only at the end of a text");
	compared = star ? p->lexer.length - 1 : p->lexer.length + 1;
	if (compared > max) {
		snprintf(why, sizeof(why), "this text may have at most %u characters", max - 1);
		return fault(p, why);
	}
	*bytes = compared;
	memcpy(text, p->lexer.start, compared < p->lexer.length ? compared : p->lexer.length);
	filter_lex(&p->lexer);
	return index;
}

static u16 parse_comm(struct parser *p)
{
	u16 index = new_node(p, FILTER_COMM);
	struct filter_node *node;

	filter_lex(&p->lexer);
	if (index == FILTER_NONE)
		return index;
	node = node_at(p, index);
	return parse_quoted(p, index, node->comm, &node->comm_bytes, FILTER_COMM_LEN);
}

/* Tests a bit of the slot that the caller sets: true if the field matches this text. */
static u16 parse_text_test(struct parser *p, const struct evtlog_filter_field *field)
{
	u16 index = new_node(p, FILTER_COMPARE), number = p->filter->nr_texts;
	struct evtlog_filter_text *text = &p->filter->texts[number];
	struct filter_node *node;

	if (index == FILTER_NONE)
		return index;
	if (number == EVTLOG_FILTER_TEXTS_MAX)
		return fault(p, "too many texts: at most 8 are compared");
	filter_lex(&p->lexer);
	node = node_at(p, index);
	text->slot = field->slot;
	index = parse_quoted(p, index, text->text, &text->bytes, EVTLOG_FILTER_TEXT_LEN);
	if (index == FILTER_NONE)
		return index;
	node->slot = field->texts;
	node->width = 4;
	node->is_masked = true;
	node->mask = 1U << number;
	node->compare = node->compare == FILTER_EQ ? FILTER_NE : FILTER_EQ;
	p->filter->nr_texts++;
	return index;
}

/* Tree or cgroup of the task; its number has @width bytes. */
static u16 parse_group(struct parser *p, enum filter_kind kind, unsigned int width)
{
	u16 index = new_node(p, kind);
	struct filter_node *node;
	const char *start;

	filter_lex(&p->lexer);
	if (index == FILTER_NONE)
		return index;
	node = node_at(p, index);
	if (p->lexer.token > TOKEN_NE || !parse_compare(p, &node->compare))
		return expected(p, "== or !=");
	start = p->lexer.start;
	if (!parse_number(p, width, false, &node->number))
		return FILTER_NONE;
	if (kind != FILTER_TREE || evtlog_filter_tree_is_there(node->number))
		return index;
	p->lexer.start = start;
	return fault(p, "no process or marked tree has this pid");
}

static const struct evtlog_filter_field *field_of(const struct parser *p)
{
	unsigned int i;

	for (i = 0; i < p->nr_fields; i++) {
		if (is_word(p, p->fields[i].name))
			return &p->fields[i];
	}
	return NULL;
}

static bool find_value(const struct parser *p, const struct evtlog_filter_field *field,
		       struct filter_node *node)
{
	unsigned int i;

	for (i = 0; !field && i < sizeof(specials) / sizeof(specials[0]); i++) {
		if (is_task_word(p, specials[i].field.name)) {
			field = &specials[i].field;
			node->special = specials[i].special;
		}
	}
	if (!field)
		return false;
	node->slot = field->slot;
	node->width = field->width;
	node->is_signed = field->is_signed;
	return true;
}

/* Returns true for "tree", or a name whose last part is pid or tgid. */
static bool names_a_pid(const struct parser *p)
{
	const struct filter_lexer *l = &p->lexer;
	const char *part = l->start + l->length;
	size_t length;

	while (part > l->start && part[-1] != '_' && part[-1] != '.')
		part--;
	length = l->start + l->length - part;
	return is_word(p, "tree") || (length == 3 && !memcmp(part, "pid", 3)) ||
	       (length == 4 && !memcmp(part, "tgid", 4));
}

/* Parses a test that begins with a name. */
static u16 parse_test(struct parser *p)
{
	const struct evtlog_filter_field *field;
	struct filter_node found = {
		.kind = FILTER_COMPARE,
		.compare = FILTER_NE,
		.child = FILTER_NONE,
		.next = FILTER_NONE,
	};
	u16 index;

	if (p->lexer.token != TOKEN_NAME)
		return expected(p, "a name, ! or (");
	if (names_a_pid(p) && !evtlog_filter_pids_are_global())
		return fault(p, "events have pids of the first pid namespace: use this filter there");
	field = field_of(p);
	if (field && field->texts)
		return parse_text_test(p, field);
	if (!find_value(p, field, &found)) {
		if (is_task_word(p, "comm"))
			return parse_comm(p);
		if (is_task_word(p, "tree"))
			return parse_group(p, FILTER_TREE, 4);
		if (is_task_word(p, "cgroup"))
			return parse_group(p, FILTER_CGROUP, 8);
		return expected(p, "a field of this event, or cpu, pid, tgid, prio, comm, cgroup, tree, trees");
	}
	index = new_node(p, FILTER_COMPARE);
	if (index == FILTER_NONE)
		return index;
	*node_at(p, index) = found;
	filter_lex(&p->lexer);
	if (accept(p, TOKEN_MASK))
		return parse_mask(p, index);
	return parse_relation(p, index);
}

static bool enter(struct parser *p)
{
	if (p->depth == EVTLOG_FILTER_DEPTH_MAX) {
		fault(p, "nested too deeply: at most 16 parentheses and !");
		return false;
	}
	p->depth++;
	filter_lex(&p->lexer);
	return true;
}

static u16 parse_one(struct parser *p);

static u16 parse_not(struct parser *p)
{
	bool has_parentheses;
	u16 child, index;

	if (!enter(p))
		return FILTER_NONE;
	has_parentheses = p->lexer.token == TOKEN_OPEN || p->lexer.token == TOKEN_NOT;
	child = parse_one(p);
	p->depth--;
	if (child == FILTER_NONE)
		return child;
	if (!has_parentheses && p->bare != child)
		return fault(p, "a comparison after ! needs parentheses: !(pid==1)");
	p->bare = FILTER_NONE;
	index = new_node(p, FILTER_NOT);
	if (index != FILTER_NONE)
		node_at(p, index)->child = child;
	return index;
}

static u16 parse_one(struct parser *p)
{
	bool is_value;
	u16 index;

	p->bare = FILTER_NONE;
	if (p->lexer.token == TOKEN_NOT)
		return parse_not(p);
	if (p->lexer.token != TOKEN_OPEN)
		return parse_test(p);
	if (!enter(p))
		return FILTER_NONE;
	index = parse_any(p);
	is_value = index != FILTER_NONE && p->bare == index;
	p->depth--;
	if (index == FILTER_NONE)
		return index;
	if (!accept(p, TOKEN_CLOSE))
		return expected(p, "&&, || or )");
	if (!is_value)
		return index;
	if (p->lexer.token == TOKEN_MASK && !node_at(p, index)->is_masked) {
		filter_lex(&p->lexer);
		return parse_mask(p, index);
	}
	return parse_relation(p, index);
}

static u16 parse_joined(struct parser *p, enum filter_token token, enum filter_kind kind,
			u16 (*parse)(struct parser *p))
{
	u16 last = parse(p), joined;

	if (last == FILTER_NONE || p->lexer.token != token)
		return last;
	joined = new_node(p, kind);
	if (joined == FILTER_NONE)
		return joined;
	node_at(p, joined)->child = last;
	while (accept(p, token)) {
		u16 next = parse(p);

		if (next == FILTER_NONE)
			return next;
		node_at(p, last)->next = next;
		last = next;
	}
	p->bare = FILTER_NONE;
	return joined;
}

static u16 parse_all(struct parser *p)
{
	return parse_joined(p, TOKEN_AND, FILTER_ALL, parse_one);
}

static u16 parse_any(struct parser *p)
{
	return parse_joined(p, TOKEN_OR, FILTER_ANY, parse_all);
}

static void parse_text(struct parser *p)
{
	u16 root;

	if (strlen(p->lexer.text) > EVTLOG_FILTER_TEXT_MAX) {
		p->lexer.start = p->lexer.text + EVTLOG_FILTER_TEXT_MAX;
		fault(p, "the text is too long: at most 1024 characters");
		return;
	}
	filter_lex(&p->lexer);
	root = parse_any(p);
	if (root != FILTER_NONE && p->lexer.token != TOKEN_END)
		expected(p, p->bare == root ? "a comparison, in, &&, || or the end" :
			    "&&, || or the end");
	p->filter->root = root;
}

/**
 * evtlog_filter_compile() - compile a filter
 * @text:	text of the filter; not kept
 * @fields:	fields of the event; not kept
 * @error:	reason of a failure, "column N: ..."; empty on success
 * @size:	size of @error; EVTLOG_FILTER_ERROR_MAX is always sufficient
 *
 * Context: task context, may sleep.
 * Return: the filter, for evtlog_filter_free(); NULL: see @error.
 */
struct evtlog_filter *evtlog_filter_compile(const char *text,
					    const struct evtlog_filter_field *fields,
					    unsigned int nr, char *error, size_t size)
{
	struct parser p = {
		.lexer = { .text = text, .at = text, .start = text },
		.fields = fields,
		.nr_fields = nr,
		.bare = FILTER_NONE,
		.error = error,
		.size = size,
	};

	if (size)
		*error = '\0';
	p.filter = kvcalloc(1, sizeof(*p.filter), GFP_KERNEL);
	if (!p.filter) {
		fault(&p, "no memory");
		return NULL;
	}
	parse_text(&p);
	if (p.failed) {
		evtlog_filter_free(p.filter);
		return NULL;
	}
	return p.filter;
}

/**
 * evtlog_filter_texts() - get the texts with which a filter compares fields
 * @nr:		set to the number of texts
 *
 * Return: the array of texts; valid as long as @filter.
 */
struct evtlog_filter_text *evtlog_filter_texts(struct evtlog_filter *filter, unsigned int *nr)
{
	*nr = filter->nr_texts;
	return filter->texts;
}

/**
 * evtlog_filter_free() - free a filter
 * @filter:	filter that does not run any more, or NULL.  Code made from it does not need it
 */
void evtlog_filter_free(struct evtlog_filter *filter)
{
	kvfree(filter);
}
