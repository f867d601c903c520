// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * libevtlog-instrument.so: each function compiled with -finstrument-functions is a region.
 *
 * Link it, or preload it.
 */
#include <evtlog/region.h>

void __cyg_profile_func_enter(void *function, void *site);
void __cyg_profile_func_exit(void *function, void *site);

__attribute__((no_instrument_function)) void __cyg_profile_func_enter(void *function, void *site)
{
	evtlog_region_begin_function(function);
}

__attribute__((no_instrument_function)) void __cyg_profile_func_exit(void *function, void *site)
{
	evtlog_region_end_function(function);
}
