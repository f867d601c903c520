/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Probes inserted while the kernel runs, from their text to their machine code.
 *
 *	spec.c		parses the text into struct evtlog_probe; names are not looked up yet
 *	symbol.c	looks up functions in kallsyms
 *	resolve.c	looks up parameters and members in BTF; walk.c follows paths of arguments
 *	prototype.c	finds the places of a function's arguments in BTF
 *	condition.c	compiles the filter
 *	pcap.c		compiles the packet test
 *	handler.c	tests by functions of modules
 *	sample.c	compiles the sample; sample_code.c emits its machine code
 *	stub.c		emits the machine code; bytes_code.c copies bytes, pass_on.c stack words
 *	code.c		gives the machine code its memory
 *	make.c		takes all of these steps for one probe
 *	site.c		inserts direct calls at ftrace's sites
 *	kprobe.c	inserts kprobes elsewhere
 *	hit.c		records hits in C; eval.c evaluates their arguments
 *	packet.c	copies bytes of packets
 *	slow.c, thunk.S	slow path of the machine code
 *	table.c		all probes; adds and deletes them in batches
 *	counts.c	per-CPU counters
 *	reap.c		frees deleted probes when no task is in their machine code
 *
 * A module has no machine code of its own: hit.c records all hits, and
 * kernel-patches/module/probe_sites.c is in the place of code.c, stub.c, site.c and what they call.
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
/* Most words of the caller's stack that the stub of a return can pass on to the function */
#define EVTLOG_PROBE_STACK_MAX	64U
#define EVTLOG_PROBE_ERROR_LEN	256
/* Bytes of one write: enough for as many probes as there can be events. */
#define EVTLOG_PROBE_WRITE_MAX	(1024 * 1024)

/* Sources of a value: argument registers 0 to 5, in order, then the enum below. */
#define EVTLOG_PROBE_REGISTERS	6
/* Largest N of argN, in words: the longest argument list in the kernel's own code */
#define EVTLOG_PROBE_POSITIONS	22
enum {
	EVTLOG_PROBE_RETVAL = EVTLOG_PROBE_REGISTERS,
	EVTLOG_PROBE_PT_REGS,		/* member of struct pt_regs, for kprobes */
	EVTLOG_PROBE_PID,		/* pid of the current task */
	EVTLOG_PROBE_TGID,
	EVTLOG_PROBE_CPU,		/* number of the current CPU */
	EVTLOG_PROBE_STACK,		/* address of the arguments on the caller's stack */
};

enum evtlog_probe_kind {
	EVTLOG_PROBE_ENTRY,
	EVTLOG_PROBE_RETURN,
	EVTLOG_PROBE_OFFSET,		/* inside a function */
};

/* Where bytes are copied from */
enum evtlog_probe_bytes {
	EVTLOG_PROBE_MEMORY,		/* memory at an address */
	EVTLOG_PROBE_LINEAR,		/* data of a struct sk_buff, up to its linear part's end */
	EVTLOG_PROBE_PACKET,		/* data of a packet: linear part, fragments and list */
};

enum evtlog_probe_mechanism {
	EVTLOG_PROBE_DIRECT,		/* ftrace's site calls a stub */
	EVTLOG_PROBE_KPROBE,
};

/*
 * struct evtlog_probe_arg - where an argument comes from, and its place in the record
 * @label:	name of the field
 * @path:	path of the argument with its base; points into @text of the probe
 * @path_len:	length of @path in characters
 * @source:	argument register 0 to 5, or a constant of the enum above
 * @regs_offset: offset of the register in struct pt_regs, for EVTLOG_PROBE_PT_REGS
 * @loads:	number of loads from memory: @value = *(@value + @load[i])
 * @load:	offsets of the loads, in bytes
 * @add:	added to the last value, to get the address of the bytes or of the struct sk_buff
 * @size:	size of the value and of the last load: 1, 2, 4 or 8 bytes
 * @shift, @bits: place of a bit field in the loaded value; @bits 0: the whole value
 * @is_signed:	True: the value is sign-extended
 * @is_big_endian: True: the value is loaded in network byte order, and then swapped
 * @is_address: True: the value of the path, even a number, is the address of the bytes
 * @kind:	kind of the field, see abi.h.  A value of kind 4 is recorded in network byte order
 * @bytes:	number of bytes copied from the last value on; 0: the argument is the value itself
 * @of:		what the bytes are copied from: enum evtlog_probe_bytes
 * @start:	for bytes of a packet: the first byte, counted from the packet's data
 * @offset:	offset of the field in the payload
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
 * Counters of a probe on one CPU; each is changed by one instruction.  @skipped: hits that the
 * sample left out.  @rest: such hits after the last record of the previous run.  @key_faults:
 * faults while a key was read; filling the record adds them to @faults.  @beyond: words that a
 * return did not find above its caller's frame.
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
	struct evtlog_event_route *route;	/* route of the record that is begun, or NULL */
};

