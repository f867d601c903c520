/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The keys that this host's kernel has.
 *
 * Functions tell what they changed, say what is wrong and return 0 or -errno.
 */
#ifndef EVTLOG_REMOTE_KEYRING_H
#define EVTLOG_REMOTE_KEYRING_H

#include "key.h"

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

#endif /* EVTLOG_REMOTE_KEYRING_H */
