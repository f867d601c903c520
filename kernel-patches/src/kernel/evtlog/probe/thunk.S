/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions that stubs call.  Stubs can lose only rax, r10, r11 and the flags.  C code calls
 * evtlog_probe_copy().
 *
 * evtlog_probe_loadN: rax = N bits at rax, zero-extended.  An address that is not the kernel's, or
 *	not mapped, gives 0 and increments the per-CPU counter at r11.
 * evtlog_probe_copy(to, from, bytes): C calling convention.  Returns 1 if @from is not mapped, or
 *	not the kernel's; some bytes may have been copied then.
 * evtlog_probe_copy_words: copies rcx words from rsi to rdi, which move to the end; rcx is lost.
 *	Carry is set on success, and clear where evtlog_probe_copy() returns 1.
 * evtlog_probe_copy_tail: the same, then rax bytes, less than a word, after at least one word
 * evtlog_probe_copy_linear: copies rcx bytes of a packet's linear part, from byte rax on, to rdi,
 *	and zeros after the part's end.  rsi is the address of @len, before @data_len; r11 is the
 *	offset of @data from there.  rcx, rsi and rdi are lost.  Carry as above; after a failure
 *	it is unknown how much was copied.
 * evtlog_probe_copy_whole: the same for the whole packet.  If the bytes are not all in the linear
 *	part, evtlog_probe_copy_scattered() copies them.
 * evtlog_probe_call_slow: r10 = evtlog_probe_slow(rax)
 * evtlog_probe_call_commit: evtlog_probe_commit(rax)
 * evtlog_probe_call_fill: evtlog_probe_fill_slow(rax, r10, r11); r10 is preserved
 * evtlog_probe_call_draw: al = evtlog_probe_draw(rax)
 * evtlog_probe_call_weight: r11 = evtlog_probe_weight(rax); r10 is preserved
 * evtlog_probe_call_time: al = evtlog_probe_time_is_in(rax)
 * evtlog_probe_call_texts: rax = evtlog_probe_texts(rax, r11)
 * evtlog_probe_call_key: al = evtlog_probe_key_is_in(rax, r11)
 * evtlog_probe_call_packet: al = evtlog_probe_packet_is_in(rax, r11)
 * evtlog_probe_call_handler: al = evtlog_probe_handler_accepts(rax, r11)
 * evtlog_probe_call_timer_enter, _exit: evtlog_profile_function_enter(rax), _exit(rax)
 */
#include <linux/linkage.h>
#include <asm/asm.h>
#include <asm/frame.h>
#include <asm/nospec-branch.h>

/*
 * As copy_from_kernel_nofault_allowed(): kernel addresses are negative, and nothing may be read
 * from the vsyscall page on.  A non-canonical address faults like an unmapped one.
 */
#define ADDRESS_END	-10485760

	.section .kprobes.text, "ax"

.macro loader name insn
SYM_FUNC_START(\name)
	cmpq	$ADDRESS_END, %rax
	jge	.Lfault\@
.Lload\@:
	\insn
	RET
.Lfault\@:
	xorl	%eax, %eax
	incq	%gs:(%r11)
	RET
	_ASM_EXTABLE(.Lload\@, .Lfault\@)
SYM_FUNC_END(\name)
.endm

	loader evtlog_probe_load8 "movzbl (%rax), %eax"
	loader evtlog_probe_load16 "movzwl (%rax), %eax"
	loader evtlog_probe_load32 "movl (%rax), %eax"
	loader evtlog_probe_load64 "movq (%rax), %rax"

/* copy_from_kernel_nofault() takes five instructions for each eight bytes. */
SYM_FUNC_START(evtlog_probe_copy)
	cmpq	$ADDRESS_END, %rsi
	jge	.Lno_copy
	movq	%rdx, %rcx
	shrq	$3, %rcx
.Lwords:
	rep movsq
	movl	%edx, %ecx
	andl	$7, %ecx
.Lbytes:
	rep movsb
	xorl	%eax, %eax
	RET
.Lno_copy:
	movl	$1, %eax
	RET
	_ASM_EXTABLE(.Lwords, .Lno_copy)
	_ASM_EXTABLE(.Lbytes, .Lno_copy)
SYM_FUNC_END(evtlog_probe_copy)

/* A kernel address is below the end, also as an unsigned number: cmpq sets carry until RET. */
SYM_FUNC_START(evtlog_probe_copy_words)
	cmpq	$ADDRESS_END, %rsi
	jge	.Lno_words
.Lall_words:
	rep movsq
	RET
.Lno_words:
	clc
	RET
	_ASM_EXTABLE(.Lall_words, .Lno_words)
SYM_FUNC_END(evtlog_probe_copy_words)

/* Copies the last eight bytes at once, some of them for the second time. */
SYM_FUNC_START(evtlog_probe_copy_tail)
	cmpq	$ADDRESS_END, %rsi
	jge	.Lno_tail
.Lwords_before:
	rep movsq
.Ltail:
	movq	-8(%rsi, %rax), %rcx
	movq	%rcx, -8(%rdi, %rax)
	RET
.Lno_tail:
	clc
	RET
	_ASM_EXTABLE(.Lwords_before, .Lno_tail)
	_ASM_EXTABLE(.Ltail, .Lno_tail)
SYM_FUNC_END(evtlog_probe_copy_tail)

