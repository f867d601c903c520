// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog jitter picture: histograms, densities and the spectrum as a PNG, PDF or SVG file.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/atomic-file.h"
#include "common/command.h"
#include "common/error.h"
#include "common/number.h"
#include "common/options.h"
#include "common/spelling.h"
#include "common/utf8.h"
#include "input/event-filter.h"
#include "jitter/dataset.h"
#include "jitter/subcommands.h"
#include "plot.h"

#define COMMAND		"jitter picture"
#define NS_PER_US	1000
#define NUMBER_MAX	1e20
#define SOURCES_MAX	64

/* The words of --family, by enum evtlog_jitter_family. */
static const char *const family_words[EVTLOG_FAMILIES + 1] = {
	[EVTLOG_FAMILY_USER] = "user", [EVTLOG_FAMILY_KERNEL] = "kernel",
	[EVTLOG_FAMILY_INTERRUPT] = "interrupt", [EVTLOG_FAMILY_SMT] = "smt",
	[EVTLOG_FAMILY_HARDWARE] = "hardware",
};

/*
 * @range: NULL: all
 * @families: bits by enum evtlog_jitter_family
 * @names: of sources, as given
 */
struct picture_options {
	const char *path;
	struct jitter_show show;
	struct dataset_options dataset;
	struct filter filter;
	char *range;
	unsigned int families;
	const char *names[SOURCES_MAX];
	size_t name_count;
};

/* ---- Options ---- */

/* One end of a range: a time in ns, or a frequency in Hz; 0 if @text is empty */
static int parse_end(double *value, const char *text, bool is_frequency)
{
	uint64_t ns;
	int error;

	*value = 0;
	if (!*text)
		return 0;
	if (is_frequency)
		return number_parse_decimal(value, text, 0, NUMBER_MAX);
	error = filter_time(&ns, text);
	*value = error ? 0 : ns;
	return error;
}

/* Cuts @text at its "-". */
static int parse_range(struct jitter_choice *choice, char *text, bool is_frequency)
{
	char *to = strchr(text, '-');
	bool is_wrong = !to || (to == text && !to[1]);

	if (!is_wrong)
		*to++ = '\0';
	return is_wrong || parse_end(&choice->from, text, is_frequency) ||
	       parse_end(&choice->to, to, is_frequency) ||
	       (choice->to > 0 && choice->from >= choice->to) ? -EINVAL : 0;
}

static int parse_kind(enum jitter_view *view, const char *text)
{
	int word = options_word(jitter_view_names, text);

	if (word < 0)
		return word;
	*view = word;
	return 0;
}

enum {
	RANGE = 256, LINEAR, BANDWIDTH, FAMILY, SOURCE, BY, SAMPLES, KIND,
};

static int take_option(void *context, int option, char *text)
{
	static const struct draw_paper least = {
		.width = CHART_WIDTH_MIN, .height = CHART_HEIGHT_MIN,
	};
	struct picture_options *opts = context;
	struct jitter_choice *choice = &opts->show.choice;

	switch (option) {
	case 'o':
		opts->path = text;
		return 0;
	case KIND:
		return parse_kind(&opts->show.view, text);
	case RANGE:
		opts->range = text;
		return 0;
	case LINEAR:
		choice->linear = true;
		return 0;
	case BANDWIDTH:
		return number_parse_decimal(&choice->bandwidth, text, 0, NUMBER_MAX);
	case FILTER_CPU:
		return filter_option(&opts->filter, option, text);
	case FAMILY:
		return options_words(family_words, text, &opts->families);
	case SOURCE:
		if (opts->name_count == SOURCES_MAX)
			return -EINVAL;
		opts->names[opts->name_count++] = text;
		return 0;
	case BY:
		return dataset_parse_by(&opts->dataset.by_task, text);
	case SAMPLES:
		opts->dataset.samples = text;
		return 0;
	default:
		return draw_option(&opts->show.paper, &least, option, text);
	}
}

