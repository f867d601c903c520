// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs a filter's machine code in a stub.
 *
 * The stub sets each register to a value that the code cannot guess, and then reads all registers.
 * Only the two registers that the code may change can differ.
 */
#include <asm/prctl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "expect.h"
#include "filter_model.h"
#include "filter/tree.h"
#include "filter_native.h"

#define MEMORY	(64 << 10)
#define RSP	4
#define REGISTERS 16

static uint8_t *memory;
static size_t at;
static size_t code_at;
static long code_reject;
static struct evtlog_filter_stub stub;
static u64 expected[REGISTERS];

struct evtlog_filter_task evtlog_filter_current = {
	.cpu = offsetof(struct model_cpu, cpu),
	.current_task = offsetof(struct model_cpu, current),
	.pid = offsetof(struct model_task, pid),
	.tgid = offsetof(struct model_task, tgid),
	.prio = offsetof(struct model_task, prio),
	.comm = offsetof(struct model_task, comm),
	.trees = offsetof(struct model_task, trees),
	.tree = evtlog_filter_task_in_tree,
	.cgroup = evtlog_filter_task_in_cgroup,
};

/* Changes all registers that a function may change. */
static void change_registers(void)
{
	__asm__ volatile("xor %%ecx, %%ecx; xor %%edx, %%edx; xor %%esi, %%esi;"
			 "xor %%edi, %%edi; xor %%r8d, %%r8d; xor %%r9d, %%r9d;"
			 "xor %%r10d, %%r10d; xor %%r11d, %%r11d"
			 : : : "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc");
}

bool evtlog_filter_task_in_tree(u32 pid)
{
	bool result = model_is_among(model_cpu.task.ancestors, pid);

	change_registers();
	return result;
}

bool evtlog_filter_task_in_cgroup(u64 number)
{
	bool result = model_is_among(model_cpu.task.cgroups, number);

	change_registers();
	return result;
}

bool evtlog_filter_pids_are_global(void)
{
	return true;
}

bool evtlog_filter_tree_is_there(u32 pid)
{
	return pid < 4711;
}

