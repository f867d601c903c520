// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads files that a killed or restarted logger has left: their blocks, and which were left open.
 *
 * All data in a file is checked.  Files are not changed.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "block.h"
#include "lib/base/array.h"
#include "lib/base/head.h"
#include "lib/base/io.h"
#include "lib/codec/crc32.h"
#include "scan.h"

#define CHUNK_BYTES	65536

int block_index_add(struct block_index *index, const struct evtlog_index_entry *entry)
{
	if (array_reserve(&index->entries, &index->capacity, index->count, sizeof(*entry)))
		return -ENOMEM;
	index->entries[index->count++] = *entry;
	return 0;
}

void block_index_free(struct block_index *index)
{
	free(index->entries);
	memset(index, 0, sizeof(*index));
}

static int crc_of_range(int fd, uint64_t offset, uint64_t bytes, uint32_t *crc)
{
	unsigned char chunk[CHUNK_BYTES];
	uint32_t sum = 0;

	while (bytes) {
		size_t want = bytes < sizeof(chunk) ? bytes : sizeof(chunk);
		ssize_t n = io_read_at(fd, chunk, want, offset);

		if (n < 0)
			return n;
		if ((size_t)n < want)
			return -EBADMSG;
		sum = crc_of(sum, chunk, n);
		offset += n;
		bytes -= n;
	}
	*crc = sum;
	return 0;
}

/* Copies the value of a line in the header's text, which ends with an empty line. */
static void copy_value(const char *text, const char *key, char *value, size_t bytes)
{
	size_t key_length = strlen(key);

	value[0] = '\0';
	while (*text && *text != '\n') {
		size_t length = strcspn(text, "\n");

		if (length > key_length && !strncmp(text, key, key_length) &&
		    text[key_length] == '=') {
			length -= key_length + 1;
			if (length >= bytes)
				return;
			memcpy(value, text + key_length + 1, length);
			value[length] = '\0';
			return;
		}
		text += length;
		text += *text == '\n';
	}
}

/* Reads the rest of a header: text, and padding.  It is malloc()ed, and ends with a NUL. */
static int read_header(int fd, struct evtlog_file_header *header, char **rest)
{
	ssize_t n = io_read_at(fd, header, sizeof(*header), 0);
	uint32_t rest_bytes;

	if (n < 0)
		return n;
	/* Blocks follow the header, each at a multiple of 8. */
	if (head_check(&head_of_log, header, n) || header->header_bytes % 8)
		return -EBADMSG;
	rest_bytes = header->header_bytes - sizeof(*header);
	*rest = calloc(1, rest_bytes + 1);
	if (!*rest)
		return -ENOMEM;
	n = io_read_at(fd, *rest, rest_bytes, sizeof(*header));
	if (n == (ssize_t)rest_bytes && head_sum_is_good(&head_of_log, header, *rest, rest_bytes))
		return 0;
	free(*rest);
	return n < 0 ? n : -EBADMSG;
}

int scan_run_id(int fd, struct evtlog_file_header *header, struct run_id *run)
{
	char value[EVTLOG_RUN_NAME_LEN], *text = NULL;
	int error = read_header(fd, header, &text);

	if (error)
		return error;
	memset(run, 0, sizeof(*run));
	run->number = header->run;
	memcpy(run->boot_id, header->boot_id, sizeof(run->boot_id));
	copy_value(text, "run_name", value, sizeof(value));
	if (run_id_name_is_good(value))
		strcpy(run->name, value);
	copy_value(text, "named_buffer", value, sizeof(value));
	run->is_named = value[0];
	copy_value(text, "reference_ticks", value, sizeof(value));
	run->reference_ticks = strtoull(value, NULL, 10);
	copy_value(text, "tree", value, sizeof(value));
	run->tree_pid = strtoul(value, NULL, 10);
	free(text);
	return 0;
}

/* Returns 1 if the file ends with a valid trailer, 0 if not, or -errno. */
static int scan_trailer(int fd, uint64_t size, struct evtlog_file_trailer *trailer)
{
	ssize_t n;

	if (size < sizeof(*trailer))
		return 0;
	n = io_read_at(fd, trailer, sizeof(*trailer), size - sizeof(*trailer));
	if (n < 0)
		return n;
	return !head_check_all(&head_of_trailer, trailer, n);
}

