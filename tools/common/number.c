// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parses numbers.
 */
#include <errno.h>
#include <stdlib.h>

#include "number.h"

int number_parse(uint64_t *number, const char *text, uint64_t least, uint64_t most)
{
	unsigned long long value;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || errno || *end || value < least || value > most)
		return -EINVAL;
	*number = value;
	return 0;
}

int number_parse_u32(uint32_t *number, const char *text, uint32_t least, uint32_t most)
{
	uint64_t value;

	if (number_parse(&value, text, least, most))
		return -EINVAL;
	*number = value;
	return 0;
}

int number_parse_decimal(double *number, const char *text, double least, double most)
{
	size_t whole = strspn(text, "0123456789"), length = whole;
	double value = strtod(text, NULL);

	if (text[length] == '.')
		length += 1 + strspn(text + length + 1, "0123456789");
	if (!whole || text[length] || !(value >= least && value <= most))
		return -EINVAL;
	*number = value;
	return 0;
}

int number_read(uint64_t *number, const char **text, uint64_t most)
{
	uint64_t value = 0;

	if (**text < '0' || **text > '9')
		return -EINVAL;
	for (; **text >= '0' && **text <= '9'; (*text)++) {
		value = 10 * value + (**text - '0');
		if (value > most)
			return -EINVAL;
	}
	*number = value;
	return 0;
}
