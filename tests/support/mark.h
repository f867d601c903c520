/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mark() - an instruction that does nothing.  When it is executed, tests/vm/run --count writes how
 * many instructions each CPU has executed.  A macro, as @code (16 bits) is a part of the instruction.
 */
#ifndef EVTLOG_TESTS_SUPPORT_MARK_H
#define EVTLOG_TESTS_SUPPORT_MARK_H

#define mark(code) \
	asm volatile(".byte 0x0f, 0x1f, 0x80; .long %c0" : : "i" (0x45560000 | (code)) : "memory")

#endif /* EVTLOG_TESTS_SUPPORT_MARK_H */
