// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records of ended tasks, as the kernel's profile/exit.c writes them, from a buffer of this test;
 * and the members of cgroups
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "control/buffers.h"
#include "control/control.h"
#include "profile/ended.h"
#include "profile/members.h"
#include "profile/profile.h"

#define EVENT(class, number)	((class) << 12 | (number))
#define USER	EVENT(0, 1)
#define TOP	0xffff

/* ---- The kernel ---- */

#define CPUS	2

/*
 * @texts:	each CPU's next buffer
 * @control:	text of profile/control; NULL if it cannot be read
 * @is_there:	the named buffer exists; @is_ours: from this session; @is_read: by another process
 */
static struct {
	uint64_t texts[CPUS][8192];
	size_t words[CPUS];
	bool is_there, is_ours, is_read, is_deleted;
	char orders[64];
	const char *control;
	unsigned int control_reads;
	struct stream cpus[CPUS];
} kernel;

int control_session_open(struct control_session *session)
{
	return 0;
}

void control_session_keep(struct control_session *session)
{
	strcat(kernel.orders, "k");
	kernel.is_ours = false;
}

void control_session_close(struct control_session *session)
{
	if (kernel.is_ours)
		strcat(kernel.orders, "-");
	kernel.is_there &= !kernel.is_ours;
	kernel.is_ours = false;
}

int control_buffer_add(struct control_session *session, const struct control_buffer_wanted *wanted)
{
	strcat(kernel.orders, "+");
	if (kernel.is_there)
		return -EEXIST;
	kernel.is_there = kernel.is_ours = true;
	return 0;
}

void control_buffer_say_refused(const char *name, int error)
{
}

int control_read(const char *name, char **text)
{
	assert_string_equal(name, PROFILE_CONTROL);
	if (!kernel.control)
		return -ENOENT;
	kernel.control_reads++;
	*text = strdup(kernel.control);
	return *text ? 0 : -ENOMEM;
}

void control_say_failed(const char *name, int error)
{
}

int named_source_open(struct named_source *source, const char *name, uint32_t mark_ms)
{
	*source = (struct named_source){ .name = name };
	if (kernel.is_read)
		return -EBUSY;
	source->streams = (struct streams){ .at = kernel.cpus, .count = CPUS, .left = CPUS };
	return 0;
}

void named_source_close(struct named_source *source)
{
	*source = (struct named_source){ .name = source->name };
}

int named_source_mark(const struct named_source *source, const struct stream *stream)
{
	return 0;
}

int named_source_put(struct named_source *source, struct stream *stream)
{
	return 0;
}

int named_source_get(struct named_source *source, struct stream *stream,
		     const struct evtlog_buffer_header **bufferp)
{
	size_t number = stream - kernel.cpus;
	struct evtlog_buffer_header *header = (void *)kernel.texts[number];

	if (kernel.is_deleted) {
		source->streams.was_deleted = true;
		stream->fd = -1;
		return 0;
	}
	if (!kernel.words[number])
		return 0;
	memset(header, 0, sizeof(*header));
	header->header_bytes = sizeof(*header);
	header->used_bytes = sizeof(*header) + kernel.words[number] * 8;
	kernel.words[number] = 0;
	*bufferp = header;
	return 1;
}

static void *new_record(unsigned int cpu, size_t bytes)
{
	uint64_t *at = (void *)((char *)kernel.texts[cpu] + sizeof(struct evtlog_buffer_header));
	size_t words = 1 + (bytes + 7) / 8;

	at += kernel.words[cpu];
	kernel.words[cpu] += words;
	*at = (uint64_t)EVTLOG_EVENT << EVTLOG_TYPE_SHIFT |
	      (uint64_t)bytes << (EVTLOG_DATA_SHIFT + EVTLOG_EVENT_ID_BITS);
	assert_int_equal(evtlog_record_words(*at), words);
	return at + 1;
}

