// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Installs keys of control messages in this host's kernel, and removes them.
 *
 * Stage: between key files and /proc/evtlog.  The kernel shows the numbers of its keys, not the
 * keys: a key with a known number may still be a different key.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sodium.h>

#include "common/error.h"
#include "control/control.h"
#include "key.h"

#define HEX_BYTES	(2 * EVTLOG_REMOTE_KEY_BYTES)
#define DEAF_S		((int)(EVTLOG_REMOTE_WINDOW_NS / 1000000000))

/* Numbers of the kernel's keys. */
struct keyring {
	uint32_t ids[EVTLOG_REMOTE_KEYS];
	unsigned int count;
};

static int keyring_read(struct keyring *keyring)
{
	struct control_status status;
	const char *at;
	int error;

	keyring->count = 0;
	error = control_status_or_say(&status);
	if (error)
		return error;
	at = status.remote.keys;
	while (*at && keyring->count < EVTLOG_REMOTE_KEYS) {
		char *end;

		keyring->ids[keyring->count++] = strtoul(at, &end, 10);
		at = *end ? end + 1 : end;
	}
	control_status_free(&status);
	return 0;
}

static bool keyring_has(const struct keyring *keyring, uint32_t id)
{
	for (unsigned int i = 0; i < keyring->count; i++)
		if (keyring->ids[i] == id)
			return true;
	return false;
}

static bool is_among(const struct remote_keys *keys, uint32_t id)
{
	for (unsigned int i = 0; i < keys->count; i++)
		if (keys->keys[i].id == id)
			return true;
	return false;
}

static int write_kernel(const char *text, uint32_t id)
{
	int error = control_write("remote_key", text);

	switch (error) {
	case 0:
		break;
	case -ENOENT:
		if (access(CONTROL_DIRECTORY "/status", F_OK) < 0)
			control_say_failed("remote_key", error);
		else if (access(CONTROL_DIRECTORY "/remote_key", F_OK) < 0)
			pr_err(CONTROL_DIRECTORY "/remote_key: this kernel does not support control messages: boot a newer one");
		else
			pr_err("key %" PRIu32 ": the kernel has none of that number", id);
		break;
	case -ENOSPC:
		pr_err(CONTROL_DIRECTORY "/remote_key: another process just installed %d other keys: try again",
		       EVTLOG_REMOTE_KEYS);
		break;
	case -EINVAL:
		pr_err(CONTROL_DIRECTORY "/remote_key: the kernel refused key %" PRIu32, id);
		break;
	default:
		control_say_failed("remote_key", error);
	}
	return error;
}

static int remove_id(uint32_t id)
{
	char line[16];

	snprintf(line, sizeof(line), "%" PRIu32 " -", id);
	return write_kernel(line, id);
}

static int install_key(const struct remote_key *key)
{
	char hex[HEX_BYTES + 1], line[HEX_BYTES + 24];
	int error;

	sodium_bin2hex(hex, sizeof(hex), key->bytes, sizeof(key->bytes));
	snprintf(line, sizeof(line), "%" PRIu32 " %s%s", key->id, hex,
		 key->may_schedule ? " +sched" : "");
	error = write_kernel(line, key->id);
	sodium_memzero(hex, sizeof(hex));
	sodium_memzero(line, sizeof(line));
	return error;
}

int remote_keyring_install(const struct remote_keys *keys, const char *path)
{
	struct keyring before;
	int error = keyring_read(&before);

	/* First remove other keys: the kernel may have no room for the new ones. */
	for (unsigned int i = 0; i < before.count && !error; i++) {
		if (is_among(keys, before.ids[i]))
			continue;
		error = remove_id(before.ids[i]);
		if (!error)
			printf("key %" PRIu32 " removed: it is not in %s\n", before.ids[i], path);
	}
	for (unsigned int i = 0; i < keys->count && !error; i++) {
		uint32_t id = keys->keys[i].id;

		error = install_key(&keys->keys[i]);
		if (error)
			break;
		if (keyring_has(&before, id))
			printf("key %" PRIu32 " was there already\n", id);
		else
			printf("key %" PRIu32 " installed; control messages are obeyed from %d s on\n",
			       id, DEAF_S);
	}
	return error;
}

int remote_keyring_remove_id(uint32_t id)
{
	int error = remove_id(id);

	if (!error)
		printf("key %" PRIu32 " removed\n", id);
	return error;
}

/* Prints which keys the kernel has instead of @keys. */
static void say_none_of(const struct remote_keys *keys, const struct keyring *keyring)
{
	char text[EVTLOG_REMOTE_KEYS * 16] = "";
	size_t length = 0;

	for (unsigned int i = 0; i < keyring->count; i++)
		length += sprintf(text + length, "%s%" PRIu32, i ? ", " : "", keyring->ids[i]);
	for (unsigned int i = 0; i < keys->count; i++)
		pr_err("key %" PRIu32 ": the kernel has none of that number; it has %s",
		       keys->keys[i].id, length ? text : "no key");
}

int remote_keyring_remove(const struct remote_keys *keys)
{
	struct keyring before;
	unsigned int found = 0;
	int result = keyring_read(&before);

	if (result)
		return result;
	for (unsigned int i = 0; i < before.count; i++) {
		int error;

		if (!is_among(keys, before.ids[i]))
			continue;
		found++;
		error = remote_keyring_remove_id(before.ids[i]);
		if (error)
			result = error;
	}
	if (found)
		return result;
	say_none_of(keys, &before);
	return -ENOENT;
}

int remote_keyring_remove_all(void)
{
	struct keyring before;
	int result = keyring_read(&before);

	if (!result && !before.count)
		printf("no key was there\n");
	for (unsigned int i = 0; i < before.count; i++) {
		int error = remote_keyring_remove_id(before.ids[i]);

		if (error)
			result = error;
	}
	return result;
}
