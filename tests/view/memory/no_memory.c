// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * no_memory.so - preloaded: a calloc() of the program, not of its libraries, finds no memory
 *
 * NO_MEMORY names a file with one 64-bit number, which the test writes: how many calls from now on
 * the failing call is.  The number is 0 after this call, or if no call is to fail.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

static void *(*next)(size_t count, size_t bytes);
static int64_t *left;
static void *program;

static __attribute__((constructor)) void set_up(void)
{
	const char *path = getenv("NO_MEMORY");
	int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
	Dl_info info;

	if (fd >= 0)
		left = mmap(NULL, sizeof(*left), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (fd < 0 || left == MAP_FAILED || !dladdr((void *)getauxval(AT_ENTRY), &info))
		abort();
	close(fd);
	next = dlsym(RTLD_NEXT, "calloc");
	program = info.dli_fbase;
}

void *calloc(size_t count, size_t bytes)
{
	Dl_info info;

	if (!next) {
		/* Before the constructor: memory for the dynamic linker */
		void *memory = malloc(count * bytes);

		return memory ? memset(memory, 0, count * bytes) : NULL;
	}
	if (*left && dladdr(__builtin_return_address(0), &info) && info.dli_fbase == program &&
	    !__atomic_sub_fetch(left, 1, __ATOMIC_RELAXED))
		return NULL;
	return next(count, bytes);
}