struct task {
	const char *comm;
	uint32_t pid, tgid, parent;
	uint64_t born;
	struct ended_path paths[140];
	unsigned int count;
};

/* Writes a record with some paths of the task. */
static void end_part(unsigned int cpu, const struct task *task, unsigned int first, unsigned int paths)
{
	struct ended_header *header = new_record(cpu, sizeof(*header) +
						 paths * sizeof(struct ended_path));

	*header = (struct ended_header){
		.pid = task->pid, .tgid = task->tgid, .born = task->born, .off = task->born + 1000,
		.first = first, .paths = paths, .all = task->count, .parent = task->parent,
	};
	strncpy(header->comm, task->comm, sizeof(header->comm));
	memcpy(header + 1, task->paths + first, paths * sizeof(struct ended_path));
}

static void end(const struct task *task)
{
	end_part(0, task, 0, task->count);
}

static unsigned int add_path(struct task *task, unsigned int parent, unsigned int event,
			     uint64_t count, uint64_t exclusive)
{
	task->paths[task->count] = (struct ended_path){
		.event = event, .parent = parent, .count = count, .count_high = count >> 32,
		.inclusive = parent == TOP ? 0 : exclusive, .exclusive = exclusive,
		.largest = exclusive,
	};
	return task->count++;
}

static struct task named(const char *comm)
{
	struct task task = { .comm = comm, .pid = 10, .tgid = 10, .parent = 1, .born = 100 };

	add_path(&task, TOP, USER, 0, 700);
	add_path(&task, 0, EVENT(1, 39), 5, 50);
	return task;
}

/* ---- Tests ---- */

static int set_up(void **state)
{
	memset(&kernel, 0, sizeof(kernel));
	return 0;
}

static void open_ended(struct profile_ended *ended)
{
	assert_int_equal(profile_ended_open(ended), 0);
}

static struct evtlog_profile *new_profile(void)
{
	const struct evtlog_profile_about about = { .rank = -1 };
	struct evtlog_profile *profile;

	assert_int_equal(evtlog_profile_new(&about, &profile), 0);
	return profile;
}

static struct evtlog_profile *read_ended(struct profile_ended *ended)
{
	struct evtlog_profile *profile = new_profile();

	assert_int_equal(profile_ended_read(ended, profile), 0);
	return profile;
}

static struct evtlog_profile *parsed(const char *text)
{
	struct evtlog_profile *profile;

	assert_int_equal(profile_parse(&profile, strdup(text)), 0);
	return profile;
}

/* Frees @profile and returns its difference from @before. */
static struct evtlog_profile *less(struct evtlog_profile *profile,
				   const struct evtlog_profile *before)
{
	struct evtlog_profile *difference;

	assert_int_equal(evtlog_profile_diff(profile, before, &difference), 0);
	evtlog_profile_free(profile);
	return difference;
}

static void a_name_makes_no_lines(void **state)
{
	static const char *const names[] = {
		"\ncpu 0 1 2", "\ntask x", "\nended 1 2 3 4", "\n  user 1 1 1 1", "a\\nb;\033[2J",
		"sixteen bytes !!", "",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct task task = named(names[i]);
		struct profile_ended ended;
		struct evtlog_profile *profile;
		char name[17] = "";

		kernel.is_there = false;
		open_ended(&ended);
		end(&task);
		profile = read_ended(&ended);
		assert_int_equal(profile->about.entries, 1);
		strncpy(name, names[i], 16);
		assert_string_equal(profile->slots[0].entry.comm, name);
		assert_int_equal(profile->slots[0].entry.paths, 2);
		assert_string_equal(profile->slots[0].paths[1].path, "user>syscall:39");
		assert_string_equal(profile->slots[0].paths[1].event, "syscall:39");
		assert_int_equal(profile->slots[0].paths[1].count, 5);
		evtlog_profile_free(profile);
		profile_ended_close(&ended);
	}
}

