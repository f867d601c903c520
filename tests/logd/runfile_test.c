// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * After cuts or flipped bits in a run's file, its complete blocks are kept, and logd appends to it.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cmocka.h>

#include "logfile/block.h"
#include "logfile/runfile.h"
#include "sample.h"

#define RUN	7

static const char *directory;
static int directory_fd;
static char path[PATH_MAX];
static struct sample_file seen;

/* The buffers that were reported while scanning an existing file */
static struct { unsigned int count; uint64_t last; } visited;

static void visit(void *context, const struct evtlog_buffer_header *buffer)
{
	visited.count++;
	visited.last = buffer->sequence;
}

static struct run_id this_run;

static struct runfile_request request(void)
{
	this_run.number = RUN;
	memcpy(this_run.boot_id, sample_boot_id, sizeof(this_run.boot_id));
	visited.count = 0;
	visited.last = 0;
	return (struct runfile_request){
		.host = "host",
		.run = &this_run,
		.text = "host=host\n\nevtlog-format 1\n",
		.text_bytes = strlen("host=host\n\nevtlog-format 1\n"),
		.mode = 0600,
		.group = -1,
		.visitor = { visit, NULL },
	};
}

static int open_file(struct runfile *file)
{
	struct runfile_request r = request();

	return runfile_open(file, directory_fd, &r);
}

static int append_sized(struct runfile *file, uint64_t sequence, uint32_t bytes,
			struct compressor *compressor)
{
	struct block block;
	const struct block *list = &block;

	block_of_buffer(&block, sample_buffer(RUN, sequence % 2, sequence, bytes, 0, 0), compressor);
	return runfile_append(file, &list, 1);
}

static int append(struct runfile *file, uint64_t sequence)
{
	/* With and without padding in the file, after deflating */
	return append_sized(file, sequence, 512 + 8 * sequence, NULL);
}

/* Makes a file with buffers 0 .. @count - 1, closed or as after a kill. */
static void make_file(unsigned int count, bool closed, unsigned int level)
{
	struct compressor *compressor = level ? compressor_new(level) : NULL;
	struct runfile file;

	unlink(path);
	assert_int_equal(open_file(&file), 0);
	for (unsigned int i = 0; i < count; i++)
		assert_int_equal(append_sized(&file, i, 512 + 8 * i, compressor), 0);
	if (closed)
		assert_int_equal(runfile_close(&file, true), 0);
	else
		runfile_drop(&file);
	compressor_free(compressor);
}

static char *load(size_t *bytes)
{
	struct stat st;
	char *all;
	int fd = open(path, O_RDONLY);

	assert_int_equal(fstat(fd, &st), 0);
	all = malloc(st.st_size);
	assert_int_equal(read(fd, all, st.st_size), st.st_size);
	close(fd);
	*bytes = st.st_size;
	return all;
}

static void store(const char *bytes, size_t length)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_int_equal(write(fd, bytes, length), (ssize_t)length);
	close(fd);
}

static void assert_holds(unsigned int count)
{
	assert_int_equal(seen.count, count);
	for (unsigned int i = 0; i < count; i++)
		if (sample_count(&seen, i % 2, i) != 1)
			fail_msg("buffer %u is there %u times", i, sample_count(&seen, i % 2, i));
}

static void keeps_buffers_and_closes(void **state)
{
	for (unsigned int level = 0; level <= 9; level += 3) {
		make_file(20, true, level);
		sample_read(path, &seen);
		assert_true(seen.has_header && seen.sound && seen.closed);
		assert_holds(20);
	}
}

/* Cuts the file at every byte and continues like logd: no buffer may be missing. */
static void goes_on_after_every_cut(unsigned int level, bool closed)
{
	const unsigned int count = 4;
	size_t length;
	char *whole;

	make_file(count, closed, level);
	sample_read(path, &seen);
	whole = load(&length);
	for (size_t cut = seen.first_block; cut <= length; cut++) {
		struct runfile file;
		unsigned int there;

		store(whole, cut);
		assert_int_equal(open_file(&file), 1);
		there = visited.count;
		/* A block that lacks only its padding is complete. */
		for (unsigned int i = 0; i < count; i++) {
			uint64_t payload_end = i + 1 < count ? seen.blocks[i + 1].offset
							     : seen.end_of_blocks;
			if (i < there ? payload_end > cut + 7 : payload_end <= cut)
				fail_msg("cut at %zu: found %u buffers", cut, there);
		}
		/* After only a close, the torn part must be gone. */
		assert_int_equal(runfile_close(&file, false), 0);
		sample_read(path, &seen);
		if (!seen.sound || !seen.closed)
			fail_msg("cut at %zu: not sound when closed", cut);
		assert_holds(there);
		store(whole, cut);
		assert_int_equal(open_file(&file), 1);
		for (unsigned int i = there; i < count + 1; i++)
			assert_int_equal(append_sized(&file, i, 512 + 8 * i, NULL), 0);
		assert_int_equal(runfile_close(&file, false), 0);
		sample_read(path, &seen);
		if (!seen.sound || !seen.closed)
			fail_msg("cut at %zu: not sound afterwards", cut);
		assert_holds(count + 1);
		/* The offsets are those of the original. */
		store(whole, length);
		sample_read(path, &seen);
	}
	free(whole);
}