/* Finds the next valid header from @offset on; @end if there is none. */
static int find_header(int fd, uint64_t offset, uint64_t end, uint64_t *found)
{
	unsigned char chunk[CHUNK_BYTES];

	*found = end;
	while (offset + sizeof(struct evtlog_block_header) <= end) {
		struct evtlog_block_header header;
		ssize_t n = io_read_at(fd, chunk, sizeof(chunk), offset);
		size_t at;

		if (n < 0)
			return n;
		for (at = 0; at + sizeof(header) <= (size_t)n; at += 8) {
			memcpy(&header, chunk + at, sizeof(header));
			if (!block_header_is_good(&header))
				continue;
			*found = offset + at;
			return 0;
		}
		if ((size_t)n < sizeof(chunk))
			return 0;
		offset += at;
	}
	return 0;
}

/* Reads the first bytes of a block's payload, and inflates them if necessary. */
static int read_payload_head(int fd, uint64_t offset, const struct evtlog_block_header *block,
			     void *head, size_t bytes)
{
	unsigned char stored[4096];
	z_stream stream = { .next_in = stored };
	size_t want = block->stored_bytes < sizeof(stored) ? block->stored_bytes : sizeof(stored);
	ssize_t n = io_read_at(fd, stored, want, offset);
	int status;

	if (n < 0)
		return n;
	/* A packed payload begins with the buffer's header, unchanged. */
	if (!(block->flags & EVTLOG_BLOCK_DEFLATE)) {
		if ((size_t)n < bytes)
			return -EBADMSG;
		memcpy(head, stored, bytes);
		return 0;
	}
	if (inflateInit(&stream) != Z_OK)
		return -ENOMEM;
	stream.avail_in = n;
	stream.next_out = head;
	stream.avail_out = bytes;
	status = inflate(&stream, Z_SYNC_FLUSH);
	inflateEnd(&stream);
	if (stream.avail_out || (status != Z_OK && status != Z_STREAM_END))
		return -EBADMSG;
	return 0;
}

static bool buffer_fits_block(const struct evtlog_buffer_header *buffer,
			      const struct evtlog_block_header *block)
{
	return buffer->magic == EVTLOG_BUFFER_MAGIC && buffer->run == block->run &&
	       buffer->cpu == block->cpu && buffer->sequence == block->sequence;
}

static int visit(int fd, const struct evtlog_index_entry *entry, const struct scan_visitor *visitor)
{
	struct evtlog_block_header block;
	struct evtlog_buffer_header buffer;
	ssize_t n = io_read_at(fd, &block, sizeof(block), entry->offset);
	int error;

	if (n < 0)
		return n;
	if (n != sizeof(block))
		return 0;
	error = read_payload_head(fd, entry->offset + sizeof(block), &block,
				  &buffer, sizeof(buffer));
	if (error == -EBADMSG)
		return 0;
	if (!error && buffer_fits_block(&buffer, &block))
		visitor->on_buffer(visitor->context, &buffer);
	return error;
}

/*
 * Adds the block of a buffer to the index.  An invalid buffer gets an entry without loss and
 * flags: the reader checks the buffer itself.
 */
static int index_block(int fd, uint64_t offset, const struct evtlog_block_header *block,
		       struct block_index *index)
{
	struct evtlog_buffer_header buffer;
	struct evtlog_index_entry entry = {
		.offset = offset,
		.sequence = block->sequence,
		.begin_ticks = block->begin_ticks,
		.end_ticks = block->end_ticks,
		.cpu = block->cpu,
		.raw_bytes = block->raw_bytes,
		.stored_bytes = block->stored_bytes,
	};
	int error;

	error = read_payload_head(fd, offset + sizeof(*block), block, &buffer, sizeof(buffer));
	if (error && error != -EBADMSG)
		return error;
	if (!error && buffer_fits_block(&buffer, block)) {
		entry.flags = buffer.flags;
		for (int cause = 0; cause < EVTLOG_LOST_CAUSES; cause++)
			entry.lost += buffer.lost[cause];
	}
	return block_index_add(index, &entry);
}

