// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Inserts the stations' probes into the running kernel, and deletes them.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "control/control.h"
#include "control/probes.h"
#include "path.h"
#include "stations.h"

#define SYMBOLS		"/proc/kallsyms"
#define NAME_MAX_BYTES	128

/* ---- Names ---- */

/* True for the function and its constprop clone, which has the other arguments in place. */
static bool is_it(const char *symbol, const char *function)
{
	size_t length = strlen(function);

	return *symbol == *function && !strncmp(symbol, function, length) &&
	       (!symbol[length] || (!strncmp(symbol + length, ".constprop.", 11) &&
				    !strchr(symbol + length + 11, '.')));
}

/*
 * Finds the compiler's name for each station's function, the last one if there are several; empty
 * if this kernel has none. The kernel makes the list anew for each reader, so it is read once.
 */
static int find_symbols(char names[PATH_STATIONS][NAME_MAX_BYTES])
{
	FILE *file = fopen(SYMBOLS, "re");
	char line[512], *symbol;
	int error;

	if (!file)
		return -errno;
	for (enum path_station i = 0; i < PATH_STATIONS; i++)
		names[i][0] = 0;
	while (fgets(line, sizeof(line), file)) {
		/* ADDRESS TYPE NAME, then a tab and the module */
		symbol = strchr(line, ' ');
		if (!symbol || !symbol[1] || symbol[2] != ' ')
			continue;
		symbol += 3;
		symbol[strcspn(symbol, "\t\n")] = 0;
		for (enum path_station i = 0; i < PATH_STATIONS; i++)
			if (is_it(symbol, path_stations[i].function))
				snprintf(names[i], sizeof(names[i]), "%s", symbol);
	}
	error = ferror(file) ? -EIO : 0;
	fclose(file);
	return error;
}

/* ---- Adding ---- */

static int get_offsets(struct path_offsets *offsets, const char *path)
{
	int error = path ? path_offsets_of_file(offsets, path) :
			   path_offsets_of_btf(offsets, PATH_BTF);

	if (!error)
		return EXIT_OK;
	if (path && error == -ESRCH)
		pr_err("%s: has no number for sk_buff.len, sk_buff.data_len, sk_buff.data or tcp_sock.write_seq; kernel-patches/scripts/offsets writes them",
		       path);
	else if (path)
		pr_err("%s: %s", path, strerror(-error));
	else if (error == -ENOENT)
		pr_err(PATH_BTF ": this kernel has no BTF, which contains the offsets of structure members; boot one with CONFIG_DEBUG_INFO_BTF, or give --offsets");
	else
		pr_err(PATH_BTF ": %s; give --offsets", error == -ESRCH ? "no struct sk_buff in it" :
		       error == -EBADMSG ? "it is damaged" : strerror(-error));
	return EXIT_FAILED;
}

static bool is_there(const struct control_probes *probes, const char *spec)
{
	for (size_t i = 0; i < probes->count; i++)
		if (!strcmp(probes->at[i].spec, spec))
			return true;
	return false;
}

/*
 * @symbol: the function's name in this kernel, or empty. *@probe is NULL if this kernel does not
 * have the station.
 */
static int make_probe(enum path_station station, const char *symbol,
		      const struct path_offsets *offsets, unsigned int bytes, char **probe)
{
	const struct path_station_kind *kind = &path_stations[station];

	*probe = NULL;
	if (!*symbol && kind->is_ip6)
		return EXIT_OK;
	if (!*symbol || !(kind->is_static || kind->is_ip6))
		symbol = kind->function;
	*probe = path_probe(station, symbol, offsets, bytes);
	if (*probe)
		return EXIT_OK;
	pr_err("path: %s", strerror(ENOMEM));
	return EXIT_FAILED;
}

/* Inserts those of @texts that do not exist yet; all or none. */
static int insert(char **texts, size_t count)
{
	char *words[PATH_STATIONS];
	struct control_probes probes;
	size_t wanted = 0;
	int error = control_probes_read(&probes);

	if (error) {
		control_say_failed("probes", error);
		return EXIT_FAILED;
	}
	for (size_t i = 0; i < count; i++)
		if (!is_there(&probes, texts[i]))
			words[wanted++] = texts[i];
	control_probes_free(&probes);
	if (!wanted)
		return EXIT_OK;
	error = control_probes_order('+', words, wanted);
	if (error)
		control_say_refused("probes", "probes", error);
	return error ? EXIT_FAILED : EXIT_OK;
}

int path_probes_add(unsigned int protocols, unsigned int bytes, const char *offsets_file,
		    bool only_show)
{
	char symbols[PATH_STATIONS][NAME_MAX_BYTES];
	struct path_offsets offsets;
	char *texts[PATH_STATIONS];
	size_t count = 0;
	int status = get_offsets(&offsets, offsets_file);
	int error = status == EXIT_OK ? find_symbols(symbols) : 0;

	if (error) {
		pr_err(SYMBOLS ": %s", strerror(-error));
		return EXIT_FAILED;
	}
	for (enum path_station i = 0; i < PATH_STATIONS && status == EXIT_OK; i++) {
		if (!(path_stations[i].protocols & protocols))
			continue;
		if (i == PATH_TCP_SENDMSG && !offsets.write_seq) {
			pr_warn(PATH_BTF ": no struct tcp_sock in it: %s is left out; give --offsets",
				path_stations[i].function);
			continue;
		}
		status = make_probe(i, symbols[i], &offsets, bytes, &texts[count]);
		if (status == EXIT_OK && texts[count])
			count++;
	}
	if (status == EXIT_OK && !only_show)
		status = insert(texts, count);
	for (size_t i = 0; i < count; i++) {
		if (status == EXIT_OK && only_show)
			puts(texts[i]);
		free(texts[i]);
	}
	return status;
}

/* ---- Deleting ---- */

/* Returns true if the arguments of the probe begin as those of path_probe(). */
static bool is_ours(const struct control_probe *probe)
{
	for (enum path_station i = 0; i < PATH_STATIONS; i++) {
		const struct path_station_kind *kind = &path_stations[i];
		char arguments[64];

		if (!is_it(probe->name, kind->function))
			continue;
		/* Up to the first offset. */
		snprintf(arguments, sizeof(arguments), "(%s%.*s", kind->skb ? "skb=" : "",
			 (int)strcspn(kind->skb ? kind->skb : kind->more, "%"),
			 kind->skb ? kind->skb : kind->more);
		if (!strncmp(probe->spec + strlen(probe->name), arguments, strlen(arguments)))
			return true;
	}
	return false;
}

int path_probes_delete(void)
{
	char *words[PATH_STATIONS];
	struct control_probes probes;
	size_t count = 0;
	int error = control_probes_read(&probes), status = EXIT_OK;

	if (error) {
		control_say_failed("probes", error);
		return EXIT_FAILED;
	}
	for (size_t i = 0; i < probes.count && count < PATH_STATIONS; i++)
		if (is_ours(&probes.at[i]))
			words[count++] = (char *)probes.at[i].name;
	if (count) {
		error = control_probes_order('-', words, count);
		if (error) {
			control_say_refused("probes", "probes", error);
			status = EXIT_FAILED;
		}
	}
	control_probes_free(&probes);
	return status;
}
