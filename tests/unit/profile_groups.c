// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel's groups.c, unmodified, with CONFIG_EVTLOG_PROFILE_GROUPS. Prints the kernel's state
 * after a boot with the argument as evtlog.profile=, or without one.
 */
#include "profile/groups.c"

static int started;
static bool signal_is_on, net_is_on, block_is_on;

int evtlog_profile_control_write(char *text)
{
	started += !strcmp(text, "1");
	return 0;
}

void evtlog_profile_spans_switch(bool signal, bool net, bool block)
{
	signal_is_on = signal;
	net_is_on = net;
	block_is_on = block;
}

#define NAME(number, NAME, name, words, fields)	[number] = #name,

int main(int argc, char **argv)
{
	static const char *const names[64] = { EVTLOG_TYPES(NAME) };
	u64 types;

	if (argc > 1)
		take_parameter(argv[1]);
	choose_first();
	types = evtlog_profile_types();
	evtlog_profile_groups_switch(true);
	evtlog_profile_groups_show(NULL);
	printf("types");
	for (unsigned int i = 0; i < 64; i++) {
		if (types & BIT_ULL(i))
			printf(" %s", names[i] ? names[i] : "unknown");
	}
	printf("\nsignal %d\nnet %d\nblock %d\nstarted %d\nroot %s\n", signal_is_on,
	       net_is_on, block_is_on, started,
	       evtlog_profile_root(EVTLOG_PROFILE_USER) == EVTLOG_PROFILE_USER ? "user" : "task");
	return 0;
}
