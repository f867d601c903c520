// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes a probe from its text, ready to be inserted: names, event, counters, machine code.
 */
#include <linux/ctype.h>
#include <linux/evtlog.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/slab.h>

#include "event/route.h"
#include "event/table.h"
#include "profile/function.h"
#include "probe/probe.h"

#ifdef MODULE
#define FORM	"the module evtlog"
#else
#define FORM	"this kernel (CONFIG_EVTLOG_PROFILE)"
#endif

#define FIELDS_MAX	1024
#define EVENT_NAME_MAX	31U

/*
 * Functions that do not return, as listed in tools/objtool/check.c, and the system calls and
 * threads that end in one.  The stub of their return would stay on the stack for ever.
 */
static bool never_returns(const char *symbol)
{
	static const char *const names[] = {
		"__ia32_sys_exit", "__ia32_sys_exit_group", "__invalid_creds",
		"__module_put_and_kthread_exit", "__reiserfs_panic", "__stack_chk_fail",
		"__x64_sys_exit", "__x64_sys_exit_group", "cpu_bringup_and_idle",
		"arch_cpu_idle_dead", "cpu_startup_entry", "do_exit", "do_group_exit", "do_idle",
		"do_task_dead", "ex_handler_msr_mce", "fortify_panic", "handle_stack_overflow",
		"hlt_play_dead", "io_sq_thread", "io_wqe_worker", "kthread",
		"kthread_complete_and_exit", "kthread_exit", "kunit_try_catch_throw",
		"machine_real_restart", "make_task_dead", "native_play_dead", "panic",
		"play_dead_common", "rewind_stack_and_make_dead", "sev_es_terminate", "snp_abort",
		"stop_this_cpu", "usercopy_abort", "xen_start_kernel",
	};

	return match_string(names, ARRAY_SIZE(names), symbol) >= 0;
}

static int choose_mechanism(struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	if (p->kind == EVTLOG_PROBE_RETURN && never_returns(p->symbol))
		return evtlog_probe_refuse(error, -EOPNOTSUPP,
			"%.60s never returns; probe its entry", p->symbol);
	p->mechanism = EVTLOG_PROBE_KPROBE;
	p->site = ftrace_location(p->address);
	if (p->kind == EVTLOG_PROBE_OFFSET) {
		p->why = "it is not at a function's entry";
	} else if (!p->site) {
		if (p->kind == EVTLOG_PROBE_RETURN)
			return evtlog_probe_refuse(error, -EOPNOTSUPP,
				"ftrace cannot trace %.60s, which a probe of its return needs; probe its entry", p->symbol);
		p->why = "ftrace cannot trace the function";
	} else {
		p->mechanism = EVTLOG_PROBE_DIRECT;
	}
	return 0;
}

/* The event's name is a C identifier: "vfs_read@0xffffffff81000000%return" is vfs_read_return. */
static int register_event(const struct evtlog_probe *p, const char *fields, const char *line)
{
	char name[EVENT_NAME_MAX + 1];
	unsigned int i, again = 1;
	int id;

	snprintf(name, sizeof(name), "%s%s", p->symbol, p->name + strcspn(p->name, "%+"));
	for (i = 0; name[i]; i++) {
		if (!isalnum(name[i]))
			name[i] = '_';
	}
	/* Two long names may have the same beginning. */
	while ((id = evtlog_event_register_fixed(name, fields, line, p->route)) == -EEXIST &&
	       again++ < 100)
		snprintf(name + min(i, EVENT_NAME_MAX - 3), 4, "_%u", again);
	return id;
}

/* A timer has no event in the log. */
static int prepare_timer(struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	int number = evtlog_profile_function(p->symbol);

	if (p->route)
		return evtlog_probe_refuse(error, -EINVAL, "a timer records nothing, so it cannot go to a named buffer");
	if (number == -EOPNOTSUPP)
		return evtlog_probe_refuse(error, number, "a timer needs profiles, and %s has none", FORM);
	if (number == -ENOSPC)
		return evtlog_probe_refuse(error, number, "too many functions have had timers since boot; only these can have timers until the next boot");
	if (number < 0)
		return evtlog_probe_refuse(error, number, "not enough memory");
	p->timer = number;
	if (evtlog_probe_counts_take(p))
		return evtlog_probe_refuse(error, -ENOMEM, "not enough memory");
	return evtlog_probe_code_make(p, error);
}

