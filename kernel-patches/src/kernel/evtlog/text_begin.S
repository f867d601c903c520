/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Begin of evtlog's machine code.  The Makefile links this file first and text_end.S last, so that
 * all of evtlog's code is between the two in each section of the kernel.  See probe/kprobe.c.
 */
	.section .text, "ax"
	.globl evtlog_text_begin
evtlog_text_begin:
	.section .text.hot, "ax"
	.globl evtlog_text_hot_begin
evtlog_text_hot_begin:
	.section .text.unlikely, "ax"
	.globl evtlog_text_cold_begin
evtlog_text_cold_begin:
