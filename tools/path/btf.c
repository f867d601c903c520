// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds a member of a structure in a kernel's BTF.
 */
#include <errno.h>
#include <string.h>

#include "control/btf.h"
#include "offsets.h"

int path_btf_offset(const void *bytes, size_t length, const char *structure, const char *member,
		    unsigned int *offset)
{
	struct btf_place place;
	struct btf *btf;
	uint32_t id = 0;
	int error = btf_read(bytes, length, NULL, &btf);

	if (error)
		return error;
	error = -ESRCH;
	while (error && (id = btf_find(btf, BTF_KIND_STRUCT, structure, strlen(structure), id))) {
		if (!btf_member(btf, btf_type(btf, id), member, strlen(member), &place) ||
		    place.bits % 8)
			continue;
		*offset = place.bits / 8;
		error = 0;
	}
	btf_free(btf);
	return error;
}