/* Makes the event, the counters and the machine code. */
static int prepare(struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	char *fields = kmalloc(FIELDS_MAX, GFP_KERNEL);
	char line[EVTLOG_PROBE_SAMPLE_LINE];

	if (!fields)
		return evtlog_probe_refuse(error, -ENOMEM, "not enough memory");
	evtlog_probe_layout(p, fields, FIELDS_MAX);
	if (p->payload > EVTLOG_EVENT_BYTES_MAX) {
		kfree(fields);
		return evtlog_probe_refuse(error, -E2BIG, "the arguments need more than %d bytes, the maximum of a record",
					   EVTLOG_EVENT_BYTES_MAX);
	}
	evtlog_probe_sample_line(p, line, sizeof(line));
	p->id = register_event(p, fields, line);
	kfree(fields);
	if (p->id == -ENOSPC)
		return evtlog_probe_refuse(error, p->id,
			"there are %d events already, including those deleted in this run; delete some, and stop the run",
			EVTLOG_EVENT_ID_MAX);
	if (p->id == -ENOENT)
		return evtlog_probe_refuse(error, p->id, "named buffer %.60s does not exist; add it first", p->route);
	if (p->id == -EACCES)
		return evtlog_probe_refuse(error, p->id,
			"buffer %.60s has a filter that tests fields of built-in events; use another buffer",
			p->route);
	if (p->id < 0)
		return evtlog_probe_refuse(error, p->id, "the probe's event cannot be registered: %pe",
					   ERR_PTR(p->id));
	p->tag = EVTLOG_EVENT_TAG(p->id, p->payload);
	p->routed = evtlog_event_is_routed(p->id);
	if (evtlog_probe_counts_take(p))
		return evtlog_probe_refuse(error, -ENOMEM, "not enough memory");
	evtlog_probe_sample_begin(p);
	return p->mechanism == EVTLOG_PROBE_DIRECT ? evtlog_probe_code_make(p, error) : 0;
}

/* ">BUFFER PROBE": for a named buffer.  Returns where the probe begins, or NULL: no memory. */
static const char *take_route(const char *text, struct evtlog_probe *p)
{
	size_t length = strcspn(text, " ");

	if (*text != '>' || !text[length])
		return text;
	p->route = kstrndup(text + 1, length - 1, GFP_KERNEL);
	return p->route ? skip_spaces(text + length) : NULL;
}

/**
 * evtlog_probe_make() - make a probe from its text
 * @text:	line without the sign: "PROBE" or ">BUFFER PROBE"
 * @result:	the probe, ready to be inserted; free with evtlog_probe_free()
 * @error:	the reason, if the probe is refused
 *
 * Context: the table's lock is held.
 * Return: 0 or a negative error.
 */
int evtlog_probe_make(const char *text, struct evtlog_probe **result,
		      struct evtlog_probe_error *error)
{
	struct evtlog_probe *p = kzalloc(sizeof(*p), GFP_KERNEL);
	int status;

	if (p)
		text = take_route(text, p);
	if (p && text)
		p->text = kstrdup(text, GFP_KERNEL);
	if (!p || !p->text) {
		if (p)
			kfree(p->route);
		kfree(p);
		return evtlog_probe_refuse(error, -ENOMEM, "not enough memory");
	}
	p->why = "";
	status = evtlog_probe_parse(p->text, p, error);
	if (!status)
		status = evtlog_probe_resolve(p, error);
	if (!status)
		status = evtlog_probe_compile(p, error);
	if (!status)
		status = evtlog_probe_packet_compile(p, error);
	if (!status)
		status = evtlog_probe_handler_compile(p, error);
	if (!status)
		status = evtlog_probe_sample_compile(p, error);
	if (!status)
		status = choose_mechanism(p, error);
	if (!status)
		status = p->is_timer ? prepare_timer(p, error) : prepare(p, error);
	if (status)
		evtlog_probe_free(p);
	else
		*result = p;
	return status;
}