static int check_options(struct picture_options *opts, int count)
{
	struct jitter_choice *choice = &opts->show.choice;

	if (!opts->path)
		return misuse(COMMAND, "give -o FILE.png, FILE.pdf or FILE.svg");
	if (draw_format_of(&opts->show.paper.format, opts->path))
		return misuse(COMMAND, "--output: %s: the suffix selects the format: give .png, .pdf or .svg, or - for a PNG on standard output",
			      opts->path);
	if (count != 1)
		return misuse(COMMAND, count ? "name one directory or log" :
			      "name the directory that 'evtlog jitter run' left");
	if (opts->range && parse_range(choice, opts->range, opts->show.view == JITTER_SPECTRUM))
		return misuse(COMMAND, "--range: not a valid value; give %s, the smaller one first",
			      opts->show.view == JITTER_SPECTRUM ? "frequencies in Hz such as 50-1250" :
			      "lengths such as 1us-100us, 1us- or -100us");
	if (choice->bandwidth > 0 && opts->show.view != JITTER_DENSITY)
		return misuse(COMMAND, "--bandwidth is for --kind density");
	if (choice->linear)
		choice->bandwidth *= NS_PER_US;
	return EXIT_OK;
}

/* ---- Selection and drawing ---- */

static bool is_named(const struct picture_options *opts, const struct evtlog_jitter_source *source)
{
	for (size_t i = 0; i < opts->name_count; i++)
		if (!strcmp(opts->names[i], source->name))
			return true;
	return false;
}

static int refuse_source(const struct jitter_data *data, const char *name)
{
	struct offer sources;

	offer_start(&sources, name);
	for (size_t s = 0; s < data->source_count; s++)
		if (offer_add(&sources, data->sources[s].name))
			break;
	return offer_misuse(&sources, COMMAND, "--source", "there is no such source");
}

/* *@sourcesp: flags by source, which the caller frees; NULL: all. Returns an exit status. */
static int choose_sources(const struct picture_options *opts, const struct jitter_data *data,
			  bool **sourcesp)
{
	bool *sources;

	*sourcesp = NULL;
	if (!opts->families && !opts->name_count)
		return EXIT_OK;
	for (size_t i = 0; i < opts->name_count; i++) {
		size_t s = 0;

		while (s < data->source_count && strcmp(data->sources[s].name, opts->names[i]))
			s++;
		if (s == data->source_count)
			return refuse_source(data, opts->names[i]);
	}
	sources = calloc(data->source_count + 1, sizeof(*sources));
	if (!sources) {
		pr_err("%s", strerror(ENOMEM));
		return EXIT_FAILED;
	}
	for (size_t s = 0; s < data->source_count; s++)
		sources[s] = (!opts->families || opts->families & 1u << data->sources[s].family) &&
			     (!opts->name_count || is_named(opts, &data->sources[s]));
	*sourcesp = sources;
	return EXIT_OK;
}

/* Prints which CPUs were measured. Returns EXIT_MISUSE. */
static int refuse_cpus(const struct jitter_data *data)
{
	bool *cpus = calloc(EVTLOG_CPU_LIMIT, sizeof(*cpus));
	char text[200] = "others";

	for (size_t i = 0; cpus && i < data->thread_count; i++)
		if (data->threads[i].cpu < EVTLOG_CPU_LIMIT)
			cpus[data->threads[i].cpu] = true;
	if (cpus)
		filter_cpus_text(cpus, text, sizeof(text));
	free(cpus);
	return misuse(COMMAND, "--cpu: none of these CPUs was measured; measured: %s", text);
}

static int choose_threads(const struct picture_options *opts, const struct jitter_data *data,
			  bool **threadsp)
{
	bool *threads, any = false;

	*threadsp = NULL;
	if (!opts->filter.cpus)
		return EXIT_OK;
	threads = calloc(data->thread_count + 1, sizeof(*threads));
	if (!threads) {
		pr_err("%s", strerror(ENOMEM));
		return EXIT_FAILED;
	}
	*threadsp = threads;
	for (size_t i = 0; i < data->thread_count; i++) {
		threads[i] = filter_has_cpu(&opts->filter, data->threads[i].cpu);
		any |= threads[i];
	}
	return any ? EXIT_OK : refuse_cpus(data);
}

