// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests logd.conf: which lines are accepted and refused, and that no line is half executed.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/say.h"
#include "logd/config.h"
#include "sample.h"

static int set(struct config *config, const char *key, const char *value)
{
	char why[PATH_MAX + 128];

	return config_set(config, key, value, why, sizeof(why));
}

static int read_text(struct config *config, const char *text)
{
	FILE *stream = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
	int result = config_read(config, stream, "test");

	fclose(stream);
	return result;
}

static void print_to(const struct config *config, char *text, size_t bytes)
{
	FILE *stream = fmemopen(text, bytes, "w");

	config_print(config, stream);
	fclose(stream);
}

static void accepts_good_values(void **state)
{
	static const struct { const char *key, *value; } good[] = {
		{ "directory", "/srv/log" }, { "compress", "0" }, { "compress", "9" },
		{ "mlockall", "yes" }, { "mlockall", "off" }, { "rt_priority", "99" },
		{ "nice", "-20" }, { "nice", "0" }, { "nice", "19" },
		{ "cpus", "" }, { "cpus", "0" }, { "cpus", "0-3,5,8191" }, { "host", "" },
		{ "host", "node-1.lan_x" }, { "pid_file", "" }, { "pid_file", "/run/x" },
		{ "retry", "1" }, { "stop_at_exit", "true" }, { "arm", "no" },
		{ "arm", "yes" }, { "file_mode", "0640" },
		{ "group", "" }, { "group", "0" }, { "group", "root" }, { "min_free_mb", "0" },
		{ "cache_mb", "64" }, { "direct", "yes" }, { "sync_peers", "" }, { "sync_peers", "node[1-3,5], 10.0.0.1" },
		{ "sync_rate", "1" }, { "sync_rate", "100" },
		{ "tree_choice", "" }, { "tree_choice", "cgroup:/a b=c" }, { "tree_processes", "0" },
		{ "tree_processes", "4194304" },
	};
	struct config config;

	config_set_defaults(&config);
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		if (set(&config, good[i].key, good[i].value))
			fail_msg("%s = %s was refused", good[i].key, good[i].value);
}

static void refuses_bad_values_and_changes_nothing(void **state)
{
	static const struct { const char *key, *value; } bad[] = {
		{ "directory", "" }, { "directory", "log" }, { "compress", "10" },
		{ "sync_peers", "a[1" }, { "sync_peers", "a;b" }, { "sync_peers", "n[1-65]" },
		{ "sync_rate", "0" }, { "sync_rate", "101" },
		{ "tree_choice", "job:\n42" }, { "tree_processes", "-1" }, { "tree_processes", "x" },
		{ "compress", "-1" }, { "compress", "1x" }, { "compress", "" },
		{ "compress", " 1" }, { "mlockall", "maybe" }, { "mlockall", "" },
		{ "nice", "-21" }, { "nice", "20" }, { "nice", "-" }, { "nice", "--1" }, { "nice", "" },
		{ "rt_priority", "100" }, { "rt_priority", "4294967297" }, { "cpus", "3-1" },
		{ "cpus", "1," }, { "cpus", ",1" }, { "cpus", "8192" }, { "cpus", "1-" },
		{ "cpus", "a" }, { "cpus", "99999999999999999999" }, { "host", "a/b" },
		{ "host", ".evl" }, { "host", "a b" }, { "pid_file", "x" }, { "retry", "0" },
		{ "stop_at_exit", "2" }, { "arm", "armed" }, { "file_mode", "0100" }, { "file_mode", "0688" },
		{ "file_mode", "0777" }, { "group", "no such group" }, { "group", "4294967295" },
		{ "min_free_mb", "99999999999" }, { "cache_mb", "0x10" }, { "direct", "2" },
		{ "host", "0123456789012345678901234567890123456789012345678901234567890123456789" },
	};
	struct config config, before;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		config_set_defaults(&config);
		before = config;
		if (set(&config, bad[i].key, bad[i].value) != -EINVAL)
			fail_msg("%s = %s was not refused", bad[i].key, bad[i].value);
		if (memcmp(&config, &before, sizeof(config)))
			fail_msg("%s = %s was refused, but changed something", bad[i].key,
				 bad[i].value);
	}
	assert_int_equal(set(&config, "directroy", "/x"), -ENOENT);
	assert_int_equal(set(&config, "", "/x"), -ENOENT);
}

static void reads_lines(void **state)
{
	struct config config;

	config_set_defaults(&config);
	assert_int_equal(read_text(&config,
		"# comment\n\n  compress=3  # why\n\tdirectory =\t/x y\nretry = 5"), 0);
	assert_int_equal(config.files.compress, 3);
	assert_string_equal(config.files.directory, "/x y");
	assert_int_equal(config.files.retry_s, 5);
}

