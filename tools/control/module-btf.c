// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the module that has a function, and the function's prototype, in the BTF of modules.
 *
 * Called by module-names.c.  Says nothing: what is not found here the kernel may know.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "btf.h"
#include "file.h"
#include "module-btf.h"

/* The kernel's, of the directory asked for last: it has megabytes, and probes come by hundreds. */
static struct {
	char *directory, *bytes;
	struct btf *btf;
} kernel;

static int read_btf(const char *directory, const char *name, const struct btf *base, char **bytes,
		    struct btf **btf)
{
	char *path;
	size_t length;
	int fd, error;

	if (asprintf(&path, "%s/%s", directory, name) < 0)
		return -ENOMEM;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	error = fd < 0 ? -errno : control_file_read(fd, bytes, &length);
	if (fd >= 0)
		close(fd);
	free(path);
	if (error)
		return error;
	error = btf_read(*bytes, length, base, btf);
	if (error) {
		free(*bytes);
		*bytes = NULL;
	}
	return error;
}

static const struct btf_type *prototype_of(const struct btf *btf, const struct piece *function)
{
	uint32_t id = btf_find(btf, BTF_KIND_FUNC, function->at, function->length, 0);
	const struct btf_type *type = id ? btf_type(btf, id) : NULL;

	type = type ? btf_type(btf, type->type) : NULL;
	return type && BTF_INFO_KIND(type->info) == BTF_KIND_FUNC_PROTO ? type : NULL;
}

void module_btf_free(struct module_btf *names)
{
	btf_free(names->btf);
	free(names->bytes);
	names->btf = NULL;
	names->bytes = NULL;
}

static bool read_kernel(const char *directory)
{
	if (kernel.directory && !strcmp(kernel.directory, directory))
		return kernel.btf;
	btf_free(kernel.btf);
	free(kernel.bytes);
	free(kernel.directory);
	kernel.btf = NULL;
	kernel.bytes = NULL;
	kernel.directory = strdup(directory);
	return kernel.directory &&
	       !read_btf(directory, "vmlinux", NULL, &kernel.bytes, &kernel.btf);
}

/* Whether this module has the function; then it stays in @names. */
static bool try_module(struct module_btf *names, const char *directory, const char *name,
		       const struct piece *function)
{
	if (read_btf(directory, name, kernel.btf, &names->bytes, &names->btf))
		return false;
	names->prototype = prototype_of(names->btf, function);
	if (!names->prototype)
		module_btf_free(names);
	return names->prototype;
}

/* Of two modules with such a function the kernel takes neither without a module's name. */
static bool find_module(struct module_btf *names, const char *directory, const struct piece *function)
{
	DIR *listing = opendir(directory);
	struct dirent *entry;
	bool is_found = false;

	while (listing && !is_found && (entry = readdir(listing)))
		is_found = entry->d_name[0] != '.' && strcmp(entry->d_name, "vmlinux") &&
			   try_module(names, directory, entry->d_name, function);
	if (listing)
		closedir(listing);
	return is_found;
}

/* Most kernels' modules have none, and then there is nothing to read. */
static bool has_modules(const char *directory)
{
	DIR *listing = opendir(directory);
	struct dirent *entry;
	bool has = false;

	while (listing && !has && (entry = readdir(listing)))
		has = entry->d_name[0] != '.' && strcmp(entry->d_name, "vmlinux");
	if (listing)
		closedir(listing);
	return has;
}

bool module_btf_find(struct module_btf *names, const char *directory,
		     const struct piece *function)
{
	const char *colon = memchr(function->at, ':', function->length);
	struct piece own = *function;
	char module[64];

	if (!has_modules(directory) || !read_kernel(directory))
		return false;
	if (!colon)
		return !prototype_of(kernel.btf, function) &&
		       find_module(names, directory, function);
	snprintf(module, sizeof(module), "%.*s", (int)(colon - function->at), function->at);
	for (char *c = module; *c; c++)
		*c = *c == '-' ? '_' : *c;
	own.length -= colon + 1 - function->at;
	own.at = colon + 1;
	return !strchr(module, '/') && try_module(names, directory, module, &own);
}
