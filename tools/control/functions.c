// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the functions that a probe refers to in /proc/kallsyms, and their files in vmlinux.
 *
 * The compiler makes clones of functions (NAME.isra.0, NAME.constprop.0, NAME.part.0), in
 * addition to the function or instead of it.  The kernel takes only exact names, so clones are
 * found here.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functions.h"
#include "lib/base/array.h"

#define SYMBOLS		"/proc/kallsyms"
#define CLONES		".*"
/* Number of names in a message. */
#define NAMED_MAX	4
/* For a function name of the kernel (up to 511 bytes), with module and address. */
#define NAME_BYTES	1024
/* Number of bytes of a name in a message that continues after it. */
#define NAMED_BYTES	64

/*
 * struct place - a parsed probe function
 * @prefix:	text before the colon, @prefix_bytes long: a module, a file or "vmlinux"
 * @name:	@bytes long without ".*"; the first @base bytes are before the first dot
 * @has_address: the name is followed by an address, as the kernel takes it
 * @address:	given instead of a name; 0 if none
 */
struct place {
	const char *prefix, *name;
	size_t prefix_bytes, bytes, base;
	bool with_clones, is_file, is_vmlinux, has_address;
	uint64_t address;
};

size_t control_function_bytes(const char *probe)
{
	return strcspn(probe, "( %+");
}

static void take_apart(struct place *place, const char *probe)
{
	size_t bytes = control_function_bytes(probe), clones = strlen(CLONES);
	const char *colon = memchr(probe, ':', bytes);

	*place = (struct place){ .name = probe, .bytes = bytes };
	if (!strncmp(probe, "0x", 2)) {
		place->address = strtoull(probe, NULL, 16);
		return;
	}
	if (colon) {
		place->prefix = probe;
		place->prefix_bytes = (size_t)(colon - probe);
		place->name = colon + 1;
		place->bytes -= place->prefix_bytes + 1;
		place->is_file = memchr(probe, '.', place->prefix_bytes);
		place->is_vmlinux = place->prefix_bytes == 7 && !strncmp(probe, "vmlinux", 7);
	}
	place->has_address = memchr(place->name, '@', place->bytes);
	place->with_clones = place->bytes > clones &&
			     !strncmp(place->name + place->bytes - clones, CLONES, clones);
	if (place->with_clones)
		place->bytes -= clones;
	place->base = strcspn(place->name, ".@");
	if (place->base > place->bytes)
		place->base = place->bytes;
}

bool control_function_is_plain(const char *probe)
{
	struct place place;

	take_apart(&place, probe);
	return !place.with_clones && !place.is_file && !place.is_vmlinux && !place.address;
}

/* ---- Reading ---- */

static int compare_names(const char *a, size_t a_bytes, const char *b, size_t b_bytes)
{
	int order = memcmp(a, b, a_bytes < b_bytes ? a_bytes : b_bytes);

	return order ? order : (a_bytes > b_bytes) - (a_bytes < b_bytes);
}

static int compare_bases(const void *a, const void *b)
{
	const struct place *one = a, *two = b;

	return compare_names(one->name, one->base, two->name, two->base);
}

/* Length up to the first dot: the clones of a function share this part. */
static size_t base_bytes(const char *name)
{
	return strcspn(name, ".");
}

static int compare_functions(const void *a, const void *b)
{
	const struct control_function *one = a, *two = b;
	int order = compare_names(one->name, base_bytes(one->name), two->name, base_bytes(two->name));

	return order ? order : (one->address > two->address) - (one->address < two->address);
}

/* First function whose base is not less than @name's; with @after, greater than @name's. */
static struct control_function *bound(const struct control_functions *functions, const char *name, size_t base,
				      bool after)
{
	size_t low = 0, high = functions->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const char *its = functions->at[middle].name;
		int order = compare_names(its, base_bytes(its), name, base);

		if (order < 0 || (after && !order))
			low = middle + 1;
		else
			high = middle;
	}
	return functions->at + low;
}

/* Functions with the same base, from @begin up to but without @end. */
struct range {
	struct control_function *begin, *end;
};

static struct range range_of(const struct control_functions *functions, const char *name, size_t base)
{
	return (struct range){ bound(functions, name, base, false), bound(functions, name, base, true) };
}

/* Functions that @place may refer to.  Any function can have the given address. */
static struct range range_of_place(const struct control_functions *functions, const struct place *place)
{
	if (place->address)
		return (struct range){ functions->at, functions->at + functions->count };
	return range_of(functions, place->name, place->base);
}

