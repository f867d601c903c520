/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat - a 32-bit program that calls getppid() CALLS times by int $0x80, and CALLS times by the
 * vDSO, which uses sysenter or syscall if the processor has it.
 *
 * It has no C library, because that would make other calls.
 */
#define SYS_EXIT	1
#define SYS_GETPPID	64
#define AT_SYSINFO	32

	.globl _start
_start:
	/* argc, argv, NULL, environment, NULL, pairs of type and value */
	movl	(%esp), %eax
	leal	8(%esp,%eax,4), %esi
environment:
	lodsl
	testl	%eax, %eax
	jnz	environment
auxiliary:
	lodsl
	movl	%eax, %edx
	lodsl
	cmpl	$AT_SYSINFO, %edx
	je	found
	testl	%edx, %edx
	jnz	auxiliary
	movl	$2, %ebx
	jmp	out
found:
	movl	%eax, %edi
	movl	$CALLS, %esi
slow:
	movl	$SYS_GETPPID, %eax
	int	$0x80
	decl	%esi
	jnz	slow
	movl	$CALLS, %esi
fast:
	movl	$SYS_GETPPID, %eax
	call	*%edi
	decl	%esi
	jnz	fast
	xorl	%ebx, %ebx
out:
	movl	$SYS_EXIT, %eax
	int	$0x80

	.section .note.GNU-stack, "", @progbits
