/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Claims that end a random test if they are false
 */
#ifndef UNIT_EXPECT_H
#define UNIT_EXPECT_H

/* The test defines it: prints the fault and how to repeat it, and exits. */
void fail(const char *format, ...)
	__attribute__((__noreturn__, __format__(__printf__, 1, 2)));

#define expect(claim)							\
do {									\
	if (!(claim))							\
		fail("line %d: not so: %s", __LINE__, #claim);		\
} while (0)

#define expect_equal(got, wanted)					\
do {									\
	u64 got_ = (got), wanted_ = (wanted);				\
	if (got_ != wanted_)						\
		fail("line %d: %s is %llu, %s is %llu", __LINE__,	\
		     #got, (unsigned long long)got_,			\
		     #wanted, (unsigned long long)wanted_);		\
} while (0)

#endif /* UNIT_EXPECT_H */