/* @sorted: places with an address (@addresses of them) first, then by the base of the name */
struct wanted {
	struct place *sorted;
	size_t count, addresses;
};

static bool is_wanted(const struct wanted *wanted, const char *name, uint64_t address)
{
	const struct place key = { .name = name, .base = base_bytes(name) };

	for (size_t i = 0; i < wanted->addresses; i++)
		if (wanted->sorted[i].address == address)
			return true;
	return bsearch(&key, wanted->sorted + wanted->addresses, wanted->count - wanted->addresses,
		       sizeof(key), compare_bases);
}

static int add_function(struct control_functions *functions, const char *name, const char *module,
			uint64_t address)
{
	struct control_function new = { .name = strdup(name), .module = strdup(module), .address = address };

	if (!new.name || !new.module ||
	    array_reserve(&functions->at, &functions->capacity, functions->count, sizeof(new))) {
		free(new.name);
		free(new.module);
		return -ENOMEM;
	}
	functions->at[functions->count++] = new;
	return 0;
}

/* "ADDRESS TYPE NAME\t[MODULE]".  A .cold symbol is a part of a function, reached by jumps. */
static int take_line(struct control_functions *functions, const struct wanted *wanted, char *line,
		     uint64_t *text)
{
	char *at, *name, *module;
	uint64_t address = strtoull(line, &at, 16);

	if (at[0] != ' ' || !at[1] || at[2] != ' ')
		return 0;
	name = at + 3;
	module = name + strcspn(name, "\t\n");
	if (*module == '\t')
		*module++ = '\0';
	else
		*module = '\0';
	if (!strcmp(name, "_text"))
		*text = address;
	if (!strchr("tTwW", at[1]) || strstr(name, ".cold") || !is_wanted(wanted, name, address))
		return 0;
	module += *module == '[';
	module[strcspn(module, "]\n")] = '\0';
	return add_function(functions, name, module, address);
}

static int read_symbols(struct control_functions *functions, const struct wanted *wanted,
			uint64_t *text)
{
	FILE *file = fopen(SYMBOLS, "re");
	size_t room = 0;
	char *line = NULL;
	int error = 0;

	if (!file)
		return -errno;
	while (!error && getline(&line, &room, file) > 0)
		error = take_line(functions, wanted, line, text);
	if (!error && ferror(file))
		error = -EIO;
	free(line);
	fclose(file);
	return error;
}

/* ---- Files ---- */

static bool is_same_base(const char *name, const struct place *place)
{
	return base_bytes(name) == place->base && !strncmp(name, place->name, place->base);
}

/* @text: address of the running kernel; @linked: address of the kernel in vmlinux */
struct sources {
	struct control_functions *functions;
	uint64_t text, linked;
};

static void find_text(void *data, const char *name, const char *source, uint64_t address)
{
	struct sources *sources = data;

	(void)source;
	if (!strcmp(name, "_text"))
		sources->linked = address;
}

static void set_source(void *data, const char *name, const char *source, uint64_t address)
{
	struct sources *sources = data;
	struct range range = range_of(sources->functions, name, base_bytes(name));

	address += sources->text - sources->linked;
	for (struct control_function *f = range.begin; *source && f < range.end; f++) {
		if (f->address != address || f->source || strcmp(f->name, name))
			continue;
		f->source = strdup(source);
		sources->functions->has_sources |= f->source != NULL;
	}
}

static void read_sources(struct control_functions *functions, uint64_t text)
{
	struct sources sources = { .functions = functions, .text = text };
	struct vmlinux file;

	if (!text || vmlinux_open(&file))
		return;
	vmlinux_each_function(&file, find_text, &sources);
	if (sources.linked)
		vmlinux_each_function(&file, set_source, &sources);
	vmlinux_close(&file);
}

/* Returns true if the kernel, or the module of @f, has several functions with this name. */
static bool is_shared(const struct control_functions *functions, const struct control_function *f)
{
	struct range range = range_of(functions, f->name, base_bytes(f->name));

	for (const struct control_function *other = range.begin; other < range.end; other++) {
		if (other != f && !strcmp(other->name, f->name) && !strcmp(other->module, f->module) &&
		    (other->address != f->address || !f->address))
			return true;
	}
	return false;
}

