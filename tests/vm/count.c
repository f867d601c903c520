// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A plugin of QEMU that counts the instructions of each CPU of a guest, for machines that --icount
 * does not support: several CPUs, and several machines.
 *
 * Loaded by tests/vm/run --count. At each "nopl CODE(%rax)" whose CODE begins with 0x4556, see
 * support/mark.h, it writes a line "CODE INSTRUCTIONS INSTRUCTIONS ..." to the file of its argument
 * out=, with a number for each CPU: the instructions since the guest started. A block of
 * instructions is counted at its start: instructions that an exception skips are counted, too.
 *
 * It uses version 1 of the interface, of QEMU 4.2 to 8.2 (include/qemu/qemu-plugin.h, which is in
 * no package of Debian).
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define CPUS_MAX	8
#define MARK		0x4556

struct qemu_plugin_tb;
struct qemu_plugin_insn;

typedef void (*translated_t)(uint64_t id, struct qemu_plugin_tb *tb);
typedef void (*executed_t)(unsigned int cpu, void *data);

extern void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, translated_t callback);
extern void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, executed_t callback,
						 int flags, void *data);
extern void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
						   executed_t callback, int flags, void *data);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb,
							size_t number);
extern const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
extern size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);

int qemu_plugin_version = 1;
int qemu_plugin_install(uint64_t id, const void *info, int count, char **arguments);

static uint64_t executed[CPUS_MAX];
static FILE *out;

static void count_block(unsigned int cpu, void *data)
{
	if (cpu < CPUS_MAX)
		executed[cpu] += (uintptr_t)data;
}

static void tell(unsigned int cpu, void *data)
{
	fprintf(out, "%u", (unsigned int)(uintptr_t)data);
	for (unsigned int i = 0; i < CPUS_MAX; i++)
		fprintf(out, " %llu", (unsigned long long)executed[i]);
	fputc('\n', out);
	fflush(out);
}

static void look_for_mark(struct qemu_plugin_insn *insn)
{
	static const uint8_t nop[] = { 0x0f, 0x1f, 0x80 };
	const uint8_t *bytes = qemu_plugin_insn_data(insn);
	uint32_t code;

	if (qemu_plugin_insn_size(insn) != sizeof(nop) + sizeof(code) ||
	    memcmp(bytes, nop, sizeof(nop)))
		return;
	memcpy(&code, bytes + sizeof(nop), sizeof(code));
	if (code >> 16 == MARK)
		qemu_plugin_register_vcpu_insn_exec_cb(insn, tell, 0,
						       (void *)(uintptr_t)(code & 0xffff));
}

static void translated(uint64_t id, struct qemu_plugin_tb *tb)
{
	size_t count = qemu_plugin_tb_n_insns(tb);

	qemu_plugin_register_vcpu_tb_exec_cb(tb, count_block, 0, (void *)(uintptr_t)count);
	for (size_t i = 0; i < count; i++)
		look_for_mark(qemu_plugin_tb_get_insn(tb, i));
}

int qemu_plugin_install(uint64_t id, const void *info, int count, char **arguments)
{
	for (int i = 0; i < count; i++)
		if (!strncmp(arguments[i], "out=", 4))
			out = fopen(arguments[i] + 4, "w");
	if (!out) {
		fputs("count: no file out=\n", stderr);
		return 1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	return 0;
}
