/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory for generated machine code */
#ifndef EVTLOG_CODE_TEXT_H
#define EVTLOG_CODE_TEXT_H

#include <linux/rcupdate.h>
#include <linux/static_call.h>

/* Largest size of one piece of code */
#define EVTLOG_TEXT_MAX	(64 * 1024)

struct evtlog_code;
struct evtlog_text_symbol;

u32 evtlog_text_key(void);
void *evtlog_text_make(int (*emit)(struct evtlog_code *c, const void *what), const void *what);
void *evtlog_text_alloc(unsigned int bytes);
void evtlog_text_write(void *at, const void *code, unsigned int bytes);
#if defined(CONFIG_X86_64) && defined(CONFIG_SMP) && defined(CONFIG_MODULES) && !defined(CONFIG_UML)
void evtlog_text_free(void *at);
#else
/* No code can be allocated. */
static inline void evtlog_text_free(void *at)
{
}
#endif

#ifdef CONFIG_BPF_JIT
struct evtlog_text_symbol *evtlog_text_name(const void *at, unsigned int bytes, const char *name);
void evtlog_text_unname(struct evtlog_text_symbol *symbol);
#else
/* Code has no names. */
static inline struct evtlog_text_symbol *evtlog_text_name(const void *at, unsigned int bytes,
							  const char *name)
{
	return NULL;
}

static inline void evtlog_text_unname(struct evtlog_text_symbol *symbol)
{
}
#endif

/**
 * evtlog_text_wait() - wait until no task executes machine code that is not called any more
 *
 * Includes CPUs that RCU does not watch, and preempted tasks.
 *
 * Context: task context, may sleep.
 */
static inline void evtlog_text_wait(void)
{
	synchronize_rcu_tasks_rude();
	synchronize_rcu_tasks();
}

#ifdef MODULE
void evtlog_text_set_site(struct static_call_key *key, void *trampoline, void *function,
			  void *code);
#else
/**
 * evtlog_text_set_site() - choose what the sites of a hook call
 * @key, @trampoline: static call of the sites
 * @function:	the hook, or the function that takes its place
 * @code:	generated code, which calls such a function; NULL: none
 *
 * In a module, kernel-patches/module/filter.c calls the code.
 *
 * Context: task context, may sleep, the CPU hotplug lock is not held.
 */
static inline void evtlog_text_set_site(struct static_call_key *key, void *trampoline,
					void *function, void *code)
{
	__static_call_update(key, trampoline, code ? code : function);
}
#endif

#endif /* EVTLOG_CODE_TEXT_H */