/* Editors and people rely on the form of the message. */
static void tells_file_and_line(void **state)
{
	char message[256] = "";
	struct config config;
	int ends[2], saved = dup(2);

	config_set_defaults(&config);
	assert_int_equal(pipe(ends), 0);
	dup2(ends[1], 2);
	assert_int_equal(read_text(&config, "compress = 1\n\nbogus = 1\n"), -EINVAL);
	dup2(saved, 2);
	close(saved);
	close(ends[1]);
	assert_true(read(ends[0], message, sizeof(message) - 1) > 0);
	close(ends[0]);
	assert_string_equal(message,
		"logd: test:3: 'bogus': no such key; logd.conf(5) lists them\n");
}

static void every_bad_line_is_an_error(void **state)
{
	static const char *const bad[] = { "compress", "= 1", "compress = 1 2", "x\n", "compress == 1" };
	struct config config;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		config_set_defaults(&config);
		if (read_text(&config, bad[i]) != -EINVAL)
			fail_msg("'%s' was accepted", bad[i]);
	}
}

static void prints_what_it_reads(void **state)
{
	char first[8192] = "", second[8192] = "";
	struct config config;

	config_set_defaults(&config);
	assert_int_equal(read_text(&config, "cpus = 0-2,5,8191\nhost = h\nfile_mode = 0640\ngroup = 7\n"
				   "mlockall = no\npid_file = /run/p\ncompress = 4\n"), 0);
	print_to(&config, first, sizeof(first));
	assert_non_null(strstr(first, "cpus = 0-2,5,8191\n"));
	config_set_defaults(&config);
	assert_int_equal(read_text(&config, first), 0);
	print_to(&config, second, sizeof(second));
	assert_string_equal(first, second);
}

/* The sample contains every key, commented out, with its default. */
static void sample_file_tells_the_defaults(void **state)
{
	char text[8192] = "", defaults[8192] = "", line[512];
	FILE *sample = fopen("logd/service/logd.conf", "r");
	struct config config;

	assert_non_null(sample);
	while (fgets(line, sizeof(line), sample))
		if (line[0] == '#' && strchr(line, '=') && line[1] >= 'a' && line[1] <= 'z')
			strcat(text, line + 1);
	fclose(sample);
	config_set_defaults(&config);
	print_to(&config, defaults, sizeof(defaults));
	memset(&config, 0x55, sizeof(config));
	assert_int_equal(read_text(&config, text), 0);
	memset(line, 0, sizeof(line));
	print_to(&config, text, sizeof(text));
	assert_string_equal(text, defaults);
	config_set_defaults(&config);
	assert_int_equal(config_load(&config, "logd/service/logd.conf"), 0);
}

static void knows_what_needs_a_restart(void **state)
{
	struct config running, wanted;

	config_set_defaults(&running);
	wanted = running;
	assert_null(config_fixed_change(&running, &wanted));
	assert_int_equal(set(&wanted, "compress", "5"), 0);
	assert_int_equal(set(&wanted, "directory", "/elsewhere"), 0);
	assert_null(config_fixed_change(&running, &wanted));
	assert_true(running.arm);
	assert_int_equal(set(&wanted, "arm", "no"), 0);
	assert_string_equal(config_fixed_change(&running, &wanted), "arm");
	assert_int_equal(set(&wanted, "cpus", "1"), 0);
	assert_string_equal(config_fixed_change(&running, &wanted), "cpus");
}

static void survives_random_text(void **state)
{
	static const char *const words[] = { "directory", "cpus", "=", " ", "\n", "#", "0-", "9",
					     ",", "group", "/", "host", "\t", "-", "compress" };
	int saved = dup(2), null = open("/dev/null", 1);

	dup2(null, 2);
	for (int round = 0; round < 20000; round++) {
		struct config config;
		char text[256] = "x";

		for (int i = 0; i < 12; i++)
			strcat(text, words[sample_random(sizeof(words) / sizeof(words[0]))]);
		config_set_defaults(&config);
		read_text(&config, text + sample_random(2));
	}
	dup2(saved, 2);
	close(saved);
	close(null);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accepts_good_values),
		cmocka_unit_test(refuses_bad_values_and_changes_nothing),
		cmocka_unit_test(reads_lines),
		cmocka_unit_test(tells_file_and_line),
		cmocka_unit_test(every_bad_line_is_an_error),
		cmocka_unit_test(prints_what_it_reads),
		cmocka_unit_test(sample_file_tells_the_defaults),
		cmocka_unit_test(knows_what_needs_a_restart),
		cmocka_unit_test(survives_random_text),
	};

	say_as("logd");
	sample_seed();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
