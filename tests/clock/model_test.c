// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The clock model is correct in difficult cases: rates that wander, steps, misleading packets.
 *
 * Stage: calls the model's internal interface on simulated clusters.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "../support/seed.h"
#include "packet.h"
#include "world.h"

#define S	UINT64_C(1000000000)

static uint64_t state;

/* A cluster and the model's result */
struct model {
	struct world_options options;
	struct world *world;
	struct host *hosts;
	struct packet_records records;
	struct packets packets;
	/* The last host uses the address of this host, unless 0. */
	uint32_t taken;
	/* This host does not record, unless 0. */
	uint32_t mute;
	/* Only echo requests are recorded, no replies. */
	bool one_way;
	/* Nothing is recorded from @from_ns to @until_ns. */
	uint64_t from_ns;
	uint64_t until_ns;
};

static uint32_t address(const struct model *model, uint32_t host)
{
	if (model->taken && host == model->options.hosts - 1)
		host = model->taken;
	return 0x0100000a + (host << 8);
}

static void note(void *arg, const struct world_record *record)
{
	struct model *model = arg;
	uint32_t own = address(model, record->host);
	uint32_t peer = address(model, record->peer);
	struct packet_record out = packet_of(record, own, peer);

	if ((model->mute && record->host == model->mute) ||
	    (model->one_way && !record->type) ||
	    (record->true_ns >= model->from_ns &&
	     record->true_ns < model->until_ns))
		return;
	assert_int_equal(packet_record_add(&model->records, &out), 0);
}

static void begin(struct model *model, const struct world_options *options)
{
	model->options = *options;
	model->world = world_new(options, &state);
	model->hosts = calloc(options->hosts, sizeof(*model->hosts));
	assert_non_null(model->hosts);
	for (uint32_t i = 0; i < options->hosts; i++) {
		struct host *host = &model->hosts[i];

		host->begin_ns = world_clock(model->world, i, 0);
		host->end_ns = world_clock(model->world, i,
					   options->seconds * S);
	}
}

static void ping(struct model *model)
{
	for (size_t i = 0; i < world_pairs(model->world); i++)
		world_ping(model->world, i, note, model);
}

static void solve(struct model *model, uint64_t rho_ppb)
{
	uint32_t hosts = model->options.hosts;

	assert_int_equal(packets_match(model->hosts, hosts, &model->records,
				       &model->packets), 0);
	assert_int_equal(host_own_timeline(&model->hosts[0], 0), 0);
	assert_int_equal(network_solve(model->hosts, hosts, 0, rho_ppb,
				       &model->packets), 0);
}

static void end(struct model *model)
{
	for (uint32_t i = 0; i < model->options.hosts; i++)
		free(model->hosts[i].timeline.nodes);
	free(model->hosts);
	free(model->records.at);
	free(model->packets.at);
	world_free(model->world);
}

static const struct evtlog_host_clock *clock_of(const struct model *model,
						uint32_t host)
{
	return &model->hosts[host].clock;
}

/* Returns the largest error; fails if an error is larger than its bound. */
static uint64_t check(const struct model *model, uint32_t host, uint64_t from_ns,
		      uint64_t until_ns)
{
	const struct timeline *timeline = &model->hosts[host].timeline;
	struct evtlog_host_cursor cursor;
	uint64_t worst = 0;
	int64_t last = INT64_MIN;

	timeline_cursor(&cursor, timeline);
	for (uint64_t i = 0; i < 5000; i++) {
		uint64_t t = from_ns + (until_ns - from_ns) / 5000 * i;
		int64_t raw = world_clock(model->world, host, t);
		int64_t truth = world_clock(model->world, 0, t);
		int64_t time = timeline_time(timeline, raw);
		uint64_t bound = timeline_bound(timeline, raw);
		uint64_t error = llabs(time - truth);

		if (error > bound)
			fail_msg("host %u at %llu ns: off by %llu, bound %llu",
				 host, (unsigned long long)t,
				 (unsigned long long)error,
				 (unsigned long long)bound);
		assert_true(time >= last);
		assert_int_equal(evtlog_host_cursor_time(&cursor, raw), time);
		assert_int_equal(evtlog_host_cursor_bound(&cursor, raw), bound);
		last = time;
		if (error > worst)
			worst = error;
	}
	/* Just before a node, the bound is the node's, up to the last step of the line. */
	for (size_t i = 1; i < timeline->count; i++) {
		const struct timeline_node *node = &timeline->nodes[i];
		int64_t step = llabs((int64_t)(node->bound_ns - node[-1].bound_ns)) / (node->raw_ns - node[-1].raw_ns);

		assert_true(llabs((int64_t)(timeline_bound(timeline, node->raw_ns - 1) - node->bound_ns)) <= step + 1);
	}
	return worst;
}

