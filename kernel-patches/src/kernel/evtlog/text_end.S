/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * End of evtlog's machine code, see text_begin.S
 */
	.section .text, "ax"
	.globl evtlog_text_end
evtlog_text_end:
	.section .text.hot, "ax"
	.globl evtlog_text_hot_end
evtlog_text_hot_end:
	.section .text.unlikely, "ax"
	.globl evtlog_text_cold_end
evtlog_text_cold_end:
