// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads logd.conf: lines "key = value", comments from '#'.
 *
 * A table defines the values of each key.  Settings are not applied here.
 */
#include <ctype.h>
#include <errno.h>
#include <grp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/hostlist.h"
#include "common/say.h"
#include "config.h"
#include "logfile/block.h"

#define BITS_PER_LONG	(8 * sizeof(unsigned long))

enum kind { PATH, NUMBER, NICE, COMPRESS, OCTAL, BOOLEAN, CPUS, HOST, GROUP, PEERS, CHOICE };

static const struct key {
	const char *name;
	enum kind kind;
	size_t offset;
	unsigned int min, max;
	bool fixed;		/* applied only at the start */
} keys[] = {
	{ "directory", PATH, offsetof(struct config, files.directory), 1, 0, false },
	{ "compress", COMPRESS, offsetof(struct config, files.compress), 0, 9, false },
	{ "mlockall", BOOLEAN, offsetof(struct config, mlockall), 0, 0, true },
	{ "nice", NICE, offsetof(struct config, nice), 0, 0, true },
	{ "rt_priority", NUMBER, offsetof(struct config, rt_priority), 0, 99, true },
	{ "cpus", CPUS, offsetof(struct config, cpus), 0, 0, true },
	{ "host", HOST, offsetof(struct config, host), 0, 0, false },
	{ "pid_file", PATH, offsetof(struct config, pid_file), 0, 0, true },
	{ "retry", NUMBER, offsetof(struct config, files.retry_s), 1, 3600, false },
	{ "arm", BOOLEAN, offsetof(struct config, arm), 0, 0, true },
	{ "stop_at_exit", BOOLEAN, offsetof(struct config, stop_at_exit), 0, 0, false },
	{ "file_mode", OCTAL, offsetof(struct config, files.file_mode), 0600, 0666, false },
	{ "group", GROUP, offsetof(struct config, files.group), 0, 0, false },
	{ "min_free_mb", NUMBER, offsetof(struct config, files.min_free_mb), 0, 1u << 30, false },
	{ "cache_mb", NUMBER, offsetof(struct config, files.cache_mb), 0, 1u << 20, false },
	{ "direct", BOOLEAN, offsetof(struct config, files.direct), 0, 0, false },
	{ "sync_peers", PEERS, offsetof(struct config, sync_peers), 0, 0, true },
	{ "sync_rate", NUMBER, offsetof(struct config, sync_rate), 1, 100, true },
	{ "tree_choice", CHOICE, offsetof(struct config, tree_choice), 0, 0, false },
	{ "tree_processes", NUMBER, offsetof(struct config, tree_processes), 0, UINT32_MAX, false },
};

#define KEYS (sizeof(keys) / sizeof(keys[0]))

static void *field(struct config *config, const struct key *key)
{
	return (char *)config + key->offset;
}

static const void *const_field(const struct config *config, const struct key *key)
{
	return (const char *)config + key->offset;
}

void config_set_defaults(struct config *config)
{
	static const struct config defaults = {
		.files = RUNS_SETTINGS, .mlockall = true, .nice = CONFIG_NICE_MIN, .arm = true,
		.sync_rate = 10,
	};

	memcpy(config, &defaults, sizeof(*config));
}

/* A whole string of digits, with no other characters. */
static bool parse_number(const char *text, int base, unsigned int *number)
{
	unsigned long value;
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	value = strtoul(text, &end, base);
	if (errno || *end || value > UINT32_MAX)
		return false;
	*number = value;
	return true;
}

static int set_number(void *to, const struct key *key, const char *value,
		      char *why, size_t why_bytes)
{
	int base = key->kind == OCTAL ? 8 : 10;
	unsigned int number;

	if (!parse_number(value, base, &number) || number < key->min || number > key->max) {
		snprintf(why, why_bytes,
			 base == 8 ? "%s: '%s' is not an octal number from %04o to %04o"
				   : "%s: '%s' is not a number from %u to %u",
			 key->name, value, key->min, key->max);
		return -EINVAL;
	}
	*(unsigned int *)to = number;
	return 0;
}

static int set_nice(int *to, const char *value, char *why, size_t why_bytes)
{
	bool is_negative = *value == '-';
	unsigned int number;

	if (!parse_number(value + is_negative, 10, &number) ||
	    number > (unsigned int)(is_negative ? -CONFIG_NICE_MIN : CONFIG_NICE_MAX)) {
		snprintf(why, why_bytes, "nice: '%s' is not a number from %d to %d",
			 value, CONFIG_NICE_MIN, CONFIG_NICE_MAX);
		return -EINVAL;
	}
	*to = is_negative ? -(int)number : (int)number;
	return 0;
}

static int set_compress(void *to, const struct key *key, const char *value,
			char *why, size_t why_bytes)
{
	if (!strcmp(value, "pack")) {
		*(unsigned int *)to = COMPRESS_PACK;
		return 0;
	}
	if (!set_number(to, key, value, why, why_bytes))
		return 0;
	snprintf(why, why_bytes, "%s: '%s' is neither pack nor a number from %u to %u",
		 key->name, value, key->min, key->max);
	return -EINVAL;
}

static int set_boolean(bool *to, const struct key *key, const char *value,
		       char *why, size_t why_bytes)
{
	static const char *const yes[] = { "yes", "true", "on", "1" };
	static const char *const no[] = { "no", "false", "off", "0" };

	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
		if (!strcmp(value, yes[i])) {
			*to = true;
			return 0;
		}
		if (!strcmp(value, no[i])) {
			*to = false;
			return 0;
		}
	}
	snprintf(why, why_bytes, "%s: '%s' is neither yes nor no", key->name, value);
	return -EINVAL;
}

static int set_path(char *to, const struct key *key, const char *value,
		    char *why, size_t why_bytes)
{
	if (strlen(value) >= PATH_MAX) {
		snprintf(why, why_bytes, "%s: path too long", key->name);
		return -EINVAL;
	}
	if (*value != '/' && (*value || key->min)) {
		snprintf(why, why_bytes, "%s: '%s' is not an absolute path", key->name, value);
		return -EINVAL;
	}
	strcpy(to, value);
	return 0;
}

/* The name becomes a part of file names and of text lines. */
static int set_host(char *to, const char *value, char *why, size_t why_bytes)
{
	size_t length = strlen(value);
	bool good = length < CONFIG_HOST_BYTES && *value != '.';

	for (const char *c = value; *c; c++)
		good = good && (isalnum((unsigned char)*c) || strchr("-_.", *c));
	if (!good) {
		snprintf(why, why_bytes,
			 "host: '%s' is not a name of at most %d letters, digits, '-', '_' and '.'",
			 value, CONFIG_HOST_BYTES - 1);
		return -EINVAL;
	}
	strcpy(to, value);
	return 0;
}

/* A list in the kernel's form: "0-3,5". */
static int set_cpus(unsigned long *to, const char *value, char *why, size_t why_bytes)
{
	unsigned long cpus[CONFIG_CPU_WORDS] = { 0 };
	const char *at = value;

	while (*at) {
		unsigned long first, last;
		char *end;

		if (!isdigit((unsigned char)*at))
			goto bad;
		first = last = strtoul(at, &end, 10);
		if (*end == '-') {
			if (!isdigit((unsigned char)end[1]))
				goto bad;
			last = strtoul(end + 1, &end, 10);
		}
		if (first > last || last >= CONFIG_CPUS_MAX)
			goto bad;
		for (unsigned long cpu = first; cpu <= last; cpu++)
			cpus[cpu / BITS_PER_LONG] |= 1UL << cpu % BITS_PER_LONG;
		if (*end == ',' && end[1])
			end++;
		else if (*end)
			goto bad;
		at = end;
	}
	memcpy(to, cpus, sizeof(cpus));
	return 0;

bad:
	snprintf(why, why_bytes, "cpus: '%s' is not a list such as 0-3,5 of CPUs below %d",
		 value, CONFIG_CPUS_MAX);
	return -EINVAL;
}

