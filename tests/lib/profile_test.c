// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Profiles: text and binary have the same contents; a difference is what was added; compensation
 * removes what a naive model added; other files and damaged profiles are refused with a reason.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>
#include <zlib.h>

#include <evtlog/log.h>
#include <evtlog/profiles.h>

#include "tests/support/profile-path.h"
#include "tests/support/seed.h"

#define NODES	24
#define TASKS	12
#define HEAD	24

static uint64_t state;

static uint64_t below(uint64_t n)
{
	return xorshift(&state) % n;
}

/* The output of evtlog_profile_write() */
struct bytes {
	char *at;
	size_t length;
};

static struct bytes written(const struct evtlog_profile *profile, enum evtlog_profile_form form)
{
	struct bytes bytes;
	int fd = memfd_create("profile", 0);

	assert_true(fd >= 0);
	assert_int_equal(evtlog_profile_write(profile, form, fd), 0);
	bytes.length = lseek(fd, 0, SEEK_END);
	bytes.at = malloc(bytes.length + 1);
	assert_int_equal(pread(fd, bytes.at, bytes.length, 0), bytes.length);
	bytes.at[bytes.length] = '\0';
	close(fd);
	return bytes;
}

static struct evtlog_profile *loaded(const char *bytes, size_t length)
{
	struct evtlog_profile *profile = NULL;
	struct evtlog_error why = { 0 };

	if (evtlog_profile_load_bytes(bytes, length, &profile, &why))
		fail_msg("at %llu: %s", (unsigned long long)why.offset, why.reason);
	return profile;
}

/*
 * A task without the cost of its measurement.
 * @inside, @outside: costs of the kind of each node, in ticks; waits have none
 */
struct node {
	int parent;
	char path[512];
	uint64_t count, exclusive, inside, outside;
	bool is_wait;
};

struct model {
	struct node nodes[NODES];
	int count;
};

static const uint64_t inside[] = { 7, 31 }, outside[] = { 11, 40 };

static void make_model(struct model *model)
{
	static const char *const classes[] = { "syscall", "irq", "vector", "softirq", "exception" };

	model->nodes[0] = (struct node){ .parent = -1, .path = "user", .exclusive = below(1000000) };
	for (model->count = 1; model->count < NODES; model->count++) {
		struct node *node = &model->nodes[model->count];
		char within[480];
		int parent = below(model->count), kind = below(6);

		while (model->nodes[parent].is_wait)
			parent = model->nodes[parent].parent;
		*node = (struct node){ .parent = parent, .count = below(1000), .is_wait = kind == 5 };
		snprintf(within, sizeof(within), "%.470s", model->nodes[parent].path);
		/* Each path is unique. */
		if (kind == 5)
			snprintf(node->path, sizeof(node->path), "%s>io", within);
		else
			snprintf(node->path, sizeof(node->path), "%s>%s:%d", within,
				 classes[kind], model->count);
		for (int i = 1; kind == 5 && i < model->count; i++) {
			if (!strcmp(model->nodes[i].path, node->path)) {
				kind = 1;
				node->is_wait = false;
				snprintf(node->path, sizeof(node->path), "%s>irq:%d", within,
					 model->count);
			}
		}
		node->exclusive = below(100000);
		node->inside = kind == 5 ? 0 : inside[kind != 0];
		node->outside = kind == 5 ? 0 : outside[kind != 0];
	}
}

static uint64_t exclusive(const struct model *model, int at, bool measured)
{
	const struct node *node = &model->nodes[at];
	uint64_t ticks = node->exclusive;

	for (int i = 0; measured && i < model->count; i++)
		ticks += model->nodes[i].parent == at ? model->nodes[i].count * model->nodes[i].outside : 0;
	return ticks + (measured ? node->count * node->inside : 0);
}

static uint64_t inclusive(const struct model *model, int at, bool measured)
{
	uint64_t ticks = exclusive(model, at, measured);

	for (int i = at + 1; i < model->count; i++)
		ticks += model->nodes[i].parent == at ? inclusive(model, i, measured) : 0;
	return at ? ticks : 0;
}

