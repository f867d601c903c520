// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Record classes agree with abi.h: with the names of types and their fields.
 *
 * Stage: tests the table. whole_test checks its use by the stream.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/codec/record-class.h"

static const struct {
	const char *name;
	const char *fields;
} types[EVTLOG_TYPE_MAX + 1] = {
#define X(number, NAME, name, words, fields) [number] = { #name, fields },
	EVTLOG_TYPES(X)
#undef X
};

static bool ends_in(const char *name, const char *suffix)
{
	size_t length = strlen(name), behind = strlen(suffix);

	return length >= behind && !strcmp(name + length - behind, suffix);
}

/* The width in bits of a type's first field, which holds the number: "vec:0:38:26:v" */
static unsigned int first_bits(unsigned int type)
{
	unsigned int bits;

	assert_int_equal(sscanf(types[type].fields, "%*[a-z_]:0:38:%u:", &bits), 1);
	return bits;
}

static void each_type_is_in_the_table_and_no_other(void **state)
{
	for (unsigned int type = 0; type <= EVTLOG_TYPE_MAX; type++) {
		const struct record_class *class = record_class(type);

		if (!types[type].name != (class->step == RECORD_UNLISTED))
			fail_msg("type %u, %s, is %sin record-class.c", type,
				 types[type].name ? types[type].name : "which abi.h has not",
				 types[type].name ? "not " : "");
	}
}

static void what_is_not_in_the_table_is_a_point_of_kind_other(void **state)
{
	const struct record_class none = { 0 };

	assert_int_equal(record_kind(&none), EVTLOG_KIND_OTHER);
	assert_int_equal(none.context, EVTLOG_IN_TASK);
	assert_int_equal(evtlog_kind_of(0), EVTLOG_KIND_OTHER);
	assert_int_equal(evtlog_kind_of(EVTLOG_TYPE_MAX + 1), EVTLOG_KIND_OTHER);
}

static void entries_and_exits_are_pairs(void **state)
{
	for (unsigned int type = 1; type <= EVTLOG_TYPE_MAX; type++) {
		const struct record_class *class = record_class(type), *other;

		if (class->step != RECORD_ENTRY && class->step != RECORD_EXIT) {
			assert_int_equal(class->pair, 0);
			continue;
		}
		other = record_class(class->pair);
		assert_int_equal(other->pair, type);
		assert_int_equal(other->step, class->step == RECORD_ENTRY ? RECORD_EXIT :
						RECORD_ENTRY);
		assert_int_equal(record_kind(other), record_kind(class));
		assert_int_equal(other->context, class->context);
		assert_int_equal(other->nests_in, class->nests_in);
		assert_int_equal(other->number, class->number);
		assert_int_equal(other->number_bits, class->number_bits);
	}
}

static void names_tell_entries_and_exits(void **state)
{
	char exit_name[64];

	for (unsigned int type = 1; type <= EVTLOG_TYPE_MAX; type++) {
		const char *name = types[type].name;

		if (!name || !ends_in(name, "_entry"))
			continue;
		assert_int_equal(record_class(type)->step, RECORD_ENTRY);
		snprintf(exit_name, sizeof(exit_name), "%.*s_exit",
			 (int)(strlen(name) - strlen("_entry")), name);
		assert_string_equal(types[record_class(type)->pair].name, exit_name);
	}
	/* Seen from user mode: user_enter is an entry, and leaves the kernel. */
	assert_int_equal(record_class(EVTLOG_USER_ENTER)->step, RECORD_ENTRY);
	assert_int_equal(record_class(EVTLOG_USER_ENTER)->pair, EVTLOG_USER_EXIT);
}