/*
 * struct evtlog_probe - one probe
 * @list:	entry in the table, or in a list of probes to free; guarded by evtlog_probe_lock
 * @by_name:	entry in the table's hash of names
 * @text:	text as written, without the sign
 * @name:	name for deletion: the text up to the arguments
 * @symbol:	name of the function, or MODULE:NAME
 * @kind:	place in the function
 * @is_timer:	True: an EVTLOG_PROBE_RETURN without records, whose function is an event of profiles
 * @timer:	number of this event
 * @symbol_offset: offset in the function in bytes, for EVTLOG_PROBE_OFFSET
 * @stack_words: words of the caller's stack that a return passes on: the arguments after the sixth
 * @nr_args:	number of @args
 * @condition:	text after "if", or NULL
 * @condition_len: length of @condition in characters
 * @filter:	compiled from @condition
 * @texts, @nr_texts: texts that the filter compares with arguments
 * @packet_text: text after "pcap", or NULL
 * @packet_len: length of @packet_text in characters
 * @packet:	BPF program compiled from @packet_text
 * @packet_source: argument register that points to the packet
 * @handler_text: text after "handler", or NULL
 * @handler_len: length of @handler_text in characters
 * @handler:	called for each hit
 * @handler_args, @nr_handler_args: indices of the arguments that the handler gets
 * @sample_text: text after "sample", or NULL
 * @sample:	compiled from @sample_text
 * @sample_arg: index of the argument that is the sample's key
 * @address:	address of the function; the text may contain it
 * @is_shared:	True: several functions may have the name, and BTF may describe a different one
 * @module:	module of the function; NULL: the kernel itself
 * @site:	address of ftrace's site in the function
 * @mechanism:	direct call or kprobe
 * @why:	why no better mechanism is used, or empty
 * @id:		id of the event; 0: none yet
 * @tag:	tag of the record
 * @routed:	True: records go to a named buffer, as long as this buffer exists
 * @route:	name of the named buffer that was asked for, or NULL
 * @payload:	bytes after the first word of the record
 * @stub:	machine code; in a module, struct site
 * @stub_name:	symbol of @stub if it is for a return or a timer, or NULL
 * @key:	evtlog_text_key() for @stub
 * @entry:	offset in @stub at which it is entered
 * @accepts:	@filter as a function, for hit.c; NULL: interpreted, or none
 * @counts:	per-CPU counters
 * @block:	block that contains @counts
 * @kp:		kprobe, for EVTLOG_PROBE_KPROBE
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
	u64 (*accepts)(const u64 *slots);
	struct evtlog_probe_counts __percpu *counts;
	struct evtlog_probe_block *block;
	struct kprobe kp;
};

/*
 * struct evtlog_probe_error - why a probe or a line was refused, as a sentence
 * Functions with this parameter return -errno and store the sentence in @text.
 */
struct evtlog_probe_error {
	char text[EVTLOG_PROBE_ERROR_LEN];
};

#define evtlog_probe_refuse(error, code, ...) \
	evtlog_refuse((error)->text, sizeof((error)->text), code, __VA_ARGS__)

/* Returns true if the argument is a whole register, which is recorded unchanged. */
static inline bool evtlog_probe_is_register(const struct evtlog_probe *p,
					    const struct evtlog_probe_arg *arg)
{
	return p->kind != EVTLOG_PROBE_RETURN && arg->source < EVTLOG_PROBE_REGISTERS &&
	       !arg->loads && !arg->bytes && arg->size == 8 && !arg->bits && !arg->is_big_endian;
}

/* Returns true if the value is recorded in network byte order, unlike in its slot. */
static inline bool evtlog_probe_is_swapped(const struct evtlog_probe_arg *arg)
{
	return arg->kind == '4' && !arg->bytes;
}

/* Returns true if @word equals the @length characters at @text. */
static inline bool evtlog_probe_is_word(const char *word, const char *text, size_t length)
{
	return strlen(word) == length && !strncmp(word, text, length);
}

/* Returns the index of the argument with a label, or -ENOENT. */
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

/* Slots for the arguments, and one slot for the results of the filter's text comparisons */
static inline unsigned int evtlog_probe_slots(const struct evtlog_probe *p)
{
	return p->nr_args + !!p->nr_texts;
}

static inline unsigned int evtlog_probe_words(const struct evtlog_probe *p)
{
	return 1 + (p->payload + 7) / 8;
}

