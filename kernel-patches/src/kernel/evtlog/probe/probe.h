/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Probes inserted while the kernel runs: what one is, from its text to its machine code.
 *
 *	spec.c		text -> struct evtlog_probe, names not yet looked up
 *	symbol.c	names of functions, by kallsyms
 *	resolve.c	those of parameters and members, by BTF; walk.c follows their paths
 *	prototype.c	where a function has its arguments, by BTF
 *	condition.c	its filter
 *	pcap.c		its test of a packet
 *	handler.c	its test by a module's function
 *	sample.c	its sample, sample_code.c its machine code
 *	stub.c		the probe's machine code, bytes_code.c that of bytes, pass_on.c that of a return's stack
 *	make.c		all of these, for one probe
 *	site.c		ftrace's sites are made to call it
 *	kprobe.c	anywhere else; eval.c takes the arguments there
 *	packet.c	bytes of packets, as far as there are some
 *	slow.c, thunk.S	what the machine code calls where the fast way does not do
 *	table.c		all probes, added and deleted in batches
 *	counts.c	their counters
 *	reap.c		deleted ones, until they can be freed
 */
#ifndef EVTLOG_PROBE_PROBE_H
#define EVTLOG_PROBE_PROBE_H

#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/string.h>

#include "proc.h"
#include "sample/sample.h"

struct bpf_prog;
struct btf;
struct btf_type;
struct evtlog_probe_block;
struct evtlog_probe_handler;
struct evtlog_code;
struct evtlog_filter;
struct evtlog_filter_text;
struct evtlog_label;
struct module;
struct pt_regs;
struct seq_file;
struct sk_buff;

#define EVTLOG_PROBE_ARGS_MAX	16
#define EVTLOG_PROBE_LOADS_MAX	6
#define EVTLOG_PROBE_NAME_LEN	96
/* Of its caller's stack, that a return's stub passes on to the function */
#define EVTLOG_PROBE_STACK_MAX	64U
#define EVTLOG_PROBE_ERROR_LEN	256
/* Of one write: as many probes as there can be events. */
#define EVTLOG_PROBE_WRITE_MAX	(1024 * 1024)

/* The registers that hold a function's first arguments, in order; then where a value may be else. */
#define EVTLOG_PROBE_REGISTERS	6
/* Arguments by position: as many words as the longest list of the kernel's own code has */
#define EVTLOG_PROBE_POSITIONS	22
enum {
	EVTLOG_PROBE_RETVAL = EVTLOG_PROBE_REGISTERS,
	EVTLOG_PROBE_PT_REGS,		/* a member of struct pt_regs: kprobes */
	EVTLOG_PROBE_PID,		/* of the current task */
	EVTLOG_PROBE_TGID,
	EVTLOG_PROBE_CPU,		/* the one that it is on */
	EVTLOG_PROBE_STACK,		/* the address of the arguments that are on the caller's stack */
};

enum evtlog_probe_kind {
	EVTLOG_PROBE_ENTRY,
	EVTLOG_PROBE_RETURN,
	EVTLOG_PROBE_OFFSET,		/* somewhere within a function */
};

/* What bytes are copied from */
enum evtlog_probe_bytes {
	EVTLOG_PROBE_MEMORY,		/* what is there */
	EVTLOG_PROBE_LINEAR,		/* a struct sk_buff's data, up to its linear part's end */
	EVTLOG_PROBE_PACKET,		/* a packet: the linear part, fragments, and a list of further ones */
};

enum evtlog_probe_mechanism {
	EVTLOG_PROBE_DIRECT,		/* ftrace's site calls a stub */
	EVTLOG_PROBE_KPROBE,
};