/* Prints the model as the kernel would. */
static void print_model(FILE *out, const struct model *model, int task, bool measured)
{
	fprintf(out, "task %d %d 1000 %d 0 0 a name\\012 \\134%d\n", task + 1, task / 2 + 1, 2000 + task, task);
	for (int i = 0; i < model->count; i++)
		fprintf(out, "  %s %llu %llu %llu %d\n", model->nodes[i].path,
			(unsigned long long)model->nodes[i].count,
			(unsigned long long)inclusive(model, i, measured),
			(unsigned long long)exclusive(model, i, measured), i);
}

static void print_head(FILE *out)
{
	fprintf(out, "state on\ngroups all\nself on\ntasks_without 3\nticks_hz 1000000000\n"
		"cost syscall 7.000 11.000\ncost other 31.000 40\ncost newer 1 2\n");
}

static struct bytes text_of(const struct model *models, int count, bool measured)
{
	struct bytes bytes;
	FILE *out = open_memstream(&bytes.at, &bytes.length);

	print_head(out);
	for (int i = 0; i < count; i++)
		print_model(out, &models[i], i, measured);
	fprintf(out, "value bytes_read %d 100 2 50 5000\nvalue packets 3 3 1 1 18446744073709551615\n", count);
	fprintf(out, "ended 7 12345 1 2\n  user 0 0 12345 0\ncpu 1 1000 5000\n  user 0 0 4000 0\n");
	fclose(out);
	return bytes;
}

static struct model models[TASKS];

static void make_models(void)
{
	for (int i = 0; i < TASKS; i++)
		make_model(&models[i]);
}

static void text_and_binary_hold_the_same(void **context)
{
	struct bytes text = text_of(models, TASKS, true), again, binary;
	struct evtlog_profile *profile = loaded(text.at, text.length), *other;
	const struct evtlog_profile_about *about = evtlog_profile_about(profile);
	const struct evtlog_profile_entry *entry = evtlog_profile_entry_at(profile, 3);
	const struct evtlog_profile_path *path = evtlog_profile_path_at(profile, 3, 5);

	assert_true(about->is_on && !about->is_diff && !about->is_compensated);
	assert_int_equal(about->entries, TASKS + 2);
	assert_int_equal(about->tasks_without, 3);
	assert_int_equal(about->costs[EVTLOG_PROFILE_COST_OTHER].outside, 40000);
	assert_int_equal(entry->pid, 4);
	assert_int_equal(entry->tgid, 2);
	assert_string_equal(entry->comm, "a name\n \\3");
	assert_int_equal(entry->paths, NODES);
	assert_string_equal(path->path, models[3].nodes[5].path);
	assert_string_equal(path->event, strrchr(path->path, '>') + 1);
	assert_int_equal(path->exclusive, exclusive(&models[3], 5, true));
	assert_null(evtlog_profile_entry_at(profile, TASKS + 2));
	assert_null(evtlog_profile_path_at(profile, 3, NODES));
	assert_null(evtlog_profile_path_at(profile, TASKS + 2, 0));
	assert_int_equal(evtlog_profile_entry_at(profile, TASKS - 1)->values, 2);
	assert_string_equal(evtlog_profile_value_at(profile, TASKS - 1, 1)->name, "packets");
	assert_int_equal(evtlog_profile_value_at(profile, TASKS - 1, 0)->squares, 5000);
	assert_null(evtlog_profile_value_at(profile, TASKS - 1, 2));
	assert_null(evtlog_profile_value_at(profile, 0, 0));
	assert_int_equal(evtlog_profile_entry_at(profile, TASKS + 1)->cpu, 1);
	assert_int_equal(evtlog_profile_entry_at(profile, TASKS)->ended, 7);

	binary = written(profile, EVTLOG_PROFILE_BINARY);
	other = loaded(binary.at, binary.length);
	free(text.at);
	text = written(profile, EVTLOG_PROFILE_TEXT);
	again = written(other, EVTLOG_PROFILE_TEXT);
	assert_string_equal(text.at, again.at);
	printf("%d tasks of %d paths: %zu bytes of text, %zu of binary\n", TASKS, NODES, text.length,
	       binary.length);
	assert_true(binary.length < text.length);
	evtlog_profile_free(profile);
	profile = loaded(text.at, text.length);
	free(again.at);
	again = written(profile, EVTLOG_PROFILE_TEXT);
	assert_string_equal(text.at, again.at);
	free(again.at);
	again = written(profile, EVTLOG_PROFILE_JSON);
	assert_non_null(strstr(again.at, "\"comm\": \"a name\\u000a \\\\3\""));
	evtlog_profile_free(profile);
	evtlog_profile_free(other);
	free(text.at);
	free(again.at);
	free(binary.at);
}

