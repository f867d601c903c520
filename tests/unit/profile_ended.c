// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * profile_ended SEED - the kernel's sums of ended threads, unmodified, for random profiles. Each
 * path has the sums of a naive model, by name. Paths beyond the limit, or without memory, are in
 * the rest, and this is reported. A copy is equal. Aborts if a claim is wrong.
 */
#include "profile_rows.h"

#include <linux/evtlog_span.h>

#include "profile/process.h"
#include "profile/profile.h"
#include "random.h"

#define NAMES	4096
#define DEPTH	4

u64 machine_tick = 1;
unsigned int machine_cpu;
bool machine_irqs_off;
struct task_struct *machine_current[CPUS];
struct evtlog_profile_cpu evtlog_profile_cpu;

/* A path as its events from the root, and its sums over all profiles */
struct name {
	u16 events[DEPTH];
	unsigned int depth;
	struct evtlog_profile_sums sums;
};

static struct name names[NAMES];
static unsigned int name_count;
static struct evtlog_profile_sums model_rest;
static u64 threads, lifetime, unmatched;
static unsigned int blocks_left;

void *evtlog_profile_alloc(size_t bytes)
{
	return calloc(1, bytes);
}

void evtlog_profile_show_path(struct seq_file *m, const u16 *events, unsigned int depth,
			      const struct evtlog_profile_sums *sums) { }
void evtlog_profile_values_show(struct seq_file *m, const struct evtlog_profile_values *values) { }

void evtlog_profile_values_add(struct evtlog_profile_values *to,
			       const struct evtlog_profile_values *values)
{
	if (values)
		to->of[0].count += values->of[0].count;
}

static void claim(bool holds, const char *what)
{
	if (holds)
		return;
	printf("WRONG: %s\n", what);
	abort();
}

static void add(struct evtlog_profile_sums *to, const struct evtlog_profile_sums *sums)
{
	to->count += sums->count;
	to->inclusive += sums->inclusive;
	to->exclusive += sums->exclusive;
	to->largest = max(to->largest, sums->largest);
}

static struct name *find_name(const u16 *events, unsigned int depth)
{
	struct name *name;

	for (name = names; name < names + name_count; name++) {
		if (name->depth == depth && !memcmp(name->events, events, depth * sizeof(*events)))
			return name;
	}
	claim(name_count < NAMES, "the model has room");
	name_count++;
	memcpy(name->events, events, depth * sizeof(*events));
	name->depth = depth;
	return name;
}

static struct evtlog_profile_node *add_node(struct evtlog_profile *p, u32 key)
{
	unsigned int index = p->nr_nodes++;
	struct evtlog_profile_node *node;

	if (index >= EVTLOG_PROFILE_NODES + evtlog_callpath_more_capacity(p->more))
		claim(evtlog_callpath_more_add(&p->more), "a profile has room");
	node = evtlog_profile_node(p, index);
	node->key = key;
	return node;
}

/* Fills @events with the path's events, the root first. Returns their number. */
static unsigned int events_of(struct evtlog_profile *p, unsigned int index, u16 *events)
{
	u32 key = evtlog_profile_node(p, index)->key;
	unsigned int depth = 0;

	if (key >> 16 != EVTLOG_PROFILE_NO_PARENT)
		depth = events_of(p, key >> 16, events);
	events[depth] = key;
	return depth + 1;
}

static bool has(struct evtlog_profile *p, u32 key)
{
	for (unsigned int i = 0; i < p->nr_nodes; i++) {
		if (evtlog_profile_node(p, i)->key == key)
			return true;
	}
	return false;
}