/*
 * struct evtlog_probe_arg - how an argument comes to its place in the record
 * @label:	its field's name
 * @path:	what follows the parameter's name in the text; within the probe's @text
 * @path_len:	in characters
 * @source:	argument register 0 to 5, or an enum above
 * @regs_offset: of the register, for EVTLOG_PROBE_PT_REGS
 * @loads:	how often memory is read: @value = *(@value + @load[i])
 * @load:	offsets
 * @add:	added to the last value: where bytes begin, or where the struct sk_buff is
 * @size:	1, 2, 4 or 8: of the value, and of the last load
 * @shift, @bits: of a bit field, in the value loaded; @bits 0: all of it
 * @is_signed:	the value is extended by its sign
 * @is_big_endian: it is in network order where it is loaded from, and swapped then
 * @is_address:	the path's value is the address of the bytes, even if its type is a number
 * @kind:	of the field, see abi.h; of a 4 that is a value the record has the network order again
 * @bytes:	copied from the last value on; 0: the value itself is the argument
 * @of:		enum evtlog_probe_bytes
 * @start:	of a packet: from which byte of its data on
 * @offset:	in the payload
 */
struct evtlog_probe_arg {
	char label[32];
	const char *path;
	u16 path_len;
	u8 source;
	u8 loads;
	u16 regs_offset;
	u8 size;
	u8 shift;
	u8 bits;
	bool is_signed;
	bool is_big_endian;
	bool is_address;
	char kind;
	s32 load[EVTLOG_PROBE_LOADS_MAX];
	s32 add;
	u16 bytes;
	u8 of;
	u32 start;
	u16 offset;
};

/*
 * Of each CPU, changed with one instruction each.  @skipped are those that the sample left out, as
 * it did @rest, of the run before, behind the last record.  @key_faults: of keys, as the record's
 * own reading finds them again.  @beyond: words that a return did not find above its caller's frame.
 */
struct evtlog_probe_counts {
	u64 recorded;
	u64 rejected;
	u64 lost;
	u64 idle;
	u64 faults;
	u64 in;
	u64 out;
	u64 skipped;
	u64 rest;
	u64 key_faults;
	u64 beyond;
	struct evtlog_sample_state sample;
	struct evtlog_event_route *route;	/* of the record that is begun, or NULL */
};

/*
 * struct evtlog_probe - one probe
 * @list:	in the table, or among those that wait to be freed; the table's lock
 * @by_name:	in the table's names
 * @text:	as written, without the sign
 * @name:	what it is deleted by: the text up to the arguments
 * @symbol:	the function's name, or MODULE:NAME
 * @kind:	where in the function
 * @is_timer:	of EVTLOG_PROBE_RETURN: it records nothing, it is an event of profiles
 * @timer:	that event's number
 * @symbol_offset: in bytes, of EVTLOG_PROBE_OFFSET
 * @stack_words: of its caller's stack, that a return passes on: the arguments behind the sixth
 * @nr_args:	of @args
 * @condition:	the text behind "if", or NULL
 * @condition_len: up to the sample
 * @filter:	made of it
 * @texts, @nr_texts: which texts it compares with arguments
 * @packet_text: the text behind "pcap", or NULL
 * @packet_len:	up to the sample
 * @packet:	a program made of it
 * @packet_source: the argument register that points to the packet
 * @handler_text: the text behind "handler", or NULL
 * @handler_len: up to the sample
 * @handler:	that is asked
 * @handler_args, @nr_handler_args: which arguments it gets
 * @sample_text: the text behind "sample", or NULL
 * @sample:	made of it
 * @sample_arg:	the argument that it looks at
 * @address:	of the function; the text may give it
 * @is_shared:	other functions have its name, too: BTF may describe one of them instead
 * @module:	whose it is; NULL: the kernel's
 * @site:	ftrace's address in it
 * @mechanism:	how it is hit
 * @why:	no better one was used; or empty
 * @id:	the event's; 0: none yet
 * @tag:	of the record
 * @routed:	its records go to a named buffer, as long as that is there
 * @route:	the name of one that was asked for, or NULL
 * @payload:	bytes behind the record's first word
 * @stub:	machine code
 * @stub_name:	its symbol, if it is a return's or a timer's; or NULL
 * @key:	evtlog_text_key(), of @stub
 * @entry:	where in it the function's call goes
 * @counts:	per-CPU
 * @block:	that they are of
 * @kp:		of EVTLOG_PROBE_KPROBE
 */
