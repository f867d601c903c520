// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog path: probes at the stations of packets' ways, and what they recorded.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "common/number.h"
#include "common/options.h"
#include "input/event-filter.h"
#include "input/open-log.h"
#include "path/path.h"
#include "print/event.h"

/*
 * @bytes, @offsets, @only_show: of `add`
 */
struct request {
	struct path_options path;
	struct filter times;
	uint32_t bytes;
	const char *offsets;
	bool only_show;
	bool for_add;
	bool for_logs;
	bool has_csv, has_json;
};

enum {
	PCAPNG = 256, PROTOCOL, ADDRESS, PORT, BYTES, OFFSETS, SHOW, CSV,
	ASSUME_NTP, RUN, PACKETS,
};

/* In the order of PATH_UDP, PATH_TCP and PATH_ICMP. */
static const char *const protocols[] = { "udp", "tcp", "icmp", NULL };

/* 10.0.0.1, 10.0.0.0/8, fd00::1 or fd00::/8 */
static int parse_address(struct path_filter *filter, const char *text)
{
	static const uint8_t ip4[12] = { [10] = 255, [11] = 255 };
	char copy[INET6_ADDRSTRLEN + 4], *slash;
	uint32_t most = 128, bits;

	if (strlen(text) >= sizeof(copy))
		return -EINVAL;
	strcpy(copy, text);
	slash = strchr(copy, '/');
	if (slash)
		*slash++ = '\0';
	if (inet_pton(AF_INET, copy, filter->address + sizeof(ip4)) == 1) {
		memcpy(filter->address, ip4, sizeof(ip4));
		most = 32;
	} else if (inet_pton(AF_INET6, copy, filter->address) != 1) {
		return -EINVAL;
	}
	bits = most;
	if (slash && number_parse_u32(&bits, slash, 1, most))
		return -EINVAL;
	filter->bits = 128 - most + bits;
	return 0;
}

static int parse_port(struct path_filter *filter, const char *text)
{
	uint32_t port;
	int error = number_parse_u32(&port, text, 1, 65535);

	if (!error)
		filter->port = port;
	return error;
}

/* Takes a list, and cuts it. */
static int parse_protocols(struct path_filter *filter, char *text)
{
	char *name;

	while ((name = strsep(&text, ","))) {
		int number = options_word(protocols, name);

		if (number < 0)
			return number;
		filter->protocols |= 1u << number;
	}
	return 0;
}

static int take_add_option(struct request *request, int option, char *value)
{
	request->for_add = true;
	switch (option) {
	case BYTES:
		return number_parse_u32(&request->bytes, value, PATH_BYTES_LEAST, PATH_BYTES_MAX);
	case OFFSETS:
		request->offsets = value;
		return 0;
	default:
		request->only_show = true;
		return 0;
	}
}

static int take_option(void *context, int option, char *value)
{
	struct request *request = context;
	struct path_options *path = &request->path;

	if (option == BYTES || option == OFFSETS || option == SHOW)
		return take_add_option(request, option, value);
	request->for_logs = true;
	switch (option) {
	case PACKETS:
		path->with_packets = true;
		return value ? show_parse_limit(&path->limit, value) : 0;
	case 'j':
		path->form = PATH_JSON;
		request->has_json = true;
		return 0;
	case CSV:
		path->form = PATH_CSV;
		request->has_csv = true;
		return 0;
	case PCAPNG:
		path->pcapng = value;
		return 0;
	case PROTOCOL:
		return parse_protocols(&path->filter, value);
	case ADDRESS:
		return parse_address(&path->filter, value);
	case PORT:
		return parse_port(&path->filter, value);
	case ASSUME_NTP:
		path->clocks.options.assume_ntp = true;
		return 0;
	case RUN:
		log_set_choose(&path->clocks, value);
		return 0;
	default:
		return filter_option(&request->times, option, value);
	}
}