static void goes_on_after_every_cut_of_an_open_file(void **state)
{
	goes_on_after_every_cut(0, false);
}

static void goes_on_after_every_cut_of_a_closed_file(void **state)
{
	goes_on_after_every_cut(0, true);
}

static void goes_on_after_every_cut_of_deflated_blocks(void **state)
{
	goes_on_after_every_cut(9, true);
}

/*
 * Flips every bit after the header in turn. All other buffers stay, nothing is cut off, and a new
 * buffer is appended.
 */
static void goes_on_after_every_flipped_bit(void **state)
{
	const unsigned int count = 3;
	size_t length;
	char *whole;

	make_file(count, true, 0);
	sample_read(path, &seen);
	whole = load(&length);
	for (size_t bit = seen.first_block * 8; bit < length * 8; bit++) {
		struct runfile file;
		unsigned int kept = 0;

		whole[bit / 8] ^= 1 << bit % 8;
		store(whole, length);
		whole[bit / 8] ^= 1 << bit % 8;
		assert_int_equal(open_file(&file), 1);
		assert_int_equal(append(&file, count), 0);
		assert_int_equal(runfile_close(&file, false), 0);
		sample_read(path, &seen);
		for (unsigned int i = 0; i < count; i++)
			kept += sample_count(&seen, i % 2, i);
		if (kept + 1 < count || sample_count(&seen, count % 2, count) != 1)
			fail_msg("bit %zu flipped: %u of %u buffers kept", bit, kept, count);
	}
	free(whole);
}

static void last_block_counts_only_if_its_payload_is_sound(void **state)
{
	struct runfile file;
	size_t length;
	char *whole;

	make_file(3, false, 0);
	whole = load(&length);
	whole[length - 1] ^= 1;
	store(whole, length);
	assert_int_equal(open_file(&file), 1);
	assert_int_equal(visited.count, 2);
	runfile_drop(&file);
	free(whole);
}

static void finding_a_file_does_not_change_it(void **state)
{
	struct runfile file;
	size_t length, length_after;
	char *before, *after;

	make_file(3, true, 0);
	before = load(&length);
	assert_int_equal(open_file(&file), 1);
	assert_int_equal(visited.count, 3);
	assert_true(file.closed);
	assert_int_equal(runfile_close(&file, false), 0);
	after = load(&length_after);
	assert_int_equal(length, length_after);
	assert_memory_equal(before, after, length);
	free(before);
	free(after);
}

static void other_boots_and_strangers_keep_their_files(void **state)
{
	struct run_id other_boot = { .number = RUN, .boot_id = { 9 } };
	struct runfile_request r = request();
	char second[PATH_MAX], third[PATH_MAX];
	struct runfile file;

	snprintf(second, sizeof(second), "%s/host-7.2.evl", directory);
	snprintf(third, sizeof(third), "%s/host-7.3.evl", directory);
	make_file(2, true, 0);
	assert_int_equal(symlink("/etc/passwd", second), 0);
	r.run = &other_boot;
	assert_int_equal(runfile_open(&file, directory_fd, &r), 0);
	assert_string_equal(file.name, "host-7.3.evl");
	runfile_drop(&file);
	/* The file is found again, and no new one is made. */
	assert_int_equal(runfile_open(&file, directory_fd, &r), 1);
	assert_string_equal(file.name, "host-7.3.evl");
	runfile_drop(&file);
	sample_read(path, &seen);
	assert_true(seen.sound && seen.closed);
	assert_holds(2);
	/* A file of this name with other contents, and a symbolic link */
	store("no log at all", 13);
	assert_int_equal(open_file(&file), 0);
	assert_string_equal(file.name, "host-7.4.evl");
	runfile_drop(&file);
	unlink(second);
	unlink(third);
	snprintf(third, sizeof(third), "%s/host-7.4.evl", directory);
	unlink(third);
}