struct evtlog_probe {
	struct list_head list;
	struct hlist_node by_name;
	char *text;
	char name[EVTLOG_PROBE_NAME_LEN];
	char symbol[EVTLOG_PROBE_NAME_LEN];
	enum evtlog_probe_kind kind;
	bool is_timer;
	unsigned int timer;
	unsigned long symbol_offset;
	unsigned int stack_words;
	unsigned int nr_args;
	struct evtlog_probe_arg args[EVTLOG_PROBE_ARGS_MAX];
	const char *condition;
	unsigned int condition_len;
	struct evtlog_filter *filter;
	const struct evtlog_filter_text *texts;
	unsigned int nr_texts;
	const char *packet_text;
	unsigned int packet_len;
	struct bpf_prog *packet;
	unsigned int packet_source;
	const char *handler_text;
	unsigned int handler_len;
	struct evtlog_probe_handler *handler;
	u8 handler_args[EVTLOG_PROBE_ARGS_MAX];
	unsigned int nr_handler_args;
	const char *sample_text;
	struct evtlog_sample sample;
	unsigned int sample_arg;
	unsigned long address;
	bool is_shared;
	struct module *module;
	unsigned long site;
	enum evtlog_probe_mechanism mechanism;
	const char *why;
	int id;
	u32 tag;
	bool routed;
	const char *route;
	unsigned int payload;
	void *stub;
	struct evtlog_text_symbol *stub_name;
	u32 key;
	unsigned int entry;
	struct evtlog_probe_counts __percpu *counts;
	struct evtlog_probe_block *block;
	struct kprobe kp;
};

/*
 * struct evtlog_probe_error - why something was refused, as a sentence
 * The functions that have one return -errno and store text here.
 */
struct evtlog_probe_error {
	char text[EVTLOG_PROBE_ERROR_LEN];
};

#define evtlog_probe_refuse(error, code, ...) \
	evtlog_refuse((error)->text, sizeof((error)->text), code, __VA_ARGS__)

/* Where nothing has to be done for the argument but to store a register */
static inline bool evtlog_probe_is_register(const struct evtlog_probe *p,
					    const struct evtlog_probe_arg *arg)
{
	return p->kind != EVTLOG_PROBE_RETURN && arg->source < EVTLOG_PROBE_REGISTERS &&
	       !arg->loads && !arg->bytes && arg->size == 8 && !arg->bits && !arg->is_big_endian;
}

/* Is it recorded in network order, unlike its slot? */
static inline bool evtlog_probe_is_swapped(const struct evtlog_probe_arg *arg)
{
	return arg->kind == '4' && !arg->bytes;
}

/* Is it the @length characters at @text? */
static inline bool evtlog_probe_is_word(const char *word, const char *text, size_t length)
{
	return strlen(word) == length && !strncmp(word, text, length);
}

/* The number of the argument with a label; -ENOENT: none has it. */
static inline int evtlog_probe_arg_named(const struct evtlog_probe *p, const char *label,
					 size_t length)
{
	unsigned int i;

	for (i = 0; i < p->nr_args; i++) {
		if (evtlog_probe_is_word(p->args[i].label, label, length))
			return i;
	}
	return -ENOENT;
}

/* Of arguments, and one for the texts of a filter */
static inline unsigned int evtlog_probe_slots(const struct evtlog_probe *p)
{
	return p->nr_args + !!p->nr_texts;
}

static inline unsigned int evtlog_probe_words(const struct evtlog_probe *p)
{
	return 1 + (p->payload + 7) / 8;
}

/* Is anything of its arguments, or of a packet, read from memory, or by a module? */
static inline bool evtlog_probe_loads(const struct evtlog_probe *p)
{
	unsigned int i;

	if (p->packet || p->handler)
		return true;
	for (i = 0; i < p->nr_args; i++) {
		if (p->args[i].loads || p->args[i].bytes)
			return true;
	}
	return false;
}

