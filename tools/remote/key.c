// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes and reads the files with keys that sign control messages, and installs the keys in this
 * host's kernel.
 *
 * Keys stay in memory only as long as needed, and are never printed.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/error.h"
#include "control/control.h"
#include "key.h"
#include "lib/base/io.h"

/* Two keys, and comments. */
#define FILE_BYTES_MAX	4096

#define HEX_BYTES	(2 * EVTLOG_REMOTE_KEY_BYTES)
#define SCHED		"+sched"

void remote_keys_wipe(struct remote_keys *keys)
{
	sodium_memzero(keys, sizeof(*keys));
}

/* Users who can read the file have the key; users who can write it can replace the key. */
static int check_rights(const char *path, const struct stat *st)
{
	if (!S_ISREG(st->st_mode)) {
		pr_err("%s: not a file", path);
		return -EINVAL;
	}
	if (st->st_uid != 0 && st->st_uid != geteuid()) {
		pr_err("%s: belongs to uid %u: a key file must be root's or your own", path,
		       st->st_uid);
		return -EPERM;
	}
	if (st->st_mode & 077) {
		pr_err("%s: others may read it (mode %04o): chmod 600 %s, and consider making a new key",
		       path, st->st_mode & 07777, path);
		return -EPERM;
	}
	return 0;
}

static int read_file(const char *path, char *text)
{
	ssize_t length;
	struct stat st;
	int fd, error;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0) {
		error = -errno;
		if (error == -ENOENT)
			pr_err("%s: no such key file: evtlog remote key make makes one, for all hosts", path);
		else
			pr_err("%s: %s", path, strerror(-error));
		return error;
	}
	error = fstat(fd, &st) < 0 ? -errno : check_rights(path, &st);
	if (error)
		goto close_file;
	length = io_read(fd, text, FILE_BYTES_MAX);
	if (length < 0) {
		error = length;
		pr_err("%s: %s", path, strerror(-error));
		goto close_file;
	}
	text[length < FILE_BYTES_MAX ? length : FILE_BYTES_MAX - 1] = '\0';
close_file:
	close(fd);
	return error;
}

/* After the key: nothing, or +sched. */
static bool parse_rights(struct remote_key *key, const char *text)
{
	size_t blanks = strspn(text, " \t\r");

	text += blanks;
	key->may_schedule = blanks && !strncmp(text, SCHED, strlen(SCHED));
	if (key->may_schedule)
		text += strlen(SCHED);
	return !text[strspn(text, " \t\r")];
}

static bool parse_line(struct remote_key *key, const char *line)
{
	unsigned long id;
	size_t bytes;
	char *end;

	if (!isdigit((unsigned char)*line))
		return false;
	errno = 0;
	id = strtoul(line, &end, 10);
	if (errno || id > UINT32_MAX || !isblank((unsigned char)*end))
		return false;
	key->id = id;
	end += strspn(end, " \t");
	if (strspn(end, "0123456789abcdefABCDEF") != HEX_BYTES ||
	    !parse_rights(key, end + HEX_BYTES))
		return false;
	return !sodium_hex2bin(key->bytes, sizeof(key->bytes), end, HEX_BYTES, NULL, &bytes,
			       NULL) && bytes == sizeof(key->bytes);
}

static int parse_file(struct remote_keys *keys, const char *path, char *text)
{
	unsigned int number = 0;

	for (char *line = text, *next; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		number++;
		line[strcspn(line, "#")] = '\0';
		line += strspn(line, " \t\r");
		if (!*line)
			continue;
		if (keys->count == EVTLOG_REMOTE_KEYS) {
			pr_err("%s:%u: more than %d keys", path, number, EVTLOG_REMOTE_KEYS);
			return -EINVAL;
		}
		if (!parse_line(&keys->keys[keys->count], line)) {
			pr_err("%s:%u: expected a key: a number, %d hexadecimal digits, and optionally " SCHED,
			       path, number, HEX_BYTES);
			return -EINVAL;
		}
		keys->count++;
	}
	if (!keys->count) {
		pr_err("%s: contains no key: evtlog remote key make --force makes a new one", path);
		return -EINVAL;
	}
	if (keys->count == 2 && keys->keys[0].id == keys->keys[1].id) {
		pr_err("%s: both keys have the number %" PRIu32, path, keys->keys[0].id);
		return -EINVAL;
	}
	return 0;
}

int remote_keys_load(struct remote_keys *keys, const char *path)
{
	char text[FILE_BYTES_MAX];
	int error;

	memset(keys, 0, sizeof(*keys));
	error = read_file(path, text);
	if (!error)
		error = parse_file(keys, path, text);
	sodium_memzero(text, sizeof(text));
	if (error)
		remote_keys_wipe(keys);
	return error;
}

static int write_key(int fd, bool may_schedule, uint32_t *id)
{
	struct remote_key key;
	char hex[HEX_BYTES + 1], line[HEX_BYTES + 24];
	int length, error;

	/* 0 would also be the number read from an empty file. */
	do
		randombytes_buf(&key, sizeof(key));
	while (!key.id);
	sodium_bin2hex(hex, sizeof(hex), key.bytes, sizeof(key.bytes));
	length = snprintf(line, sizeof(line), "%" PRIu32 " %s%s\n", key.id, hex,
			  may_schedule ? " " SCHED : "");
	error = io_write(fd, line, length);
	*id = key.id;
	sodium_memzero(&key, sizeof(key));
	sodium_memzero(hex, sizeof(hex));
	sodium_memzero(line, sizeof(line));
	if (!error && fsync(fd) < 0 && errno != EINVAL)
		error = -errno;
	return error;
}

int remote_key_make(const char *path, bool force, bool may_schedule, uint32_t *id)
{
	char *hidden;
	int fd, error;

	if (sodium_init() < 0) {
		pr_err("libsodium: no random numbers available");
		return -EIO;
	}
	if (asprintf(&hidden, "%s.XXXXXX", path) < 0)
		return -ENOMEM;
	/* Otherwise only make install creates the directory. */
	if (!strcmp(path, REMOTE_KEY_FILE) && !mkdir(REMOTE_KEY_DIRECTORY, 0755))
		pr_info("%s: created", REMOTE_KEY_DIRECTORY);
	fd = mkostemp(hidden, O_CLOEXEC);
	if (fd < 0) {
		error = -errno;
		goto free_name;
	}
	error = write_key(fd, may_schedule, id);
	if (close(fd) < 0 && !error)
		error = -errno;
	if (error)
		goto unlink_file;
	if (force ? rename(hidden, path) < 0 : link(hidden, path) < 0) {
		error = -errno;
		goto unlink_file;
	}
	if (force)
		goto free_name;
unlink_file:
	unlink(hidden);
free_name:
	free(hidden);
	if (error == -EEXIST)
		pr_err("%s: already exists; --force replaces it, and hosts with the old key stop accepting messages",
		       path);
	else if (error)
		pr_err("%s: %s", path, strerror(-error));
	return error;
}

/* ---- The keys of this host's kernel ---- */

#define DEAF_S		((int)(EVTLOG_REMOTE_WINDOW_NS / 1000000000))

/*
 * Numbers of the kernel's keys.  The kernel does not show the keys: a key with a known number may
 * still be a different key.
 */
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
