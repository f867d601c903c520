// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog view: shows logs as a time line in a browser.
 *
 * Stage: a reading command; the server is in tools/view.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <microhttpd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "embedded.h"
#include "say.h"

static void print_help(void)
{
	fputs("Usage: evtlog view [OPTION...] FILE|DIRECTORY...\n\n"
	      "Shows logs as a time line in a browser: serves the page to this machine only, and\n"
	      "prints the address to open.\n\n"
	      "  -h, --help  this text\n\n"
	      "Examples:\n"
	      "  evtlog view node1-1.evl\n"
	      "  evtlog view logs/\n",
	      stdout);
}

static enum MHD_Result answer(void *context, struct MHD_Connection *connection,
			      const char *url, const char *method, const char *version,
			      const char *upload, size_t *upload_bytes, void **request)
{
	const char *bytes = embedded_page, *end = embedded_page_end;
	struct MHD_Response *response;
	enum MHD_Result result;

	if (strcmp(method, "GET"))
		return MHD_NO;
	if (!strcmp(url, "/app.js")) {
		bytes = embedded_script;
		end = embedded_script_end;
	} else if (!strcmp(url, "/app.css")) {
		bytes = embedded_style;
		end = embedded_style_end;
	}
	response = MHD_create_response_from_buffer(end - bytes, (void *)bytes,
						   MHD_RESPMEM_PERSISTENT);
	if (!response)
		return MHD_NO;
	result = MHD_queue_response(connection, MHD_HTTP_OK, response);
	MHD_destroy_response(response);
	return result;
}

static int serve(void)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	struct MHD_Daemon *daemon;
	sigset_t signals;
	int number;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	daemon = MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, answer,
				  NULL, MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_END);
	if (!daemon) {
		say("view: can't listen: %s", strerror(errno));
		return EXIT_FAILED;
	}
	printf("http://127.0.0.1:%u/\n",
	       MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
	fflush(stdout);
	sigwait(&signals, &number);
	MHD_stop_daemon(daemon);
	return finish(EXIT_OK);
}

static int run(int argc, char **argv)
{
	static const struct option options[] = {
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	int option;

	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (option != 'h')
			return misuse("view", "wrong usage");
		print_help();
		return finish(EXIT_OK);
	}
	if (optind == argc)
		return misuse("view", "name a file");
	return serve();
}

const struct evtlog_command command_view = {
	.name = "view",
	.summary = "show logs as a time line in a browser",
	.run = run,
};