static inline bool evtlog_probe_has_bytes(const struct evtlog_probe *p)
{
	unsigned int i;

	for (i = 0; i < p->nr_args; i++) {
		if (p->args[i].bytes)
			return true;
	}
	return false;
}

/* table.c */
extern struct mutex evtlog_probe_lock;

/* make.c */
int evtlog_probe_make(const char *text, struct evtlog_probe **result,
		      struct evtlog_probe_error *error);

/* counts.c */
int evtlog_probe_counts_take(struct evtlog_probe *p);
void evtlog_probe_counts_put(struct evtlog_probe *p);

/* reap.c */
struct evtlog_probe_counts evtlog_probe_sum_counts(const struct evtlog_probe *p);
void evtlog_probe_free(struct evtlog_probe *p);
void evtlog_probe_free_all(struct list_head *list);
void evtlog_probe_reap(struct list_head *list);

/* spec.c */
int evtlog_probe_parse(const char *text, struct evtlog_probe *p,
		       struct evtlog_probe_error *error);
void evtlog_probe_layout(struct evtlog_probe *p, char *fields, size_t size);

/* symbol.c */
int evtlog_probe_find_symbol(struct evtlog_probe *p, struct evtlog_probe_error *error);

/* resolve.c */
int evtlog_probe_resolve(struct evtlog_probe *p, struct evtlog_probe_error *error);

int evtlog_probe_find_packet(struct evtlog_probe *p, const char *name, size_t len,
			     struct evtlog_probe_error *error);

/* prototype.c; @registers, @words: of the stack, that arguments take */
struct evtlog_probe_places {
	unsigned int registers, words;
};

const struct btf *evtlog_probe_btf(const struct evtlog_probe *p);
const struct btf_type *evtlog_probe_prototype(const struct btf *btf, const struct evtlog_probe *p);
int evtlog_probe_next_place(const struct btf *btf, u32 id, struct evtlog_probe_places *used);
int evtlog_probe_pass_on(struct evtlog_probe *p, struct evtlog_probe_error *error);

/* pcap.c */
int evtlog_probe_packet_compile(struct evtlog_probe *p, struct evtlog_probe_error *error);
void evtlog_probe_packet_free(struct evtlog_probe *p);
bool evtlog_probe_packet_is_in(struct evtlog_probe *p, const struct sk_buff *skb);

/* handler.c */
int evtlog_probe_handler_compile(struct evtlog_probe *p, struct evtlog_probe_error *error);
void evtlog_probe_handler_put(struct evtlog_probe *p);
bool evtlog_probe_handler_accepts(struct evtlog_probe *p, const u64 *slots);

/* condition.c */
int evtlog_probe_compile(struct evtlog_probe *p, struct evtlog_probe_error *error);

/* sample.c */
#define EVTLOG_PROBE_SAMPLE_LINE	80
int evtlog_probe_sample_compile(struct evtlog_probe *p, struct evtlog_probe_error *error);
void evtlog_probe_sample_line(const struct evtlog_probe *p, char *line, size_t size);
void evtlog_probe_sample_begin(struct evtlog_probe *p);
void evtlog_probe_sample_end(struct evtlog_probe *p);
bool evtlog_probe_sample_is_early(const struct evtlog_probe *p);

/* sample_code.c */
void evtlog_probe_emit_sample(struct evtlog_code *c, const struct evtlog_probe *p, unsigned int reg,
			      struct evtlog_label *skipped, struct evtlog_label *taken);
void evtlog_probe_emit_weight(struct evtlog_code *c, const struct evtlog_probe *p);

/* eval.c */
u64 evtlog_probe_extend(const struct evtlog_probe_arg *arg, u64 value);
int evtlog_probe_eval(const struct evtlog_probe_arg *arg, const struct pt_regs *regs, u64 *value);
int evtlog_probe_copy_part(const struct evtlog_probe_arg *arg, void *to, u64 slot,
			   unsigned int from, unsigned int bytes);
