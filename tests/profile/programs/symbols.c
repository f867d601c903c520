// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * symbols - a program with 50,000 functions of one byte. Prints "COST-OF-ONE COST-OF-ALL": the CPU
 * time to write a file with one function's region, and with 4,000.
 */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include <evtlog/region.h>

#define FUNCTIONS	4000

__asm__(".text\n"
	"functions:\n"
	".macro function\n"
	".type function_\\@, @function\n"
	"function_\\@: ret\n"
	".size function_\\@, 1\n"
	".endm\n"
	".rept 50000\n"
	"function\n"
	".endr\n");

extern const char functions[];

static void region(const char *function)
{
	evtlog_region_begin_function(function);
	evtlog_region_end_function(function);
}

static double write_file(const char *path)
{
	clock_t begin = clock();

	return evtlog_region_write(path) ? -1 : (double)(clock() - begin);
}

int main(void)
{
	double one;

	/* The library measures the clock's rate for 10 ms. */
	usleep(20000);
	region(functions);
	one = write_file("symbols.one");
	for (int i = 1; i < FUNCTIONS; i++)
		region(functions + 50000 - 12 * i);
	printf("%.0f %.0f\n", one, write_file("symbols.all"));
	return 0;
}
