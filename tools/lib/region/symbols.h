/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names of the process's own functions by address.
 */
#ifndef EVTLOG_LIB_REGION_SYMBOLS_H
#define EVTLOG_LIB_REGION_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

struct region_mapping;

/*
 * struct region_symbols - cache of mappings; initialize with { 0 }
 */
struct region_symbols {
	struct region_mapping *mappings;
};

/** region_symbol() - store a function's name, or FILE+0xOFFSET, in @room bytes at @name */
void region_symbol(struct region_symbols *symbols, const void *function, char *name, size_t room);

void region_symbols_close(struct region_symbols *symbols);

#endif /* EVTLOG_LIB_REGION_SYMBOLS_H */