u32 evtlog_probe_texts(struct evtlog_probe *p, const u64 *slots);
u64 evtlog_probe_fill(const struct evtlog_probe *p, void *payload, const u64 *slots);

/* packet.c */
int evtlog_probe_copy_packet(void *to, u64 skb, u32 start, u32 bytes, bool is_linear);
int evtlog_probe_copy_scattered(void *to, u64 lengths, u32 start, u32 bytes);
u64 evtlog_probe_packet_address(u64 skb, u32 start);

/* bytes_code.c */
void evtlog_probe_emit_busy(struct evtlog_code *c, bool is_busy);
void evtlog_probe_emit_store(struct evtlog_code *c, const struct evtlog_probe_arg *arg);
void evtlog_probe_emit_bytes(struct evtlog_code *c, const struct evtlog_probe *p);

/* pass_on.c */
void evtlog_probe_emit_pass_on(struct evtlog_code *c, const struct evtlog_probe *p);

/* stub.c */
#define EVTLOG_PROBE_STUB_MAX	4096
int evtlog_probe_emit(struct evtlog_probe *p, void *buffer, void *address,
		      const struct evtlog_event_route *route);

/* slow.c */
u64 *evtlog_probe_slow(struct evtlog_probe *p);
void evtlog_probe_commit(struct evtlog_probe *p);
void evtlog_probe_fill_slow(struct evtlog_probe *p, u64 *record, const u64 *slots);
bool evtlog_probe_draw(struct evtlog_probe *p);
u64 evtlog_probe_weight(struct evtlog_probe *p);
bool evtlog_probe_key_is_in(struct evtlog_probe *p, const u64 *slots);
bool evtlog_probe_time_is_in(struct evtlog_probe *p);
bool evtlog_probe_is_in_sample(struct evtlog_probe *p, const u64 *slots);

/* text_begin.S and text_end.S of the core */
extern const char evtlog_text_begin[], evtlog_text_end[];
extern const char evtlog_text_hot_begin[], evtlog_text_hot_end[];
extern const char evtlog_text_cold_begin[], evtlog_text_cold_end[];

/* thunk.S */
unsigned long evtlog_probe_copy(void *to, const void *from, size_t bytes);

/* thunk.S, too; none has the C calling convention: see there */
extern const char evtlog_probe_call_commit[];
extern const char evtlog_probe_load8[], evtlog_probe_load16[], evtlog_probe_load32[],
	evtlog_probe_load64[], evtlog_probe_copy_words[], evtlog_probe_copy_tail[],
	evtlog_probe_copy_linear[], evtlog_probe_copy_whole[],
	evtlog_probe_call_slow[], evtlog_probe_call_fill[],
	evtlog_probe_call_draw[], evtlog_probe_call_weight[], evtlog_probe_call_time[],
	evtlog_probe_call_key[], evtlog_probe_call_texts[], evtlog_probe_call_packet[], evtlog_probe_call_handler[],
	evtlog_probe_call_timer_enter[], evtlog_probe_call_timer_exit[];

/* site.c */
int evtlog_probe_sites_add(struct list_head *probes, struct evtlog_probe_error *error);
int evtlog_probe_sites_remove(struct list_head *probes);
/* What evtlog_probe_sites_remove() left: to be freed once rcu tasks have passed; the table's lock */
extern struct list_head evtlog_probe_sites_removed;
void evtlog_probe_sites_free(struct list_head *list);

/* kprobe.c */
int evtlog_probe_kprobes_add(struct list_head *probes, struct evtlog_probe_error *error);
int evtlog_probe_kprobes_disarm(struct list_head *probes);
void evtlog_probe_kprobes_arm(struct list_head *probes);
void evtlog_probe_kprobes_remove(struct list_head *probes);

#endif /* EVTLOG_PROBE_PROBE_H */