/*
 * Only /etc/group is read.  NSS is not used: a directory service may be slow or down when the
 * daemon starts, and a static logd cannot load its modules.
 */
static int set_group(gid_t *to, const char *value, char *why, size_t why_bytes)
{
	struct group *entry;
	unsigned int number;
	FILE *file;

	if (!*value) {
		*to = (gid_t)-1;
		return 0;
	}
	if (parse_number(value, 10, &number) && number != (gid_t)-1) {
		*to = number;
		return 0;
	}
	file = fopen("/etc/group", "re");
	if (file) {
		while ((entry = fgetgrent(file))) {
			if (strcmp(entry->gr_name, value))
				continue;
			*to = entry->gr_gid;
			fclose(file);
			return 0;
		}
		fclose(file);
	}
	snprintf(why, why_bytes, "group: '%s' is neither in /etc/group nor a number", value);
	return -EINVAL;
}

static int set_peers(char *to, const char *value, char *why, size_t why_bytes)
{
	struct hostlist list = { 0 };
	char cause[HOSTLIST_WHY_BYTES];
	int error = hostlist_add(&list, value, cause);

	if (error) {
		snprintf(why, why_bytes, "sync_peers: %s", cause);
	} else if (list.count > CONFIG_PEERS_MAX || strlen(value) >= CONFIG_PEERS_BYTES) {
		snprintf(why, why_bytes, "sync_peers: more than %d hosts: list a few that all hosts can reach, such as neighbours (see logd.conf(5))",
			 CONFIG_PEERS_MAX);
		error = -EINVAL;
	} else {
		strcpy(to, value);
	}
	hostlist_free(&list);
	return error ? -EINVAL : 0;
}

/* The value becomes a line of text. */
static int set_choice(char *to, const char *value, char *why, size_t why_bytes)
{
	for (const char *c = value; *c; c++)
		if (iscntrl((unsigned char)*c)) {
			snprintf(why, why_bytes, "tree_choice: has a control character");
			return -EINVAL;
		}
	if (strlen(value) >= CONFIG_CHOICE_BYTES) {
		snprintf(why, why_bytes, "tree_choice: longer than %d bytes", CONFIG_CHOICE_BYTES - 1);
		return -EINVAL;
	}
	strcpy(to, value);
	return 0;
}

int config_set(struct config *config, const char *name, const char *value,
	       char *why, size_t why_bytes)
{
	for (size_t i = 0; i < KEYS; i++) {
		const struct key *key = &keys[i];
		void *to = field(config, key);

		if (strcmp(key->name, name))
			continue;
		switch (key->kind) {
		case PATH:
			return set_path(to, key, value, why, why_bytes);
		case NUMBER:
		case OCTAL:
			return set_number(to, key, value, why, why_bytes);
		case NICE:
			return set_nice(to, value, why, why_bytes);
		case COMPRESS:
			return set_compress(to, key, value, why, why_bytes);
		case BOOLEAN:
			return set_boolean(to, key, value, why, why_bytes);
		case CPUS:
			return set_cpus(to, value, why, why_bytes);
		case HOST:
			return set_host(to, value, why, why_bytes);
		case GROUP:
			return set_group(to, value, why, why_bytes);
		case PEERS:
			return set_peers(to, value, why, why_bytes);
		case CHOICE:
			return set_choice(to, value, why, why_bytes);
		}
	}
	snprintf(why, why_bytes, "'%s': no such key; logd.conf(5) lists them", name);
	return -ENOENT;
}

static char *trim(char *text)
{
	size_t length;

	while (isspace((unsigned char)*text))
		text++;
	length = strlen(text);
	while (length && isspace((unsigned char)text[length - 1]))
		text[--length] = '\0';
	return text;
}

static int read_line(struct config *config, char *line, char *why, size_t why_bytes)
{
	char *key, *value, *equals;

	line[strcspn(line, "#")] = '\0';
	key = trim(line);
	if (!*key)
		return 0;
	equals = strchr(key, '=');
	if (!equals) {
		snprintf(why, why_bytes, "'%s': expected key = value", key);
		return -EINVAL;
	}
	*equals = '\0';
	key = trim(key);
	value = trim(equals + 1);
	return config_set(config, key, value, why, why_bytes);
}