static void compensation_takes_off_what_was_put_on(void **context)
{
	struct bytes text = text_of(models, TASKS, true);
	struct evtlog_profile *profile = loaded(text.at, text.length);
	uint64_t put_on = 0;

	assert_int_equal(evtlog_profile_compensate(profile), 0);
	assert_int_equal(evtlog_profile_compensate(profile), -EALREADY);
	for (int i = 0; i < TASKS; i++) {
		for (int k = 0; k < NODES; k++) {
			const struct evtlog_profile_path *path = find_path(profile, i, models[i].nodes[k].path);

			put_on += exclusive(&models[i], k, true) - exclusive(&models[i], k, false);
			assert_int_equal(path->exclusive, exclusive(&models[i], k, false));
			assert_int_equal(path->inclusive, inclusive(&models[i], k, false));
		}
	}
	assert_int_equal(evtlog_profile_about(profile)->removed, put_on);
	assert_int_equal(evtlog_profile_about(profile)->clamped, 0);
	evtlog_profile_free(profile);
	free(text.at);
}

static struct evtlog_profile *of_text(const char *text)
{
	return loaded(text, strlen(text));
}

static void compensation_stays_above_zero(void **context)
{
	struct evtlog_profile *profile;
	const struct evtlog_profile_path *path;

	/* user>kernel is not shown: the irq within it has no cost in user. */
	profile = of_text("state off\nticks_hz 1\ncost syscall 1.5 2\ncost other 0.25 8\n"
			  "task 1 1 0 0 0 0 x\n  user 0 0 15 0\n  user>syscall:1 5 9 7 0\n"
			  "  user>kernel>irq:4 2 50 50 0\ncpu 0 0 9\n  irq:4 4 30 2 0\n  user 0 0 5 0\n");
	assert_int_equal(evtlog_profile_compensate(profile), 0);
	path = evtlog_profile_path_at(profile, 0, 0);
	assert_int_equal(path->exclusive, 5);
	path = evtlog_profile_path_at(profile, 0, 1);
	assert_int_equal(path->exclusive, 0);
	assert_int_equal(path->inclusive, 1);
	/* Half a tick is rounded up. */
	assert_int_equal(evtlog_profile_path_at(profile, 0, 2)->exclusive, 49);
	assert_int_equal(evtlog_profile_path_at(profile, 1, 0)->exclusive, 1);
	assert_int_equal(evtlog_profile_path_at(profile, 1, 1)->exclusive, 5);
	assert_int_equal(evtlog_profile_about(profile)->clamped, 1);
	evtlog_profile_free(profile);
	profile = of_text("state on\nticks_hz 1\n");
	assert_int_equal(evtlog_profile_compensate(profile), -ENODATA);
	assert_false(evtlog_profile_about(profile)->is_compensated);
	evtlog_profile_free(profile);
}

static void a_difference_is_what_was_added(void **context)
{
	struct bytes text = text_of(models, TASKS - 2, true), later;
	struct evtlog_profile *before = loaded(text.at, text.length), *after, *diff, *diff2;
	static struct model grown[TASKS];
	uint64_t added[TASKS][NODES][2];

	memcpy(grown, models, sizeof(grown));
	for (int i = 0; i < TASKS; i++) {
		for (int k = 0; k < NODES; k++) {
			bool is_new = i >= TASKS - 2;

			added[i][k][0] = below(2) ? below(50) : 0;
			grown[i].nodes[k].count += added[i][k][0];
			added[i][k][0] = is_new ? grown[i].nodes[k].count : added[i][k][0];
		}
		for (int k = 0; k < NODES; k++)
			added[i][k][1] = exclusive(&grown[i], k, true) -
				(i >= TASKS - 2 ? 0 : exclusive(&models[i], k, true));
	}
	later = text_of(grown, TASKS, true);
	after = loaded(later.at, later.length);
	assert_int_equal(evtlog_profile_diff(after, before, &diff), 0);
	evtlog_profile_free(before);
	evtlog_profile_free(after);
	assert_true(evtlog_profile_about(diff)->is_diff);
	for (int i = 0; i < TASKS; i++) {
		for (int k = 0; k < NODES; k++) {
			const struct evtlog_profile_path *path = find_path(diff, i, grown[i].nodes[k].path);

			if (!added[i][k][0] && !added[i][k][1]) {
				assert_null(path);
				continue;
			}
			assert_int_equal(path->count, added[i][k][0]);
			assert_int_equal(path->exclusive, added[i][k][1]);
		}
	}
	/* The entry of ended threads has nothing new. */
	assert_int_equal(evtlog_profile_entry_at(diff, TASKS)->ended, 0);
	assert_int_equal(evtlog_profile_entry_at(diff, TASKS)->paths, 0);
	assert_int_equal(evtlog_profile_value_at(diff, TASKS - 1, 0)->count, TASKS);
	before = of_text("state on\nticks_hz 9\ncpu 1 2 3\nvalue a 1 5 5 5 25\nvalue b 1 1 1 1 1\n");
	after = of_text("state on\nticks_hz 9\ncpu 1 2 4\nvalue b 1 1 1 1 1\nvalue a 3 9 2 5 33\n");
	assert_int_equal(evtlog_profile_diff(after, before, &diff2), 0);
	assert_int_equal(evtlog_profile_entry_at(diff2, 0)->values, 1);
	assert_int_equal(evtlog_profile_value_at(diff2, 0, 0)->count, 2);
	assert_int_equal(evtlog_profile_value_at(diff2, 0, 0)->sum, 4);
	assert_int_equal(evtlog_profile_value_at(diff2, 0, 0)->squares, 8);
	assert_int_equal(evtlog_profile_value_at(diff2, 0, 0)->least, 2);
	evtlog_profile_free(before);
	evtlog_profile_free(after);
	evtlog_profile_free(diff2);
	before = of_text("state on\nticks_hz 9\ncpu 1 2 3\n  a 9 90 90 1\n");
	after = of_text("state on\nticks_hz 9\ncpu 1 2 4\n"
			"  a 18446744073709551615 18446744073709551610 18446744073709551610 1\n"
			"  b 18446744073709551615 18446744073709551610 18446744073709551610 1\n  c 1 5 5 1\n");
	assert_int_equal(evtlog_profile_diff(after, before, &diff2), 0);
	assert_int_equal(evtlog_profile_entry_at(diff2, 0)->paths, 1);
	assert_string_equal(evtlog_profile_path_at(diff2, 0, 0)->path, "c");
	evtlog_profile_free(before);
	evtlog_profile_free(after);
	evtlog_profile_free(diff2);
	/* The kernel did not have the rate before, or has a better rate now. */
	for (unsigned int i = 0; i < 2; i++) {
		struct evtlog_profile *early = of_text(i ? "state on\nticks_hz 0\ncpu 1 2 3\n" :
						       "state on\nticks_hz 995\ncpu 1 2 3\n");
		struct evtlog_profile *late = of_text("state on\nticks_hz 1000\ncpu 1 2 4\n"), *both;

		assert_int_equal(evtlog_profile_diff(late, early, &both), 0);
		assert_int_equal(evtlog_profile_about(both)->ticks_hz, 1000);
		evtlog_profile_free(both);
		evtlog_profile_free(early);
		evtlog_profile_free(late);
	}
	before = of_text("state on\nticks_hz 5\n");
	assert_int_equal(evtlog_profile_diff(diff, before, &after), -EINVAL);
	evtlog_profile_free(before);
	evtlog_profile_free(diff);
	free(text.at);
	free(later.at);
}

