// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * traced DIR COUNT - a program with two threads that writes traces with OTF2's library
 *
 * Each thread is COUNT times in the region "busy", a loop, and then in "sleep", one nanosleep.
 * Each event reads all clocks, and DIR gets an archive for each clock: raw, monotonic, realtime,
 * tsc, and other, a clock of its own.  These archives have a stamp of CLOCK_REALTIME; "unstamped"
 * has the raw clock and no stamp.  The threads send messages to each other, and have a metric, a
 * parameter, and an event that evtlog does not take over.
 */
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include <otf2/otf2.h>

#define THREADS		2
#define EVENTS_MAX	10000
#define SLEEP_NS	10000000
#define BUSY_NS		5000000

enum clock_kind { RAW, MONOTONIC, REALTIME, TSC, OTHER, CLOCKS };
enum event { ENTER_BUSY, LEAVE_BUSY, ENTER_SLEEP, LEAVE_SLEEP, SEND, RECEIVE };

/* A clock of its own: three ticks per ns of the raw clock, with another start */
#define OTHER_HZ	UINT64_C(3000000000)
#define OTHER_START	UINT64_C(77000000000)

struct record {
	enum event what;
	uint64_t time[CLOCKS];
};

static struct trace {
	pid_t tid;
	size_t count;
	struct record records[EVENTS_MAX];
} traces[THREADS];

static uint64_t stamp_ns, hz[CLOCKS] = { 1000000000, 1000000000, 1000000000, 0, OTHER_HZ };
static struct record first;
static int rounds;
static pthread_barrier_t barrier;

static uint64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
}

static struct record take(enum event what)
{
	struct record record = { .what = what };

	record.time[RAW] = now_ns(CLOCK_MONOTONIC_RAW);
	record.time[OTHER] = record.time[RAW] * 3 + OTHER_START;
	record.time[MONOTONIC] = now_ns(CLOCK_MONOTONIC);
	record.time[REALTIME] = now_ns(CLOCK_REALTIME);
	record.time[TSC] = __rdtsc();
	return record;
}

static void note(struct trace *trace, enum event what)
{
	trace->records[trace->count++] = take(what);
}

static void *work(void *data)
{
	struct trace *trace = data;
	int number = trace - traces;

	trace->tid = syscall(SYS_gettid);
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < rounds; i++) {
		struct timespec pause = { .tv_nsec = SLEEP_NS };
		uint64_t end_ns = now_ns(CLOCK_MONOTONIC_RAW) + BUSY_NS;

		note(trace, ENTER_BUSY);
		while (now_ns(CLOCK_MONOTONIC_RAW) < end_ns)
			;
		note(trace, number == i % 2 ? SEND : RECEIVE);
		note(trace, LEAVE_BUSY);
		note(trace, ENTER_SLEEP);
		nanosleep(&pause, NULL);
		note(trace, LEAVE_SLEEP);
	}
	return NULL;
}

/* ---- The archive ---- */

static OTF2_FlushType flush_always(void *data, OTF2_FileType type, OTF2_LocationRef location,
				   void *caller, bool final)
{
	return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flush = { .otf2_pre_flush = flush_always };

static void check(OTF2_ErrorCode error)
{
	if (error == OTF2_SUCCESS)
		return;
	fprintf(stderr, "traced: %s\n", OTF2_Error_GetDescription(error));
	exit(1);
}

static void write_event(OTF2_EvtWriter *writer, const struct record *record, int number,
			uint64_t time)
{
	OTF2_Type type = OTF2_TYPE_UINT64;
	OTF2_MetricValue value = { .unsigned_int = 7 };
	uint32_t region = record->what >= ENTER_SLEEP;

	switch (record->what) {
	case ENTER_BUSY:
	case ENTER_SLEEP:
		check(OTF2_EvtWriter_Enter(writer, NULL, time, region));
		break;
	case LEAVE_BUSY:
	case LEAVE_SLEEP:
		check(OTF2_EvtWriter_Leave(writer, NULL, time, region));
		break;
	case SEND:
		check(OTF2_EvtWriter_MpiSend(writer, NULL, time, !number, 0, 40, 4096));
		check(OTF2_EvtWriter_Metric(writer, NULL, time, 0, 1, &type, &value));
		break;
	case RECEIVE:
		check(OTF2_EvtWriter_MpiRecv(writer, NULL, time, !number, 0, 40, 4096));
		check(OTF2_EvtWriter_ParameterInt(writer, NULL, time, 0, -5));
		/* evtlog does not take over this kind of event. */
		check(OTF2_EvtWriter_ThreadAcquireLock(writer, NULL, time, OTF2_PARADIGM_PTHREAD, 1,
						       2));
		break;
	}
}

static void write_definitions(OTF2_GlobalDefWriter *writer, const uint64_t *events,
			      enum clock_kind clock, bool stamped)
{
	static const char *const strings[] = {
		"", "busy", "sleep", "program", "worker", "TID", "node", "traced", "items", "depth",
		"ranks",
	};
	uint64_t last = 0, members[THREADS] = { 0, 1 };
	uint32_t member = 0;

	for (int i = 0; i < THREADS; i++)
		if (traces[i].records[traces[i].count - 1].time[clock] > last)
			last = traces[i].records[traces[i].count - 1].time[clock];
	check(OTF2_GlobalDefWriter_WriteClockProperties(writer, hz[clock], first.time[clock],
			last - first.time[clock] + 1,
			stamped ? stamp_ns : OTF2_UNDEFINED_TIMESTAMP));
	for (uint32_t i = 0; i < sizeof(strings) / sizeof(*strings); i++)
		check(OTF2_GlobalDefWriter_WriteString(writer, i, strings[i]));
	check(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, 6, 6,
						       OTF2_UNDEFINED_SYSTEM_TREE_NODE));
	check(OTF2_GlobalDefWriter_WriteLocationGroup(writer, 0, 7,
						      OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
						      OTF2_UNDEFINED_LOCATION_GROUP));
	for (uint32_t i = 0; i < 2; i++)
		check(OTF2_GlobalDefWriter_WriteRegion(writer, i, i + 1, i + 1, 3,
						       OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_USER,
						       OTF2_REGION_FLAG_NONE, 0, 0, 0));
	for (int i = 0; i < THREADS; i++) {
		OTF2_AttributeValue tid = { .uint64 = traces[i].tid };

		check(OTF2_GlobalDefWriter_WriteLocation(writer, i, 4,
							 OTF2_LOCATION_TYPE_CPU_THREAD, events[i],
							 0));
		check(OTF2_GlobalDefWriter_WriteLocationProperty(writer, i, 5, OTF2_TYPE_UINT64,
								 tid));
	}
	check(OTF2_GlobalDefWriter_WriteGroup(writer, 0, 10, OTF2_GROUP_TYPE_COMM_LOCATIONS,
					      OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, THREADS,
					      members));
	check(OTF2_GlobalDefWriter_WriteGroup(writer, 1, 10, OTF2_GROUP_TYPE_COMM_GROUP,
					      OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, THREADS,
					      members));
	check(OTF2_GlobalDefWriter_WriteComm(writer, 0, 10, 1, OTF2_UNDEFINED_COMM,
					     OTF2_COMM_FLAG_NONE));
	check(OTF2_GlobalDefWriter_WriteMetricMember(writer, 0, 8, 0, OTF2_METRIC_TYPE_OTHER,
						     OTF2_METRIC_ABSOLUTE_POINT, OTF2_TYPE_UINT64,
						     OTF2_BASE_DECIMAL, 0, 0));
	check(OTF2_GlobalDefWriter_WriteMetricClass(writer, 0, 1, &member,
						    OTF2_METRIC_ASYNCHRONOUS,
						    OTF2_RECORDER_KIND_CPU));
	check(OTF2_GlobalDefWriter_WriteParameter(writer, 0, 9, OTF2_PARAMETER_TYPE_INT64));
}