void native_init(void)
{
	/* Near the program: the code calls a function of the program. */
	memory = mmap((void *)(((uintptr_t)native_init & ~0xfffffUL) - (16UL << 20)), MEMORY,
		      PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	expect(memory != MAP_FAILED);
	expect(syscall(SYS_arch_prctl, ARCH_SET_GS, &model_cpu) == 0);
}

static void byte(unsigned int value)
{
	memory[at++] = (uint8_t)value;
}

static void bytes(const char *code, size_t size)
{
	memcpy(memory + at, code, size);
	at += size;
}
#define code_bytes(text)	bytes(text, sizeof(text) - 1)

static void push(unsigned int reg, bool pops)
{
	if (reg > 7)
		byte(0x41);
	byte((pops ? 0x58 : 0x50) | (reg & 7));
}

static void move(unsigned int reg, u64 value)
{
	byte(reg > 7 ? 0x49 : 0x48);
	byte(0xb8 | (reg & 7));
	memcpy(memory + at, &value, sizeof(value));
	at += sizeof(value);
}

static void choose_registers(struct random *r)
{
	do {
		stub.base = (u8)random_below(r, REGISTERS);
		stub.scratch[0] = (u8)random_below(r, REGISTERS);
		stub.scratch[1] = (u8)random_below(r, REGISTERS);
	} while (stub.scratch[0] == stub.scratch[1] || stub.scratch[0] == stub.base ||
		 stub.scratch[1] == stub.base || stub.base == RSP ||
		 stub.scratch[0] == RSP || stub.scratch[1] == RSP);
	stub.base_offset = random_one_in(r, 2) ? 0 : (s32)random_below(r, 1 << 20) - (1 << 19);
	stub.task = &evtlog_filter_current;
	stub.key = random_one_in(r, 2) ? 0 : (u32)random_next(r) >> 1 | 1;
}

/* Does the code contain half of a user's number? Numbers like 0 or -1 may occur by chance. */
static bool has_number(const u8 *code, size_t size, u64 number)
{
	for (; number; number >>= 32) {
		int bits = __builtin_popcount((u32)number);

		if (bits > 10 && bits < 22 && memmem(code, size, &number, 4))
			return true;
	}
	return false;
}

static bool has_chosen(const struct evtlog_filter *filter, size_t size)
{
	const u8 *code = memory + code_at;
	bool is_found = false;
	unsigned int i;

	for (i = 0; i < filter->nr_nodes; i++)
		is_found |= has_number(code, size, filter->nodes[i].number) ||
			    has_number(code, size, filter->nodes[i].mask);
	for (i = 0; i < filter->nr_ranges; i++)
		is_found |= has_number(code, size, filter->ranges[i].low);
	return is_found;
}

/* Code with one key may contain the number by chance. With two keys, the number is not hidden. */
static void expect_hidden(const struct evtlog_filter *filter, size_t size)
{
	if (!stub.key || !has_chosen(filter, size))
		return;
	stub.key ^= 0x5555554;
	expect_equal((u64)evtlog_filter_emit(filter, &stub, memory + code_at, size), size);
	expect(!has_chosen(filter, size));
}

static const unsigned int saved[] = { 3, 5, 12, 13, 14, 15, 6 };
#define SAVED	(sizeof(saved) / sizeof(saved[0]))

/* Both exits: push the result, then all registers; copy them to the caller's. */
static void end(unsigned int result)
{
	unsigned int i;

	byte(0x6a);			/* push $result */
	byte(result);
	for (i = 0; i < REGISTERS; i++)
		push(i, false);
	code_bytes("\x48\x89\xe6"	/* mov %rsp, %rsi */
		   "\x48\x8b\xbc\x24\x88\0\0\0"	/* mov 136(%rsp), %rdi: as the caller had %rsi */
		   "\xb9\x11\0\0\0"	/* mov $17, %ecx */
		   "\xfc\xf3\x48\xa5"	/* cld; rep movsq */
		   "\x48\x81\xc4\x88\0\0\0"); /* add $136, %rsp */
	for (i = SAVED; i--;)
		push(saved[i], true);
	byte(0xc3);
}

int native_build(struct random *r, const struct evtlog_filter *filter)
{
	unsigned int i;
	int size;

	choose_registers(r);
	at = 0;
	for (i = 0; i < SAVED; i++)
		push(saved[i], false);
	/* The slots' address is set before each run. */
	for (i = 0; i < REGISTERS; i++) {
		if (i == RSP)
			continue;
		expected[i] = random_next(r);
		move(i, expected[i]);
	}
	code_at = at;
	size = evtlog_filter_emit(filter, &stub, NULL, 0);
	expect(size >= 0 && size < MEMORY / 2);
	stub.image = (unsigned long)memory + at;
	/* The place that rejects is sometimes after the end that accepts, sometimes before. */
	code_reject = size;
	at += (size_t)size;
	end(1);
	code_reject = (long)(at - code_at);
	end(0);
	stub.reject = stub.image + (unsigned long)code_reject;
	if (size)
		expect(evtlog_filter_emit(filter, &stub, memory + code_at, (size_t)size - 1) < 0);
	expect_equal((u64)evtlog_filter_emit(filter, &stub, memory + code_at, (size_t)size),
		     (u64)size);
	expect_hidden(filter, (size_t)size);
	return size;
}

/* Sets the move of the base register; each move has 10 bytes. */
static void set_slots(const u64 *slots)
{
	size_t where = code_at - 10UL * (stub.base < RSP ? 15U - stub.base : 16U - stub.base);

	expected[stub.base] = (u64)slots - (u64)(int64_t)stub.base_offset;
	memcpy(memory + where + 2, &expected[stub.base], 8);
}

bool native_run(const u64 *slots)
{
	/* The registers as pushed, the last first; then the result */
	u64 out[REGISTERS + 1];
	unsigned int i;

	set_slots(slots);
	((void (*)(const u64 *, u64 *))(void *)memory)(slots, out);
	for (i = 0; i < REGISTERS; i++) {
		if (i == RSP || i == stub.scratch[0] || i == stub.scratch[1])
			continue;
		expect_equal(out[REGISTERS - 1 - i], expected[i]);
	}
	expect(out[REGISTERS] <= 1);
	return out[REGISTERS];
}

const void *native_code(long *reject)
{
	*reject = code_reject;
	return memory + code_at;
}
