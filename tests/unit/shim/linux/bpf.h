/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shim of the kernel's header: instructions, by the names that programs are made with.
 */
#ifndef SHIM_LINUX_BPF_H
#define SHIM_LINUX_BPF_H

#include_next <linux/bpf.h>
#include <linux/types.h>

struct bpf_prog {
	u32 len;
	u32 type;
	bool jited;
	struct bpf_insn insnsi[];
};

/* filter_program.c */
struct bpf_prog *bpf_prog_alloc(unsigned int size, unsigned int flags);
struct bpf_prog *bpf_prog_select_runtime(struct bpf_prog *prog, int *error);
void bpf_prog_free(struct bpf_prog *prog);
u64 __bpf_call_base(u64 a, u64 b, u64 c, u64 d, u64 e);

#define bpf_prog_size(len)	(sizeof(struct bpf_prog) + (len) * sizeof(struct bpf_insn))

#define bytes_to_bpf_size(bytes) \
	((bytes) == 1 ? BPF_B : (bytes) == 2 ? BPF_H : (bytes) == 4 ? BPF_W : BPF_DW)

#define SHIM_INSN(its_code, dst, src, its_off, its_imm) ((struct bpf_insn){	\
	.code = (its_code), .dst_reg = (dst), .src_reg = (src), .off = (its_off), .imm = (its_imm) })
#define BPF_ALU64_REG(op, dst, src)	SHIM_INSN(BPF_ALU64 | BPF_OP(op) | BPF_X, dst, src, 0, 0)
#define BPF_ALU64_IMM(op, dst, imm)	SHIM_INSN(BPF_ALU64 | BPF_OP(op) | BPF_K, dst, 0, 0, imm)
#define BPF_ENDIAN(type, dst, len)	SHIM_INSN(BPF_ALU | BPF_END | BPF_SRC(type), dst, 0, 0, len)
#define BPF_MOV64_REG(dst, src)		SHIM_INSN(BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0)
#define BPF_MOV32_REG(dst, src)		SHIM_INSN(BPF_ALU | BPF_MOV | BPF_X, dst, src, 0, 0)
#define BPF_MOV64_IMM(dst, imm)		SHIM_INSN(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, imm)
#define BPF_LDX_MEM(size, dst, src, off) \
	SHIM_INSN(BPF_LDX | BPF_SIZE(size) | BPF_MEM, dst, src, off, 0)
#define BPF_JMP_REG(op, dst, src, off)	SHIM_INSN(BPF_JMP | BPF_OP(op) | BPF_X, dst, src, off, 0)
#define BPF_JMP_IMM(op, dst, imm, off)	SHIM_INSN(BPF_JMP | BPF_OP(op) | BPF_K, dst, 0, off, imm)
#define BPF_JMP32_IMM(op, dst, imm, off) \
	SHIM_INSN(BPF_JMP32 | BPF_OP(op) | BPF_K, dst, 0, off, imm)
#define BPF_JMP_A(off)			SHIM_INSN(BPF_JMP | BPF_JA, 0, 0, off, 0)
#define BPF_EXIT_INSN()			SHIM_INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)
#define BPF_EMIT_CALL(function)		SHIM_INSN(BPF_JMP | BPF_CALL, 0, 0, 0,	\
	(s32)((char *)(function) - (char *)__bpf_call_base))
#define BPF_LD_IMM64(dst, imm)							\
	SHIM_INSN(BPF_LD | BPF_DW | BPF_IMM, dst, 0, 0, (s32)(imm)),		\
	SHIM_INSN(0, 0, 0, 0, (s32)((u64)(imm) >> 32))

#endif /* SHIM_LINUX_BPF_H */
