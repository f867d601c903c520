/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shim of the kernel's header: the lesser and the greater of two.
 */
#ifndef SHIM_LINUX_MINMAX_H
#define SHIM_LINUX_MINMAX_H

#define min(a, b)							\
({									\
	__typeof__(a) a_ = (a);						\
	__typeof__(b) b_ = (b);						\
	a_ < b_ ? a_ : b_;						\
})
#define max(a, b)							\
({									\
	__typeof__(a) a_ = (a);						\
	__typeof__(b) b_ = (b);						\
	a_ > b_ ? a_ : b_;						\
})
#define min_t(type, a, b)	min((type)(a), (type)(b))

#endif /* SHIM_LINUX_MINMAX_H */