/* Makes a profile with at most @events different events. */
static void make(struct random *random, struct evtlog_profile *p, unsigned int nodes,
		 unsigned int events)
{
	u16 path[DEPTH];

	*p = (struct evtlog_profile){ .born = 10, .unmatched = random_below(random, 5) };
	add_node(p, EVTLOG_PROFILE_NO_PARENT << 16 | EVTLOG_PROFILE_USER);
	add_node(p, EVTLOG_PROFILE_NO_PARENT << 16 | EVTLOG_PROFILE_REST);
	while (p->nr_nodes < nodes) {
		unsigned int parent = random_below(random, p->nr_nodes);
		u32 key = parent << 16 | (0x1000 + random_below(random, events));

		if (parent != 1 && events_of(p, parent, path) < DEPTH && !has(p, key))
			add_node(p, key);
		else if (random_one_in(random, 200))
			break;
	}
	for (unsigned int i = 0; i < p->nr_nodes; i++) {
		struct evtlog_profile_node *node = evtlog_profile_node(p, i);

		node->sums = (struct evtlog_profile_sums){ random_below(random, 100),
			random_below(random, 100000), random_below(random, 100000),
			random_below(random, 1000) };
		node->largest_before = random_below(random, 1000);
		p->ahead += node->sums.exclusive;
	}
	/* A running task has no end. */
	p->off = random_one_in(random, 3) ? 0 : 10 + random_below(random, 100000);
	if (!p->off)
		p->ahead = random_below(random, 1000);
}

static void free_profile(struct evtlog_profile *p)
{
	while (p->more) {
		struct evtlog_callpath_more *next = p->more->next;

		free(p->more);
		p->more = next;
	}
}

static void add_to_model(struct evtlog_profile *p)
{
	u64 exclusive = 0;

	for (unsigned int i = 0; i < p->nr_nodes; i++) {
		struct evtlog_profile_node *node = evtlog_profile_node(p, i);
		struct evtlog_profile_sums sums = node->sums;
		u16 events[DEPTH];
		unsigned int depth = events_of(p, i, events);

		sums.largest = max(sums.largest, node->largest_before);
		exclusive += sums.exclusive;
		add(i == 1 ? &model_rest : &find_name(events, depth)->sums, &sums);
	}
	threads++;
	unmatched += p->unmatched;
	lifetime += p->off ? p->off - p->born : exclusive - p->ahead;
}

static bool add_profile(struct evtlog_profile_ended *ended, struct evtlog_profile *p)
{
	struct evtlog_profile_ended_adding adding;
	size_t bytes;

	while ((bytes = evtlog_profile_ended_needs(ended, p, 0)) && blocks_left) {
		blocks_left--;
		claim(evtlog_profile_ended_give(ended, calloc(1, bytes), bytes), "what is asked for is taken");
	}
	adding.nr = 0;
	while (!evtlog_profile_ended_add(ended, p, &adding))
		;
	return !adding.lacks;
}

static unsigned int events_in(const struct evtlog_profile_ended *ended, u32 key, u16 *events)
{
	const struct evtlog_profile_ended_block *block = ended->blocks;
	unsigned int depth = 0, parent = key >> 16;

	if (parent != EVTLOG_PROFILE_NO_PARENT) {
		while (parent >= block->first + block->nr) {
			block = block->next;
			claim(block, "a parent is there");
		}
		depth = events_in(ended, block->paths[parent - block->first].key, events);
	}
	events[depth] = key;
	return depth + 1;
}

/* Returns the number of paths. */
static unsigned int compare(const struct evtlog_profile_ended *ended, bool is_whole)
{
	struct evtlog_profile_sums all = ended->rest, expected = model_rest;
	const struct evtlog_profile_ended_block *block;
	unsigned int paths = 0;

	for (block = ended->blocks; block; block = block->next) {
		for (unsigned int i = 0; i < block->nr; i++, paths++) {
			const struct evtlog_profile_sums *sums = &block->paths[i].sums;
			u16 events[DEPTH];
			struct name *name = find_name(events, events_in(ended, block->paths[i].key, events));

			claim(sums->count <= name->sums.count && sums->largest <= name->sums.largest,
			      "a path has no more than the model");
			claim(!is_whole || !memcmp(sums, &name->sums, sizeof(*sums)),
			      "a path is the model's");
			add(&all, sums);
		}
	}
	for (unsigned int i = 0; i < name_count; i++)
		add(&expected, &names[i].sums);
	claim(!memcmp(&all, &expected, sizeof(all)), "nothing is lost");
	claim(!is_whole || (paths == name_count && !memcmp(&ended->rest, &model_rest, sizeof(model_rest))),
	      "all paths are there");
	claim(ended->threads == threads && ended->lifetime == lifetime && ended->unmatched == unmatched,
	      "threads and their lives");
	return paths;
}

