/* SPDX-License-Identifier: GPL-2.0-only */
/* Control messages: their keys, execution and answers. */
#ifndef EVTLOG_REMOTE_INTERNAL_H
#define EVTLOG_REMOTE_INTERNAL_H

#include <linux/siphash.h>
#include <linux/types.h>
#include <uapi/linux/evtlog_remote.h>

struct evtlog_key_time;
struct evtlog_command;
struct seq_file;

/* A message in the form over which the tag is computed, with room for the longest one. */
struct evtlog_remote_signed {
	__be32 saddr;
	__be32 daddr;
	union {
		struct evtlog_remote_head head;
		struct evtlog_remote_request request;
		struct evtlog_remote_reply reply;
		u8 bytes[sizeof(struct evtlog_remote_request) +
			 EVTLOG_REMOTE_NAME_MAX + 1];
	};
} __aligned(8);

/*
 * struct evtlog_remote_outcome - result of a message
 * @result:	0 or -errno
 * @tasks, @throttled: of a boost
 */
struct evtlog_remote_outcome {
	int result;
	unsigned int tasks;
	bool throttled;
};

/* Under RCU; bytes and age are constant once it is published. */
struct evtlog_remote_key;

/* keyring.c */
int evtlog_remote_key_write(char *text);
struct evtlog_remote_key *evtlog_remote_key_find(u32 id);
u64 evtlog_remote_key_floor(const struct evtlog_remote_key *key,
			    const struct evtlog_key_time *now);
bool evtlog_remote_key_admit(struct evtlog_remote_key *key, __be32 sender, u64 nonce);
bool evtlog_remote_key_may(const struct evtlog_remote_key *key, u8 operation);
u64 evtlog_remote_tag(const struct evtlog_remote_key *key,
		      struct evtlog_remote_signed *message, size_t bytes);
void evtlog_remote_keys_show(struct seq_file *m);

/* execute.c */
int evtlog_remote_execute_open(void);
void evtlog_remote_execute_close(void);
bool evtlog_remote_publish_start(const char *name, size_t name_bytes, u64 rx_ticks);
int evtlog_remote_execute(struct evtlog_command *command, bool is_published);
void evtlog_remote_forbid(const struct evtlog_command *command);
u64 evtlog_remote_obeyed(void);

/* reply.c */
int evtlog_remote_reply_open(void);
void evtlog_remote_reply_close(void);
void evtlog_remote_reply_fill(struct evtlog_remote_reply *reply,
			      const struct evtlog_command *command,
			      const struct evtlog_remote_outcome *outcome);
void evtlog_remote_reply(const struct evtlog_command *command,
			 const struct evtlog_remote_outcome *outcome);
u64 evtlog_remote_replied(void);

/* audit.c */
#ifdef CONFIG_AUDIT
void evtlog_remote_audit(const struct evtlog_command *command, int result);
#else
static inline void evtlog_remote_audit(const struct evtlog_command *command, int result)
{
}
#endif

#endif /* EVTLOG_REMOTE_INTERNAL_H */