/* The end's record includes what was read while the task lived: the difference is new. */
static void a_life_counts_once(void **state)
{
	struct task task = { .comm = "sig", .pid = 10, .tgid = 10, .born = 100 };
	struct evtlog_profile *before, *profile;
	struct profile_ended ended;
	unsigned int call;

	before = parsed("state on\ntask 10 10 100 0 0 0 sig\n"
	      "  user 0 0 700 0\n"
	      "  user>signal:17 3 30 30 10\n"
	      "  user>syscall:0 4 40 40 10\n"
	      "  user>syscall:0>function:vfs_read 4 40 40 10\n"
	      "  user>syscall:0>function:vfs_read>function:ext4_read 1 1 1 1\n"
	      "  task 0 0 5 0\n"
	      "  idle>offline 1 6 6 6\n");
	add_path(&task, TOP, USER, 0, 701);
	add_path(&task, 0, EVENT(0, 11), 0, 0);
	add_path(&task, 0, EVENT(7, 17), 5, 50);
	call = add_path(&task, 0, EVENT(1, 0), 6, 60);
	call = add_path(&task, call, EVENT(8, 2), 7, 70);
	add_path(&task, call, EVENT(8, 9), 1, 1);
	add_path(&task, TOP, EVENT(0, 13), 0, 6);
	add_path(&task, add_path(&task, TOP, EVENT(0, 3), 0, 0), EVENT(0, 12), 2, 7);
	add_path(&task, 0, EVENT(8, 3), 2, 2);
	kernel.control = "state on\nvalues_not_kept 0\nfunction 1 a\nfunction 2 vfs_read\nfunction 9 ext4_read\n";
	open_ended(&ended);
	end(&task);
	profile = read_ended(&ended);
	profile = less(profile, before);
	assert_int_equal(profile->about.entries, 1);
	for (size_t i = 0; i < profile->slots[0].entry.paths; i++) {
		const struct evtlog_profile_path *path = &profile->slots[0].paths[i];

		print_message("%s %d %d\n", path->path, (int)path->count, (int)path->exclusive);
		assert_true(path->exclusive <= 30 && path->count <= 3);
	}
	assert_int_equal(profile->slots[0].entry.paths, 7);
	assert_string_equal(profile->slots[0].paths[3].path, "user>syscall:0>function:vfs_read");
	assert_string_equal(profile->slots[0].paths[4].path, "task");
	assert_string_equal(profile->slots[0].paths[5].path, "idle>offline");
	/* The kernel has no name for it. */
	assert_string_equal(profile->slots[0].paths[6].path, "user>function:3");
	evtlog_profile_free(profile);
	evtlog_profile_free(before);
	profile_ended_close(&ended);
}

/* The kernel is asked once for names, and again for a newer function. */
static void names_are_asked_once(void **state)
{
	struct task task = { .comm = "f", .pid = 10, .tgid = 10, .born = 100 };
	struct profile_ended ended;
	struct evtlog_profile *profile;

	kernel.control = "state on\nfunction 256 tcp_sendmsg\nfunction 257 beyond\nfunction x\n";
	add_path(&task, TOP, USER, 0, 1);
	add_path(&task, 0, EVENT(8, 256), 2, 2);
	open_ended(&ended);
	end(&task);
	task.pid = 11;
	end(&task);
	profile = read_ended(&ended);
	assert_int_equal(profile->about.entries, 2);
	assert_string_equal(profile->slots[0].paths[1].event, "function:tcp_sendmsg");
	assert_string_equal(profile->slots[1].paths[1].event, "function:tcp_sendmsg");
	assert_int_equal(kernel.control_reads, 1);
	evtlog_profile_free(profile);
	kernel.control = "function 1 first\nfunction 256 tcp_sendmsg\n";
	add_path(&task, 0, EVENT(8, 1), 2, 2);
	end(&task);
	profile = read_ended(&ended);
	assert_string_equal(profile->slots[0].paths[1].event, "function:tcp_sendmsg");
	assert_string_equal(profile->slots[0].paths[2].event, "function:first");
	assert_int_equal(kernel.control_reads, 2);
	evtlog_profile_free(profile);
	profile_ended_close(&ended);
}

