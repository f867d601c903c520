// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stir CALLS PAGES - makes CALLS system calls that no other program makes. Then touches PAGES new
 * pages between two calls of another system call.
 */
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	long calls = atol(argv[1]), pages = atol(argv[2]), i;
	volatile char *memory;

	for (i = 0; i < calls; i++)
		syscall(SYS_sched_get_priority_max, SCHED_FIFO);
	memory = mmap(NULL, pages * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return 1;
	madvise((void *)memory, pages * 4096, MADV_NOHUGEPAGE);
	syscall(SYS_sched_get_priority_min, SCHED_FIFO);
	for (i = 0; i < pages; i++)
		memory[i * 4096] = 1;
	syscall(SYS_sched_get_priority_min, SCHED_FIFO);
	return 0;
}
