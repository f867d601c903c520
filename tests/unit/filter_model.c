// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Random filters as trees that compute their own result, and the machine whose state they test
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter_model.h"

typedef __int128 wide;

struct model_cpu model_cpu;
const char *model_text;

/* The last field hides the task's pid. One has a name like a probe's argument. */
const struct evtlog_filter_field model_fields[MODEL_FIELDS] = {
	{ "u8", 0, 1, false, 0 }, { "s8", 1, 1, true, 0 }, { "u16", 2, 2, false, 0 },
	{ "s16", 3, 2, true, 0 }, { "u32", 20, 4, false, 0 }, { "s32", 5, 4, true, 0 },
	{ "u64", 6, 8, false, 0 }, { "s64", 40, 8, true, 0 }, { "skb->len", 8, 4, false, 0 },
	{ "input.x", 9, 2, true, 0 }, { "dev->name", MODEL_TEXT, 8, false, MODEL_TEXTS },
	{ "pid", 10, 8, true, 0 },
};
/* Another field has its slot. */
#define TEXT_FIELD	10

enum kind { AND, OR, NOT, NUMBER, BARE, SET, COMM, TREE, CGROUP, TEXT, KINDS };
enum relation { EQ, NE, LT, LE, GT, GE };
static const char *const relations[] = { "==", "!=", "<", "<=", ">", ">=" };

/* Values: fields, then properties of the task */
enum { CPU = MODEL_FIELDS, PID, TGID, PRIO, TREES, VALUES };
static const char *const task_names[] = { "cpu", "current.pid", "tgid", "prio", "trees" };

#define SET_MAX	40

struct model_node {
	enum kind kind;
	enum relation relation;
	unsigned int value;
	bool has_mask;
	bool is_prefix;
	u64 mask;
	wide number;
	char comm[17];
	unsigned int items;
	wide low[SET_MAX], high[SET_MAX];
	struct model_node *child[3];
	unsigned int children;
};

static unsigned int width_of(unsigned int value)
{
	return value < MODEL_FIELDS ? model_fields[value].width : 4;
}

static bool is_signed(unsigned int value)
{
	return value < MODEL_FIELDS ? model_fields[value].is_signed :
				      value != CPU && value != TREES;
}

/* Small, at the limits of a type, or any; often repeated. */
static u64 some_bits(struct random *r)
{
	static const u64 ends[] = {
		0, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff,
		0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff, 0xffffffff80000000,
	};
	u64 bits = random_next(r);

	switch (random_below(r, 4)) {
	case 0:
		return ends[random_below(r, sizeof(ends) / sizeof(ends[0]))] +
		       random_below(r, 3) - 1;
	case 1:
		return bits >> random_below(r, 64);
	default:
		return bits % 12;
	}
}

static wide as_number(u64 bits, unsigned int width, bool with_sign)
{
	wide one = 1, number = bits;

	number &= (one << 8 * width) - 1;
	if (with_sign && number >> (8 * width - 1))
		number -= one << 8 * width;
	return number;
}

static wide some_number(struct random *r, const struct model_node *node)
{
	return as_number(some_bits(r), width_of(node->value),
			 is_signed(node->value) && !node->has_mask);
}

static void choose_value(struct random *r, struct model_node *node)
{
	do
		node->value = random_below(r, VALUES);
	while (node->value == TEXT_FIELD);
	if (random_one_in(r, 4)) {
		node->has_mask = true;
		node->mask = (u64)as_number(some_bits(r), width_of(node->value), false);
	}
	node->number = some_number(r, node);
	if (random_one_in(r, 6))
		node->number = 0;
}

static void choose_set(struct random *r, struct model_node *node)
{
	unsigned int i;

	node->items = 1 + random_below(r, random_one_in(r, 4) ? SET_MAX : 5);
	for (i = 0; i < node->items; i++) {
		wide low = some_number(r, node), high = some_number(r, node);

		if (random_one_in(r, 2))
			high = low;
		node->low[i] = low < high ? low : high;
		node->high[i] = low < high ? high : low;
	}
}

static const char *const comms[] = {
	"nfsd", "nfs", "", "a", "fifteen-letters", "fifteen-letterz", "kworker/0:1", "eight888", "twelve-bytes",
};

static const char *some_comm(struct random *r)
{
	return comms[random_below(r, sizeof(comms) / sizeof(comms[0]))];
}

struct model_node *model_filter(struct random *r, unsigned int tests)
{
	struct model_node *node = calloc(1, sizeof(*node));
	unsigned int i;

