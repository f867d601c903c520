// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog view: shows logs as a time line in a browser.
 *
 * The server is in tools/view.
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/atomic-file.h"
#include "common/command.h"
#include "common/error.h"
#include "common/number.h"
#include "common/options.h"
#include "input/open-log.h"
#include "view/http/server.h"
#include "view/picture/picture.h"
#include "view/session/counters.h"
#include "view/session/session.h"

/* That people forward to a unix socket, if they do not say which. */
#define FORWARDED_PORT	8765

/*
 * @png:	file of a picture, instead of a server
 * @served, @drawn: an option that makes sense for a server, or a picture, only
 */
struct view_options {
	struct session_options session;
	struct filter filter;
	const char *unix_path;
	uint32_t port;
	bool opens;
	const char *png;
	struct picture_options picture;
	const char *served;
	const char *drawn;
};

static int parse_port(uint32_t *port, const char *text)
{
	return number_parse_u32(port, text, 0, 65535);
}

/* "8080", "127.0.0.1:8080", "unix:PATH" or "unix:PATH,8080". Cuts @text after the path. */
static int parse_listen(struct view_options *opts, char *text)
{
	static const char local[] = "127.0.0.1:", socket[] = "unix:";
	char *comma;

	if (strncmp(text, socket, strlen(socket)))
		return parse_port(&opts->port, strncmp(text, local, strlen(local)) ? text :
						       text + strlen(local));
	opts->unix_path = text + strlen(socket);
	comma = strrchr(text, ',');
	if (comma && parse_port(&opts->port, comma + 1))
		return -EINVAL;
	if (comma)
		*comma = '\0';
	return *opts->unix_path ? 0 : -EINVAL;
}

/* Takes names of counters, and the word per-cpu. Cuts @text. */
static int parse_counters(struct picture_options *picture, char *text)
{
	char *name;

	while ((name = strsep(&text, ","))) {
		if (!strcmp(name, "per-cpu")) {
			picture->per_cpu = true;
			continue;
		}
		if (options_words(track_names, name, &picture->tracks))
			return -EINVAL;
	}
	return 0;
}

/* What to do at the other end of a socket. */
static void print_forwarding(const char *path, unsigned int port)
{
	char host[256] = "HOST", *whole = realpath(path, NULL);

	if (gethostname(host, sizeof(host) - 1))
		strcpy(host, "HOST");
	pr_info("on the browser's host, forward the socket, then open the address: ssh -L %u:%s %s",
	       port, whole ? whole : path, host);
	free(whole);
}

/* A large index is mapped, and somebody made its file shorter. */
static void end_by_bus_error(int number)
{
	static const char text[] =
		"evtlog: view: an index was truncated while it was read: start evtlog view again\n";
	ssize_t put = write(STDERR_FILENO, text, strlen(text));

	(void)number;
	(void)put;
	_exit(EXIT_FAILED);
}

/* free() it; NULL: there is no memory. */
static char *address_of(const struct server *server, const struct view_options *opts,
			unsigned int port, const char *span)
{
	const struct picture_options *picture = &opts->picture;
	char *tracks = tracks_text(picture->tracks), *address;
	int length = -1;

	if (tracks)
		length = asprintf(&address, "http://%s:%u/#token=%s%s%s%s%s",
				  opts->unix_path ? "localhost" : "127.0.0.1", port,
				  server->auth.token, span, picture->tracks ? "&tracks=" : "",
				  tracks, picture->per_cpu ? ",per-cpu" : "");
	free(tracks);
	return length < 0 ? NULL : address;
}

static int serve(struct server *server, struct session *session, const struct view_options *opts)
{
	unsigned int port = server->listening.port;
	struct browser browser = { 0 };
	sigset_t signals;
	char *address, span[64] = "";
	int status, number;

	if (opts->unix_path)
		port = opts->port ? opts->port : FORWARDED_PORT;
	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGBUS, end_by_bus_error);
	status = server_start(server, session, port);
	if (status != EXIT_OK)
		return status;
	if (opts->picture.from_ns || opts->picture.to_ns != UINT64_MAX)
		snprintf(span, sizeof(span), "&from=%" PRIu64 "&to=%" PRIu64,
			 opts->picture.from_ns,
			 opts->picture.to_ns < (uint64_t)session->length_ns ?
			 opts->picture.to_ns : (uint64_t)session->length_ns);
	address = address_of(server, opts, port, span);
	if (!address) {
		pr_err("%s", strerror(ENOMEM));
		server_stop(server);
		return EXIT_FAILED;
	}
	if (opts->unix_path)
		print_forwarding(opts->unix_path, port);
	puts(address);
	status = finish(EXIT_OK);
	if (status == EXIT_OK && opts->opens)
		browser_open(&browser, address);
	explicit_bzero(address, strlen(address));
	free(address);
	if (status == EXIT_OK)
		sigwait(&signals, &number);
	browser_close(&browser);
	server_stop(server);
	return status;
}

/* Report a port that is in use before building an index for minutes. */
static int view_paths(char **paths, size_t count, const struct view_options *opts)
{
	static struct server server;
	struct session *session = NULL;
	int status = EXIT_OK;

	server.listening.sockets[0] = server.listening.sockets[1] = -1;
	if (!opts->unix_path)
		status = listen_local(&server.listening, opts->port);
	if (status == EXIT_OK)
		status = session_open(&session, paths, count, &opts->session);
	if (status == EXIT_OK && opts->unix_path)
		status = listen_unix(&server.listening, opts->unix_path);
	if (status == EXIT_OK)
		status = serve(&server, session, opts);
	listen_close(&server.listening);
	session_close(session);
	return status;
}