static void write_archive(const char *directory, const char *name, enum clock_kind clock,
			  bool stamped)
{
	uint64_t events[THREADS];
	OTF2_Archive *archive;
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	archive = OTF2_Archive_Open(path, "traces", OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20,
				    OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	check(OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL));
	check(OTF2_Archive_SetSerialCollectiveCallbacks(archive));
	check(OTF2_Archive_OpenEvtFiles(archive));
	for (int i = 0; i < THREADS; i++) {
		OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter(archive, i);

		for (size_t k = 0; k < traces[i].count; k++)
			write_event(writer, &traces[i].records[k], i,
				    traces[i].records[k].time[clock]);
		check(OTF2_EvtWriter_GetNumberOfEvents(writer, &events[i]));
		check(OTF2_Archive_CloseEvtWriter(archive, writer));
	}
	check(OTF2_Archive_CloseEvtFiles(archive));
	check(OTF2_Archive_OpenDefFiles(archive));
	for (int i = 0; i < THREADS; i++)
		check(OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, i)));
	check(OTF2_Archive_CloseDefFiles(archive));
	write_definitions(OTF2_Archive_GetGlobalDefWriter(archive), events, clock, stamped);
	check(OTF2_Archive_Close(archive));
}

/* Returns the ticks at @raw_ns, from the reading with the smallest error. */
static uint64_t read_tsc(uint64_t *raw_ns)
{
	uint64_t best_ns = UINT64_MAX, best = 0;

	for (int i = 0; i < 100; i++) {
		uint64_t before_ns = now_ns(CLOCK_MONOTONIC_RAW), ticks = __rdtsc();
		uint64_t took_ns = now_ns(CLOCK_MONOTONIC_RAW) - before_ns;

		if (took_ns >= best_ns)
			continue;
		best_ns = took_ns;
		best = ticks;
		*raw_ns = before_ns + took_ns / 2;
	}
	return best;
}

/* Ticks per second */
static void measure_tsc(void)
{
	struct timespec pause = { .tv_nsec = 100000000 };
	uint64_t begin_ns, end_ns, begin = read_tsc(&begin_ns), end;

	nanosleep(&pause, NULL);
	end = read_tsc(&end_ns);
	hz[TSC] = (end - begin) * (unsigned __int128)1000000000 / (end_ns - begin_ns);
}

int main(int argc, char **argv)
{
	static const char *const names[CLOCKS] = { "raw", "monotonic", "realtime", "tsc", "other" };
	pthread_t threads[THREADS];

	rounds = argc == 3 ? atoi(argv[2]) : 0;
	if (rounds < 1 || rounds > EVENTS_MAX / 6)
		return 2;
	measure_tsc();
	first = take(ENTER_BUSY);
	stamp_ns = first.time[REALTIME];
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, &traces[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < CLOCKS; i++)
		write_archive(argv[1], names[i], i, true);
	write_archive(argv[1], "unstamped", RAW, false);
	return 0;
}