/* Texts of the picture, as visible UTF-8. The caller frees them. NULL if out of memory. */
static char *make_title(const struct picture_options *opts, const struct dataset *dataset)
{
	const char *host = evtlog_meta(dataset->file, "host");
	const char *run = evtlog_meta(dataset->file, "run_name");
	char *text, *clean;

	if (opts->show.paper.title)
		return utf8_clean(opts->show.paper.title, strlen(opts->show.paper.title));
	if (asprintf(&text, "OS jitter of %s%s%s", host && *host ? host : "a host",
		     run && *run ? ", " : "", run ? run : "") < 0)
		return NULL;
	clean = utf8_clean(text, strlen(text));
	free(text);
	return clean;
}

static char *make_subtitle(const struct dataset *dataset, const struct jitter_data *data)
{
	const struct evtlog_jitter_summary *summary = evtlog_jitter_summary(dataset->jitter);
	const char *kernel = evtlog_meta(dataset->file, "kernel");
	double window_ns = 0, threshold_ns = 0;
	char *text, *clean;

	for (size_t i = 0; i < data->thread_count; i++) {
		const struct evtlog_jitter_thread *thread = &data->threads[i];

		window_ns = fmax(window_ns, (thread->end_ticks - thread->begin_ticks) *
				 data->ns_per_tick);
		threshold_ns = fmax(threshold_ns, thread->threshold_ticks * data->ns_per_tick);
	}
	if (asprintf(&text, "%s · %zu CPU%s, %.3f s · threshold %.2f µs · %llu samples, %llu interruptions%s",
		     kernel ? kernel : "", data->thread_count,
		     data->thread_count == 1 ? "" : "s", window_ns / 1e9,
		     threshold_ns / NS_PER_US, (unsigned long long)summary->samples,
		     (unsigned long long)summary->interruptions,
		     summary->excluded ? " · some left out: events were lost" : "") < 0)
		return NULL;
	clean = utf8_clean(text, strlen(text));
	free(text);
	return clean;
}

static int draw(const struct picture_options *opts, const struct dataset *dataset,
		const struct jitter_data *data, const struct jitter_choice *choice)
{
	char *title = make_title(opts, dataset), *subtitle = make_subtitle(dataset, data);
	struct jitter_show show = opts->show;
	struct atomic_file output;
	int status;

	show.paper.title = title;
	show.subtitle = subtitle;
	show.choice = *choice;
	status = atomic_file_open(&output, opts->path);
	if (status == EXIT_OK)
		status = atomic_file_close(&output, title && subtitle ?
					   jitter_show(data, &show, output.out) : -ENOMEM);
	free(title);
	free(subtitle);
	return status;
}

static int draw_dataset(const struct picture_options *opts, const struct dataset *dataset)
{
	struct jitter_choice choice = opts->show.choice;
	bool *sources = NULL, *threads = NULL;
	struct jitter_data data;
	int status;

	jitter_data_of(&data, dataset->jitter);
	status = choose_sources(opts, &data, &sources);
	if (status == EXIT_OK)
		status = choose_threads(opts, &data, &threads);
	choice.sources = sources;
	choice.threads = threads;
	if (status == EXIT_OK)
		status = draw(opts, dataset, &data, &choice);
	free(sources);
	free(threads);
	return status;
}

