// SPDX-License-Identifier: GPL-2.0-only
/*
 * Watches: parses the text of a rule.
 *
 *	rule = ["in" BUFFER] event [then | without] "do" action;
 *	event = NAME ["if" FILTER];
 *	then = "then" event ["after" TIME] "within" TIME [same];
 *	without = "without" event "within" TIME [same];
 *	same = "," "same" FIELD ["=" FIELD] { "," FIELD ["=" FIELD] };
 *	action = "wake" | "start" | "stop" | "keep" TIME ["and" TIME "after"];
 *
 * These words are ignored within quotes.  TIME is a number and ns, us, ms or s.
 */
#include <linux/cpu.h>
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "filter/filter.h"
#include "named/named.h"
#include "proc.h"
#include "run.h"
#include "watch/watch.h"

/* @error, @size: where the first error is described */
struct parser {
	struct watch_rule *rule;
	char *error;
	size_t size;
};

#define refuse(p, ...)	evtlog_refuse((p)->error, (p)->size, -EINVAL, __VA_ARGS__)

static bool ends_word(char c)
{
	return !c || isspace(c) || c == ',';
}

/* Finds a separate word outside of quotes.  Returns NULL if there is none. */
static char *find_word(char *text, const char *word)
{
	size_t length = strlen(word);
	bool in_quotes = false, begins = true;

	for (; *text; text++) {
		if (*text == '"')
			in_quotes = !in_quotes;
		if (!in_quotes && begins && !strncmp(text, word, length) && ends_word(text[length]))
			return text;
		begins = isspace(*text);
	}
	return NULL;
}

/* Ends the text in front of a word, and returns the text after it; NULL if there is none. */
static char *cut_at(char *text, const char *word)
{
	char *at = find_word(text, word);

	if (!at)
		return NULL;
	*at = '\0';
	return skip_spaces(at + strlen(word));
}

static int take_time(const struct parser *p, const char *text, u64 *ns)
{
	static const struct {
		const char *name;
		u64 ns;
	} units[] = {
		{ "ns", 1 }, { "us", NSEC_PER_USEC }, { "ms", NSEC_PER_MSEC },
		{ "s", NSEC_PER_SEC },
	};
	unsigned int i;
	char *end;
	u64 number;

	if (!isdigit(*text) || strspn(text, "0123456789") > 12)
		return refuse(p, "\"%.32s\" is not a time; write a number with ns, us, ms or s, such as 2ms", text);
	number = simple_strtoull(text, &end, 10);
	for (i = 0; i < ARRAY_SIZE(units); i++) {
		if (strcmp(end, units[i].name))
			continue;
		if (number > WATCH_SPAN_NS_MAX / units[i].ns)
			return refuse(p, "time %.32s is too long; the maximum is 60s", text);
		*ns = number * units[i].ns;
		return 0;
	}
	return refuse(p, "\"%.32s\" is not a time; write a number with ns, us, ms or s, such as 2ms", text);
}

static int take_event(const struct parser *p, struct watch_side *side, char *text)
{
	char why[EVTLOG_FILTER_ERROR_MAX], *name, *condition;
	int error;

	text = strim(text);
	name = strsep(&text, " \t");
	condition = text ? skip_spaces(text) : "";
	if (!evtlog_event_name_is_valid(name))
		return refuse(p, "\"%.32s\" is not a valid event name", name);
	strscpy(side->name, name, sizeof(side->name));
	error = watch_fields_find(&side->fields, name);
	if (error == -ENOENT)
		return refuse(p, "event %s does not exist; add its probe or load its module first",
			      name);
	if (error)
		return refuse(p, "event %s has more than %d fields, the maximum for a watch", name, WATCH_FIELDS_MAX - 2);
	if (!*condition)
		return 0;
	if (strncmp(condition, "if", 2) || (!isspace(condition[2]) && condition[2] != '('))
		return refuse(p, "\"%.32s\" after event %s is not understood; write \"if FILTER\", then, without or do",
			      condition, name);
	if (watch_side_compile(side, skip_spaces(condition + 2), why, sizeof(why)))
		return refuse(p, "%s if: %.120s", name, why);
	return 0;
}

/*
 * Returns true if the ring has the running task: rings of runs, and rings of all CPUs.  Rings of
 * other named buffers do not.  A named buffer that does not exist is refused later.
 */
static bool tells_pid(const struct watch_rule *rule)
{
	const struct evtlog_named *n;
	bool tells = true;

	if (!*rule->buffer)
		return true;
	evtlog_named_lock();
	n = evtlog_named_find(rule->buffer);
	if (n)
		tells = n->route.is_one;
	evtlog_named_unlock();
	return tells;
}

static int take_field(const struct parser *p, const struct watch_side *side, const char *name)
{
	int field = watch_field_named(&side->fields, name);

	if (field < 0)
		return refuse(p, "event %s has no field %.32s", side->name, name);
	if (strchr("cb6m", side->fields.field[field].kind))
		return refuse(p, "field %s.%s is not a number", side->name, name);
	if (side->fields.field[field].kind == WATCH_PID && !tells_pid(p->rule))
		return refuse(p, "event %s has no field pid, and buffer %s does not record tasks; give the event's probe the argument pid=current.pid, or use a global buffer",
			      side->name, p->rule->buffer);
	if (side->fields.field[field].kind == WATCH_PID && *p->rule->buffer)
		p->rule->needs_global = true;
	return field;
}