static bool wants_sources(const struct control_functions *functions, const struct wanted *wanted)
{
	for (size_t i = 0; i < wanted->count; i++)
		if (wanted->sorted[i].is_file)
			return true;
	for (size_t i = 0; i < functions->count; i++)
		if (!*functions->at[i].module && is_shared(functions, &functions->at[i]))
			return true;
	return false;
}

static int by_address_first(const void *a, const void *b)
{
	const struct place *one = a, *two = b;

	if (!one->address != !two->address)
		return one->address ? -1 : 1;
	return one->address ? 0 : compare_bases(a, b);
}

int control_functions_read(struct control_functions *functions, char *const *probes, size_t count)
{
	struct wanted wanted = { .sorted = calloc(count + 1, sizeof(*wanted.sorted)), .count = count };
	uint64_t text = 0;
	int error;

	*functions = (struct control_functions){ 0 };
	if (!wanted.sorted)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		take_apart(&wanted.sorted[i], probes[i]);
		wanted.addresses += wanted.sorted[i].address != 0;
	}
	qsort(wanted.sorted, count, sizeof(*wanted.sorted), by_address_first);
	error = read_symbols(functions, &wanted, &text);
	if (functions->count)
		qsort(functions->at, functions->count, sizeof(*functions->at), compare_functions);
	if (!error && wants_sources(functions, &wanted))
		read_sources(functions, text);
	free(wanted.sorted);
	return error;
}

void control_functions_free(struct control_functions *functions)
{
	for (size_t i = 0; i < functions->count; i++) {
		free(functions->at[i].name);
		free(functions->at[i].module);
		free(functions->at[i].source);
	}
	free(functions->at);
	*functions = (struct control_functions){ 0 };
}

/* ---- Resolving a probe ---- */

static bool is_in_place(const struct control_function *f, const struct place *place,
			bool kernel_first)
{
	const char *file = place->prefix;

	if (!place->prefix)
		return !kernel_first || !*f->module;
	if (place->is_vmlinux)
		return !*f->module;
	if (!place->is_file)
		return strlen(f->module) == place->prefix_bytes &&
		       !strncmp(f->module, place->prefix, place->prefix_bytes);
	/* The file names in vmlinux are without directories. */
	for (size_t i = 0; i < place->prefix_bytes; i++)
		if (place->prefix[i] == '/')
			file = place->prefix + i + 1;
	return f->source && strlen(f->source) == (size_t)(place->prefix + place->prefix_bytes - file) &&
	       !strncmp(f->source, file, strlen(f->source));
}

static bool is_meant(const struct control_function *f, const struct place *place,
		     bool kernel_first)
{
	if (place->address)
		return f->address == place->address;
	if (!is_in_place(f, place, kernel_first) || !is_same_base(f->name, place))
		return false;
	return place->with_clones ||
	       (strlen(f->name) == place->bytes && !strncmp(f->name, place->name, place->bytes));
}

/* Prints the name in the kernel's form; the module only if @with_module. */
static void print_name(char *text, size_t size, const struct control_function *f, bool with_module,
		       bool with_address)
{
	bool has_module = with_module && *f->module;
	int bytes = snprintf(text, size, "%s%s%s", has_module ? f->module : "", has_module ? ":" : "",
			     f->name);

	if (with_address && bytes > 0 && (size_t)bytes < size)
		snprintf(text + bytes, size - (size_t)bytes, "@0x%" PRIx64, f->address);
}

/* Prints a list of functions with the base of @place: those that are @meant, or the others. */
static void name_some(const struct control_functions *functions, const struct place *place,
		      bool meant, bool kernel_first, const char *begin, const char *end,
		      char *reason, size_t size)
{
	struct range range = range_of_place(functions, place);
	size_t used = (size_t)snprintf(reason, size, "%s", begin);
	unsigned int named = 0;
	char name[128];

	for (const struct control_function *f = range.begin; f < range.end && used < size; f++) {
		if (!is_same_base(f->name, place) || is_meant(f, place, kernel_first) != meant)
			continue;
		if (named++ == NAMED_MAX) {
			used += (size_t)snprintf(reason + used, size - used, " and others");
			break;
		}
		print_name(name, sizeof(name), f, true, is_shared(functions, f));
		used += (size_t)snprintf(reason + used, size - used, "%s%s%s%s%s", named > 1 ? ", " : " ",
					 name, f->source ? " (" : "", f->source ? f->source : "",
					 f->source ? ")" : "");
	}
	if (used < size)
		snprintf(reason + used, size - used, "%s", end);
}