static void contexts_nest_as_the_kernel_has_them(void **state)
{
	static const uint8_t nests_in[] = {
		[EVTLOG_IN_SOFTIRQ] = 0,
		[EVTLOG_IN_IRQ] = EVTLOG_CONTEXT_SOFTIRQ,
		[EVTLOG_IN_VECTOR] = EVTLOG_CONTEXT_SOFTIRQ,
	};

	for (unsigned int type = 1; type <= EVTLOG_TYPE_MAX; type++) {
		const struct record_class *class = record_class(type);
		const char *name = types[type].name;
		enum evtlog_context context = EVTLOG_IN_TASK;

		if (class->step == RECORD_ENTRY) {
			if (!strncmp(name, "softirq", 7))
				context = EVTLOG_IN_SOFTIRQ;
			else if (!strncmp(types[type].fields, "irq:", 4))
				context = EVTLOG_IN_IRQ;
			else if (!strncmp(types[type].fields, "vector:", 7) &&
				 strncmp(name, "exception", 9))
				context = EVTLOG_IN_VECTOR;
		} else if (class->step == RECORD_EXIT) {
			context = record_class(class->pair)->context;
		}
		if (class->context != context)
			fail_msg("%s is of context %u, not %u", name, class->context, context);
		if (context != EVTLOG_IN_TASK)
			assert_int_equal(class->nests_in, nests_in[context]);
	}
}

static void numbers_are_those_of_both_records(void **state)
{
	for (unsigned int type = 1; type <= EVTLOG_TYPE_MAX; type++) {
		const struct record_class *class = record_class(type);
		unsigned int bits = 0;

		if (class->step == RECORD_ENTRY && class->context == EVTLOG_IN_VECTOR) {
			assert_int_equal(class->number, type);
		} else {
			assert_int_equal(class->number && class->context != EVTLOG_IN_VECTOR, 0);
			if (class->step == RECORD_ENTRY &&
			    record_kind(class) != EVTLOG_KIND_USER) {
				bits = first_bits(class->pair);
				if (first_bits(type) < bits)
					bits = first_bits(type);
			}
		}
		if (class->step == RECORD_ENTRY)
			assert_int_equal(class->number_bits, bits);
	}
}

static void an_exit_has_its_entrys_number(void **state)
{
	const uint64_t data = (uint64_t)0x2000007 << EVTLOG_DATA_SHIFT;

	assert_int_equal(record_number(record_class(EVTLOG_SOFTIRQ_EXIT), &data), 0x2000007);
	/* The handler's return value is in the bits above the irq. */
	assert_int_equal(record_number(record_class(EVTLOG_IRQ_HANDLER_EXIT), &data), 7);
	assert_int_equal(record_number(record_class(EVTLOG_EXCEPTION_EXIT), &data), 7);
	assert_int_equal(record_number(record_class(EVTLOG_RESCHEDULE_EXIT), &data),
			 EVTLOG_RESCHEDULE_ENTRY);
}

static void sizes_are_those_of_the_fields(void **state)
{
	for (uint64_t type = 0; type <= EVTLOG_TYPE_MAX; type++) {
		unsigned int words = evtlog_record_words(type << EVTLOG_TYPE_SHIFT);
		unsigned int last = 0;
		char *fields, *rest, *field;

		if (!types[type].name) {
			assert_int_equal(words, 0);
			continue;
		}
		rest = fields = strdup(types[type].fields);
		while ((field = strsep(&rest, " "))) {
			unsigned int word, bit, bits, end;

			assert_int_equal(sscanf(field, "%*[a-z_]:%u:%u:%u:", &word, &bit,
						&bits), 3);
			end = word + (bit + bits + 63) / 64;
			last = end > last ? end : last;
		}
		free(fields);
		assert_int_equal(words, last);
		/* Only types whose first word has a field of kind z have a variable size. */
		if (strstr(types[type].fields, ":z"))
			last += 512;
		assert_int_equal(evtlog_record_words(type << EVTLOG_TYPE_SHIFT |
						     ~0ULL << EVTLOG_DATA_SHIFT | 0xffffffff),
				 last);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_type_is_in_the_table_and_no_other),
		cmocka_unit_test(what_is_not_in_the_table_is_a_point_of_kind_other),
		cmocka_unit_test(entries_and_exits_are_pairs),
		cmocka_unit_test(names_tell_entries_and_exits),
		cmocka_unit_test(contexts_nest_as_the_kernel_has_them),
		cmocka_unit_test(numbers_are_those_of_both_records),
		cmocka_unit_test(an_exit_has_its_entrys_number),
		cmocka_unit_test(sizes_are_those_of_the_fields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
