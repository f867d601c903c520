/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mark() - an instruction without effect. When it is executed, tests/vm/run --count writes the
 * number of instructions executed by each CPU. A macro: @code (16 bits) is part of the instruction.
 */
#ifndef EVTLOG_TESTS_SUPPORT_MARK_H
#define EVTLOG_TESTS_SUPPORT_MARK_H

#define mark(code) \
	asm volatile(".byte 0x0f, 0x1f, 0x80; .long %c0" : : "i" (0x45560000 | (code)) : "memory")

#endif /* EVTLOG_TESTS_SUPPORT_MARK_H */