static void refused(const void *bytes, size_t length, int status, const char *reason)
{
	struct evtlog_profile *profile;
	struct evtlog_error why = { 0 };

	assert_int_equal(evtlog_profile_load_bytes(bytes, length, &profile, &why), status);
	assert_string_equal(why.reason, reason);
	assert_int_equal(evtlog_profile_load_bytes(bytes, length, &profile, NULL), status);
}

static void refused_text(const char *text, int status, const char *reason)
{
	refused(text, strlen(text), status, reason);
}

/* Ended threads belong to a living process; a family's entry has no number. */
static void ended_threads_are_their_process_s(void **context)
{
	static const char *const head = "state on\nticks_hz 9\n";
	static const char *const entries[] = {
		"task 5 5 1 2 0 0 five\n  user 1 0 3 0\n"
		"ended 2 900 1 3 5 77 fi\\012ve\n  user 2 2 900 0\n  user>syscall:110 40 4 3 2\n",
		"ended 3 700 0 0 6 78 six\n  user>syscall:110 30 3 3 3\n",
		"ended 4 10 0 0\n  user>syscall:110 4 4 4 4\n",
	};
	static const char *const first_written =
		"task 5 5 1 2 0 0 five\n  user 1 0 3 0\n"
		"ended 2 900 1 3 5 77 fi\\012ve\n  user 2 2 900 0\n  .1 syscall:110 40 4 3 2\n";
	static const char *const later =
		"ended 4 20 0 0\n  user>syscall:110 5 5 5 5\n"
		"ended 9 1000 0 0 6 99 other\n  user>syscall:110 8 8 8 8\n"
		"ended 3 950 1 3 5 77 five\n  user 2 2 950 0\n  user>syscall:110 41 4 3 2\n";
	struct evtlog_profile *profile, *other, *diff, *after;
	const struct evtlog_profile_entry *entry;
	struct bytes binary, text, again;
	char whole[1024];

	snprintf(whole, sizeof(whole), "%s%s%s%s", head, entries[0], entries[1], entries[2]);
	profile = of_text(whole);
	entry = evtlog_profile_entry_at(profile, 1);
	assert_int_equal(entry->pid, 0);
	assert_int_equal(entry->tgid, 5);
	assert_int_equal(entry->ended, 2);
	assert_int_equal(entry->lifetime, 900);
	assert_int_equal(entry->unmatched, 1);
	assert_int_equal(entry->ahead, 3);
	assert_int_equal(entry->begin, 77);
	assert_string_equal(entry->comm, "fi\nve");
	assert_int_equal(evtlog_profile_entry_at(profile, 3)->tgid, 0);
	text = written(profile, EVTLOG_PROFILE_TEXT);
	assert_non_null(strstr(text.at, first_written));
	assert_non_null(strstr(text.at, entries[1]));
	assert_non_null(strstr(text.at, entries[2]));
	binary = written(profile, EVTLOG_PROFILE_BINARY);
	/* Older readers do not support such entries. */
	assert_int_equal(binary.at[8], 2);
	other = loaded(binary.at, binary.length);
	again = written(other, EVTLOG_PROFILE_TEXT);
	assert_string_equal(text.at, again.at);

	snprintf(whole, sizeof(whole), "%s%s", head, later);
	after = of_text(whole);
	assert_int_equal(evtlog_profile_diff(after, profile, &diff), 0);
	assert_int_equal(evtlog_profile_path_at(diff, 0, 0)->count, 1);
	assert_int_equal(evtlog_profile_entry_at(diff, 0)->ended, 0);
	/* Another process has the same number. */
	assert_int_equal(evtlog_profile_path_at(diff, 1, 0)->count, 8);
	assert_int_equal(evtlog_profile_entry_at(diff, 1)->ended, 9);
	assert_int_equal(evtlog_profile_entry_at(diff, 2)->ended, 1);
	assert_int_equal(evtlog_profile_entry_at(diff, 2)->lifetime, 50);
	assert_int_equal(evtlog_profile_path_at(diff, 2, 0)->exclusive, 50);
	assert_int_equal(evtlog_profile_path_at(diff, 2, 1)->count, 1);
	evtlog_profile_free(profile);
	evtlog_profile_free(other);
	evtlog_profile_free(after);
	evtlog_profile_free(diff);
	free(text.at);
	free(again.at);
	free(binary.at);
}

