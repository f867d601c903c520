// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the texts of a picture: its time, its hosts, how to read it, and clock errors.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/utf8.h"
#include "draw/ruler.h"
#include "layout.h"
#include "view/session/counters.h"
#include "view/session/session.h"

/* If there are more hosts, the title has only their number. */
#define NAMED_MAX	4

/* Rounds up to three digits, which is enough for a clock error. */
static void rounded(uint64_t ns, char text[RULER_LABEL_BYTES])
{
	uint64_t unit = 1;

	while (ns / unit >= 1000)
		unit *= 10;
	ruler_time((ns + unit - 1) / unit * unit, text);
}

static const struct evtlog_host_clock *clock_of(const struct session *session, uint32_t host)
{
	if (!session->logs.hosts)
		return NULL;
	return evtlog_clocksync_clock(session->logs.hosts, session->hosts[host].file);
}

static void clock_words(FILE *out, const struct session *session,
			const struct picture_scene *scene, uint32_t host)
{
	const struct evtlog_host_clock *clock = clock_of(session, host);
	uint64_t bound = worst_bound(session, host, scene->from_ns, scene->to_ns);
	char text[RULER_LABEL_BYTES];

	rounded(bound, text);
	switch (clock ? clock->method : EVTLOG_CLOCK_NONE) {
	case EVTLOG_CLOCK_REFERENCE:
		fputs(" · reference clock", out);
		break;
	case EVTLOG_CLOCK_PACKETS:
	case EVTLOG_CLOCK_NTP:
		fprintf(out, " · clock by %s, within ±%s",
			clock->method == EVTLOG_CLOCK_NTP ? "NTP, as assumed" : "packets",
			bound == UINT64_MAX ? "an unknown time" : text);
		break;
	default:
		break;
	}
}

char *picture_host_note(struct session *session, const struct picture_scene *scene,
			uint32_t host)
{
	const struct session_host *of = &session->hosts[host];
	const struct evtlog_file *file = session->logs.files[of->file].file;
	const char *kernel = evtlog_meta(file, "kernel");
	char *note, *clean = NULL;
	size_t length;
	FILE *out;

	if (kernel) {
		clean = utf8_clean(kernel, SIZE_MAX);
		if (!clean)
			return NULL;
	}
	out = open_memstream(&note, &length);
	if (!out)
		goto free_clean;
	if (clean)
		fprintf(out, "Linux %s · ", clean);
	if (of->lane_count < evtlog_cpu_count(file))
		fprintf(out, "%u of %u CPUs", of->lane_count, evtlog_cpu_count(file));
	else
		fprintf(out, "%u CPU%s", of->lane_count, of->lane_count == 1 ? "" : "s");
	clock_words(out, session, scene, host);
	if (fclose(out)) {
		free(note);
		note = NULL;
	}
	free(clean);
	return note;
free_clean:
	free(clean);
	return NULL;
}

/* ---- Title and subtitle ---- */

static void put_clean(FILE *out, const char *text)
{
	char *clean = utf8_clean(text, SIZE_MAX);

	if (clean)
		fputs(clean, out);
	free(clean);
}

static void title_words(FILE *out, const struct session *session,
			const struct picture_scene *scene, const char *wanted)
{
	const struct evtlog_file *file;
	const char *run;

	if (wanted) {
		put_clean(out, wanted);
		return;
	}
	file = session->logs.files[session->hosts[0].file].file;
	run = evtlog_meta(file, "run_name");
	if (run && *run)
		put_clean(out, run);
	else
		fprintf(out, "Run %" PRIu64, evtlog_run(file));
	if (scene->host_count > NAMED_MAX) {
		fprintf(out, " on %zu hosts", scene->host_count);
		return;
	}
	for (size_t i = 0; i < scene->host_count; i++)
		fprintf(out, "%s%s", !i ? " on " : i + 1 < scene->host_count ? ", " : " and ",
			scene->hosts[i].name);
}

static void subtitle_words(FILE *out, const struct session *session,
			   const struct picture_scene *scene)
{
	int64_t real_ns = session_real(session, scene->from_ns);
	char from[RULER_LABEL_BYTES], span[RULER_LABEL_BYTES], text[64] = "?";
	time_t seconds = real_ns / 1000000000;
	struct tm tm;

	ruler_time(scene->from_ns, from);
	ruler_time(scene->to_ns - scene->from_ns, span);
	if (real_ns >= 0 && gmtime_r(&seconds, &tm))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm);
	fprintf(out, "%s from %s (%s.%09d UTC)", span,
		scene->from_ns ? from : "the start", text,
		real_ns < 0 ? 0 : (int)(real_ns % 1000000000));
}

/* ---- Caption ---- */

static void losses_words(FILE *out, const struct picture_scene *scene)
{
	uint64_t records = 0;
	size_t lanes = 0;
	char count[32];

	for (size_t i = 0; i < scene->lane_count; i++) {
		records += scene->lanes[i].lost;
		lanes += !!scene->lanes[i].loss_count;
	}
	if (!lanes)
		return;
	draw_count(records, count);
	if (records)
		fprintf(out, "\n%s events lost, on %zu CPU%s.", count,
			lanes, lanes == 1 ? "" : "s");
	else
		fprintf(out, "\nGaps of unknown size, on %zu CPU%s.", lanes,
			lanes == 1 ? "" : "s");
}

static void faults_words(FILE *out, const struct session *session)
{
	for (uint32_t i = 0; i < session->host_count; i++) {
		if (!session->hosts[i].fault)
			continue;
		fputc('\n', out);
		put_clean(out, session->hosts[i].name);
		fprintf(out, ": %s.", session->hosts[i].fault);
	}
}

static void tracks_words(FILE *out, const struct picture_options *opts)
{
	const char *where = opts->per_cpu ? "Below each CPU are its" : "Above the CPUs of a host are its";
	const char *line = opts->per_cpu ? "one task" : "the number of CPUs";

	if (opts->tracks & 1u << TRACK_RUNNABLE)
		fprintf(out, " %s runnable tasks: those that run or wait for a CPU. The mean of a column is in full colour, the largest number in faint colour; the line is %s.",
			where, line);
	if (opts->tracks & ~(1u << TRACK_RUNNABLE))
		fprintf(out, " %s counters: the number in a column. Migrations to a CPU are in full colour, migrations from it are above in faint colour.",
			where);
}

static void caption_words(FILE *out, const struct session *session,
			  const struct picture_scene *scene, const struct picture_options *opts)
{
	uint64_t span_ns = scene->to_ns - scene->from_ns, worst = 0;
	char column[RULER_LABEL_BYTES], bound[RULER_LABEL_BYTES];
	const char *reference;
	size_t related = 0, assumed = 0;

	rounded(span_ns / scene->columns, column);
	if (span_ns >= scene->columns)
		fprintf(out, "A column is %s. The height of the bar is the busy time of the CPU, in the colour of the task that ran longest, with other tasks, softirqs and interrupts on top. Events are above, bands of softirqs and interrupts below.",
			column);
	else
		fprintf(out, "A column is less than 1 ns. The bar is high if the CPU was busy, in the colour of the task that ran. Events are above, bands of softirqs and interrupts below.");
	tracks_words(out, opts);
	losses_words(out, scene);
	faults_words(out, session);
	for (uint32_t i = 0; i < session->host_count; i++) {
		const struct evtlog_host_clock *clock = clock_of(session, i);
		uint64_t ns;

		if (!clock || !session->hosts[i].lane_count ||
		    clock->method == EVTLOG_CLOCK_REFERENCE)
			continue;
		ns = worst_bound(session, i, scene->from_ns, scene->to_ns);
		if (ns > worst)
			worst = ns;
		related++;
		assumed += clock->method == EVTLOG_CLOCK_NTP;
	}
	if (!related)
		return;
	rounded(worst, bound);
	reference = session->logs.files[evtlog_clocksync_reference(session->logs.hosts)].name;
	fputs("\nClock error of all hosts: at most ", out);
	fputs(worst == UINT64_MAX ? "an unknown time" : bound, out);
	fputs(" relative to ", out);
	put_clean(out, reference);
	fputs(assumed ? ", if the real-time clocks of hosts without packets are as exact as assumed." :
	      ", over the whole picture.", out);
}

int picture_words(struct session *session, struct picture_scene *scene,
		  const struct picture_options *opts)
{
	char **texts[] = { &scene->title, &scene->subtitle, &scene->caption };

	for (size_t i = 0; i < 3; i++) {
		size_t length;
		FILE *out = open_memstream(texts[i], &length);

		if (!out)
			return -ENOMEM;
		if (i == 0)
			title_words(out, session, scene, opts->paper.title);
		else if (i == 1)
			subtitle_words(out, session, scene);
		else
			caption_words(out, session, scene, opts);
		if (fclose(out)) {
			free(*texts[i]);
			*texts[i] = NULL;
			return -ENOMEM;
		}
	}
	return 0;
}
