/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keys of control messages, and the file they are kept in.
 *
 * Functions say what is wrong and return 0 or -errno.
 */
#ifndef EVTLOG_REMOTE_KEY_H
#define EVTLOG_REMOTE_KEY_H

#include <stdbool.h>
#include <stdint.h>

#include <evtlog/remote.h>

#define REMOTE_KEY_DIRECTORY	"/etc/evtlog"
#define REMOTE_KEY_FILE		REMOTE_KEY_DIRECTORY "/remote.key"

/* @may_schedule: to hosts that are given it, also for schedules; else for logging alone */
struct remote_key {
	uint32_t id;
	bool may_schedule;
	unsigned char bytes[EVTLOG_REMOTE_KEY_BYTES];
};

/* @keys: the first is the one that messages are made with */
struct remote_keys {
	struct remote_key keys[EVTLOG_REMOTE_KEYS];
	unsigned int count;
};

/**
 * remote_keys_load() - read a key file: lines "ID HEX32", and "+sched" behind
 *
 * Refuses one that others may read or write.  Wipe what it gives.
 */
int remote_keys_load(struct remote_keys *keys, const char *path);
void remote_keys_wipe(struct remote_keys *keys);

/**
 * remote_key_make() - a new random key in a new file, for its owner alone
 * @force: replace a file that is there
 * @may_schedule: say so in it
 * @id: gets the key's
 */
int remote_key_make(const char *path, bool force, bool may_schedule, uint32_t *id);

/*
 * ---- keyring.c: the keys that this host's kernel has ----
 *
 * Functions tell what they changed, say what is wrong and return 0 or -errno.
 */

/**
 * remote_keyring_install() - let the kernel have these keys and no others
 * @path:	of the file they are from, for messages
 */
int remote_keyring_install(const struct remote_keys *keys, const char *path);

/** remote_keyring_remove() - take these keys from it; one it has not is fine */
int remote_keyring_remove(const struct remote_keys *keys);

/** remote_keyring_remove_id() - take the key of that number from it; -ENOENT: it has none */
int remote_keyring_remove_id(uint32_t id);

/** remote_keyring_remove_all() - take all from it, so that it obeys nobody */
int remote_keyring_remove_all(void);

#endif /* EVTLOG_REMOTE_KEY_H */
