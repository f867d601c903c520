// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arms and disarms the kernel for `evtlog start --arm` and `evtlog stop --disarm`.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "common/command.h"
#include "common/error.h"
#include "common/json.h"
#include "control.h"

static void say_failed(const char *order, int error, const struct control_status *status)
{
	switch (error) {
	case -EINVAL:
		pr_err(CONTROL_DIRECTORY "/enable: this kernel does not support '%s': boot a newer one; it arms at each start",
		       order);
		break;
	case -EBUSY:
		pr_err("run %" PRIu64 " is being recorded; end it with evtlog stop", status->run);
		break;
	default:
		control_say_order_failed(error);
	}
}

static void print_result(const struct control_status *status, bool as_json)
{
	struct json json;

	if (as_json) {
		json_start(&json, stdout, false);
		json_object(&json, NULL);
		json_bool(&json, "armed", status->is_armed);
		json_u64(&json, "buffers", status->buffers);
		json_u64(&json, "buffer_kb", status->buffer_kb);
		json_u64(&json, "logger", status->logger);
		json_end(&json);
	} else if (status->is_armed && status->is_recording) {
		printf("armed: run %" PRIu64 " is being recorded, and its stop leaves it armed\n",
		       status->run);
	} else if (status->is_armed) {
		printf("armed: %u x %u KiB per CPU; ready for evtlog start\n",
		       status->buffers, status->buffer_kb);
	} else {
		printf("disarmed\n");
		if (status->logger)
			pr_info("logd does not arm it again; use evtlog start --arm; a start arms it for one run");
	}
}

int control_arm(bool arms, bool as_json)
{
	const char *order = arms ? "arm" : "disarm";
	struct control_status status;
	int error;

	if (control_status_or_say(&status))
		return EXIT_FAILED;
	control_status_free(&status);
	error = control_write("enable", order);
	if (error) {
		say_failed(order, error, &status);
		return EXIT_FAILED;
	}
	if (control_status_or_say(&status))
		return EXIT_FAILED;
	control_status_free(&status);
	print_result(&status, as_json);
	return EXIT_OK;
}
