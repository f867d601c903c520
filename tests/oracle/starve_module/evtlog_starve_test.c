// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module that makes allocations fail, of one task or within a function. CONFIG_FAILSLAB does the
 * same but needs another kernel. A kprobe makes should_failslab() return an error.
 *
 * Writes to /proc/starve: "N": the writer's N-th slab allocation from now on fails; "-1": all of
 * them, including those of interrupts meanwhile, in which the task's profile may grow; "0": none.
 * "N FUNCTION": the same for allocations of any task within the function, which only one task at a
 * time may execute. Reads give the number of allocations left; 0: one has failed.
 */
#include <linux/gfp.h>
#include <linux/kprobes.h>
#include <linux/linkage.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/uaccess.h>

static struct task_struct *starved;
static int left;

/* Protects @function */
static DEFINE_MUTEX(function_lock);
static struct kretprobe function;
static char function_name[64];

/* Replaces should_failslab() */
asmlinkage void just_return(void);
asm(".pushsection .text\n"
    ".type just_return, @function\n"
    "just_return:\n"
    ANNOTATE_NOENDBR
    ASM_RET
    ".size just_return, .-just_return\n"
    ".popsection\n");

static int before(struct kprobe *probe, struct pt_regs *regs)
{
	gfp_t gfp = regs->si;

	if (current != READ_ONCE(starved) || !left || gfp & __GFP_NOFAIL)
		return 0;
	/* Do not count interrupts: their times are not predictable. */
	if (!in_task() && left > 0)
		return 0;
	if (left > 0 && --left)
		return 0;
	regs->ax = -ENOMEM;
	regs->ip = (unsigned long)just_return;
	return 1;
}

static struct kprobe probe = {
	.symbol_name = "should_failslab",
	.pre_handler = before,
};

static int enter(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	WRITE_ONCE(starved, current);
	return 0;
}

static int leave(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	WRITE_ONCE(starved, NULL);
	return 0;
}

/* @name may be NULL: no function. */
static int choose_function(const char *name)
{
	int error = 0;

	mutex_lock(&function_lock);
	if (*function_name)
		unregister_kretprobe(&function);
	*function_name = '\0';
	WRITE_ONCE(starved, NULL);
	if (name) {
		strscpy(function_name, name, sizeof(function_name));
		function = (struct kretprobe){
			.kp.symbol_name = function_name,
			.entry_handler = enter,
			.handler = leave,
		};
		error = register_kretprobe(&function);
		if (error)
			*function_name = '\0';
	}
	mutex_unlock(&function_lock);
	return error;
}

static ssize_t starve_write(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	char text[80], *name = text, *number;
	int n, error;

	if (count >= sizeof(text))
		return -E2BIG;
	if (copy_from_user(text, from, count))
		return -EFAULT;
	text[count] = '\0';
	number = strsep(&name, " ");
	error = kstrtoint(strim(number), 10, &n);
	if (error)
		return error;
	left = 0;
	error = choose_function(name ? strim(name) : NULL);
	if (error)
		return error;
	if (!name)
		WRITE_ONCE(starved, current);
	left = n;
	return count;
}

static ssize_t starve_read(struct file *file, char __user *to, size_t count, loff_t *pos)
{
	char text[16];
	int length = scnprintf(text, sizeof(text), "%d\n", left);

	return simple_read_from_buffer(to, count, pos, text, length);
}

static const struct proc_ops ops = {
	.proc_read = starve_read,
	.proc_write = starve_write,
	.proc_lseek = default_llseek,
};

static int __init starve_init(void)
{
	int error = register_kprobe(&probe);

	if (error)
		return error;
	if (!proc_create("starve", 0600, NULL, &ops)) {
		unregister_kprobe(&probe);
		return -ENOMEM;
	}
	return 0;
}

static void __exit starve_exit(void)
{
	remove_proc_entry("starve", NULL);
	left = 0;
	choose_function(NULL);
	unregister_kprobe(&probe);
}

module_init(starve_init);
module_exit(starve_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Allocations of a task or a function fail");