/* Two tasks end on one CPU at the same time; one of them migrates in between. */
static void parts_come_in_any_order(void **state)
{
	struct task one = named("one"), two = named("two");
	struct profile_ended ended;
	struct evtlog_profile *profile;

	two.pid = 11;
	while (one.count < 130)
		add_path(&one, 0, EVENT(1, one.count), 1, one.count);
	while (two.count < 120)
		add_path(&two, 0, EVENT(1, two.count), 1, 1);
	open_ended(&ended);
	end_part(1, &one, 0, 98);
	end_part(1, &two, 0, 98);
	end_part(0, &one, 98, 32);
	end_part(1, &two, 98, 22);
	profile = read_ended(&ended);
	assert_int_equal(profile->about.entries, 2);
	assert_int_equal(ended.lost, 0);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(profile->slots[i].entry.paths,
				 profile->slots[i].entry.pid == 10 ? 130 : 120);
	evtlog_profile_free(profile);
	/* The other part never comes. */
	end_part(1, &one, 0, 98);
	for (int i = 0; i < 5; i++) {
		profile = read_ended(&ended);
		assert_int_equal(profile->about.entries, 0);
		evtlog_profile_free(profile);
	}
	assert_int_equal(ended.lost, 1);
	/* The part comes too late. */
	end_part(1, &one, 98, 32);
	profile = read_ended(&ended);
	evtlog_profile_free(profile);
	profile_ended_close(&ended);
	assert_int_equal(ended.lost, 2);
}

static void damage_is_refused(void **state)
{
	struct task task = named("damaged");
	struct evtlog_profile *profile = new_profile();
	struct profile_ended ended;
	struct ended_header *header;

	open_ended(&ended);
	end_part(0, &task, 0, 2);
	header = (void *)((char *)kernel.texts[0] + sizeof(struct evtlog_buffer_header) + 8);
	header->paths = 300;
	assert_int_equal(profile_ended_read(&ended, profile), -EPROTO);
	kernel.words[0] = 0;
	end_part(0, &task, 0, 2);
	header->all = 1;
	assert_int_equal(profile_ended_read(&ended, profile), -EPROTO);
	evtlog_profile_free(profile);
	profile_ended_close(&ended);
}

static void the_buffer_has_one_reader(void **state)
{
	struct profile_ended ended;
	struct evtlog_profile *profile;

	/* The buffer belongs to another process: it is left alone. */
	kernel.is_there = true;
	assert_int_equal(profile_ended_open(&ended), -EEXIST);
	assert_string_equal(kernel.orders, "+");
	kernel.is_there = false;
	/* The buffer cannot be read: it is deleted again. */
	kernel.is_read = true;
	*kernel.orders = '\0';
	assert_int_equal(profile_ended_open(&ended), -EBUSY);
	assert_string_equal(kernel.orders, "+-");
	kernel.is_read = false;
	*kernel.orders = '\0';
	open_ended(&ended);
	assert_string_equal(kernel.orders, "+");
	/* The buffer is deleted while it is read: a new one of that name is another's. */
	kernel.is_deleted = true;
	profile = read_ended(&ended);
	evtlog_profile_free(profile);
	assert_true(ended.source.streams.was_deleted);
	profile_ended_close(&ended);
	assert_string_equal(kernel.orders, "+k");
}