static void forget(void)
{
	memset(names, 0, sizeof(names));
	model_rest = (struct evtlog_profile_sums){ 0 };
	name_count = threads = lifetime = unmatched = 0;
}

static void trial(struct random *random, unsigned int memory, unsigned int events, unsigned int count)
{
	struct evtlog_profile_ended ended = { 0 }, copy = { 0 };
	struct evtlog_profile p;
	bool is_whole = true;
	unsigned int paths;
	size_t bytes;

	for (int round = 0; round < 2; round++) {
		forget();
		blocks_left = round ? 0 : memory;
		is_whole = true;
		for (unsigned int i = 0; i < count; i++) {
			make(random, &p, 2 + random_below(random, 150), events);
			add_to_model(&p);
			is_whole &= add_profile(&ended, &p);
			free_profile(&p);
		}
		paths = compare(&ended, is_whole);
		claim(is_whole == (paths == name_count), "what found no place is told");
		printf("%u threads, %u paths of %u, %zu bytes%s\n", count, paths, name_count,
		       evtlog_profile_ended_bytes(&ended), is_whole ? "" : ", not whole");
		claim(evtlog_profile_ended_bytes(&ended) <= 43 * 1024, "43 KiB at most");
		while ((bytes = evtlog_profile_ended_copy(&copy, &ended)))
			claim(evtlog_profile_ended_give(&copy, calloc(1, bytes), bytes), "a copy gets memory");
		claim(compare(&copy, is_whole) == paths, "a copy is the same");
		/* Again, with the memory that is present */
		evtlog_profile_ended_clear(&ended);
		claim(!ended.threads && !ended.rest.count, "none has ended");
	}
	evtlog_profile_ended_free(&ended);
	evtlog_profile_ended_free(&copy);
}

/* A family has one large block, and never more. */
static void trial_large(struct random *random)
{
	struct evtlog_profile_ended ended = { 0 }, copy = { 0 };
	const size_t bytes = EVTLOG_PROFILE_ENDED_LARGE;
	struct evtlog_profile p;
	unsigned int paths;

	forget();
	claim(evtlog_profile_ended_give(&ended, calloc(1, bytes), bytes) &&
	      evtlog_profile_ended_give(&copy, calloc(1, bytes), bytes), "a large block is taken");
	blocks_left = 0;
	while (name_count < 2500) {
		make(random, &p, 150, 15);
		add_to_model(&p);
		claim(add_profile(&ended, &p), "a large block has room");
		free_profile(&p);
	}
	paths = compare(&ended, true);
	printf("%u paths in %zu bytes\n", paths, evtlog_profile_ended_bytes(&ended));
	claim(!evtlog_profile_ended_copy(&copy, &ended) && compare(&copy, true) == paths,
	      "a copy is the same");
	evtlog_profile_ended_free(&ended);
	evtlog_profile_ended_free(&copy);
}

int main(int argc, char **argv)
{
	struct random random = { argc > 1 ? strtoull(argv[1], NULL, 10) : 1 };

	trial(&random, 0, 4, 3);
	trial(&random, 1, 4, 5);
	trial(&random, 100, 3, 20);
	trial(&random, 100, 7, 20);
	trial(&random, 4, 9, 20);
	trial(&random, 100, 15, 100);
	trial_large(&random);
	return 0;
}
