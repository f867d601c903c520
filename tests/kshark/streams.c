// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * streams LOG MERGED - opens MERGED while there are too few descriptors for some of its hosts
 *
 * Streams of other files must stay open, and no stream may be left over.  Prints how often MERGED
 * was refused before it could be opened.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <libkshark.h>

int kshark_input_initializer(struct kshark_data_stream *stream);
int kshark_input_deinitializer(struct kshark_data_stream *stream);
bool kshark_input_check(const char *path);
const char *kshark_input_format(void);

static void fail(const char *what, int limit)
{
	fprintf(stderr, "streams: %d descriptors: %s\n", limit, what);
	exit(1);
}

static void set_limit(int descriptors)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = descriptors;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static void check(struct kshark_context *context, int others, int limit)
{
	if (context->n_streams != others)
		fail("a stream is left over, or closed", limit);
	for (int id = 0; id < 3; id += 2)
		if (!kshark_get_data_stream(context, id) ||
		    !kshark_get_data_stream(context, id)->interface)
			fail("another file's stream is closed", limit);
}

int main(int argc, char **argv)
{
	struct kshark_context *context = NULL;
	struct kshark_dri linked = {
		.name = "evtlog",
		.init = kshark_input_initializer,
		.close = kshark_input_deinitializer,
		.check_data = kshark_input_check,
	};
	int refused = 0;

	if (argc != 3 || !kshark_instance(&context))
		return 2;
	kshark_set_data_format(linked.data_format, kshark_input_format());
	kshark_register_input(context, &linked);
	for (int i = 0; i < 3; i++)
		if (kshark_open(context, argv[1]) != i)
			fail("a log is not opened", -1);
	kshark_close(context, 1);
	for (int limit = 3; limit < 64; limit++) {
		int id;

		set_limit(limit);
		id = kshark_open(context, argv[2]);
		set_limit(1024);
		if (id >= 0)
			break;
		check(context, 2, limit);
		refused++;
	}
	check(context, 5, 64);
	printf("%d\n", refused);
	kshark_close_all(context);
	kshark_free(context);
	return 0;
}