/* ---- A straight line is not enough ---- */

/*
 * Fits the straight line with the largest distance from all points, as other tools do. Returns the
 * line's largest error; *@claim is the error that these tools would state.
 */
static double hull_error(const struct model *model, double *claim)
{
	const struct packets *packets = &model->packets;
	double best = -1, best_rate = 0, best_offset = 0, worst = 0;
	double x0 = world_clock(model->world, 0, 0);

	/* For each slope: the room between the upper and the lower points */
	for (double rate = -1e-4; rate <= 1e-4; rate += 1e-10) {
		double low = -1e30, high = 1e30;

		for (size_t i = 0; i < packets->count; i += 1) {
			const struct packet *p = &packets->at[i];
			bool up = p->from == 0;
			double x = (up ? p->sent_ns : p->received_ns) - x0;
			double y = (double)(up ? p->received_ns - p->sent_ns :
					    p->sent_ns - p->received_ns) -
				   rate * x;

			if (up && y < high)
				high = y;
			if (!up && y > low)
				low = y;
			if (high - low < best)
				break;
		}
		if (high - low > best) {
			best = high - low;
			best_rate = rate;
			best_offset = (high + low) / 2;
		}
	}
	*claim = best / 2;
	for (uint64_t t = 0; t < model->options.seconds * S; t += S) {
		double x = world_clock(model->world, 0, t) - x0;
		double truth = world_clock(model->world, 1, t) -
			       world_clock(model->world, 0, t);
		double error = best_offset + best_rate * x - truth;

		if (error < 0)
			error = -error;
		if (error > worst)
			worst = error;
	}
	return worst;
}

/* As measured: the relative rate wanders by 0.2 ppm over 300 s, for 600 s. */
static struct world_options wandering(void)
{
	struct world_options options = world_defaults();

	options.seconds = 600;
	options.wander_ppb = 200;
	options.wander_s = 300;
	options.alone = true;
	options.rate_ppb = 20000;
	return options;
}

static void a_straight_line_is_wrong_where_the_bound_is_not(void **unused)
{
	struct world_options options = wandering();
	double claim, error;

	for (int round = 0; round < 3; round++) {
		struct model model = { 0 };
		uint64_t worst;

		begin(&model, &options);
		ping(&model);
		solve(&model, EVTLOG_RHO_PPB);
		worst = check(&model, 1, 0, options.seconds * S);
		error = hull_error(&model, &claim);
		print_message("line: claims %.0f ns, is off by %.0f; bound %llu, off by %llu\n",
			      claim, error,
			      (unsigned long long)clock_of(&model, 1)->bound_ns,
			      (unsigned long long)worst);
		assert_true(error > 5 * claim);
		assert_int_equal(clock_of(&model, 1)->violations, 0);
		assert_false(clock_of(&model, 1)->rho_raised);
		end(&model);
	}
}

static void a_rho_too_small_is_found_out_and_raised(void **unused)
{
	struct world_options options = wandering();

	for (int round = 0; round < 20; round++) {
		const struct evtlog_host_clock *clock;
		struct model model = { 0 };

		options.wander_ppb = 500 + 500 * (round % 8);
		options.hosts = 2 + round % 3;
		begin(&model, &options);
		ping(&model);
		solve(&model, 10);
		for (uint32_t i = 1; i < options.hosts; i++)
			check(&model, i, 0, options.seconds * S);
		clock = clock_of(&model, options.hosts - 1);
		assert_true(clock->rho_raised);
		assert_true(clock->rho_ppb >= EVTLOG_RHO_PPB);
		end(&model);
	}
}

/* ---- Steps ---- */