static void what_is_none_is_refused(void **context)
{
	struct bytes text = text_of(models, 2, true), binary;
	struct evtlog_profile *profile = loaded(text.at, text.length);
	struct evtlog_error why;

	binary = written(profile, EVTLOG_PROFILE_BINARY);
	evtlog_profile_free(profile);
	refused_text("", -EMEDIUMTYPE, "it is not a profile");
	refused_text("hello\n", -EMEDIUMTYPE, "it is not a profile");
	refused("state on\n\0", 10, -EBADMSG, "its text has a NUL");
	refused_text("state on\nticks_hz 1", -ENODATA, "it is truncated: its last line is missing");
	refused_text("state on\nversion 2\nend\n  user 1 2 3 4\n", -EBADMSG, "a line is not valid in a profile");
	refused_text("state on\nversion 2\nend\nend\n", -EBADMSG, "a line is not valid in a profile");
	refused_text("state on\nversion 2\ncpu 0 0 0\n  .1 x 1 2 3 4\nend\n", -EBADMSG,
		     "a line is not valid in a profile");
	refused_text("state on\nversion 2\ncpu 0 0 0\n  x 1 2 3 4\n  .2 x 1 2 3 4\nend\n", -EBADMSG,
		     "a line is not valid in a profile");
	refused_text("state on\nversion 2\ncpu 0 0 0\n  x 1 2 3 4\n  .1 1 2 3 4\nend\n", -EBADMSG,
		     "a line is not valid in a profile");
	refused_text("state on\n  user 1 2 3 4\n", -EBADMSG, "a line is not valid in a profile");
	refused_text("state on\ntask 1 1 1 1 1 1 x\n  user 1 2 3\n", -EBADMSG, "a line is not valid in a profile");
	refused_text("state on\ntask 1 1 1 1 1 1 x\n  user 1 -2 3 4\n", -EBADMSG,
		     "a line is not valid in a profile");
	refused_text("state on\nvalue x 1 2 3 4 5\n", -EBADMSG, "a line is not valid in a profile");
	refused_text("state on\ncpu 0 0 0\nvalue x 1 2 3 4\n", -EBADMSG, "a line is not valid in a profile");
	refused_text("state on\ncpu 0 0 18446744073709551616\n", -EBADMSG, "a line is not valid in a profile");
	refused_text("state on\ncpu 2147483648 0 0\n", -EBADMSG, "a line is not valid in a profile");
	refused(binary.at, HEAD - 1, -EBADMSG, "it ends within its header");
	refused(binary.at, binary.length - 1, -EBADMSG, "it is truncated");
	binary.at[binary.length] = 0;
	refused(binary.at, binary.length + 1, -EBADMSG, "data follows its end");
	binary.at[HEAD + 3] ^= 4;
	refused(binary.at, binary.length, -EBADMSG, "its checksum is wrong");
	binary.at[8] = 3;
	refused(binary.at, binary.length, -EPROTONOSUPPORT, "it is of another version or byte order");
	assert_int_equal(evtlog_profile_load("/nonexistent", &profile, &why), -ENOENT);
	assert_string_equal(why.reason, "No such file or directory");
	assert_int_equal(evtlog_profile_load("/", &profile, &why), -EISDIR);
	assert_int_equal(evtlog_profile_others(NULL, 0, &profile), -EINVAL);
	assert_int_equal(evtlog_profile_others((int[]){ 0 }, 1, &profile), -EINVAL);
	free(text.at);
	free(binary.at);
}

