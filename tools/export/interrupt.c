// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * SIGINT, SIGTERM and SIGHUP while an export is written.
 */
#include "common/command.h"
#include "interrupt.h"

volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
	interrupted = number;
}

void interrupt_catch(void)
{
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);
	signal(SIGHUP, on_signal);
}

int interrupt_end(int status)
{
	if (interrupted && status == EXIT_FAILED) {
		signal(interrupted, SIG_DFL);
		raise(interrupted);
	}
	return status;
}