static void pids_are_as_many_as_there_are(void **state)
{
	struct pid_set set = { 0 };

	for (int i = 0; i < 5000; i++)
		assert_int_equal(pid_set_add(&set, i * 7919 % 5000), 0);
	assert_int_equal(pid_set_add(&set, 17), 0);
	assert_int_equal(set.count, 5000);
	for (int i = 0; i < 5000; i++)
		assert_int_equal(set.at[i], i);
	assert_false(pid_set_has(&set, 5000));
	pid_set_free(&set);
}

static void add_task(struct evtlog_profile *profile, int pid, int tgid, int parent, uint64_t begin,
		     bool ended)
{
	const struct profile_slot slot = {
		.entry = {
			.cpu = -1, .pid = pid, .tgid = tgid, .begin = begin, .ended = ended,
			.comm = "",
		},
		.parent = parent,
	};

	assert_int_equal(profile_copy(profile, &slot), 0);
}

static void cgroups_have_their_own_tasks(void **state)
{
	static const struct {
		int pid, tgid, parent;
		uint64_t begin;
		bool ended, is_wanted;
	} tasks[] = {
		{ 10, 10, 1, 100, true, true },		/* was in it */
		{ 10, 10, 1, 500, false, false },	/* another task with its pid */
		{ 11, 11, 1, 100, false, true },
		{ 12, 11, 1, 600, true, true },		/* a thread that no reading had */
		{ 14, 14, 13, 600, true, true },	/* its parent ended after it */
		{ 13, 13, 10, 600, true, true },
		{ 20, 20, 1, 100, true, false },
		{ 21, 21, 20, 600, true, false },
		{ 30, 30, 1, 700, true, false },	/* the pid of an earlier member */
		{ 40, 40, 1, 700, false, true },	/* new in it */
	};
	struct evtlog_profile *before, *next = new_profile(), *none = new_profile();
	struct pid_set members = { 0 }, now = { 0 };

	before = parsed("state on\ntask 10 10 100 0 0 0 a\ntask 11 11 100 0 0 0 b\ntask 20 20 100 0 0 0 c\n"
	      "task 30 30 100 0 0 0 d\n");
	pid_set_add(&members, 10);
	pid_set_add(&members, 11);
	pid_set_add(&members, 30);
	assert_int_equal(cgroup_mark(before, none, &members, &members, "/"), 0);
	for (size_t i = 0; i < sizeof(tasks) / sizeof(*tasks); i++) {
		add_task(next, tasks[i].pid, tasks[i].tgid, tasks[i].parent, tasks[i].begin,
			 tasks[i].ended);
	}
	pid_set_add(&now, 11);
	pid_set_add(&now, 40);
	assert_int_equal(cgroup_mark(next, before, &members, &now, "/"), 0);
	for (size_t i = 0; i < sizeof(tasks) / sizeof(*tasks); i++) {
		print_message("task %d\n", tasks[i].pid);
		assert_int_equal(next->slots[i].is_wanted, tasks[i].is_wanted);
	}
	pid_set_free(&members);
	pid_set_free(&now);
	evtlog_profile_free(before);
	evtlog_profile_free(next);
	evtlog_profile_free(none);
}