static int shown_bytes(size_t bytes)
{
	return bytes < NAMED_BYTES ? (int)bytes : NAMED_BYTES;
}

static int refuse_unknown(const struct control_functions *functions, const struct place *place,
			  bool has_clones, char *reason, size_t size)
{
	char begin[192];

	if (has_clones) {
		snprintf(begin, sizeof(begin), "there is no function %.*s%s%.*s; there are",
			 shown_bytes(place->bytes), place->name, place->prefix ? " in " : "",
			 shown_bytes(place->prefix_bytes), place->prefix ? place->prefix : "");
		name_some(functions, place, false, false, begin, "", reason, size);
	} else if (place->address) {
		snprintf(reason, size, "no function begins at 0x%" PRIx64, place->address);
	} else {
		snprintf(reason, size, "there is no function %.*s in %.*s", (int)place->bytes, place->name,
			 (int)place->prefix_bytes, place->prefix);
	}
	return -ENOENT;
}

static int refuse_shared(const struct control_functions *functions, const struct place *place,
			 bool kernel_first, char *reason, size_t size)
{
	char begin[192];

	snprintf(begin, sizeof(begin), "%.*s is the name of several functions; use FILE:%.*s or one of",
		 shown_bytes(place->bytes), place->name, shown_bytes(place->bytes), place->name);
	name_some(functions, place, true, kernel_first, begin, "", reason, size);
	return -ENOTUNIQ;
}

struct found {
	size_t meant, clones, hidden;
	const char *clone;
	bool kernel_first;
};

static void look(const struct control_functions *functions, const struct place *place,
		 struct found *found)
{
	struct range range = range_of_place(functions, place);

	*found = (struct found){ 0 };
	for (const struct control_function *f = range.begin; f < range.end; f++)
		found->kernel_first |= !*f->module && is_same_base(f->name, place) && !place->prefix;
	for (const struct control_function *f = range.begin; f < range.end; f++) {
		if (is_meant(f, place, found->kernel_first)) {
			found->meant++;
			found->hidden += !f->address;
		} else if (is_same_base(f->name, place) && strlen(f->name) > place->base &&
			   (!place->prefix || place->is_file || is_in_place(f, place, false))) {
			found->clones++;
			found->clone = f->name;
		}
	}
}

int control_functions_expand(const struct control_functions *functions, const char *probe,
			     control_function_visit *visit, void *data, const char **clone,
			     char *reason, size_t size)
{
	char name[NAME_BYTES];
	struct place place;
	struct range range;
	struct found found;
	int error = 0;

	*clone = NULL;
	if (control_function_bytes(probe) >= sizeof(name)) {
		snprintf(reason, size, "%.*s...: no function has such a long name", NAMED_BYTES, probe);
		return -ENOENT;
	}
	take_apart(&place, probe);
	look(functions, &place, &found);
	if (!place.bytes || place.has_address || (!found.meant && !found.clones && !place.is_file && !place.is_vmlinux &&
				  !place.address && !place.with_clones)) {
		const char *begin = place.is_vmlinux ? place.name : probe;

		snprintf(name, sizeof(name), "%.*s", (int)control_function_bytes(begin), begin);
		return visit(data, name);
	}
	if (place.is_file && !functions->has_sources) {
		snprintf(reason, size, "%.*s: FILE needs this kernel's vmlinux with symbols, such as in /usr/lib/debug/boot; without it, use an address",
			 (int)control_function_bytes(probe), probe);
		return -ENOENT;
	}
	if (!found.meant)
		return refuse_unknown(functions, &place, found.clones, reason, size);
	if (found.meant > 1 && !place.with_clones && !place.address)
		return refuse_shared(functions, &place, found.kernel_first, reason, size);
	if (found.meant == 1 && !place.with_clones && place.bytes == place.base)
		*clone = found.clone;
	range = range_of_place(functions, &place);
	for (const struct control_function *f = range.begin; !error && f < range.end; f++) {
		/* For an address, other functions of the same name are not in the list. */
		bool with_address = place.address || is_shared(functions, f);

		if (!is_meant(f, &place, found.kernel_first))
			continue;
		if (with_address && found.hidden) {
			snprintf(reason, size, "%s: " SYMBOLS " shows no addresses: CAP_SYSLOG is needed",
				 f->name);
			return -EPERM;
		}
		print_name(name, sizeof(name), f, place.prefix || place.address, with_address);
		error = visit(data, name);
		/* An address may have two names, but it is one function. */
		if (place.address)
			break;
	}
	return error;
}
