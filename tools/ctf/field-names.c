// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names of the fields of one event in metadata.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "field-names.h"

void ctf_field_names_begin(struct ctf_field_names *names)
{
	snprintf(names->at[0], CTF_FIELD_NAME_BYTES, "%s", CTF_LENGTH_NAME);
	snprintf(names->at[1], CTF_FIELD_NAME_BYTES, "%s", CTF_BYTES_NAME);
	names->count = 2;
}

static bool has(const struct ctf_field_names *names, const char *name)
{
	for (unsigned int i = 0; i < names->count; i++)
		if (!strcmp(names->at[i], name))
			return true;
	return false;
}

const char *ctf_field_names_add(struct ctf_field_names *names, const char *name)
{
	char *own = names->at[names->count], clean[EVTLOG_NAME_MAX + 1];

	snprintf(clean, sizeof(clean), "%s", name);
	for (char *at = clean; *at; at++)
		if (!((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
		      (*at >= '0' && *at <= '9')))
			*at = '_';
	snprintf(own, CTF_FIELD_NAME_BYTES, "%s", clean);
	for (unsigned int i = 2; has(names, own); i++)
		snprintf(own, CTF_FIELD_NAME_BYTES, "%s_%u", clean, i);
	if (names->count < CTF_FIELD_NAMES_MAX - 1)
		names->count++;
	return own;
}