	if (!node)
		abort();
	if (tests > 1 && !random_one_in(r, 6)) {
		node->kind = random_below(r, 3);
		node->children = node->kind == NOT ? 1 : 2 + random_below(r, 2);
		for (i = 0; i < node->children; i++)
			node->child[i] = model_filter(r, node->kind == NOT ? tests - 1 :
							 tests / node->children);
		return node;
	}
	node->kind = NUMBER + random_below(r, KINDS - NUMBER);
	if (node->kind == NUMBER || random_one_in(r, 2))
		node->kind = NUMBER;
	node->relation = random_below(r, node->kind == NUMBER ? 6 : 2);
	choose_value(r, node);
	if (node->kind == SET)
		choose_set(r, node);
	strcpy(node->comm, some_comm(r));
	if ((node->kind == COMM || node->kind == TEXT) && random_one_in(r, 3)) {
		node->is_prefix = true;
		node->relation = EQ;
		node->comm[random_below(r, (uint32_t)strlen(node->comm) + 1)] = '\0';
	}
	if (node->kind == TREE)
		node->number = random_below(r, 8);
	if (node->kind == CGROUP)
		node->number = (wide)some_bits(r);
	return node;
}

void model_free(struct model_node *node)
{
	unsigned int i;

	for (i = 0; i < node->children; i++)
		model_free(node->child[i]);
	free(node);
}

/* Appends to @text; stops if it is full. */
struct output {
	char *text;
	size_t size, length;
};

static void put(struct output *o, const char *format, ...)
	__attribute__((__format__(__printf__, 2, 3)));
static void put(struct output *o, const char *format, ...)
{
	va_list arguments;
	int length;

	if (o->length >= o->size)
		return;
	va_start(arguments, format);
	length = vsnprintf(o->text + o->length, o->size - o->length, format, arguments);
	va_end(arguments);
	o->length += (size_t)length;
}

static void put_blank(struct random *r, struct output *o)
{
	if (random_one_in(r, 4))
		put(o, random_one_in(r, 3) ? "\t" : " ");
}

static void put_number(struct random *r, struct output *o, wide number, unsigned int width,
		       bool with_sign)
{
	static const char *const formats[] = { "%llu", "%llu", "0x%llx", "0%llo" };
	unsigned int format = random_below(r, 4), bits = (unsigned int)number;

	if (with_sign && number < 0 && random_one_in(r, 4)) {
		/* The bits of a negative number */
		put(o, "0x%llx", (unsigned long long)(u64)as_number((u64)number, width,
									  false));
		return;
	}
	if (number < 0) {
		put(o, "-");
		number = -number;
	}
	if (number <= UINT32_MAX && !with_sign && random_one_in(r, 4))
		put(o, "%u.%u.%u.%u", bits >> 24, bits >> 16 & 255, bits >> 8 & 255, bits & 255);
	else
		put(o, formats[format], (unsigned long long)number);
}

static void put_value(struct random *r, struct output *o, const struct model_node *node,
		      bool is_compared)
{
	bool wraps = (node->has_mask && is_compared) || random_one_in(r, 8);
	const char *name = node->value < MODEL_FIELDS ? model_fields[node->value].name :
							task_names[node->value - MODEL_FIELDS];

	if (wraps)
		put(o, "(");
	put(o, "%s", name);
	if (node->has_mask) {
		put_blank(r, o);
		put(o, "&");
		put_number(r, o, (wide)node->mask, 8, false);
	}
	if (wraps)
		put(o, ")");
	put_blank(r, o);
}

static void put_set(struct random *r, struct output *o, const struct model_node *node)
{
	bool with_sign = is_signed(node->value) && !node->has_mask;
	unsigned int width = width_of(node->value), i;

	put(o, " in{");
	for (i = 0; i < node->items; i++) {
		put(o, i ? "," : "");
		put_number(r, o, node->low[i], width, with_sign);
		if (node->low[i] == node->high[i] && random_one_in(r, 2))
			continue;
		put_blank(r, o);
		put(o, "-");
		put_number(r, o, node->high[i], width, with_sign);
	}
	put(o, "}");
}

static void put_node(struct random *r, struct output *o, const struct model_node *node,
		     bool is_inner)
{
	/* Parentheses around an operand that is not a single test, and sometimes around others */
	bool wraps = (is_inner && node->kind <= OR) || random_one_in(r, 10);
	unsigned int i;

	if (wraps)
		put(o, "(");
	put_blank(r, o);
	switch (node->kind) {
	case AND:
	case OR:
		for (i = 0; i < node->children; i++) {
			if (i)
				put(o, node->kind == AND ? "&&" : "||");
			put_node(r, o, node->child[i], true);
		}
		break;
	case NOT:
		put(o, "!(");
		put_node(r, o, node->child[0], false);
		put(o, ")");
		break;
	case NUMBER:
		put_value(r, o, node, true);
		put(o, "%s", relations[node->relation]);
		put_blank(r, o);
		put_number(r, o, node->number, width_of(node->value),
			   is_signed(node->value) && !node->has_mask);
		break;
	case BARE:
		put_value(r, o, node, false);
		break;
	case SET:
		put_value(r, o, node, true);
		put_set(r, o, node);
		break;
	case COMM:
	case TEXT:
		put(o, "%s%s\"%s%s\"", node->kind == COMM ? "comm" : "dev->name", node->is_prefix ? "~" : relations[node->relation],
		    node->comm, node->is_prefix ? "*" : "");
		break;
	case TREE:
		put(o, "tree%s%u", relations[node->relation], (unsigned int)node->number);
		break;
	default:
		put(o, "cgroup%s", relations[node->relation]);
		put_number(r, o, node->number, 8, false);
	}
	put_blank(r, o);
	if (wraps)
		put(o, ")");
}