/* Returns true if a hit reads memory or a packet, or calls a handler. */
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
void evtlog_probe_exit(void);

/* kernel-patches/module/outside_probe.c */
#ifdef MODULE
int evtlog_probe_is_possible(struct evtlog_probe_error *error);
#else
static inline int evtlog_probe_is_possible(struct evtlog_probe_error *error)
{
	return 0;
}
#endif

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
void evtlog_probe_reap_exit(void);

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

/* prototype.c; registers and stack words that arguments take */
struct evtlog_probe_places {
	unsigned int registers, words;
};

const struct btf *evtlog_probe_btf(const struct evtlog_probe *p);
const struct btf_type *evtlog_probe_prototype(const struct btf *btf, const struct evtlog_probe *p);
int evtlog_probe_next_place(const struct btf *btf, u32 id, struct evtlog_probe_places *used);

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
#ifdef MODULE
/* The function's own frame is used. */
static inline int evtlog_probe_pass_on(struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	return 0;
}
#else
int evtlog_probe_pass_on(struct evtlog_probe *p, struct evtlog_probe_error *error);
#endif
void evtlog_probe_emit_pass_on(struct evtlog_code *c, const struct evtlog_probe *p);

/* stub.c */
#define EVTLOG_PROBE_STUB_MAX	4096
int evtlog_probe_emit(struct evtlog_probe *p, void *buffer, void *address,
		      const struct evtlog_event_route *route);

/* code.c */
int evtlog_probe_code_make(struct evtlog_probe *p, struct evtlog_probe_error *error);
void evtlog_probe_code_free(struct evtlog_probe *p);
bool evtlog_probe_is_own_code(unsigned long address);

/* slow.c */
u64 *evtlog_probe_slow(struct evtlog_probe *p);
void evtlog_probe_commit(struct evtlog_probe *p);
void evtlog_probe_fill_slow(struct evtlog_probe *p, u64 *record, const u64 *slots);
bool evtlog_probe_draw(struct evtlog_probe *p);
u64 evtlog_probe_weight(struct evtlog_probe *p);
bool evtlog_probe_key_is_in(struct evtlog_probe *p, const u64 *slots);
bool evtlog_probe_time_is_in(struct evtlog_probe *p);
bool evtlog_probe_is_in_sample(struct evtlog_probe *p, const u64 *slots);

/* hit.c */
void evtlog_probe_hit(struct evtlog_probe *p, const struct pt_regs *regs);

/* text_begin.S and text_end.S of the core */
extern const char evtlog_text_begin[], evtlog_text_end[];
extern const char evtlog_text_hot_begin[], evtlog_text_hot_end[];
extern const char evtlog_text_cold_begin[], evtlog_text_cold_end[];

/* thunk.S */
unsigned long evtlog_probe_copy(void *to, const void *from, size_t bytes);

/* thunk.S.  None of these has the C calling convention, see there. */
extern const char evtlog_probe_call_commit[];
extern const char evtlog_probe_load8[], evtlog_probe_load16[], evtlog_probe_load32[],
	evtlog_probe_load64[], evtlog_probe_copy_words[], evtlog_probe_copy_tail[],
	evtlog_probe_copy_linear[], evtlog_probe_copy_whole[],
	evtlog_probe_call_slow[], evtlog_probe_call_fill[],
	evtlog_probe_call_draw[], evtlog_probe_call_weight[], evtlog_probe_call_time[],
	evtlog_probe_call_key[], evtlog_probe_call_texts[], evtlog_probe_call_packet[], evtlog_probe_call_handler[],
	evtlog_probe_call_timer_enter[], evtlog_probe_call_timer_exit[];

/* site.c */
extern const char evtlog_probe_site_mechanism[];
int evtlog_probe_sites_add(struct list_head *probes, struct evtlog_probe_error *error);
int evtlog_probe_sites_remove(struct list_head *probes);
/* Left by evtlog_probe_sites_remove(), to be freed after rcu tasks; guarded by evtlog_probe_lock */
extern struct list_head evtlog_probe_sites_removed;
void evtlog_probe_sites_free(struct list_head *list);
u64 evtlog_probe_site_missed(const struct evtlog_probe *p);
void evtlog_probe_sites_exit(void);

/* kprobe.c */
int evtlog_probe_kprobes_add(struct list_head *probes, struct evtlog_probe_error *error);
int evtlog_probe_kprobes_disarm(struct list_head *probes);
void evtlog_probe_kprobes_arm(struct list_head *probes);
void evtlog_probe_kprobes_remove(struct list_head *probes);

#endif /* EVTLOG_PROBE_PROBE_H */
