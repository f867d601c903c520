// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Saves a file of samples, completely or not at all.
 *
 * Stage: after the benchmark. The library implements the format.
 */
#include "common/atomic-file.h"
#include "samples-save.h"

int samples_save(const char *path, const struct samples_file *file)
{
	struct atomic_file output;
	int error = atomic_file_new(&output, path, 0600);

	if (error)
		return error;
	error = samples_write(output.out, file);
	if (!error)
		return atomic_file_finish(&output);
	atomic_file_discard(&output);
	return error;
}
