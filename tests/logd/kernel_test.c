// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests what logd writes to the kernel, with files in place of those of /proc/evtlog.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/say.h"
#include "logd/proc.h"

/* Returns a kernel whose status has @text, and whose enable is a pipe that ends in @told. */
static struct kernel kernel_of(const char *text, int *told)
{
	struct kernel kernel = { .status = memfd_create("status", 0) };
	int ends[2];

	assert_int_equal(write(kernel.status, text, strlen(text)), strlen(text));
	assert_int_equal(pipe(ends), 0);
	*told = ends[0];
	kernel.enable = ends[1];
	return kernel;
}

static void close_all(const struct kernel *kernel, int told)
{
	close(kernel->status);
	close(kernel->enable);
	close(told);
}

static bool arms(const char *status)
{
	char text[16] = "";
	struct kernel kernel;
	bool ours;
	int told;

	kernel = kernel_of(status, &told);
	ours = kernel_arm(&kernel);
	assert_true(read(told, text, sizeof(text) - 1) > 0);
	assert_string_equal(text, "arm");
	close_all(&kernel, told);
	return ours;
}

static void what_it_armed_it_disarms(void **state)
{
	char text[16] = "";
	struct kernel kernel;
	int told;

	assert_true(arms("state stopped\narmed 0\nrun 3\n"));
	/* The run armed the kernel, and its stop would disarm it. */
	assert_true(arms("state recording\narmed 1\nrun 3\n"));
	kernel = kernel_of("", &told);
	kernel_disarm(&kernel);
	assert_true(read(told, text, sizeof(text) - 1) > 0);
	assert_string_equal(text, "disarm");
	close_all(&kernel, told);
}

static void what_others_armed_stays(void **state)
{
	assert_false(arms("state stopped\narmed 1\nrun 3\n"));
}

/* Runs with stderr in a pipe; returns the messages. */
static size_t said(int enable, bool disarm, char *message, size_t bytes)
{
	struct kernel kernel;
	int told, ends[2], saved = dup(2);
	ssize_t length;

	kernel = kernel_of("state stopped\nrun 3\n", &told);
	close(kernel.enable);
	kernel.enable = enable;
	assert_int_equal(pipe(ends), 0);
	dup2(ends[1], 2);
	if (disarm)
		kernel_disarm(&kernel);
	else
		assert_false(kernel_arm(&kernel));
	dup2(saved, 2);
	close(saved);
	close(ends[1]);
	length = read(ends[0], message, bytes - 1);
	close(ends[0]);
	close_all(&kernel, told);
	assert_true(length >= 0);
	message[length] = '\0';
	return length;
}

/* An eventfd refuses fewer than 8 bytes with EINVAL. */
static void a_kernel_that_cannot_be_armed_is_left_as_it_is(void **state)
{
	char message[256];

	assert_int_equal(said(eventfd(0, 0), false, message, sizeof(message)), 0);
	say_how_much(SAY_MUCH);
	assert_true(said(eventfd(0, 0), false, message, sizeof(message)) > 0);
	assert_non_null(strstr(message, "arms at each start"));
	say_how_much(SAY_NORMAL);
}

static void what_else_goes_wrong_is_said(void **state)
{
	char message[256];

	assert_true(said(open("/dev/full", 1), false, message, sizeof(message)) > 0);
	assert_non_null(strstr(message, "not armed: No space left"));
	/* This is no error: most likely a run records. */
	assert_int_equal(said(open("/dev/full", 1), true, message, sizeof(message)), 0);
}

static void status_tells_of_arming_and_nested_losses(void **state)
{
	char new[] = "state stopped\narmed 1\nlater 7\nrun 3\n"
		     "cpu 2 online 1 buffers 4 waiting 1 bytes 99 lost_full 1 lost_nmi 2 lost_nested 4\n"
		     "cpu 3 online 1 buffers 4 waiting 1 bytes 99 lost_full 0 lost_nmi 0 lost_nested 0 lost_large 8\n";
	char old[] = "state recording\nrun 3\n"
		     "cpu 2 online 1 buffers 4 waiting 1 bytes 99 lost_full 1 lost_nmi 2\n";
	struct control_status status;

	assert_int_equal(control_status_parse(&status, new), 0);
	assert_true(status.supports_arming && status.is_armed);
	assert_int_equal(status.run, 3);
	assert_int_equal(control_lost(&status), 15);
	assert_int_equal(status.cpus[1].lost_large, 8);
	control_status_free(&status);
	assert_int_equal(control_status_parse(&status, old), 0);
	assert_false(status.supports_arming || status.is_armed);
	assert_true(status.is_recording);
	assert_int_equal(control_lost(&status), 3);
	control_status_free(&status);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_it_armed_it_disarms),
		cmocka_unit_test(what_others_armed_stays),
		cmocka_unit_test(a_kernel_that_cannot_be_armed_is_left_as_it_is),
		cmocka_unit_test(what_else_goes_wrong_is_said),
		cmocka_unit_test(status_tells_of_arming_and_nested_losses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
