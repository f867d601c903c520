// SPDX-License-Identifier: GPL-2.0-only
/*
 * How machine code returns in this kernel, on this CPU.
 */
#include <asm/cpufeature.h>
#include <asm/nospec-branch.h>

#include "code/emit.h"

void evtlog_emit_return(struct evtlog_code *c)
{
#ifdef CONFIG_RETHUNK
	if (cpu_feature_enabled(X86_FEATURE_RETHUNK)) {
		evtlog_emit_goto(c, x86_return_thunk);
		return;
	}
#endif
	evtlog_emit(c, 0xc3);
#ifdef CONFIG_SLS
	evtlog_emit(c, 0xcc);
#endif
}