bool model_print(struct random *r, const struct model_node *node, char *text, size_t size)
{
	struct output o = { text, size, 0 };

	put_node(r, &o, node, false);
	return o.length < size;
}

static wide value_now(const struct model_node *node, const u64 *slots)
{
	const struct model_task *task = &model_cpu.task;
	wide value;

	switch (node->value) {
	case CPU:
		value = model_cpu.cpu;
		break;
	case PID:
		value = task->pid;
		break;
	case TGID:
		value = task->tgid;
		break;
	case PRIO:
		value = task->prio;
		break;
	case TREES:
		value = task->trees;
		break;
	default:
		value = as_number(slots[model_fields[node->value].slot], width_of(node->value),
				  is_signed(node->value));
	}
	if (node->has_mask)
		value &= node->mask;
	return value;
}

bool model_is_among(const u64 *numbers, u64 number)
{
	unsigned int i;

	for (i = 0; i < MODEL_ANCESTORS; i++) {
		if (numbers[i] == number)
			return true;
	}
	return false;
}

static bool related(const struct model_node *node, wide value)
{
	switch (node->relation) {
	case EQ:
		return value == node->number;
	case NE:
		return value != node->number;
	case LT:
		return value < node->number;
	case LE:
		return value <= node->number;
	case GT:
		return value > node->number;
	default:
		return value >= node->number;
	}
}

static bool in_set(const struct model_node *node, wide value)
{
	unsigned int i;

	for (i = 0; i < node->items; i++) {
		if (value >= node->low[i] && value <= node->high[i])
			return true;
	}
	return false;
}

bool model_matches(const struct model_node *node, const u64 *slots)
{
	const char *comm = model_cpu.task.comm;
	bool result = node->kind == AND;
	unsigned int i;

	switch (node->kind) {
	case AND:
		for (i = 0; i < node->children; i++)
			result &= model_matches(node->child[i], slots);
		return result;
	case OR:
		for (i = 0; i < node->children; i++)
			result |= model_matches(node->child[i], slots);
		return result;
	case NOT:
		return !model_matches(node->child[0], slots);
	case NUMBER:
		return related(node, value_now(node, slots));
	case BARE:
		return value_now(node, slots) != 0;
	case SET:
		return in_set(node, value_now(node, slots));
	case TEXT:
	case COMM:
		if (node->kind == TEXT)
			comm = model_text;
		if (node->is_prefix)
			return strncmp(comm, node->comm, strlen(node->comm)) == 0;
		return (strcmp(comm, node->comm) == 0) == (node->relation == EQ);
	case TREE:
		return model_is_among(model_cpu.task.ancestors, (u64)node->number) == (node->relation == EQ);
	default:
		return model_is_among(model_cpu.task.cgroups, (u64)node->number) == (node->relation == EQ);
	}
}

bool model_compare_texts(struct evtlog_filter *filter, u64 *slots)
{
	unsigned int nr, i;
	const struct evtlog_filter_text *texts = evtlog_filter_texts(filter, &nr);
	char found[EVTLOG_FILTER_TEXT_LEN] = "";

	strcpy(found, model_text);
	slots[MODEL_TEXTS] &= ~((1ULL << EVTLOG_FILTER_TEXTS_MAX) - 1);
	for (i = 0; i < nr; i++) {
		if (texts[i].slot != MODEL_TEXT || texts[i].bytes > sizeof(found))
			return false;
		slots[MODEL_TEXTS] |= (u64)!memcmp(found, texts[i].text, texts[i].bytes) << i;
	}
	return true;
}

void model_record(struct random *r, u64 *slots)
{
	struct model_task *task = &model_cpu.task;
	unsigned int i;

	for (i = 0; i < MODEL_FIELDS; i++)
		slots[model_fields[i].slot] = random_one_in(r, 4) ? random_next(r) :
			some_bits(r) | (random_next(r) << 32 & -(u64)random_below(r, 2));
	slots[MODEL_TEXTS] = random_next(r);
	model_text = some_comm(r);
	model_cpu.current = task;
	model_cpu.cpu = (uint32_t)some_bits(r);
	task->pid = (int32_t)some_bits(r);
	task->tgid = (int32_t)some_bits(r);
	task->prio = (int32_t)some_bits(r);
	task->trees = (uint32_t)some_bits(r);
	/* Bytes after a name's NUL have no meaning. */
	for (i = 0; i < sizeof(task->comm); i++)
		task->comm[i] = (char)random_next(r);
	strcpy(task->comm, some_comm(r));
	for (i = 0; i < MODEL_ANCESTORS; i++)
		task->ancestors[i] = random_below(r, 12);
	for (i = 0; i < MODEL_ANCESTORS; i++)
		task->cgroups[i] = some_bits(r);
}