static int draw_paths(char **paths, size_t count, const struct view_options *opts)
{
	struct session *session = NULL;
	int status = output_check("view", "--png", opts->png, paths, count);
	enum draw_format format;

	/* Lanes are drawn pixel by pixel. */
	if (status == EXIT_OK && !draw_format_of(&format, opts->png) && format != DRAW_PNG)
		return misuse("view", "--png: %s: the time line is drawn as PNG only: give a name that ends in .png",
			      opts->png);
	if (status == EXIT_OK)
		status = session_open(&session, paths, count, &opts->session);
	if (status == EXIT_OK)
		status = picture_write(session, &opts->picture, opts->png);
	if (status == EXIT_OK)
		status = session_verdict(session);
	session_close(session);
	return status;
}

static int view_args(char **args, int count, const struct view_options *opts)
{
	size_t paths_count;
	char **paths;
	int status;

	status = session_paths("view", "viewed", args, count, &paths, &paths_count);
	if (status != EXIT_OK)
		return status;
	if (opts->png)
		status = draw_paths(paths, paths_count, opts);
	else
		status = view_paths(paths, paths_count, opts);
	paths_free(paths, paths_count);
	return status;
}

enum { LISTEN = 256, OPEN, PNG, COUNTERS_SHOWN };

/* How a value may start, for the completion. */
static const char *const listen_words[] = { "127.0.0.1:", "unix:", NULL };

/* track_names, and that each CPU has its own tracks */
static const char *const counter_words[] = {
	"runnable", "switches", "migrations", "forks", "exits", "per-cpu", NULL
};

static const struct option_desc table[] = {
	OPTION_GROUP(session_option_table),
	{ LISTEN, "listen", "WHERE", "serve at this port of 127.0.0.1: 8080 (default any free "
	  "port); or at unix:PATH, a socket for ssh -L; unix:PATH,8080 has the port of the other "
	  "end", .kind = VALUE_WORD, .words = listen_words,
	  .valid = "a port from 0 to 65535, unix:PATH or unix:PATH,PORT" },
	{ OPEN, "open", .help = "open the page in the desktop's browser" },
	{ PNG, "png", "FILE", "draw a picture to FILE instead of serving a page; - is stdout",
	  .kind = VALUE_FILE },
	{ COUNTERS_SHOWN, "counters", "LIST", "show counters of each host over time: runnable "
	  "(tasks that run or wait for a CPU), switches, migrations, forks, "
	  "exits; per-cpu: of each CPU", .kind = VALUE_WORDS, .words = counter_words },
	DRAW_SIZE_OPTION("480", "160", "1600, as high as the lanes need"),
	OPTION_GROUP(draw_options),
	{ }
};

static int take_option(void *context, int option, char *text)
{
	static const struct draw_paper least = {
		.width = PICTURE_WIDTH_MIN, .height = PICTURE_HEIGHT_MIN,
	};
	struct view_options *opts = context;

	if (option == LISTEN || option == OPEN)
		opts->served = options_name(table, option);
	switch (option) {
	case LISTEN:
		return parse_listen(opts, text);
	case OPEN:
		opts->opens = true;
		return 0;
	case PNG:
		opts->png = text;
		return 0;
	case COUNTERS_SHOWN:
		return parse_counters(&opts->picture, text);
	case DRAW_OPTION_SIZE ... DRAW_OPTION_TITLE:
		opts->drawn = options_name(table, option);
		return draw_option(&opts->picture.paper, &least, option, text);
	default:
		return session_option(&opts->session, &opts->filter, option, text);
	}
}

static int check_options(const struct view_options *opts)
{
	if (opts->png && opts->served)
		return misuse("view", "--%s is for the server, and --png starts none: leave out one of them",
			      opts->served);
	if (!opts->png && opts->drawn)
		return misuse("view", "--%s is for pictures: also give --png FILE", opts->drawn);
	if (opts->picture.per_cpu && !opts->picture.tracks)
		return misuse("view", "--counters per-cpu: also name a counter");
	if (opts->picture.from_ns >= opts->picture.to_ns)
		return misuse("view", "--from is not before --to");
	return EXIT_OK;
}

static const struct options options = {
	.command = "view",
	.usage = "[OPTION...] FILE|DIRECTORY...",
	.about = "Show logs as a timeline in a browser. The command serves a page to this machine "
		 "only, and prints the address to open. The address contains a secret. The command "
		 "stores an index next to each log. Ctrl-C ends it.",
	.table = table,
	.notes =
	"Examples:\n"
	"  evtlog view node1-1.evl\n"
	"  evtlog view --png run.png --light --from 1s --to 1.2s node*.evl\n"
	"  evtlog view --host 'node[1-4]' --cpu 0-7 logs/\n"
	"  evtlog view --listen unix:$XDG_RUNTIME_DIR/evtlog.sock logs/\n"
	"  ssh -L 8765:/run/user/1000/evtlog.sock login1\n",
	.operands = VALUE_LOG,
	.take = take_option,
};

static int run(int argc, char **argv)
{
	struct view_options opts = { .session.command = "view" };
	int result;

	filter_all(&opts.filter);
	picture_options_init(&opts.picture);
	result = options_take(&options, argc, argv, &opts);
	if (result != OPTIONS_TAKEN)
		goto out;
	opts.picture.from_ns = opts.filter.from_ns;
	opts.picture.to_ns = opts.filter.to_ns;
	result = check_options(&opts);
	if (result == EXIT_OK)
		result = view_args(argv + optind, argc - optind, &opts);
out:
	host_filter_free(&opts.session.hosts);
	filter_free(&opts.filter);
	return result;
}

const struct evtlog_command command_view = {
	.name = "view",
	.summary = "show a timeline in a browser, or draw a picture",
	.run = run,
};