int config_read(struct config *config, FILE *stream, const char *name)
{
	unsigned int number = 0;
	size_t capacity = 0;
	char *line = NULL;
	int result = 0;

	errno = 0;
	while (getline(&line, &capacity, stream) >= 0) {
		char why[PATH_MAX + 128];

		number++;
		if (read_line(config, line, why, sizeof(why)) < 0) {
			say_error("%s:%u: %s", name, number, why);
			result = -EINVAL;
		}
	}
	if (ferror(stream)) {
		result = errno ? -errno : -EIO;
		say_error("%s: %s", name, strerror(-result));
	}
	free(line);
	return result;
}

int config_load(struct config *config, const char *path)
{
	FILE *stream = fopen(path, "re");
	int result;

	if (!stream)
		return -errno;
	result = config_read(config, stream, path);
	fclose(stream);
	return result;
}

static void print_cpus(const unsigned long *cpus, FILE *stream)
{
	const char *comma = "";
	int first = -1;

	for (int cpu = 0; cpu <= CONFIG_CPUS_MAX; cpu++) {
		bool is_set = cpu < CONFIG_CPUS_MAX &&
			      cpus[cpu / BITS_PER_LONG] >> cpu % BITS_PER_LONG & 1;

		if (is_set && first < 0)
			first = cpu;
		if (is_set || first < 0)
			continue;
		fprintf(stream, first == cpu - 1 ? "%s%d" : "%s%d-%d", comma, first, cpu - 1);
		comma = ",";
		first = -1;
	}
}

void config_print(const struct config *config, FILE *stream)
{
	for (size_t i = 0; i < KEYS; i++) {
		const void *value = const_field(config, &keys[i]);

		fprintf(stream, "%s = ", keys[i].name);
		switch (keys[i].kind) {
		case PATH:
		case HOST:
		case PEERS:
		case CHOICE:
			fputs(value, stream);
			break;
		case NUMBER:
			fprintf(stream, "%u", *(const unsigned int *)value);
			break;
		case NICE:
			fprintf(stream, "%d", *(const int *)value);
			break;
		case COMPRESS:
			if (*(const unsigned int *)value == COMPRESS_PACK)
				fputs("pack", stream);
			else
				fprintf(stream, "%u", *(const unsigned int *)value);
			break;
		case OCTAL:
			fprintf(stream, "%04o", *(const unsigned int *)value);
			break;
		case BOOLEAN:
			fputs(*(const bool *)value ? "yes" : "no", stream);
			break;
		case CPUS:
			print_cpus(value, stream);
			break;
		case GROUP:
			if (*(const gid_t *)value != (gid_t)-1)
				fprintf(stream, "%u", *(const gid_t *)value);
			break;
		}
		fputc('\n', stream);
	}
}

const char *config_fixed_change(const struct config *running, const struct config *wanted)
{
	for (size_t i = 0; i < KEYS; i++) {
		const void *a = const_field(running, &keys[i]);
		const void *b = const_field(wanted, &keys[i]);
		bool same = true;

		if (!keys[i].fixed)
			continue;
		switch (keys[i].kind) {
		case PATH:
		case HOST:
		case PEERS:
		case CHOICE:
			same = !strcmp(a, b);
			break;
		case NICE:
			same = *(const int *)a == *(const int *)b;
			break;
		case NUMBER:
		case COMPRESS:
		case OCTAL:
		case GROUP:
			same = *(const unsigned int *)a == *(const unsigned int *)b;
			break;
		case BOOLEAN:
			same = *(const bool *)a == *(const bool *)b;
			break;
		case CPUS:
			same = !memcmp(a, b, sizeof(running->cpus));
			break;
		}
		if (!same)
			return keys[i].name;
	}
	return NULL;
}

bool config_has_cpus(const struct config *config)
{
	for (size_t i = 0; i < CONFIG_CPU_WORDS; i++)
		if (config->cpus[i])
			return true;
	return false;
}