/* A profile made from another profile's entries is equal to it. Names cannot become head lines. */
static void what_is_made_is_written(void **context)
{
	struct bytes text = text_of(models, TASKS, true), binary, again;
	struct evtlog_profile *profile = loaded(text.at, text.length), *made;
	const struct evtlog_profile_entry *entry;

	assert_int_equal(evtlog_profile_new(evtlog_profile_about(profile), &made), 0);
	assert_int_equal(evtlog_profile_about(made)->entries, 0);
	for (size_t i = 0; (entry = evtlog_profile_entry_at(profile, i)); i++)
		assert_int_equal(evtlog_profile_add(made, entry, evtlog_profile_path_at(profile, i, 0),
						    evtlog_profile_value_at(profile, i, 0)), 0);
	binary = written(profile, EVTLOG_PROFILE_BINARY);
	assert_string_equal(evtlog_profile_path_at(made, 3, 5)->event,
			    evtlog_profile_path_at(profile, 3, 5)->event);
	evtlog_profile_free(profile);
	again = written(made, EVTLOG_PROFILE_BINARY);
	assert_int_equal(again.length, binary.length);
	assert_memory_equal(again.at, binary.at, binary.length);
	evtlog_profile_free(made);
	profile = of_text("state on\nticks_hz 9\ntask 1 1 1 1 1 1 x\nticks_hz 3\nrank 4\nstate off\n");
	assert_true(evtlog_profile_about(profile)->is_on);
	assert_int_equal(evtlog_profile_about(profile)->ticks_hz, 9);
	assert_int_equal(evtlog_profile_about(profile)->rank, -1);
	evtlog_profile_free(profile);
	free(text.at);
	free(binary.at);
	free(again.at);
}

static void seal(struct bytes *bytes)
{
	uint32_t crc = crc32(0, (void *)(bytes->at + HEAD), bytes->length - HEAD);
	uint64_t body = bytes->length - HEAD;

	memcpy(bytes->at + 12, &crc, sizeof(crc));
	memcpy(bytes->at + 16, &body, sizeof(body));
}

/* Cut text is refused. Before version 2, a cut at the end of a line was not detected. */
static void a_cut_text_is_refused(void **context)
{
	struct bytes text = text_of(models, 3, true), again;
	struct evtlog_profile *profile = loaded(text.at, text.length);
	unsigned int lines = 0;

	again = written(profile, EVTLOG_PROFILE_TEXT);
	/* The second line is the version. */
	for (size_t i = strlen("state off\nversion 2\n"); i < again.length; i++) {
		refused(again.at, i, -ENODATA, "it is truncated: its last line is missing");
		lines += again.at[i - 1] == '\n';
	}
	assert_true(lines > 10);
	evtlog_profile_free(profile);
	free(text.at);
	free(again.at);
}

/* A path can contain any names. */
static void paths_go_on_where_they_differ(void **context)
{
	static const char *const paths[] = {
		"user", "user>a", "user>a>b", "user>a>b>c", "user>a>bc", "user>a", "user", "user", "user>d>e",
		".1", ".1>.2", "a>", "a>>", ">", ">>a", ">b", "user>a>b", "user>ab", "us",
	};
	struct evtlog_profile *profile, *again;
	struct bytes text;
	char whole[2048];
	size_t length = sprintf(whole, "state on\nticks_hz 9\n");

	for (int i = 0; i < 2; i++) {
		length += sprintf(whole + length, "cpu %d 1 2\n", i);
		for (size_t k = 0; k < sizeof(paths) / sizeof(*paths); k++)
			length += sprintf(whole + length, "  %s 1 2 3 %zu\n", paths[k], k);
	}
	profile = of_text(whole);
	text = written(profile, EVTLOG_PROFILE_TEXT);
	assert_non_null(strstr(text.at, "\n  .2 b 1 2 3 "));
	again = loaded(text.at, text.length);
	for (int i = 0; i < 2; i++)
		for (size_t k = 0; k < sizeof(paths) / sizeof(*paths); k++) {
			const struct evtlog_profile_path *path = evtlog_profile_path_at(again, i, k);

			assert_string_equal(path->path, paths[k]);
			assert_string_equal(evtlog_profile_path_at(profile, i, k)->path, paths[k]);
			assert_int_equal(path->largest, k);
		}
	evtlog_profile_free(again);
	evtlog_profile_free(profile);
	free(text.at);
}

