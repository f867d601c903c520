// SPDX-License-Identifier: GPL-2.0-only
/*
 * fail.ko - lets every Nth call of a kernel function fail that a program makes.
 *
 * The function is not executed; it returns @result.  If busybox's insmod fails, it tries once more,
 * with as many calls.
 */
#include <linux/atomic.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/string.h>

static char *function;
module_param(function, charp, 0400);
MODULE_PARM_DESC(function, "the function that fails");
static char *program = "insmod";
module_param(program, charp, 0400);
MODULE_PARM_DESC(program, "the program whose calls are counted");
static int call = 1;
module_param(call, int, 0400);
MODULE_PARM_DESC(call, "every call with a multiple of this number fails");
static long result;
module_param(result, long, 0400);
MODULE_PARM_DESC(result, "what these calls return");

static atomic_t count = ATOMIC_INIT(0);

/* Executed in the place of the function */
static noinline long return_result(void)
{
	return result;
}

static int before(struct kprobe *probe, struct pt_regs *regs)
{
	if (!in_task() || strcmp(current->comm, program) || atomic_inc_return(&count) % call)
		return 0;
	instruction_pointer_set(regs, (unsigned long)return_result);
	return 1;
}

/* Without it, a probe that is based on ftrace could not change where the execution continues. */
static void after(struct kprobe *probe, struct pt_regs *regs, unsigned long flags)
{
}

static struct kprobe probe = { .pre_handler = before, .post_handler = after };

static int __init load(void)
{
	probe.symbol_name = function;
	return register_kprobe(&probe);
}

static void __exit unload(void)
{
	unregister_kprobe(&probe);
	/* The test reads this. */
	pr_info("fail: %s: %d calls failed\n", function, atomic_read(&count) / call);
}

module_init(load);
module_exit(unload);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Fault injection for the tests of evtlog.ko");