static void a_step_divides_the_clock(void **unused)
{
	static const int64_t steps[] = {
		500000, -300000000000, 3600000000000, 50000000, -7000000,
	};

	for (int round = 0; round < 20; round++) {
		struct world_options options = world_defaults();
		struct model model = { 0 };
		const struct evtlog_host_clock *clock;
		uint64_t half;

		options.step_ns = steps[round % 5];
		options.hosts = 2 + round % 4;
		options.topology = round % 3;
		options.duplicates = 5;
		begin(&model, &options);
		half = options.seconds * S / 2;
		ping(&model);
		solve(&model, EVTLOG_RHO_PPB);
		clock = clock_of(&model, options.hosts - 1);
		assert_int_equal(clock->method, EVTLOG_CLOCK_PACKETS);
		if (options.step_ns > 0)
			assert_int_equal(clock->segments, 2);
		assert_int_equal(clock->violations, 0);
		for (uint32_t i = 1; i < options.hosts; i++)
			check(&model, i, 0, options.seconds * S);
		/* Away from the step, the bound is as small as without a step. */
		assert_true(timeline_bound(&model.hosts[options.hosts - 1].timeline,
					   world_clock(model.world, options.hosts - 1,
						       half / 2)) < 200000);
		assert_true(timeline_bound(&model.hosts[options.hosts - 1].timeline,
					   world_clock(model.world, options.hosts - 1,
						       half + half / 2)) < 200000);
		end(&model);
	}
}

/* ---- Few packets ---- */

static void what_no_packet_relates_is_not_related(void **unused)
{
	for (int round = 0; round < 4; round++) {
		struct world_options options = world_defaults();
		struct model model = { 0 };

		options.hosts = 4;
		begin(&model, &options);
		if (round == 0)
			model.mute = 3;
		if (round == 1)
			model.one_way = true;
		/* The last host has the address of the second. */
		if (round == 2)
			model.taken = 1;
		if (round == 3)
			model.hosts[3].clock.tsc_bad = true;
		ping(&model);
		solve(&model, EVTLOG_RHO_PPB);
		for (uint32_t i = 1; i < 4; i++) {
			bool lost = i == 3 || round == 1 ||
				    (round == 2 && i == 1);

			assert_int_equal(clock_of(&model, i)->method, lost ?
					 EVTLOG_CLOCK_NONE :
					 EVTLOG_CLOCK_PACKETS);
			assert_int_equal(!model.hosts[i].timeline.count, lost);
			if (!lost)
				check(&model, i, 0, options.seconds * S);
		}
		if (round == 2)
			assert_true(clock_of(&model, 3)->dropped > 1000);
		end(&model);
	}
}

static void where_there_are_no_packets_the_bound_widens(void **unused)
{
	static const uint64_t pauses[][2] = {
		{ 1, 60 }, { 0, 59 }, { 1, 59 }, { 10, 50 }, { 0, 30 },
	};

	for (int round = 0; round < 25; round++) {
		struct world_options options = world_defaults();
		struct model model = { 0 };
		const uint64_t *pause = pauses[round % 5];
		const struct timeline *timeline;
		uint64_t middle;

		options.wander = round % 3;
		options.hosts = 2 + round % 3;
		options.topology = round % 2;
		begin(&model, &options);
		model.from_ns = pause[0] * S;
		model.until_ns = pause[1] * S;
		ping(&model);
		solve(&model, EVTLOG_RHO_PPB);
		middle = (pause[0] + pause[1]) * S / 2;
		timeline = &model.hosts[1].timeline;
		check(&model, 1, 0, options.seconds * S);
		check(&model, options.hosts - 1, 0, options.seconds * S);
		/* 1 ppm of the time to the nearest packet */
		assert_true(timeline_bound(timeline, world_clock(model.world, 1, middle)) >
			    (pause[1] - pause[0]) * 500);
		end(&model);
	}
}

/* ---- Misleading packets ---- */

