// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What files the arguments of a command stand for.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/command.h"
#include "common/error.h"
#include "paths.h"

static int add_path(char ***paths, size_t *count, const char *directory,
		    const char *name)
{
	char **grown = reallocarray(*paths, *count + 1, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	*paths = grown;
	if (!directory)
		grown[*count] = strdup(name);
	else if (asprintf(&grown[*count], "%s/%s", directory, name) < 0)
		grown[*count] = NULL;
	if (!grown[*count])
		return -ENOMEM;
	(*count)++;
	return 0;
}

static int is_log(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return entry->d_name[0] != '.' && length > 4 &&
	       !strcmp(entry->d_name + length - 4, ".evl");
}

static int add_directory(char ***paths, size_t *count, const char *directory)
{
	size_t before = *count;
	struct dirent **entries;
	int found, error = 0;

	found = scandir(directory, &entries, is_log, alphasort);
	if (found < 0) {
		pr_err("%s: %s", directory, strerror(errno));
		return EXIT_FAILED;
	}
	for (int i = 0; i < found; i++) {
		if (!error)
			error = add_path(paths, count, directory,
					 entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	if (error)
		pr_err("%s: %s", directory, strerror(-error));
	else if (*count == before)
		pr_err("%s: no *.evl file in it", directory);
	return error || *count == before ? EXIT_FAILED : EXIT_OK;
}

int paths_expand(char **args, int count, char ***pathsp, size_t *countp)
{
	int status = EXIT_OK;

	*pathsp = NULL;
	*countp = 0;
	for (int i = 0; i < count && status == EXIT_OK; i++) {
		struct stat stat_of;

		if (!stat(args[i], &stat_of) && S_ISDIR(stat_of.st_mode)) {
			status = add_directory(pathsp, countp, args[i]);
		} else if (add_path(pathsp, countp, NULL, args[i])) {
			pr_err("%s: %s", args[i], strerror(ENOMEM));
			status = EXIT_FAILED;
		}
	}
	if (status != EXIT_OK) {
		paths_free(*pathsp, *countp);
		*pathsp = NULL;
		*countp = 0;
	}
	return status;
}

void paths_free(char **paths, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(paths[i]);
	free(paths);
}