/* Changes, removes or doubles bytes. */
static struct bytes damage(const struct bytes *from, size_t first)
{
	struct bytes bytes = { malloc(2 * from->length), from->length };
	int changes = 1 + below(4);

	memcpy(bytes.at, from->at, from->length);
	while (changes--) {
		size_t at = first + below(bytes.length - first), length = below(bytes.length - at) % 40;

		switch (below(4)) {
		case 0:
			bytes.at[at] ^= 1 << below(8);
			break;
		case 1:
			bytes.at[at] = below(2) ? 0xff : below(256);
			break;
		case 2:
			memmove(bytes.at + at, bytes.at + at + length, bytes.length - at - length);
			bytes.length -= length;
			break;
		case 3:
			if (bytes.length + length > 2 * from->length)
				break;
			memmove(bytes.at + at + length, bytes.at + at, bytes.length - at);
			bytes.length += length;
			break;
		}
	}
	/* Exactly the length, so that ASan detects reads after the end. */
	bytes.at = realloc(bytes.at, bytes.length);
	return bytes;
}

/* Any damaged profile is refused with a reason, or works in all functions. */
static bool use(const struct bytes *bytes, const struct evtlog_profile *before)
{
	struct evtlog_profile *profile, *diff, *again;
	struct evtlog_error why = { 0 };

	if (evtlog_profile_load_bytes(bytes->at, bytes->length, &profile, &why)) {
		assert_true(why.reason[0]);
		return false;
	}
	if (!evtlog_profile_diff(profile, before, &diff))
		evtlog_profile_free(diff);
	evtlog_profile_compensate(profile);
	for (enum evtlog_profile_form form = EVTLOG_PROFILE_TEXT; form <= EVTLOG_PROFILE_BINARY; form++) {
		struct bytes out = written(profile, form);

		if (form != EVTLOG_PROFILE_JSON) {
			again = loaded(out.at, out.length);
			assert_int_equal(evtlog_profile_about(again)->entries,
					 evtlog_profile_about(profile)->entries);
			evtlog_profile_free(again);
		}
		free(out.at);
	}
	evtlog_profile_free(profile);
	return true;
}

static void damage_does_no_harm(void **context)
{
	struct bytes text = text_of(models, 3, true), binary;
	struct evtlog_profile *profile = loaded(text.at, text.length);
	unsigned int rounds = 6000, taken = 0;

	binary = written(profile, EVTLOG_PROFILE_BINARY);
	for (unsigned int i = 0; i < rounds; i++) {
		struct bytes bytes = damage(i & 1 ? &text : &binary, i & 1 ? 0 : HEAD);

		if (!(i & 1) && below(8))
			seal(&bytes);
		taken += use(&bytes, profile);
		free(bytes.at);
	}
	for (size_t i = 0; i < binary.length; i++) {
		struct bytes cut = { malloc(i + 1), i };

		memcpy(cut.at, binary.at, i);
		if (i >= HEAD)
			seal(&cut);
		assert_false(use(&cut, profile));
		free(cut.at);
	}
	printf("%u damaged profiles, %u of them taken\n", rounds, taken);
	/* Otherwise the test tried nothing. */
	assert_true(taken > rounds / 100 && taken < rounds);
	evtlog_profile_free(profile);
	free(text.at);
	free(binary.at);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_and_binary_hold_the_same),
		cmocka_unit_test(compensation_takes_off_what_was_put_on),
		cmocka_unit_test(compensation_stays_above_zero),
		cmocka_unit_test(a_difference_is_what_was_added),
		cmocka_unit_test(ended_threads_are_their_process_s),
		cmocka_unit_test(what_is_none_is_refused),
		cmocka_unit_test(a_cut_text_is_refused),
		cmocka_unit_test(paths_go_on_where_they_differ),
		cmocka_unit_test(what_is_made_is_written),
		cmocka_unit_test(damage_does_no_harm),
	};

	state = seed_state();
	make_models();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
