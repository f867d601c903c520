// SPDX-License-Identifier: GPL-2.0-only
/*
 * The keys of control messages, and the tags made with them.
 *
 * A key is written to /proc/evtlog/remote_key.  It cannot be read back, and its memory is erased
 * before it is freed.
 *
 * Two keys may be live at once, to replace a key: set the new key on all hosts, use it, then remove
 * the old key.  The first key turns the receive path on; when the last key is removed, it is a NOP
 * again.
 */
#include <crypto/algapi.h>
#include <linux/evtlog.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/once.h>
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <asm/unaligned.h>

#include "remote/admit.h"
#include "remote/remote.h"

/*
 * struct evtlog_remote_key - a key, from when it is set until other bytes replace it
 * @retired:	entry in the list of removed keys
 * @fingerprint: hash of id and bytes, to recognize a removed key whose bytes are erased
 * @may_schedule: changes while the key is in use
 * @replay_lock: guards @replay
 * @replay:	nonces admitted under this key.  Each key has its own: the owner of a key must not
 *		be able to make messages under another key appear old
 *
 * All other members are constant once the key is published.
 */
struct evtlog_remote_key {
	struct list_head retired;
	u64 fingerprint;
	u32 id;
	bool may_schedule;
	struct evtlog_key_time set;
	siphash_key_t siphash;
	spinlock_t replay_lock;
	struct evtlog_replay replay;
};

DEFINE_STATIC_KEY_FALSE(evtlog_remote_on);

/* Guards the pointers; readers use RCU. */
static DEFINE_MUTEX(keys_lock);
static struct evtlog_remote_key __rcu *keys[EVTLOG_REMOTE_KEYS];

/*
 * Removed keys, without their bytes.  If a key is set again, its nonces are still known: if
 * CLOCK_REALTIME was set back, age alone would not refuse old messages.
 */
static LIST_HEAD(retired_keys);

static u64 fingerprint_of(u32 id, const siphash_key_t *bytes)
{
	static siphash_key_t secret;

	get_random_once(&secret, sizeof(secret));
	return siphash_3u64(id, bytes->key[0], bytes->key[1], &secret);
}

static struct evtlog_remote_key *retired_find(u64 fingerprint)
{
	struct evtlog_remote_key *key;

	list_for_each_entry(key, &retired_keys, retired) {
		if (key->fingerprint == fingerprint)
			return key;
	}
	return NULL;
}

static struct evtlog_remote_key *key_at(unsigned int slot)
{
	return rcu_dereference_protected(keys[slot], lockdep_is_held(&keys_lock));
}

static bool has_keys(void)
{
	unsigned int i;

	for (i = 0; i < EVTLOG_REMOTE_KEYS; i++) {
		if (key_at(i))
			return true;
	}
	return false;
}

/* Returns the slot of @id's key, otherwise a free slot; -ENOSPC: neither exists. */
static int slot_for(u32 id)
{
	int i, free = -ENOSPC;

	for (i = 0; i < EVTLOG_REMOTE_KEYS; i++) {
		const struct evtlog_remote_key *key = key_at(i);

		if (key && key->id == id)
			return i;
		if (!key && free < 0)
			free = i;
	}
	return free;
}

static void key_replace(int slot, struct evtlog_remote_key *new)
{
	struct evtlog_remote_key *old = key_at(slot);

	rcu_assign_pointer(keys[slot], new);
	if (!old)
		return;
	/* After this, nothing is admitted under the old key. */
	synchronize_rcu();
	memzero_explicit(&old->siphash, sizeof(old->siphash));
	list_add(&old->retired, &retired_keys);
}

static int key_set(u32 id, const u8 *bytes, bool may_schedule)
{
	struct evtlog_remote_key *key, *old, *before;
	int slot = slot_for(id), error;

	if (slot < 0)
		return slot;
	key = kzalloc(sizeof(*key), GFP_KERNEL);
	if (!key)
		return -ENOMEM;
	spin_lock_init(&key->replay_lock);
	key->id = id;
	key->may_schedule = may_schedule;
	key->siphash.key[0] = get_unaligned_le64(bytes);
	key->siphash.key[1] = get_unaligned_le64(bytes + 8);
	key->set.real_ns = ktime_get_real_ns();
	key->set.boot_ns = ktime_get_boottime_ns();

	/*
	 * Setting the same key again keeps it: it is no younger than before, and a copy of @replay
	 * could miss messages that are admitted meanwhile.
	 */
	old = key_at(slot);
	if (old && !crypto_memneq(&old->siphash, &key->siphash,
				  sizeof(key->siphash))) {
		WRITE_ONCE(old->may_schedule, may_schedule);
		kfree_sensitive(key);
		return 0;
	}
	if (!has_keys()) {
		error = evtlog_remote_execute_open();
		if (error) {
			kfree_sensitive(key);
			return error;
		}
		static_branch_enable(&evtlog_remote_on);
	}
	key->fingerprint = fingerprint_of(id, &key->siphash);
	before = retired_find(key->fingerprint);
	if (before) {
		key->replay = before->replay;
		list_del(&before->retired);
		kfree(before);
	}
	key_replace(slot, key);
	return 0;
}

static int key_remove(u32 id)
{
	int slot = slot_for(id);

	if (slot < 0 || !key_at(slot))
		return -ENOENT;
	key_replace(slot, NULL);
	if (has_keys())
		return 0;
	static_branch_disable(&evtlog_remote_on);
	/* All users have left the receive path: key_replace() has waited for them. */
	evtlog_remote_execute_close();
	return 0;
}

