// SPDX-License-Identifier: GPL-2.0-only
/*
 * The keys of control messages, and the tags made with them.
 *
 * A key is written to /proc/evtlog/remote_key.  It cannot be read back, and leaves no copy in
 * memory that is given up.
 *
 * Two may be live at once: a new one is set everywhere, then used, then the old
 * one is removed.  The first that is set turns the receive path on, and when the last
 * is removed it is a NOP again.
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
 * struct evtlog_remote_key - a key, from the moment it is set until other bytes take its place
 * @retired:	among the keys that were removed
 * @fingerprint: of id and bytes, to know a removed key again whose bytes are gone
 * @may_schedule: changes while the key is in use
 * @replay_lock: guards @replay
 * @replay:	what was admitted under this key.  Each key has its own: who has one must not
 *		make messages under another pass for old ones
 *
 * The rest never changes once it is seen.
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

/* Guards the pointers; readers are under RCU. */
static DEFINE_MUTEX(keys_lock);
static struct evtlog_remote_key __rcu *keys[EVTLOG_REMOTE_KEYS];

/*
 * Keys that were removed, without their bytes.  If one is set again it remembers what was
 * admitted under it: its age alone refuses no old message where CLOCK_REALTIME was set back.
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

/* The slot of @id's key, or else a free one; -ENOSPC there is neither. */
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
	/* Nothing is admitted under it any more. */
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
	 * The same key again stays: it is not younger than it was, and no copy of @replay
	 * could miss what is admitted meanwhile.
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
	/* Whoever came through before has left the receive path: key_replace() waited. */
	evtlog_remote_execute_close();
	return 0;
}

/**
 * evtlog_remote_key_write() - set or remove a key
 * @text:	"ID HEX", with the key's 16 bytes as 32 digits, or "ID -"; ID is
 *		a decimal number below 2^32; "+sched" behind HEX if it may also schedule
 *
 * Without that a key is for logging: it starts and stops runs, arms and asks.
 *
 * A message is taken under a key only if its nonce is EVTLOG_REMOTE_WINDOW_NS or more
 * behind the moment at which the key was set: what this host obeyed before it was
 * booted it forgot.  Nothing but that moment tells the boots apart: CLOCK_REALTIME
 * must be right before the first key is set.  To set the same key again changes
 * nothing but what it may; if it was removed in between, it still refuses what it obeyed.
 *
 * Context: task context.
 * Return: 0; -EINVAL not such a text, or a key of zeros; -ENOSPC two other ids have
 * keys; -ENOENT no such key to remove; -ENOMEM, or why there is no thread or socket.
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
 * evtlog_remote_key_find() - the key with an id
 * @id:		as in a message
 *
 * Context: under RCU; the key is the caller's as long as it stays there.
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
 * evtlog_remote_key_floor() - which nonces are too low under a key
 * @now:	now, or up to a tick before
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
 * evtlog_remote_tag() - the tag of a message
 * @key:	made with it
 * @message:	addresses filled in; checksum and tag are set to zero
 * @bytes:	of the message behind the addresses
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
 * evtlog_remote_key_admit() - is a message newer than its sender's last under this key?
 * @key:	the message is right under it
 * @sender:	whose
 * @nonce:	the message's; taken note of if so
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
 * evtlog_remote_key_may() - is a key for that?
 * @operation:	of a message that was right under it
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

/* The ids of the live keys, of those that may schedule, or a dash. */
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
 * evtlog_remote_keys_show() - which keys there are, as lines of /proc/evtlog/status
 *
 * Context: task context.
 */
void evtlog_remote_keys_show(struct seq_file *m)
{
	show_ids(m, "remote_keys", false);
	show_ids(m, "remote_keys_sched", true);
}
