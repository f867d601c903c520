// SPDX-License-Identifier: GPL-2.0-only
/*
 * A steal clock for a guest whose hypervisor has none: steal.sh adds to it with the parameter
 * "add".
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/static_call.h>

static DEFINE_PER_CPU(u64, stolen);

static u64 clock(int cpu)
{
	return READ_ONCE(per_cpu(stolen, cpu));
}

/* "CPU NS": adds NS to the time stolen from CPU */
static int add(const char *text, const struct kernel_param *unused)
{
	unsigned int cpu;
	u64 ns;

	if (sscanf(text, "%u %llu", &cpu, &ns) != 2 || cpu >= nr_cpu_ids || !cpu_possible(cpu))
		return -EINVAL;
	WRITE_ONCE(per_cpu(stolen, cpu), clock(cpu) + ns);
	return 0;
}

static const struct kernel_param_ops add_ops = { .set = add };
module_param_cb(add, &add_ops, NULL, 0200);
MODULE_PARM_DESC(add, "write CPU and ns: so much was stolen of it");

/* Finds symbols that the kernel does not export. */
static void *address_of(const char *name)
{
	static unsigned long (*find)(const char *name);
	struct kprobe probe = { .symbol_name = "kallsyms_lookup_name" };

	if (!find && !register_kprobe(&probe)) {
		find = (void *)probe.addr;
		unregister_kprobe(&probe);
	}
	return find ? (void *)find(name) : NULL;
}

static int __init steal_init(void)
{
	void *key = address_of("__SCK__pv_steal_clock"), *site = address_of("__SCT__pv_steal_clock");
	struct static_key *enabled = address_of("paravirt_steal_enabled");

	if (!key || !site || !enabled)
		return -ENOENT;
	if (static_key_enabled(enabled))
		return -EBUSY;
	__static_call_update(key, site, clock);
	static_key_slow_inc(enabled);
	return 0;
}

/* The module cannot be removed: the kernel has the address of clock(). */
module_init(steal_init);
MODULE_DESCRIPTION("A steal clock for the tests of evtlog");
MODULE_LICENSE("GPL");