/**
 * evtlog_remote_key_write() - set or remove a key
 * @text:	"ID HEX", with the key's 16 bytes as 32 digits, or "ID -"; ID is a decimal number
 *		below 2^32; "+sched" after HEX if the key may also schedule
 *
 * Without "+sched" a key is for logging: start and stop runs, arm, disarm, ask for the status.
 *
 * A message is accepted under a key only if its nonce is at least EVTLOG_REMOTE_WINDOW_NS after the
 * moment when the key was set, because the host does not remember what it executed before it
 * booted.  Only this moment distinguishes the boots: CLOCK_REALTIME must be correct before the
 * first key is set.  Setting the same key again changes only its permissions.  If it was removed in
 * between, messages that it has executed remain refused.
 *
 * Context: task context.
 * Return: 0; -EINVAL: no such text, or a key of zeros; -ENOSPC: two other ids have keys; -ENOENT:
 * no such key to remove; -ENOMEM, or an error of the thread or the socket.
 */
int evtlog_remote_key_write(char *text)
{
	char *id_text = strsep(&text, " \t"), *hex;
	u8 bytes[EVTLOG_REMOTE_KEY_BYTES];
	int error = -EINVAL;
	u32 id;

	if (!text || kstrtou32(id_text, 10, &id))
		return -EINVAL;
	text = skip_spaces(text);
	hex = strsep(&text, " \t");
	if (text)
		text = skip_spaces(text);
	mutex_lock(&keys_lock);
	if (!strcmp(hex, "-") && !text)
		error = key_remove(id);
	else if (strlen(hex) == 2 * sizeof(bytes) &&
		 !hex2bin(bytes, hex, sizeof(bytes)) &&
		 memchr_inv(bytes, 0, sizeof(bytes)) &&
		 (!text || !strcmp(text, "+sched")))
		error = key_set(id, bytes, text != NULL);
	mutex_unlock(&keys_lock);
	memzero_explicit(bytes, sizeof(bytes));
	return error;
}

/**
 * evtlog_remote_key_find() - find the key with an id
 * @id:		as in a message
 *
 * Context: under RCU; the caller may use the key until it leaves RCU.
 * Return: the key or NULL.
 */
struct evtlog_remote_key *evtlog_remote_key_find(u32 id)
{
	unsigned int i;

	for (i = 0; i < EVTLOG_REMOTE_KEYS; i++) {
		struct evtlog_remote_key *key = rcu_dereference(keys[i]);

		if (key && key->id == id)
			return key;
	}
	return NULL;
}

/**
 * evtlog_remote_key_floor() - find the nonces that are too low under a key
 * @now:	now, or up to a tick earlier
 *
 * Context: under RCU.
 * Return: the highest nonce that is too low.
 */
u64 evtlog_remote_key_floor(const struct evtlog_remote_key *key,
			    const struct evtlog_key_time *now)
{
	return evtlog_key_floor(&key->set, now);
}

/**
 * evtlog_remote_tag() - compute the tag of a message
 * @key:	key of the tag
 * @message:	message with addresses; its checksum and tag are set to zero
 * @bytes:	length of the message after the addresses
 */
u64 evtlog_remote_tag(const struct evtlog_remote_key *key,
		      struct evtlog_remote_signed *message, size_t bytes)
{
	message->head.checksum = 0;
	message->head.tag = 0;
	return siphash(message, offsetof(struct evtlog_remote_signed, bytes) + bytes,
		       &key->siphash);
}

/**
 * evtlog_remote_key_admit() - check whether a message is its sender's newest under this key
 * @key:	key with which the tag was checked
 * @sender:	sender of the message
 * @nonce:	nonce of the message; stored if it is the newest
 *
 * Context: softirq, or with softirqs off.
 */
bool evtlog_remote_key_admit(struct evtlog_remote_key *key, __be32 sender, u64 nonce)
{
	bool admitted;

	spin_lock(&key->replay_lock);
	admitted = evtlog_replay_admit(&key->replay, sender, nonce);
	spin_unlock(&key->replay_lock);
	return admitted;
}

/**
 * evtlog_remote_key_may() - check whether a key permits an operation
 * @operation:	operation of a message with a correct tag under this key
 */
bool evtlog_remote_key_may(const struct evtlog_remote_key *key, u8 operation)
{
	switch (operation) {
	case EVTLOG_REMOTE_SCHED:
	case EVTLOG_REMOTE_CANCEL:
		return READ_ONCE(key->may_schedule);
	default:
		return true;
	}
}

/* Prints the ids of the live keys, or of those that may schedule; a dash if there is none. */
static void show_ids(struct seq_file *m, const char *name, bool that_schedule)
{
	const char *before = "";
	unsigned int i;

	seq_printf(m, "%s ", name);
	rcu_read_lock();
	for (i = 0; i < EVTLOG_REMOTE_KEYS; i++) {
		const struct evtlog_remote_key *key = rcu_dereference(keys[i]);

		if (!key || (that_schedule && !READ_ONCE(key->may_schedule)))
			continue;
		seq_printf(m, "%s%u", before, key->id);
		before = ",";
	}
	rcu_read_unlock();
	seq_puts(m, *before ? "\n" : "-\n");
}

/**
 * evtlog_remote_keys_show() - list the keys, as lines of /proc/evtlog/status
 *
 * Context: task context.
 */
void evtlog_remote_keys_show(struct seq_file *m)
{
	show_ids(m, "remote_keys", false);
	show_ids(m, "remote_keys_sched", true);
}
