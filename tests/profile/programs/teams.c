// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * teams - five parallel regions, each with a loop, a barrier and a critical section
 */
#include <omp.h>

#include <evtlog/region.h>

int main(void)
{
	double sum = 0;

	for (int step = 0; step < 5; step++) {
#pragma omp parallel num_threads(2)
		{
#pragma omp for nowait
			for (int i = 0; i < 1000; i++)
				(void)*(volatile int *)&i;
			evtlog_region_begin("own");
			evtlog_region_end("own");
#pragma omp barrier
#pragma omp critical
			sum += omp_get_thread_num();
		}
	}
	return sum != 5;
}
