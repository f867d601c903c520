// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compiles a probe's filter: arguments are the filter's fields, in the order of their slots.
 *
 * Called by make.c.  stub.c inserts the filter's code into its own; kprobe.c runs the filter.
 */
#include <linux/if_ether.h>
#include <linux/in6.h>
#include <linux/inet.h>
#include <linux/slab.h>

#include "filter/filter.h"
#include "probe/probe.h"

/* Replaces the text of an address by its bytes, as in a packet. */
static int convert_text(const struct evtlog_probe_arg *arg, struct evtlog_filter_text *text,
			struct evtlog_probe_error *error)
{
	u8 bytes[sizeof(struct in6_addr)];
	bool is_mac = arg->kind == 'm', is_right;

	if (arg->kind == 'c')
		return 0;
	if (is_mac)
		is_right = text->bytes == 3 * ETH_ALEN && mac_pton(text->text, bytes);
	else
		is_right = in6_pton(text->text, -1, bytes, '\0', NULL) && !text->text[text->bytes - 1];
	if (!is_right)
		return evtlog_probe_refuse(error, -EINVAL, "filter: %s: \"%.48s\" is not a valid %s address",
					   arg->label, text->text, is_mac ? "MAC" : "IPv6");
	text->bytes = arg->bytes;
	memcpy(text->text, bytes, arg->bytes);
	return 0;
}

static int take_texts(struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	struct evtlog_filter_text *texts = evtlog_filter_texts(p->filter, &p->nr_texts);
	unsigned int i;
	int status = 0;

	for (i = 0; !status && i < p->nr_texts; i++)
		status = convert_text(&p->args[texts[i].slot], &texts[i], error);
	p->texts = texts;
	return status;
}

/**
 * evtlog_probe_compile() - compile the filter of a probe
 * @p:		resolved probe; @filter is set if the probe has a condition
 * @error:	the reason, if the filter is refused
 *
 * The slot of an argument of bytes contains only their address.  Texts and addresses are therefore
 * compared before the filter runs.
 *
 * Return: 0 or a negative error.
 */
int evtlog_probe_compile(struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	struct evtlog_filter_field fields[EVTLOG_PROBE_ARGS_MAX];
	char text[EVTLOG_FILTER_ERROR_MAX];
	unsigned int i, nr = 0;
	struct evtlog_filter *filter;
	char *condition;

	if (!p->condition)
		return 0;
	for (i = 0; i < p->nr_args; i++) {
		if (p->args[i].bytes && !strchr("c6m", p->args[i].kind))
			continue;
		fields[nr++] = (struct evtlog_filter_field){
			.name = p->args[i].label,
			.slot = i,
			.width = sizeof(u64),
			.is_signed = p->args[i].is_signed,
			.texts = p->args[i].bytes ? p->nr_args : 0,
		};
	}
	condition = kstrndup(p->condition, p->condition_len, GFP_KERNEL);
	if (!condition)
		return evtlog_probe_refuse(error, -ENOMEM, "not enough memory");
	filter = evtlog_filter_compile(condition, fields, nr, text, sizeof(text));
	kfree(condition);
	if (!filter)
		return evtlog_probe_refuse(error, -EINVAL, "filter: %s", text);
	p->filter = filter;
	return take_texts(p, error);
}
