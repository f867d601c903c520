/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keys of control messages, and their file.
 *
 * Functions print errors and return 0 or -errno.
 */
#ifndef EVTLOG_REMOTE_KEY_H
#define EVTLOG_REMOTE_KEY_H

#include <stdbool.h>
#include <stdint.h>

#include <evtlog/remote.h>

#define REMOTE_KEY_DIRECTORY	"/etc/evtlog"
#define REMOTE_KEY_FILE		REMOTE_KEY_DIRECTORY "/remote.key"

/* @may_schedule: True: hosts with this key also accept schedules; False: logging only */
struct remote_key {
	uint32_t id;
	bool may_schedule;
	unsigned char bytes[EVTLOG_REMOTE_KEY_BYTES];
};

/* @keys: the first key signs the messages */
struct remote_keys {
	struct remote_key keys[EVTLOG_REMOTE_KEYS];
	unsigned int count;
};

/**
 * remote_keys_load() - read a key file: lines "ID HEX32", optionally followed by "+sched"
 *
 * Refuses a file that other users can read or write.  Clear @keys with remote_keys_wipe().
 */
int remote_keys_load(struct remote_keys *keys, const char *path);
void remote_keys_wipe(struct remote_keys *keys);

/**
 * remote_key_make() - write a new random key to a new file, mode 0600
 * @force:	True: replace an existing file
 * @may_schedule: True: write it into the file
 * @id:		set to the key's number
 */
int remote_key_make(const char *path, bool force, bool may_schedule, uint32_t *id);

/*
 * ---- The keys of this host's kernel ----
 *
 * Functions print changes and errors and return 0 or -errno.
 */

/**
 * remote_keyring_install() - make these the only keys of the kernel
 * @path:	file that contains the keys, for messages
 */
int remote_keyring_install(const struct remote_keys *keys, const char *path);

/** remote_keyring_remove() - remove these keys; -ENOENT if the kernel has none of them */
int remote_keyring_remove(const struct remote_keys *keys);

/** remote_keyring_remove_id() - remove the key with this number; -ENOENT if there is none */
int remote_keyring_remove_id(uint32_t id);

/** remote_keyring_remove_all() - remove all keys, so that no messages are accepted */
int remote_keyring_remove_all(void);

#endif /* EVTLOG_REMOTE_KEY_H */
