// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Selects the clock for times of each process of a program.
 *
 * If locations of the trace have clock offsets, all times are of one clock.  Otherwise the times of
 * each host are of the host's own clock.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "program.h"

/* If a host's log cannot convert the times, the first host's clock is used. */
static void relate_others(struct program *program, const struct log_set_file *files)
{
	for (size_t i = 0; i < program->ids[ID_LOCATION_GROUP].count; i++) {
		size_t host = program->groups[i].host;
		struct program_clock *clock = &program->clocks[host];

		if (!clock->kind && !program_clock_of_host(clock, &program->clock, files[host].file))
			clock->kind = CLOCK_OF_DEFINITIONS;
	}
}

int program_relate(struct program *program, const struct log_set_file *files, size_t count,
		   enum program_clock_kind kind)
{
	int status = program_clock_relate(&program->clock, files[program->number].file,
					  program->path, kind);

	if (status != EXIT_OK || count < 2)
		return status;
	program->clocks = calloc(count, sizeof(*program->clocks));
	if (!program->clocks) {
		pr_err("%s", strerror(ENOMEM));
		return EXIT_FAILED;
	}
	relate_others(program, files);
	return EXIT_OK;
}

size_t program_clock_number(const struct program *program, size_t host)
{
	return program->clocks && !program->corrects && program->clocks[host].kind ? host :
										     program->number;
}

const struct program_clock *program_clock_at(const struct program *program, size_t number)
{
	return number == program->number ? &program->clock : &program->clocks[number];
}