static void a_hard_link_is_not_ours(void **state)
{
	char link_path[PATH_MAX], second[PATH_MAX];
	struct runfile file;

	make_file(1, false, 0);
	snprintf(link_path, sizeof(link_path), "%s/other", directory);
	assert_int_equal(link(path, link_path), 0);
	assert_int_equal(open_file(&file), 0);
	assert_string_equal(file.name, "host-7.2.evl");
	runfile_drop(&file);
	unlink(link_path);
	snprintf(second, sizeof(second), "%s/host-7.2.evl", directory);
	unlink(second);
}

static void mode_is_as_told_whatever_the_umask(void **state)
{
	struct runfile_request r = request();
	mode_t before = umask(0077);
	struct runfile file;
	struct stat st;

	unlink(path);
	r.mode = 0644;
	assert_int_equal(runfile_open(&file, directory_fd, &r), 0);
	runfile_drop(&file);
	umask(before);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0644);
}

/* For every limit of the size, a write is complete or leaves no trace. */
static void no_room_leaves_whole_blocks(void **state)
{
	struct rlimit unlimited;
	struct runfile file;
	uint64_t tail;

	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &unlimited), 0);
	make_file(2, false, 0);
	sample_read(path, &seen);
	tail = seen.end_of_blocks;
	for (rlim_t room = 0; room < 600; room += 1 + sample_random(3)) {
		struct rlimit limit = { tail + room, unlimited.rlim_max };
		struct stat st;

		make_file(2, false, 0);
		assert_int_equal(open_file(&file), 1);
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
		assert_int_equal(append(&file, 2), -EFBIG);
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &unlimited), 0);
		assert_int_equal(stat(path, &st), 0);
		assert_int_equal(st.st_size, tail);
		assert_int_equal(append(&file, 2), 0);
		assert_int_equal(runfile_close(&file, false), 0);
		sample_read(path, &seen);
		assert_true(seen.sound && seen.closed);
		assert_holds(3);
	}
}

static void no_room_for_the_index_leaves_a_sound_file(void **state)
{
	struct rlimit unlimited, limit;
	struct runfile file;

	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &unlimited), 0);
	make_file(3, false, 0);
	assert_int_equal(open_file(&file), 1);
	limit = (struct rlimit){ file.tail + 50, unlimited.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_int_equal(runfile_close(&file, false), -EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &unlimited), 0);
	sample_read(path, &seen);
	assert_true(seen.sound && !seen.closed);
	assert_holds(3);
}

static void a_file_appears_with_its_header_or_not_at_all(void **state)
{
	struct rlimit unlimited, limit;
	struct runfile file;

	signal(SIGXFSZ, SIG_IGN);
	unlink(path);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &unlimited), 0);
	for (rlim_t room = 0; room < sizeof(struct evtlog_file_header) + 16; room++) {
		limit = (struct rlimit){ room, unlimited.rlim_max };
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
		assert_int_equal(open_file(&file), -EFBIG);
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &unlimited), 0);
		assert_int_equal(access(path, F_OK), -1);
	}
	assert_int_equal(open_file(&file), 0);
	runfile_drop(&file);
}

static void notices_that_it_was_removed(void **state)
{
	struct runfile file;

	make_file(1, false, 0);
	assert_int_equal(open_file(&file), 1);
	assert_false(runfile_is_removed(&file));
	unlink(path);
	assert_true(runfile_is_removed(&file));
	runfile_drop(&file);
}

static void pushes_without_losing_a_byte(void **state)
{
	struct runfile file;

	unlink(path);
	assert_int_equal(open_file(&file), 0);
	for (unsigned int i = 0; i < 200; i++) {
		assert_int_equal(append_sized(&file, i, 512 + 8 * (i % 1000), NULL), 0);
		assert_int_equal(runfile_push(&file, 8192), 0);
	}
	assert_int_equal(runfile_close(&file, false), 0);
	sample_read(path, &seen);
	assert_true(seen.sound && seen.closed);
	assert_holds(200);
}

/* Returns whether the file's pages from @offset on are not in the page cache. */
static bool is_past_cache(uint64_t offset, size_t bytes)
{
	unsigned char pages[SAMPLE_BYTES_MAX / 4096];
	int fd = open(path, O_RDWR);
	void *map = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, offset);
	bool is_past = true;

	assert_true(map != MAP_FAILED);
	assert_int_equal(mincore(map, bytes, pages), 0);
	for (size_t i = 0; i < bytes / 4096; i++)
		is_past = is_past && !(pages[i] & 1);
	munmap(map, bytes);
	close(fd);
	return is_past;
}

static uint64_t payload_at(uint64_t sequence)
{
	for (size_t i = 0; i < seen.count; i++)
		if (seen.blocks[i].kind == EVTLOG_BLOCK_BUFFER && seen.blocks[i].sequence == sequence)
			return seen.blocks[i].offset + sizeof(struct evtlog_block_header);
	fail_msg("buffer %d is not in the file", (int)sequence);
	return 0;
}