/* At the end of a period, a task was ending: it was read, but no longer in the cgroup's list. */
static void one_that_was_ending_is_its_cgroups(void **state)
{
	/* No process has the pid @gone. @here is this process, which is not in the cgroup. */
	const int gone = 1 << 30, here = getpid();
	const struct {
		int pid, parent;
		uint64_t begin;
		bool is_wanted;
	} alive[] = {
		{ gone, 0, 100, true },			/* was in it */
		{ here, 0, 100, false },		/* left it */
		{ gone + 1, 0, 600, false },		/* new: not known yet */
		{ gone + 2, 0, 600, false },
	}, ended[] = {
		{ gone, 1, 100, true },
		{ here, 1, 100, false },
		{ gone + 1, 10, 600, true },		/* its parent ended earlier */
		{ gone + 2, 20, 600, false },
	};
	struct evtlog_profile *profiles[3] = { NULL, new_profile(), new_profile() };
	struct evtlog_profile *none = new_profile();
	struct pid_set members = { 0 }, now = { 0 };
	char text[128];

	snprintf(text, sizeof(text), "state on\ntask %d %d 100 0 0 0 a\ntask %d %d 100 0 0 0 b\n", gone, gone,
		 here, here);
	profiles[0] = parsed(text);
	pid_set_add(&members, gone);
	pid_set_add(&members, here);
	pid_set_add(&members, 10);
	assert_int_equal(cgroup_mark(profiles[0], none, &members, &members, "/"), 0);
	for (size_t i = 0; i < 2 * 4; i++) {
		bool has_ended = i >= 4;
		size_t at = i % 4;
		int pid = (has_ended ? ended : alive)[at].pid;

		add_task(profiles[1 + has_ended], pid, pid, (has_ended ? ended : alive)[at].parent,
			 (has_ended ? ended : alive)[at].begin, has_ended);
	}
	/* The parent, which ended in this period */
	add_task(profiles[1], 10, 10, gone, 50, true);
	assert_int_equal(cgroup_mark(profiles[1], profiles[0], &members, &now, "/"), 0);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(profiles[1]->slots[i].is_wanted, alive[i].is_wanted);
	assert_true(profiles[1]->slots[4].is_wanted);
	pid_set_free(&members);
	assert_int_equal(cgroup_mark(profiles[2], profiles[1], &members, &now, "/"), 0);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(profiles[2]->slots[i].is_wanted, ended[i].is_wanted);
	pid_set_free(&members);
	for (size_t i = 0; i < 3; i++)
		evtlog_profile_free(profiles[i]);
	evtlog_profile_free(none);
}

/* ---- Texts ---- */

static void names_are_decoded(void **state)
{
	struct evtlog_profile *profile;

	profile = parsed("state on\nticks_hz 1000\ntask 1 1 5 9 0 0 a\\012cpu\\134\\033\\177\\q \n  user 0 0 1 0\n"
	      "task 2 2 5 9 0 0 \n  user 0 0 1 0\n");
	assert_string_equal(profile->slots[0].entry.comm, "a\ncpu\\\033\177\\q ");
	assert_string_equal(profile->slots[1].entry.comm, "");
	evtlog_profile_free(profile);
}

static void a_bad_task_spoils_no_other(void **state)
{
	struct evtlog_profile *profile;

	profile = parsed("state off\nticks_hz 1000\ntask 1 1 5 9 0 0 x\n  user 0 0 1 0\n"
	      "task x\n  user 0 0 7 0\nticks_hz 1\nrank 3\nstate on\ntask 2 2 5 9 0 0 y\n  user 0 0 2 0\n");
	assert_int_equal(profile->about.entries, 2);
	assert_int_equal(profile->about.ticks_hz, 1000);
	assert_int_equal(profile->about.rank, -1);
	assert_false(profile->about.is_on);
	assert_int_equal(profile->slots[0].entry.paths, 1);
	assert_int_equal(profile->slots[1].paths[0].exclusive, 2);
	evtlog_profile_free(profile);
	assert_int_equal(profile_parse(&profile, strdup("state on\ntask x\n  user 0 0 7 0\n")), -EINVAL);
}

/* Including unfinished events: 5 ticks within one that ended, and more now. */
static void events_have_all_that_is_within(void **state)
{
	struct evtlog_profile *profile;

	profile = parsed("state on\ncpu 0 0 100\n  vector:251 23 379 381 9\ntask 2 2 5 9 0 0 y\n"
	      "  user 0 0 2 0\n  user>syscall:231 0 0 9 0\n  user>syscall:1 1 5 7 5\n"
	      "  user>syscall:1>irq:4 1 3 3 3\n  user>syscall:12 1 6 6 6\n");
	assert_int_equal(profile->slots[0].paths[0].inclusive, 381);
	assert_int_equal(profile->slots[1].paths[0].inclusive, 27);
	assert_int_equal(profile->slots[1].paths[1].inclusive, 9);
	assert_int_equal(profile->slots[1].paths[2].inclusive, 10);
	assert_int_equal(profile->slots[1].paths[4].inclusive, 6);
	evtlog_profile_free(profile);
}