static int take_same(const struct parser *p, char *text)
{
	struct watch_rule *rule = p->rule;
	char *name;

	text = skip_spaces(text);
	if (strncmp(text, "same ", 5))
		return refuse(p, "\"%.32s\" after the time is not understood; write \", same FIELD\"", text);
	text += 5;
	while ((name = strsep(&text, ","))) {
		char *of_b = strchr(name, '=');
		int a, b;

		if (of_b)
			*of_b++ = '\0';
		name = strim(name);
		of_b = of_b ? strim(of_b) : name;
		if (rule->nr_keys == WATCH_KEYS_MAX)
			return refuse(p, "same has more than %d fields, the maximum", WATCH_KEYS_MAX);
		a = take_field(p, &rule->a, name);
		b = a < 0 ? a : take_field(p, &rule->b, of_b);
		if (b < 0)
			return -EINVAL;
		rule->a.key[rule->nr_keys] = a;
		rule->b.key[rule->nr_keys++] = b;
	}
	return 0;
}

/* Parses B, and its time. */
static int take_join(const struct parser *p, char *text)
{
	char *within = cut_at(text, "within"), *after = NULL, *same;
	struct watch_rule *rule = p->rule;
	int error;

	if (!within)
		return refuse(p, "\"within TIME\" is missing after the second event");
	if (rule->join == WATCH_THEN)
		after = cut_at(text, "after");
	error = take_event(p, &rule->b, text);
	if (error)
		return error;
	if (after && take_time(p, strim(after), &rule->min_ns))
		return -EINVAL;
	same = strchr(within, ',');
	if (same)
		*same++ = '\0';
	if (take_time(p, strim(within), &rule->max_ns))
		return -EINVAL;
	if (!rule->max_ns)
		return refuse(p, "within 0 matches nothing; write a time such as 2ms");
	if (rule->min_ns > rule->max_ns)
		return refuse(p, "the time of \"after\" is longer than the time of \"within\"");
	return same ? take_same(p, same) : 0;
}

static int take_keep(const struct parser *p, char *text)
{
	struct watch_rule *rule = p->rule;
	char *after = cut_at(text, "and");

	if (!*rule->buffer)
		return refuse(p, "keep needs a named buffer with mode=overwrite; begin the rule with \"in BUFFER\"");
	rule->action = WATCH_KEEP;
	if (take_time(p, strim(text), &rule->keep_ns))
		return -EINVAL;
	if (!after)
		return 0;
	if (!cut_at(after, "after"))
		return refuse(p, "keep: \"after\" is missing; write \"and TIME after\"");
	return take_time(p, strim(after), &rule->after_ns);
}

static int take_action(const struct parser *p, char *text)
{
	struct watch_rule *rule = p->rule;

	if (!strcmp(text, "wake"))
		rule->action = WATCH_WAKE;
	else if (!strcmp(text, "start"))
		rule->action = WATCH_START;
	else if (!strcmp(text, "stop"))
		rule->action = WATCH_STOP;
	else if (!strncmp(text, "keep ", 5))
		return take_keep(p, skip_spaces(text + 5));
	else
		return refuse(p, "\"%.32s\" is not an action; write wake, start, stop or keep TIME", text);
	if (rule->action == WATCH_START && !*rule->buffer)
		return refuse(p, "start needs the events of a named buffer, because nothing else is recorded between runs; begin the rule with \"in BUFFER\"");
	return 0;
}

static int take_buffer(const struct parser *p, char **text)
{
	char *name;

	if (strncmp(*text, "in ", 3))
		return 0;
	*text = skip_spaces(*text + 3);
	name = strsep(text, " ");
	if (!*text || !evtlog_run_name_is_valid(name))
		return refuse(p, "in: \"%.32s\" is not a valid buffer name", name);
	strscpy(p->rule->buffer, name, sizeof(p->rule->buffer));
	*text = skip_spaces(*text);
	return 0;
}

/* In filters, too, pid can be used only if the ring has it. */
static int check_pid(const struct parser *p, const struct watch_side *side)
{
	unsigned int i;

	for (i = 0; i < side->fields.nr; i++) {
		if (side->used >> i & 1 && take_field(p, side, side->fields.field[i].name) < 0)
			return -EINVAL;
	}
	return 0;
}

static bool is_one_line(const char *text)
{
	while (*text >= ' ' && *text <= '~')
		text++;
	return !*text;
}

/**
 * watch_rule_parse() - parse the text of a rule
 * @rule:	new; filled in
 * @text:	changed
 * @error:	set to a sentence that describes the error
 *
 * Context: task context, may sleep.
 * Return: 0; -EINVAL.
 */
int watch_rule_parse(struct watch_rule *rule, char *text, char *error, size_t size)
{
	struct parser p = { rule, error, size };
	char *action, *b;

	if (strscpy(rule->text, text, sizeof(rule->text)) < 0)
		return refuse(&p, "the rule is longer than %d characters, the maximum", WATCH_TEXT_MAX - 1);
	/* The list of watches shows it in one line. */
	if (!is_one_line(text))
		return refuse(&p, "the rule has a character that is not printable ASCII; write it in one line");
	if (take_buffer(&p, &text))
		return -EINVAL;
	action = cut_at(text, "do");
	if (!action)
		return refuse(&p, "the rule has no action; end it with \"do wake\", for example");
	if (take_action(&p, action))
		return -EINVAL;
	b = cut_at(text, "then");
	rule->join = b ? WATCH_THEN : WATCH_ALONE;
	if (!b) {
		b = cut_at(text, "without");
		rule->join = b ? WATCH_WITHOUT : WATCH_ALONE;
	}
	if (take_event(&p, &rule->a, text) || (b && take_join(&p, b)))
		return -EINVAL;
	return check_pid(&p, &rule->a) || check_pid(&p, &rule->b) ? -EINVAL : 0;
}
