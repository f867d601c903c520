// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * write-log HOST BOOT CPUS FILE - writes a log of the records that standard input lists in the order of time.
 *
 *	begin CPU TICKS PID COMM	the CPU's part begins
 *	TYPE CPU TICKS DATA WORD...	a record, by the name of its type; DATA is that of its first word
 *	running CPU COMM		name of the task to which it switched
 *	end CPU TICKS
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loggen.h"

#define WORDS_MAX	8

static unsigned int type_of(const char *name)
{
#define X(number, NAME, type, words, fields) if (!strcmp(name, #type)) return number;
	EVTLOG_TYPES(X)
#undef X
	fprintf(stderr, "write-log: no type is called %s\n", name);
	exit(1);
}

static void take(struct loggen *gen, char *line)
{
	uint64_t words[WORDS_MAX];
	unsigned int count = 0;
	char *at = strtok(line, " \n"), *word;
	unsigned int cpu = strtoul(strtok(NULL, " \n"), NULL, 10);
	uint64_t ticks;

	word = strtok(NULL, " \n");
	if (!strcmp(at, "running")) {
		loggen_running(gen, cpu, word);
		return;
	}
	ticks = strtoull(word, NULL, 10);
	while ((word = strtok(NULL, " \n")) && count < WORDS_MAX && strcmp(at, "begin"))
		words[count++] = strtoull(word, NULL, 10);
	if (!strcmp(at, "begin"))
		loggen_begin(gen, cpu, ticks, strtoul(word, NULL, 10), strtok(NULL, " \n"));
	else if (!strcmp(at, "end"))
		loggen_end(gen, cpu, ticks);
	else
		loggen_record(gen, cpu, ticks, type_of(at), words[0], count, words + 1);
}

int main(int argc, char **argv)
{
	struct loggen_options options = loggen_defaults();
	struct loggen *gen;
	char line[256];
	int error;

	if (argc != 5) {
		fputs("Usage: write-log HOST BOOT CPUS FILE\n", stderr);
		return 2;
	}
	options.host = argv[1];
	options.boot = strtoull(argv[2], NULL, 10);
	options.cpus = strtoul(argv[3], NULL, 10);
	options.buffer_bytes = 65536;
	options.compress = LOGGEN_PACK;
	gen = loggen_new(&options);
	while (fgets(line, sizeof(line), stdin))
		take(gen, line);
	loggen_close(gen);
	error = loggen_save(gen, argv[4]);
	loggen_free(gen);
	if (error)
		fprintf(stderr, "write-log: %s: %s\n", argv[4], strerror(-error));
	return error ? 1 : 0;
}