/* Checks the last buffer's payload.  If it is damaged, the buffer is treated as missing. */
static int check_last(int fd, const struct block_index *index, bool *is_sound)
{
	const struct evtlog_index_entry *last;
	struct evtlog_block_header block;
	uint32_t crc;
	ssize_t n;
	int error;

	*is_sound = true;
	if (!index->count)
		return 0;
	last = &index->entries[index->count - 1];
	n = io_read_at(fd, &block, sizeof(block), last->offset);
	if (n < 0)
		return n;
	if (n != sizeof(block))
		return -EBADMSG;
	error = crc_of_range(fd, last->offset + sizeof(block), block.stored_bytes, &crc);
	if (error)
		return error;
	*is_sound = crc == block.payload_crc32;
	return 0;
}

int scan_content(int fd, uint64_t start, const struct scan_visitor *visitor,
		struct block_index *index, uint64_t *tail, bool *closed)
{
	struct evtlog_file_trailer trailer;
	uint64_t offset = start, size;
	bool last_is_sound;
	struct stat st;
	int error;

	if (fstat(fd, &st) < 0)
		return -errno;
	size = st.st_size;
	error = scan_trailer(fd, size, &trailer);
	if (error < 0)
		return error;
	*closed = error;
	error = 0;
	*tail = start;
	while (offset < size) {
		struct evtlog_block_header block;
		ssize_t n = io_read_at(fd, &block, sizeof(block), offset);

		if (n < 0)
			return n;
		if (n != sizeof(block))
			break;
		if (!block_header_is_good(&block)) {
			error = find_header(fd, offset + 8, size, &offset);
			if (error)
				return error;
			continue;
		}
		if (offset + sizeof(block) + block.stored_bytes > size) {
			/* A truncated block, or a valid header inside a damaged block. */
			error = find_header(fd, offset + 8, size, &offset);
			if (error)
				return error;
			continue;
		}
		if (block.kind == EVTLOG_BLOCK_BUFFER)
			error = index_block(fd, offset, &block, index);
		if (error)
			return error;
		if (block.kind != EVTLOG_BLOCK_INDEX)
			*tail = offset + block_file_bytes(&block);
		offset += block_file_bytes(&block);
	}
	error = check_last(fd, index, &last_is_sound);
	if (error)
		return error;
	for (size_t i = 0; i + !last_is_sound < index->count; i++) {
		error = visit(fd, &index->entries[i], visitor);
		if (error)
			return error;
	}
	return 0;
}

/*
 * ---- Files that were left open ----
 *
 * The run is read from a file's header, and the file's name must match.
 */

static bool may_be_ours(const char *name, const char *host)
{
	size_t host_length = strlen(host), length = strlen(name);

	return length > strlen(RUN_ID_SUFFIX) &&
	       !strncmp(name, host, host_length) && name[host_length] == '-' &&
	       !strcmp(name + length - strlen(RUN_ID_SUFFIX), RUN_ID_SUFFIX);
}

static bool was_left_open(int directory, const char *name, struct run_id *run)
{
	struct evtlog_file_trailer trailer;
	struct evtlog_file_header header;
	bool left_open = false;
	struct stat st;
	int fd;

	fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && !scan_run_id(fd, &header, run))
		left_open = scan_trailer(fd, st.st_size, &trailer) == 0;
	close(fd);
	return left_open;
}

void recover_each(int directory, const char *path, const char *host, const uint8_t *boot_id,
		  void (*one)(void *context, const struct run_id *run), void *context)
{
	DIR *listing = opendir(path);
	struct dirent *entry;

	if (!listing)
		return;
	while ((entry = readdir(listing))) {
		struct run_id run;

		if (may_be_ours(entry->d_name, host) &&
		    was_left_open(directory, entry->d_name, &run) && !run.is_named &&
		    !memcmp(run.boot_id, boot_id, sizeof(run.boot_id)) &&
		    run_id_owns_name(&run, host, entry->d_name))
			one(context, &run);
	}
	closedir(listing);
}