static void numbers_that_wrapped_are_told_apart(void **unused)
{
	for (int round = 0; round < 3; round++) {
		struct world_options options = world_defaults();
		struct model model = { 0 };
		uint64_t pings;

		/* With 100,000 pings, some sequence numbers are unique; with 140,000, none is. */
		options.rate_hz = 1000;
		options.seconds = round ? 140 : 100;
		options.duplicates = 2;
		pings = options.rate_hz * options.seconds;
		begin(&model, &options);
		for (uint32_t i = 0; i < 2 && round == 2; i++) {
			struct host *host = &model.hosts[i];

			host->real_known = true;
			host->real_offset_ns = (int64_t)i * 1000000000 -
					       world_clock(model.world, i, 0);
		}
		ping(&model);
		solve(&model, EVTLOG_RHO_PPB);
		if (round == 1) {
			assert_int_equal(clock_of(&model, 1)->method,
					 EVTLOG_CLOCK_NONE);
			assert_true(clock_of(&model, 1)->dropped > pings);
		} else {
			check(&model, 1, 0, options.seconds * S);
			assert_int_equal(clock_of(&model, 1)->violations, 0);
			assert_true(clock_of(&model, 1)->packets >
				    2 * pings * 99 / 100);
		}
		end(&model);
	}
}

/* Adds one record on each host; both seem to be of one packet. */
static void add_false(struct model *model, uint16_t id, uint64_t sent_ns,
		      uint64_t received_ns)
{
	uint32_t from = id % 2, to = !from;
	struct packet_record record = {
		.time_ns = world_clock(model->world, from, sent_ns),
		.source = address(model, from),
		.destination = address(model, to),
		.id = id,
		.host = from,
		.type = 8,
	};

	assert_int_equal(packet_record_add(&model->records, &record), 0);
	record.time_ns = world_clock(model->world, to, received_ns);
	record.host = to;
	record.received = 1;
	assert_int_equal(packet_record_add(&model->records, &record), 0);
}

static void packets_taken_for_others_are_dropped(void **unused)
{
	for (int round = 0; round < 10; round++) {
		struct world_options options = world_defaults();
		struct model model = { 0 };
		const struct evtlog_host_clock *clock;

		begin(&model, &options);
		ping(&model);
		for (uint16_t i = 0; i < 5; i++) {
			uint64_t t = (5 + xorshift(&state) % 50) * S +
				     xorshift(&state) % S;

			add_false(&model, 1000 + i, t, t - 5 * S +
				  xorshift(&state) % (4 * S));
		}
		solve(&model, EVTLOG_RHO_PPB);
		clock = clock_of(&model, 1);
		check(&model, 1, 0, options.seconds * S);
		assert_int_equal(clock->violations, 0);
		assert_int_equal(clock->segments, 1);
		assert_in_range(clock->dropped, 5, 50);
		assert_true(clock->bound_ns < 100000);
		end(&model);
	}
}

static void the_order_of_records_does_not_matter(void **unused)
{
	struct world_options options = world_defaults();
	struct model one = { 0 }, other = { 0 };
	uint64_t begun;

	options.hosts = 6;
	options.topology = WORLD_RANDOM;
	options.late = 50;
	begun = state;
	begin(&one, &options);
	ping(&one);
	solve(&one, EVTLOG_RHO_PPB);
	state = begun;
	begin(&other, &options);
	ping(&other);
	for (size_t i = other.records.count; i-- > 1;) {
		size_t j = xorshift(&state) % (i + 1);
		struct packet_record record = other.records.at[i];

		other.records.at[i] = other.records.at[j];
		other.records.at[j] = record;
	}
	solve(&other, EVTLOG_RHO_PPB);
	for (uint32_t i = 1; i < options.hosts; i++) {
		const struct timeline *a = &one.hosts[i].timeline;
		const struct timeline *b = &other.hosts[i].timeline;

		assert_int_equal(a->count, b->count);
		assert_memory_equal(a->nodes, b->nodes,
				    a->count * sizeof(*a->nodes));
		assert_memory_equal(clock_of(&one, i), clock_of(&other, i),
				    sizeof(*clock_of(&one, i)));
	}
	end(&one);
	end(&other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_straight_line_is_wrong_where_the_bound_is_not),
		cmocka_unit_test(a_rho_too_small_is_found_out_and_raised),
		cmocka_unit_test(a_step_divides_the_clock),
		cmocka_unit_test(what_no_packet_relates_is_not_related),
		cmocka_unit_test(where_there_are_no_packets_the_bound_widens),
		cmocka_unit_test(numbers_that_wrapped_are_told_apart),
		cmocka_unit_test(packets_taken_for_others_are_dropped),
		cmocka_unit_test(the_order_of_records_does_not_matter),
	};

	state = seed_state();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