/* With several parts, edx is the number of bytes in the first part from byte rax on. */
.macro copier name is_whole
SYM_FUNC_START(\name)
	pushq	%rdx
	cmpq	$ADDRESS_END, %rsi
	jge	.Lno_packet\@
.if \is_whole
.Ldata_len\@:
	cmpl	$0, 4(%rsi)
	je	.Llengths\@
.Llen\@:
	movl	(%rsi), %edx
.Lsecond\@:
	subl	4(%rsi), %edx
	jb	.Lscattered\@
	subl	%eax, %edx
	jb	.Lscattered\@
	cmpl	%ecx, %edx
	jb	.Lscattered\@
.endif
.Llengths\@:
	movq	(%rsi), %rdx
.Ldata\@:
	movq	(%rsi, %r11), %rsi
	/* r11d is the number of bytes from byte rax on.  The struct may contain anything. */
	movl	%edx, %r11d
	shrq	$32, %rdx
	subl	%edx, %r11d
	jb	.Lnone\@
	subl	%eax, %r11d
	jbe	.Lnone\@
	addq	%rax, %rsi
	cmpq	$ADDRESS_END, %rsi
	jge	.Lno_packet\@
	movl	%ecx, %edx
	subl	%r11d, %edx
	jbe	.Lall\@
	movl	%r11d, %ecx
	jmp	.Lcopy\@
.Lall\@:
	xorl	%edx, %edx
.Lcopy\@:
	movl	%ecx, %eax
	shrl	$3, %ecx
.Lpacket_words\@:
	rep movsq
	andl	$7, %eax
	jz	.Lzeros\@
	movl	%eax, %ecx
.Lpacket_bytes\@:
	rep movsb
.Lzeros\@:
	testl	%edx, %edx
	jz	.Lcopied\@
	movl	%edx, %ecx
	shrl	$3, %ecx
	xorl	%eax, %eax
	rep stosq
	andl	$7, %edx
	jz	.Lcopied\@
	movl	%edx, %ecx
	rep stosb
.Lcopied\@:
	popq	%rdx
	stc
	RET
.Lnone\@:
	movl	%ecx, %edx
	jmp	.Lzeros\@
.Lno_packet\@:
	popq	%rdx
	clc
	RET
.if \is_whole
.Lscattered\@:
	popq	%rdx
	FRAME_BEGIN
	pushq	%rdx
	pushq	%r8
	pushq	%r9
	pushq	%r10
	movl	%eax, %edx
	call	evtlog_probe_copy_scattered
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rdx
	FRAME_END
	/* Sets carry if the result is 0. */
	cmpl	$1, %eax
	RET
	_ASM_EXTABLE(.Ldata_len\@, .Lno_packet\@)
	_ASM_EXTABLE(.Llen\@, .Lno_packet\@)
	_ASM_EXTABLE(.Lsecond\@, .Lno_packet\@)
.endif
	_ASM_EXTABLE(.Llengths\@, .Lno_packet\@)
	_ASM_EXTABLE(.Ldata\@, .Lno_packet\@)
	_ASM_EXTABLE(.Lpacket_words\@, .Lno_packet\@)
	_ASM_EXTABLE(.Lpacket_bytes\@, .Lno_packet\@)
SYM_FUNC_END(\name)
.endm

	copier evtlog_probe_copy_linear 0
	copier evtlog_probe_copy_whole 1

.macro save
	FRAME_BEGIN
	pushq	%rdi
	pushq	%rsi
	pushq	%rdx
	pushq	%rcx
	pushq	%r8
	pushq	%r9
.endm

.macro restore
	popq	%r9
	popq	%r8
	popq	%rcx
	popq	%rdx
	popq	%rsi
	popq	%rdi
	FRAME_END
.endm

/* Calls @function with rax, and r11 if it has two arguments; its return value goes to @result. */
.macro caller name function arguments=1 result=%rax
SYM_FUNC_START(evtlog_probe_call_\name)
	save
	movq	%rax, %rdi
.if \arguments == 2
	movq	%r11, %rsi
.endif
	call	\function
.ifnc \result, %rax
	movq	%rax, \result
.endif
	restore
	RET
SYM_FUNC_END(evtlog_probe_call_\name)
.endm

	caller slow evtlog_probe_slow result=%r10
	caller commit evtlog_probe_commit
	caller draw evtlog_probe_draw
	caller time evtlog_probe_time_is_in
	caller key evtlog_probe_key_is_in arguments=2
	caller texts evtlog_probe_texts arguments=2
	caller packet evtlog_probe_packet_is_in arguments=2
	caller handler evtlog_probe_handler_accepts arguments=2
#ifdef CONFIG_EVTLOG_PROFILE
	caller timer_enter evtlog_profile_function_enter
	caller timer_exit evtlog_profile_function_exit
#endif

SYM_FUNC_START(evtlog_probe_call_fill)
	save
	pushq	%r10
	movq	%rax, %rdi
	movq	%r10, %rsi
	movq	%r11, %rdx
	call	evtlog_probe_fill_slow
	popq	%r10
	restore
	RET
SYM_FUNC_END(evtlog_probe_call_fill)

SYM_FUNC_START(evtlog_probe_call_weight)
	save
	pushq	%r10
	movq	%rax, %rdi
	call	evtlog_probe_weight
	movq	%rax, %r11
	popq	%r10
	restore
	RET
SYM_FUNC_END(evtlog_probe_call_weight)