static void roots_have_all_that_is_within(void **state)
{
	struct profile_slot flat;
	struct evtlog_profile *profile;

	profile = parsed("state on\ncpu 0 0 100\n  idle 0 0 90 0\n  user 0 0 5 0\n  kernel 7 2 4 0\n"
	      "  syscall:1 9 3 1 1\ntask 2 2 5 9 0 0 y\n  user 0 0 2 0\n  user>syscall:1 1 9 7 1\n"
	      "  user>syscall:1>io 1 2 2 2\n");
	assert_int_equal(profile->slots[0].paths[0].inclusive, 90);
	assert_int_equal(profile->slots[0].paths[1].inclusive, 5);
	assert_int_equal(profile->slots[0].paths[2].inclusive, 4);
	assert_int_equal(profile->slots[0].paths[3].inclusive, 3);
	assert_int_equal(profile->slots[1].paths[0].inclusive, 11);
	assert_int_equal(profile->slots[1].paths[1].inclusive, 9);
	assert_int_equal(profile_flatten(&profile->slots[1], &flat), 0);
	assert_int_equal(flat.entry.paths, 3);
	profile_slot_free(&flat);
	evtlog_profile_free(profile);
}

/* If a task migrated while CPUs were read, a CPU lacks it: its sums can be below 0. */
static void cpus_have_no_less_than_nothing(void **state)
{
	struct evtlog_profile *before, *profile;

	before = parsed("state on\ncpu 0 0 100\n  syscall:1 9 90 90 1\n");
	profile = parsed("state on\ncpu 0 0 200\n"
	      "  syscall:1 18446744073709551615 18446744073709551610 18446744073709551610 1\n"
	      "  syscall:2 18446744073709551615 18446744073709551610 18446744073709551610 1\n"
	      "  syscall:3 1 5 5 1\n");
	profile = less(profile, before);
	assert_int_equal(profile->slots[0].entry.paths, 1);
	assert_string_equal(profile->slots[0].paths[0].path, "syscall:3");
	assert_int_equal(profile->slots[0].paths[0].exclusive, 5);
	evtlog_profile_free(profile);
	evtlog_profile_free(before);
}

static void terminals_get_no_escapes(void **state)
{
	char to[32], small[4];

	assert_string_equal(profile_plain("a\033[2J;\177\n", ";", to, sizeof(to)), "a_[2J___");
	assert_string_equal(profile_plain("\302\233x\233y\303\274", "", to, sizeof(to)), "_x_y\303\274");
	assert_string_equal(profile_plain("ab\303\274", "", small, sizeof(small)), "ab");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_name_makes_no_lines, set_up),
		cmocka_unit_test_setup(a_life_counts_once, set_up),
		cmocka_unit_test_setup(names_are_asked_once, set_up),
		cmocka_unit_test_setup(parts_come_in_any_order, set_up),
		cmocka_unit_test_setup(damage_is_refused, set_up),
		cmocka_unit_test_setup(the_buffer_has_one_reader, set_up),
		cmocka_unit_test(pids_are_as_many_as_there_are),
		cmocka_unit_test(cgroups_have_their_own_tasks),
		cmocka_unit_test(one_that_was_ending_is_its_cgroups),
		cmocka_unit_test(names_are_decoded),
		cmocka_unit_test(a_bad_task_spoils_no_other),
		cmocka_unit_test(roots_have_all_that_is_within),
		cmocka_unit_test(events_have_all_that_is_within),
		cmocka_unit_test(cpus_have_no_less_than_nothing),
		cmocka_unit_test(terminals_get_no_escapes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