static const struct option_desc table[] = {
	{ PACKETS, "packets", "[N]", "also print the stations of each packet, or of at most N "
	  "packets; sums are over all packets", .kind = VALUE_TEXT, .valid = SHOW_LIMIT_LIKE },
	{ PROTOCOL, "protocol", "LIST", "use only packets of these protocols: udp,tcp,icmp",
	  .kind = VALUE_WORDS, .words = protocols, .valid = "some of udp,tcp,icmp" },
	{ ADDRESS, "address", "ADDRESS", "use only packets from or to this address or network: "
	  "10.1.0.0/16, fd00::/64", .kind = VALUE_TEXT, .valid = "an address such as 10.0.0.1, "
	  "10.1.0.0/16 or fd00::1" },
	{ PORT, "port", "PORT", "use only packets from or to this port", .kind = VALUE_TEXT,
	  .valid = "a number from 1 to 65535" },
	OPTION_GROUP(filter_time_options),
	{ RUN, "run", "NAME", "with several hosts: read only files of this run; '*': as for "
	  "evtlog dump", .kind = VALUE_TEXT },
	{ ASSUME_NTP, "assume-ntp", .help = "with several hosts: as for evtlog dump" },
	{ PCAPNG, "pcapng", "FILE", "write the packets to FILE for Wireshark, tshark and tcpdump; "
	  "- is stdout, and nothing else is printed", .kind = VALUE_FILE },
	{ CSV, "csv", .help = "print comma-separated values, a line per packet and station" },
	{ 'j', "json", .help = "print a JSON object" },
	{ BYTES, "bytes", "N", "add: record N bytes of each packet (default 88)",
	  .kind = VALUE_TEXT, .valid = "a number from 64 to 2048" },
	{ OFFSETS, "offsets", "FILE", "add: read the offsets of structure members from FILE, which "
	  "kernel-patches/scripts/offsets wrote; for a kernel without BTF",
	  .kind = VALUE_FILE },
	{ SHOW, "show", .help = "add: print the probes instead of inserting them" },
	{ }
};

static const struct options options = {
	.command = "path",
	.usage = "[OPTION...] FILE|DIRECTORY...\nadd [OPTION...] PROTOCOL...\ndel",
	.about = "Show the paths of packets through the kernels of sender and receiver: when each "
		 "packet was at each station, where it waited, and where and why it was dropped. "
		 "First insert probes with evtlog path add udp and record a run, on all hosts.",
	.table = table,
	.notes =
	"PROTOCOL is udp, tcp or icmp (echo requests and replies), with IPv4 and IPv6.\n"
	"evtlog path del deletes the probes.\n"
	"\n"
	"Exit status: 0 success; 1 failure; 2 misuse; 4 done, but events were lost.\n"
	"\n"
	"Examples:\n"
	"  evtlog path add udp && evtlog record -- iperf -u -c node2; evtlog path del\n"
	"  evtlog path --protocol udp node1-1.evl\n"
	"  evtlog path --port 5001 --packets=10 node1-1.evl node2-1.evl\n"
	"  evtlog path --pcapng way.pcapng logs/ && tshark -r way.pcapng\n",
	.operands = VALUE_LOG,
	.take = take_option,
};

static int add(const struct request *request, char **words, int count)
{
	unsigned int wanted = 0;

	if (request->for_logs)
		return misuse("path", "add takes --bytes, --offsets and --show only");
	if (!count)
		return misuse("path", "add: no protocol is given; give udp, tcp, icmp, or several of them");
	for (int i = 0; i < count; i++) {
		int number = options_word(protocols, words[i]);

		if (number < 0)
			return misuse("path", "add: %s: no such protocol; give udp, tcp or icmp", words[i]);
		wanted |= 1u << number;
	}
	return finish(path_probes_add(wanted, request->bytes, request->offsets,
				      request->only_show));
}

static int show(struct request *request, char **args, int count)
{
	size_t paths_count;
	char **paths;
	int status;

	if (request->for_add)
		return misuse("path", "--bytes, --offsets and --show are for add");
	if (request->times.from_ns >= request->times.to_ns)
		return misuse("path", "--from is not before --to");
	if (request->has_csv && request->has_json)
		return misuse("path", "--csv and --json exclude each other");
	request->path.from_ns = request->times.from_ns;
	request->path.to_ns = request->times.to_ns;
	status = paths_expand(args, count, &paths, &paths_count);
	if (status != EXIT_OK)
		return status;
	status = path_show(&request->path, paths, paths_count);
	paths_free(paths, paths_count);
	return status;
}

static int run(int argc, char **argv)
{
	struct request request = {
		.path = { .limit = UINT64_MAX, .clocks.chooses = true },
		.bytes = PATH_BYTES_DEFAULT,
	};
	int result;

	filter_all(&request.times);
	result = options_take(&options, argc, argv, &request);
	argv += optind;
	argc -= optind;
	if (result != OPTIONS_TAKEN)
		;
	else if (!argc)
		result = misuse("path", "name a file, or give add or del");
	else if (!strcmp(*argv, "add"))
		result = add(&request, argv + 1, argc - 1);
	else if (strcmp(*argv, "del"))
		result = show(&request, argv, argc);
	else if (argc > 1 || request.for_add || request.for_logs)
		result = misuse("path", "del takes no arguments: it deletes all probes of path");
	else
		result = finish(path_probes_delete());
	filter_free(&request.times);
	return result;
}

const struct evtlog_command command_path = {
	.name = "path",
	.summary = "follow packets through the kernels of the hosts",
	.run = run,
};
