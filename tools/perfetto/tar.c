// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A TAR archive (POSIX ustar).
 *
 * Sizes of 8 GiB and more are in base 256, as GNU tar writes them and Perfetto reads them.
 */
#include <errno.h>
#include <string.h>

#include "tar.h"

#define BLOCK_BYTES	512
#define OCTAL_MAX	(UINT64_C(1) << 33)

/* POSIX's ustar header */
struct header {
	char name[TAR_NAME_BYTES];
	char mode[8];
	char uid[8];
	char gid[8];
	char size[12];
	char mtime[12];
	char checksum[8];
	char type;
	char link[100];
	char magic[6];
	char version[2];
	char owner[32];
	char group[32];
	char device[16];
	char prefix[155];
	char unused[12];
};

_Static_assert(sizeof(struct header) == BLOCK_BYTES, "a header is a block");

static void put_size(struct header *header, uint64_t size)
{
	if (size < OCTAL_MAX) {
		snprintf(header->size, sizeof(header->size), "%011llo", (unsigned long long)size);
		return;
	}
	memset(header->size, 0, sizeof(header->size));
	header->size[0] = 0x80;
	for (unsigned int i = 0; i < 8; i++)
		header->size[11 - i] = size >> 8 * i;
}

static void fill(struct header *header, const char *name, uint64_t size)
{
	unsigned int sum = 0;

	memset(header, 0, sizeof(*header));
	memcpy(header->name, name, strnlen(name, sizeof(header->name)));
	memcpy(header->mode, "0000600", 8);
	memcpy(header->uid, "0000000", 8);
	memcpy(header->gid, "0000000", 8);
	put_size(header, size);
	memcpy(header->mtime, "00000000000", 12);
	header->type = '0';
	memcpy(header->magic, "ustar", 6);
	memcpy(header->version, "00", 2);
	memset(header->checksum, ' ', sizeof(header->checksum));
	for (unsigned int i = 0; i < sizeof(*header); i++)
		sum += ((const unsigned char *)header)[i];
	snprintf(header->checksum, sizeof(header->checksum), "%06o", sum);
}

void tar_member_begin(struct tar *tar, FILE *out, const char *name)
{
	struct header header;

	tar->out = out;
	memset(tar->name, 0, sizeof(tar->name));
	memcpy(tar->name, name, strnlen(name, sizeof(tar->name)));
	tar->header_at = ftello(out);
	fill(&header, tar->name, 0);
	fwrite(&header, sizeof(header), 1, out);
}

int tar_member_end(struct tar *tar)
{
	static const char zeros[BLOCK_BYTES];
	off_t end = ftello(tar->out);
	uint64_t size = end - tar->header_at - BLOCK_BYTES;
	struct header header;

	if (end < 0 || tar->header_at < 0)
		return -errno;
	if (size % BLOCK_BYTES)
		fwrite(zeros, BLOCK_BYTES - size % BLOCK_BYTES, 1, tar->out);
	fill(&header, tar->name, size);
	if (fseeko(tar->out, tar->header_at, SEEK_SET))
		return -errno;
	fwrite(&header, sizeof(header), 1, tar->out);
	return fseeko(tar->out, 0, SEEK_END) ? -errno : 0;
}

void tar_end(FILE *out)
{
	static const char zeros[2 * BLOCK_BYTES];

	fwrite(zeros, sizeof(zeros), 1, out);
}
