// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the file of a run or named buffer, which can be read even if it is truncated anywhere.
 *
 * Stage: before the disk.  It uses neither the kernel nor other runs, and does not wait for
 * space.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/io.h"
#include "lib/codec/crc32.h"
#include "direct.h"
#include "runfile.h"

/* HOST-NAME.2.evl ... HOST-NAME.999.evl */
#define PARTS_MAX	999

/* The smallest page size; with larger pages, a little more stays in the cache. */
#define PAGE_BYTES	UINT64_C(4096)

/* header, payload, padding */
#define IOVECS_PER_BLOCK 3
#define BLOCKS_PER_WRITE 16

/* Opens @name if it is this run's file; -EEXIST if it is another file. */
static int open_found(struct runfile *file, int directory, const struct runfile_request *request)
{
	struct evtlog_file_header header;
	struct run_id found;
	struct stat st;
	int error;

	file->fd = openat(directory, file->name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (file->fd < 0)
		return errno == ENOENT ? -ENOENT : -EEXIST;
	if (fstat(file->fd, &st) < 0) {
		error = -errno;
		goto close_file;
	}
	error = -EEXIST;
	/* In a shared directory, a file with our name may be a trap by another user. */
	if (request->fresh || !S_ISREG(st.st_mode) || st.st_uid != geteuid() || st.st_nlink != 1)
		goto close_file;
	error = scan_run_id(file->fd, &header, &found);
	if (error == -EBADMSG || (!error && !run_id_is_same(&found, request->run)))
		error = -EEXIST;
	if (error)
		goto close_file;
	error = scan_content(file->fd, header.header_bytes, &request->visitor,
			    &file->index, &file->tail, &file->closed);
	if (error)
		goto free_index;
	file->run = request->run->number;
	file->begin = header.header_bytes;
	file->tail_is_end = (uint64_t)st.st_size == file->tail;
	return 0;

free_index:
	block_index_free(&file->index);
close_file:
	close(file->fd);
	file->fd = -1;
	return error;
}

static int write_file_header(int fd, const struct runfile_request *request, uint64_t *tail)
{
	struct evtlog_file_header *header;
	size_t bytes = sizeof(*header) + request->text_bytes;
	struct iovec vector;
	int error;

	if (request->text_bytes > EVTLOG_FILE_TEXT_MAX_BYTES)
		return -EFBIG;
	bytes += block_padding(bytes);
	header = calloc(1, bytes);
	if (!header)
		return -ENOMEM;
	header->magic = EVTLOG_FILE_MAGIC;
	header->version = EVTLOG_FILE_VERSION;
	header->header_bytes = bytes;
	header->run = request->run->number;
	memcpy(header->boot_id, request->run->boot_id, sizeof(header->boot_id));
	header->text_bytes = request->text_bytes;
	memcpy(header + 1, request->text, request->text_bytes);
	header->crc32 = crc_of(0, (const void *)header, bytes);
	vector = (struct iovec){ header, bytes };
	error = io_write_vectors_at(fd, &vector, 1, 0);
	free(header);
	*tail = bytes;
	return error;
}

/* Renames a file.  Returns -EEXIST if the new name exists. */
static int rename_new(int directory, const char *from, const char *to)
{
	if (renameat2(directory, from, directory, to, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -errno;
	/* Some file systems do not support RENAME_NOREPLACE, such as NFS and 9p. */
	if (linkat(directory, from, directory, to, 0) < 0)
		return -errno;
	if (unlinkat(directory, from, 0) < 0)
		return -errno;
	return 0;
}

/*
 * The header is first written under a hidden name.  So a file with a run's name always has a
 * complete header, even if logd is killed.
 */
static int open_new(struct runfile *file, int directory, const struct runfile_request *request)
{
	char hidden[sizeof(file->name) + 8];
	int error;

	snprintf(hidden, sizeof(hidden), ".%s.new", file->name);
	if (unlinkat(directory, hidden, 0) < 0 && errno != ENOENT)
		return -errno;
	file->fd = openat(directory, hidden, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			  request->mode);
	if (file->fd < 0)
		return -errno;
	if (request->group != (gid_t)-1 && fchown(file->fd, -1, request->group) < 0) {
		error = -errno;
		goto unlink_file;
	}
	/* The configured mode applies, regardless of the umask. */
	if (fchmod(file->fd, request->mode) < 0) {
		error = -errno;
		goto unlink_file;
	}
	error = write_file_header(file->fd, request, &file->tail);
	if (error)
		goto unlink_file;
	error = rename_new(directory, hidden, file->name);
	if (error)
		goto unlink_file;
	file->run = request->run->number;
	file->begin = file->tail;
	file->tail_is_end = true;
	return 0;

unlink_file:
	unlinkat(directory, hidden, 0);
	close(file->fd);
	file->fd = -1;
	return error;
}

int runfile_open(struct runfile *file, int directory, const struct runfile_request *request)
{
	/* A file with a given name has no parts. */
	for (unsigned int part = 1; part <= (request->name ? 1 : PARTS_MAX); part++) {
		int error = 0;

		memset(file, 0, sizeof(*file));
		file->fd = -1;
		file->is_direct = request->direct;
		if (request->name)
			snprintf(file->name, sizeof(file->name), "%s", request->name);
		else
			error = run_id_file_name(request->run, request->host, part, file->name);
		if (error)
			return error;
		error = open_found(file, directory, request);
		if (!error)
			return 1;
		if (error == -ENOENT)
			error = open_new(file, directory, request);
		if (error != -EEXIST)
			return error;
	}
	return -EEXIST;
}

/* Leaves only complete blocks: removes a partial block, or restores missing padding. */
static int trim_to_tail(struct runfile *file)
{
	int error;

	if (file->tail_is_end)
		return 0;
	error = io_truncate(file->fd, file->tail);
	if (error)
		return error;
	file->tail_is_end = true;
	file->closed = false;
	return 0;
}

static size_t add_block(struct iovec *vectors, const struct block *block)
{
	static const char zeros[8];
	size_t padding = block_padding(block->header.stored_bytes);
	size_t count = 2;

	vectors[0] = (struct iovec){ (void *)(uintptr_t)&block->header, sizeof(block->header) };
	vectors[1] = (struct iovec){ (void *)(uintptr_t)block->payload,
				     block->header.stored_bytes };
	if (padding)
		vectors[count++] = (struct iovec){ (void *)(uintptr_t)zeros, padding };
	return count;
}

static int write_blocks(struct runfile *file, const struct block *const *blocks, size_t count,
			uint64_t *end)
{
	*end = file->tail;
	while (count) {
		struct iovec vectors[IOVECS_PER_BLOCK * BLOCKS_PER_WRITE];
		uint64_t offset = *end;
		size_t used = 0;
		int error;

		for (size_t i = 0; i < BLOCKS_PER_WRITE && count; i++, blocks++, count--) {
			used += add_block(vectors + used, *blocks);
			*end += block_file_bytes(&(*blocks)->header);
		}
		error = io_write_vectors_at(file->fd, vectors, used, offset);
		if (error)
			return error;
	}
	return 0;
}

static int index_blocks(struct runfile *file, const struct block *const *blocks, size_t count,
			uint64_t offset)
{
	for (size_t i = 0; i < count; i++) {
		const struct evtlog_block_header *header = &blocks[i]->header;
		struct evtlog_index_entry entry = {
			.offset = offset,
			.sequence = header->sequence,
			.begin_ticks = header->begin_ticks,
			.end_ticks = header->end_ticks,
			.lost = blocks[i]->lost,
			.cpu = header->cpu,
			.flags = blocks[i]->buffer_flags,
			.raw_bytes = header->raw_bytes,
			.stored_bytes = header->stored_bytes,
		};
		int error = 0;

		if (header->kind == EVTLOG_BLOCK_BUFFER)
			error = block_index_add(&file->index, &entry);
		if (error)
			return error;
		offset += block_file_bytes(header);
	}
	return 0;
}

/* Writes a large block, after a filler, with its payload at the start of a page of the file. */
static int write_large(struct runfile *file, const struct block *block, uint64_t offset,
		       uint64_t *end)
{
	uint64_t filler_bytes = offset - file->tail;
	struct iovec vectors[IOVECS_PER_BLOCK + 1];
	size_t whole = direct_bytes(block->header.stored_bytes), used = 0;
	const char *payload = block->payload;
	struct block filler;
	int error;

	if (filler_bytes) {
		block_of_filler(&filler, file->run, filler_bytes - sizeof(filler.header));
		used = add_block(vectors, &filler);
	}
	vectors[used++] = (struct iovec){ (void *)(uintptr_t)&block->header, sizeof(block->header) };
	error = io_write_vectors_at(file->fd, vectors, used, file->tail);
	offset += sizeof(block->header);
	if (!error)
		error = direct_write_at(file->fd, payload, whole, offset, &file->is_direct);
	if (error)
		return error;
	*end = offset + block->header.stored_bytes + block_padding(block->header.stored_bytes);
	if (*end == offset + whole)
		return 0;
	used = add_block(vectors, block) - 1;
	vectors[1] = (struct iovec){ (void *)(uintptr_t)(payload + whole),
				     block->header.stored_bytes - whole };
	return io_write_vectors_at(file->fd, vectors + 1, used, offset + whole);
}

int runfile_append(struct runfile *file, const struct block *const *blocks, size_t count)
{
	bool is_large = file->is_direct && count == 1 &&
			direct_is_worth(blocks[0]->payload, blocks[0]->header.stored_bytes);
	size_t indexed = file->index.count;
	uint64_t end, start;
	int error;

	error = trim_to_tail(file);
	if (error)
		return error;
	file->tail_is_end = false;
	start = is_large ? direct_offset(file->tail, sizeof(blocks[0]->header)) : file->tail;
	error = index_blocks(file, blocks, count, start);
	if (!error && is_large)
		error = write_large(file, blocks[0], start, &end);
	else if (!error)
		error = write_blocks(file, blocks, count, &end);
	if (error) {
		file->index.count = indexed;
		/* If this fails, the next append repeats it first. */
		trim_to_tail(file);
		return error;
	}
	file->tail = end;
	file->tail_is_end = true;
	return 0;
}

static int push_error(int result)
{
	/* If the file system does not support this, rely on its own write-back. */
	if (result == 0 || errno == ENOSYS || errno == EINVAL || errno == ESPIPE ||
	    errno == EOPNOTSUPP)
		return 0;
	return -errno;
}

int runfile_push(struct runfile *file, uint64_t cache_bytes)
{
	uint64_t upto;
	int error;

	if (!cache_bytes)
		return 0;
	if (file->tail > file->pushed) {
		error = push_error(sync_file_range(file->fd, file->pushed,
						   file->tail - file->pushed,
						   SYNC_FILE_RANGE_WRITE));
		file->pushed = file->tail;
		if (error)
			return error;
	}
	if (file->tail - file->dropped <= cache_bytes)
		return 0;
	/* Only whole pages can be dropped. */
	upto = (file->tail - cache_bytes) & ~(PAGE_BYTES - 1);
	error = push_error(sync_file_range(file->fd, file->dropped, upto - file->dropped,
					   SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
					   SYNC_FILE_RANGE_WAIT_AFTER));
	posix_fadvise(file->fd, file->dropped, upto - file->dropped, POSIX_FADV_DONTNEED);
	file->dropped = upto;
	return error;
}

bool runfile_is_removed(const struct runfile *file)
{
	struct stat st;

	return fstat(file->fd, &st) == 0 && st.st_nlink == 0;
}

bool runfile_remove(struct runfile *file, int directory)
{
	struct stat named, st;

	if (fstat(file->fd, &st) < 0 ||
	    fstatat(directory, file->name, &named, AT_SYMLINK_NOFOLLOW) < 0 ||
	    named.st_dev != st.st_dev || named.st_ino != st.st_ino ||
	    unlinkat(directory, file->name, 0) < 0)
		return false;
	runfile_drop(file);
	return true;
}

static int write_end(struct runfile *file, bool complete)
{
	struct evtlog_file_trailer trailer = {
		.magic = EVTLOG_TRAILER_MAGIC,
		.index_offset = file->tail,
		.blocks = file->index.count,
		.flags = complete ? EVTLOG_TRAILER_COMPLETE : 0,
	};
	struct iovec vectors[IOVECS_PER_BLOCK + 1];
	struct block block;
	size_t used;
	int error;

	if (file->index.count > EVTLOG_BLOCK_MAX_BYTES / sizeof(*file->index.entries))
		return -EFBIG;
	error = trim_to_tail(file);
	if (error)
		return error;
	block_of_index(&block, file->run, file->index.entries, file->index.count);
	trailer.crc32 = crc_of(0, (const void *)&trailer, sizeof(trailer));
	used = add_block(vectors, &block);
	vectors[used++] = (struct iovec){ &trailer, sizeof(trailer) };
	file->tail_is_end = false;
	error = io_write_vectors_at(file->fd, vectors, used, file->tail);
	if (error)
		trim_to_tail(file);
	return error;
}

int runfile_close(struct runfile *file, bool complete)
{
	int error = 0;

	if (!file->closed)
		error = write_end(file, complete);
	if (fsync(file->fd) < 0 && errno != EINVAL && errno != EROFS && !error)
		error = -errno;
	runfile_drop(file);
	return error;
}

void runfile_drop(struct runfile *file)
{
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
	block_index_free(&file->index);
}
