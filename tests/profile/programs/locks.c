// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * locks - tries for a lock that is held, and takes nested locks again
 */
#include <omp.h>

#include <evtlog/region.h>

int main(void)
{
	omp_nest_lock_t nested;
	omp_lock_t lock;
	int taken = 0;

	omp_init_lock(&lock);
	omp_init_nest_lock(&nested);
	evtlog_region_begin("locks");
	omp_set_lock(&lock);
	for (int i = 0; i < 300; i++)
		taken += omp_test_lock(&lock);
	omp_unset_lock(&lock);
	for (int i = 0; i < 10; i++)
		omp_set_nest_lock(&nested);
	for (int i = 0; i < 10; i++)
		taken += !omp_test_nest_lock(&nested);
	for (int i = 0; i < 20; i++)
		omp_unset_nest_lock(&nested);
	evtlog_region_end("locks");
	return taken;
}
