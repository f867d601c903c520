/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where evtlog's machine code begins: the Makefile has this first, and text_end.S last, so that
 * in each section of the kernel all of it lies between the two.  See probe/kprobe.c.
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