static int picture_args(struct picture_options *opts, char **args, int count)
{
	struct dataset dataset = { 0 };
	int status = check_options(opts, count);

	if (status != EXIT_OK)
		return status;
	status = dataset_open(&dataset, args[0], &opts->dataset);
	/* The picture must not overwrite its input files. */
	if (status == EXIT_OK)
		status = output_check(COMMAND, "--output", opts->path,
				      (char *[]) { dataset.log_path, dataset.samples_path }, 2);
	if (status == EXIT_OK)
		status = draw_dataset(opts, &dataset);
	if (status == EXIT_OK)
		status = finish(dataset_verdict(&dataset));
	dataset_close(&dataset);
	return status;
}

static const struct option_desc table[] = {
	{ 'o', "output", "FILE", "write the picture to FILE: .png, .pdf or .svg; - is a PNG on "
	  "stdout", .kind = VALUE_FILE },
	{ KIND, "kind", "KIND", "draw a histogram (default), a density or a spectrum",
	  .kind = VALUE_WORD, .words = jitter_view_names },
	{ RANGE, "range", "RANGE", "draw only these lengths, or frequencies of a spectrum in Hz: "
	  "1us-100us, 10us-, 50-1250 (default for a spectrum -1250)", .kind = VALUE_TEXT },
	{ LINEAR, "linear", .help = "use a linear x axis (default logarithmic)" },
	{ BANDWIDTH, "bandwidth", "N", "set the bandwidth of a density: microseconds with "
	  "--linear, else decades (default by Silverman's rule)",
	  .kind = VALUE_TEXT, .valid = "a number, such as 0.05" },
	{ FILTER_CPU, "cpu", "LIST", "use only these CPUs: 0,2-3",
	  .kind = VALUE_CPUS, .valid = FILTER_CPUS_LIKE },
	{ FAMILY, "family", "LIST", "use only sources of these families: user,kernel,interrupt",
	  .kind = VALUE_WORDS, .words = family_words,
	  .valid = "some of user,kernel,interrupt,smt,hardware" },
	{ SOURCE, "source", "NAME", "use only this source, named as in evtlog jitter report; can "
	  "be repeated", .kind = VALUE_TEXT, .valid = "at most 64 sources" },
	{ BY, "by", "WHAT", "combine tasks with the same name (name, the default), or keep all "
	  "tasks apart (task)", .kind = VALUE_WORD, .words = dataset_by_words },
	{ SAMPLES, "samples", "FILE", "read the samples from FILE (default logged.samples next "
	  "to the log)", .kind = VALUE_FILE },
	DRAW_SIZE_OPTION("480", "320", "1200x640"),
	OPTION_GROUP(draw_options),
	{ }
};

static const struct options options = {
	.command = COMMAND,
	.usage = "-o FILE [OPTION...] DIRECTORY|LOG",
	.about = "Draw a recording of evtlog jitter run: the lengths of interruptions as the "
		 "program measured them and as the kernel logged them, in one plot; the "
		 "densities of the lengths; or the frequencies of the interruptions.",
	.table = table,
	.notes =
	"Exit status: 0 done, 1 failed, 2 misuse, 4 done, but events were lost.\n"
	"\n"
	"Examples:\n"
	"  evtlog jitter picture -o all.png quiet\n"
	"  evtlog jitter picture -o peak.png --linear --range 11us-13us quiet\n"
	"  evtlog jitter picture -o tasks.png --kind density --family user,kernel quiet\n"
	"  evtlog jitter picture -o beats.pdf --kind spectrum --light quiet\n",
	.operands = VALUE_LOG,
	.take = take_option,
};

static int run(int argc, char **argv)
{
	struct picture_options opts = {
		.show.paper = { .width = CHART_WIDTH, .height = CHART_HEIGHT },
		.dataset = { .to_ns = UINT64_MAX },
	};
	int status;

	filter_all(&opts.filter);
	status = options_take(&options, argc, argv, &opts);
	if (status == OPTIONS_TAKEN)
		status = picture_args(&opts, argv + optind, argc - optind);
	filter_free(&opts.filter);
	return status;
}

const struct evtlog_command jitter_picture = {
	.name = "picture",
	.summary = "draw histograms, densities or a spectrum: PNG, PDF, SVG",
	.run = run,
};
