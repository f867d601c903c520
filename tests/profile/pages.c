// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pages SECONDS - for SECONDS, four threads map and unmap their pages and read their own profiles,
 * whatever happens to profiles at the same time.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define THREADS	4

static volatile int is_over;

static void *come_and_go(void *unused)
{
	static __thread char text[65536];
	unsigned long *mapped = calloc(1, sizeof(*mapped));

	while (!is_over) {
		int file = open("/proc/evtlog/profile/self", O_RDONLY);
		char *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);

		for (int i = 0; i < 20; i++)
			syscall(SYS_getppid);
		if (page != MAP_FAILED) {
			munmap(page, 4096);
			++*mapped;
		}
		while (read(file, text, sizeof(text)) > 0)
			;
		close(file);
	}
	return mapped;
}

int main(int argc, char **argv)
{
	struct timespec left = { .tv_sec = argc > 1 ? atoi(argv[1]) : 1 };
	pthread_t threads[THREADS];
	unsigned long all = 0;

	for (int i = 0; i < THREADS; i++) {
		if (pthread_create(&threads[i], NULL, come_and_go, NULL))
			return 1;
	}
	while (nanosleep(&left, &left))
		;
	is_over = 1;
	for (int i = 0; i < THREADS; i++) {
		void *mapped;

		pthread_join(threads[i], &mapped);
		all += *(unsigned long *)mapped;
	}
	printf("pages were mapped %lu times\n", all);
	return !all;
}
