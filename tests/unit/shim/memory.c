// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A CPU with late stores, and with pauses at critical places
 */
#include <sched.h>
#include <stdbool.h>
#include <time.h>

#include "memory.h"
#include "random.h"

static __thread struct random rng = { .state = 1 };
static __thread struct {
	uint64_t *at;
	uint64_t value;
} late;

void shim_races_seed(uint64_t seed)
{
	rng.state = seed;
}

static void pause_one_in(uint32_t rarity)
{
	struct timespec some = { 0 };

	if (!random_one_in(&rng, rarity))
		return;
	if (random_one_in(&rng, 8)) {
		some.tv_nsec = random_below(&rng, 50000);
		nanosleep(&some, NULL);
	} else {
		sched_yield();
	}
}

void shim_pause(void)
{
	pause_one_in(64);
}

void shim_pause_often(void)
{
	pause_one_in(4);
}

static void store(void *at, uint64_t value, unsigned int bytes)
{
	switch (bytes) {
	case 1:
		__atomic_store_n((uint8_t *)at, (uint8_t)value, __ATOMIC_RELAXED);
		break;
	case 4:
		__atomic_store_n((uint32_t *)at, (uint32_t)value, __ATOMIC_RELAXED);
		break;
	default:
		__atomic_store_n((uint64_t *)at, value, __ATOMIC_RELAXED);
	}
}

void shim_flush(void)
{
	uint64_t *at = late.at;

	if (!at)
		return;
	late.at = NULL;
	store(at, late.value, sizeof(*at));
}

void shim_store(void *at, uint64_t value, unsigned int bytes)
{
	if (bytes < sizeof(late.value)) {
		store(at, value, bytes);
		return;
	}
	if (late.at && late.at != at && random_one_in(&rng, 2)) {
		/* This store overtakes the previous one. */
		store(at, value, bytes);
		shim_pause_often();
		return;
	}
	if (late.at != at)
		shim_flush();
	late.at = at;
	late.value = value;
	if (random_one_in(&rng, 4))
		shim_flush();
}

uint64_t shim_load(const void *at, unsigned int bytes)
{
	uint64_t value;

	if (late.at == at)
		return late.value;
	switch (bytes) {
	case 1:
		return __atomic_load_n((const uint8_t *)at, __ATOMIC_RELAXED);
	case 4:
		return __atomic_load_n((const uint32_t *)at, __ATOMIC_RELAXED);
	}
	value = __atomic_load_n((const uint64_t *)at, __ATOMIC_RELAXED);
	if (late.at)
		shim_pause();
	return value;
}

#if defined(__SANITIZE_THREAD__)
void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);

void shim_race_begin(void)
{
	AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
}

void shim_race_end(void)
{
	AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
}
#else
void shim_race_begin(void)
{
}

void shim_race_end(void)
{
}
#endif

__attribute__((__no_sanitize__("thread"), __noinline__))
uint64_t shim_this_cpu_load(const volatile void *at, unsigned int bytes)
{
	if (late.at == at)
		return late.value;
	switch (bytes) {
	case 1:
		return *(const volatile uint8_t *)at;
	case 4:
		return *(const volatile uint32_t *)at;
	}
	return *(const volatile uint64_t *)at;
}

__attribute__((__no_sanitize__("thread"), __noinline__))
void shim_this_cpu_store(volatile void *at, uint64_t value, unsigned int bytes)
{
	if (late.at == at)
		late.at = NULL;
	switch (bytes) {
	case 1:
		*(volatile uint8_t *)at = (uint8_t)value;
		break;
	case 4:
		*(volatile uint32_t *)at = (uint32_t)value;
		break;
	default:
		*(volatile uint64_t *)at = value;
	}
}