/* Small and large buffers in turn, of different lengths; the file is reopened in between. */
static void large_buffers_pass_the_cache_by(void **state)
{
	struct runfile_request r = request();
	const unsigned int count = 60;
	struct runfile file;
	uint32_t bytes[60];
	bool is_direct = true;

	r.direct = true;
	unlink(path);
	assert_int_equal(runfile_open(&file, directory_fd, &r), 0);
	for (unsigned int i = 0; i < count; i++) {
		bytes[i] = i % 3 ? 65536 + 8 * sample_random(8192) : 512 + 8 * sample_random(1024);
		if (i % 10 == 1)
			bytes[i] = 65536 + 4096 * sample_random(8);
		assert_int_equal(append_sized(&file, i, bytes[i], NULL), 0);
		sample_read(path, &seen);
		assert_true(seen.sound);
		assert_int_equal(file.tail, seen.bytes);
		is_direct = is_direct && file.is_direct;
		if (i == 30) {
			runfile_drop(&file);
			assert_int_equal(runfile_open(&file, directory_fd, &r), 1);
			assert_int_equal(visited.count, 31);
		}
	}
	assert_int_equal(runfile_close(&file, true), 0);
	sample_read(path, &seen);
	assert_true(seen.sound && seen.closed);
	assert_int_equal(seen.buffers, count);
	for (unsigned int i = 0; i < count; i++) {
		assert_int_equal(sample_count(&seen, i % 2, i), 1);
		if (bytes[i] >= 65536 && is_direct)
			assert_int_equal(payload_at(i) % 4096, 0);
	}
	if (!is_direct)
		skip();
}

static bool is_in_memory(void)
{
	struct statfs fs;

	assert_int_equal(statfs(directory, &fs), 0);
	return fs.f_type == TMPFS_MAGIC;
}

static void large_buffers_are_not_in_the_cache(void **state)
{
	struct runfile_request r = request();
	struct runfile file;
	uint64_t tail;

	r.direct = true;
	unlink(path);
	assert_int_equal(runfile_open(&file, directory_fd, &r), 0);
	assert_int_equal(append_sized(&file, 0, 65536 + 1000, NULL), 0);
	tail = file.tail;
	/* tmpfs of newer kernels accepts O_DIRECT, but is itself the page cache. */
	if (!file.is_direct || is_in_memory()) {
		runfile_drop(&file);
		skip();
	}
	assert_true(is_past_cache((tail - 65536 - 1000 + 4095) & ~4095ull, 65536));
	runfile_drop(&file);
	r.direct = false;
	unlink(path);
	assert_int_equal(runfile_open(&file, directory_fd, &r), 0);
	assert_int_equal(append_sized(&file, 0, 65536 + 1000, NULL), 0);
	assert_false(is_past_cache(4096, 61440));
	runfile_drop(&file);
}

static int setup(void **state)
{
	directory = sample_mkdir();
	directory_fd = open(directory, O_RDONLY | O_DIRECTORY);
	snprintf(path, sizeof(path), "%s/host-%d.evl", directory, RUN);
	return 0;
}

static int teardown(void **state)
{
	close(directory_fd);
	sample_rmdir(directory);
	return 0;
}

/* With an argument: only the tests that match the pattern */
int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_buffers_and_closes),
		cmocka_unit_test(goes_on_after_every_cut_of_an_open_file),
		cmocka_unit_test(goes_on_after_every_cut_of_a_closed_file),
		cmocka_unit_test(goes_on_after_every_cut_of_deflated_blocks),
		cmocka_unit_test(goes_on_after_every_flipped_bit),
		cmocka_unit_test(last_block_counts_only_if_its_payload_is_sound),
		cmocka_unit_test(finding_a_file_does_not_change_it),
		cmocka_unit_test(other_boots_and_strangers_keep_their_files),
		cmocka_unit_test(a_hard_link_is_not_ours),
		cmocka_unit_test(mode_is_as_told_whatever_the_umask),
		cmocka_unit_test(no_room_leaves_whole_blocks),
		cmocka_unit_test(no_room_for_the_index_leaves_a_sound_file),
		cmocka_unit_test(a_file_appears_with_its_header_or_not_at_all),
		cmocka_unit_test(notices_that_it_was_removed),
		cmocka_unit_test(pushes_without_losing_a_byte),
		cmocka_unit_test(large_buffers_pass_the_cache_by),
		cmocka_unit_test(large_buffers_are_not_in_the_cache),
	};

	sample_seed();
	if (argc > 1)
		cmocka_set_test_filter(argv[1]);
	return cmocka_run_group_tests(tests, setup, teardown);
}
