// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the archive of several hosts' traces: TAR (POSIX ustar), and its manifest.
 *
 * Sizes from 8 GiB on are in base 256, as GNU tar writes them and Perfetto reads them.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "archive.h"
#include "common/json.h"

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

/* ---- The manifest relates the traces: perfetto_manifest, version 1 ---- */

/*
 * The reference clock is that of the first exported host.  "At a common instant the source clock
 * reads T when the reference clock reads T + offset_ns."
 */

#define CLOCK	"MONOTONIC_RAW"

static size_t first_of(const struct sources *sources)
{
	size_t first = 0;

	while (first + 1 < sources->logs.count && !sources->wanted[first])
		first++;
	return first;
}

static void write_file(struct json *json, const struct sources *sources, size_t number,
		       char (*names)[TAR_NAME_BYTES], const struct host_clock *clocks)
{
	size_t first = first_of(sources);

	json_object(json, NULL);
	json_string(json, "path", names[number]);
	json_object(json, "machine");
	json_string(json, "name", *sources->logs.files[number].name ?
				  sources->logs.files[number].name : "host");
	json_end(json);
	if (number != first) {
		json_object(json, "clocks");
		json_string(json, "clock", CLOCK);
		json_object(json, "sync_to");
		json_string(json, "file", names[first]);
		json_string(json, "clock", CLOCK);
		json_end(json);
		json_s64(json, "offset_ns", clocks[first].ahead_ns - clocks[number].ahead_ns);
		json_end(json);
	}
	json_end(json);
}

/* The clock error of each host: a number, or the text "unknown". */
static void write_errors(struct json *json, const struct sources *sources,
			 char (*names)[TAR_NAME_BYTES], const struct host_clock *clocks)
{
	char key[TAR_NAME_BYTES + 32];

	json_object(json, "attributes");
	json_string(json, "evtlog.version", EVTLOG_VERSION);
	for (size_t i = 0; i < sources->logs.count; i++) {
		if (!sources->wanted[i])
			continue;
		snprintf(key, sizeof(key), "evtlog.clock_error_ns.%s", names[i]);
		if (clocks[i].error_ns > INT64_MAX)
			json_string(json, key, "unknown");
		else
			json_u64(json, key, clocks[i].error_ns);
	}
	json_end(json);
}

void manifest_write(FILE *out, const struct sources *sources, char (*names)[TAR_NAME_BYTES],
		    const struct host_clock *clocks)
{
	struct json json;

	json_start(&json, out, false);
	json_object(&json, NULL);
	json_object(&json, "perfetto_manifest");
	json_u64(&json, "version", 1);
	json_object(&json, "trace_time");
	json_string(&json, "clock", CLOCK);
	json_string(&json, "file", names[first_of(sources)]);
	json_end(&json);
	json_array(&json, "files");
	for (size_t i = 0; i < sources->logs.count; i++)
		if (sources->wanted[i])
			write_file(&json, sources, i, names, clocks);
	json_end(&json);
	write_errors(&json, sources, names, clocks);
	json_end(&json);
	json_end(&json);
}
