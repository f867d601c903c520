// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads and writes the notes.
 */
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/atomic-file.h"
#include "common/json.h"
#include "lib/base/io.h"
#include "server.h"

/* Attempts to get a lock that another viewer has, and the time between them */
#define LOCK_TRIES	100
#define LOCK_PAUSE_NS	20000000

static const char no_notes[] = "{\"marks\":[]}\n";

/* LOG.notes.json; free() it. */
static char *notes_path(const struct session *session)
{
	char *path;

	return asprintf(&path, "%s.notes.json", session->hosts[0].path) < 0 ? NULL : path;
}

/* Follows only symbolic links of the user: others could point anywhere.  0 or -errno. */
static int find_notes(const struct session *session, char **pathp)
{
	char *path = notes_path(session), *whole;
	struct stat about;

	*pathp = path;
	if (!path)
		return -ENOMEM;
	if (lstat(path, &about) || !S_ISLNK(about.st_mode))
		return 0;
	whole = about.st_uid == geteuid() ? realpath(path, NULL) : NULL;
	free(path);
	*pathp = whole;
	return whole ? 0 : -ELOOP;
}

/*
 * Locks the log against other viewers until the returned file is closed.  Any reader of the log
 * can lock it, so waiting is limited.  Returns a file even if locks are not supported; -1 if the
 * log cannot be opened; -EAGAIN if another process has the lock.
 */
static int lock_log(const char *log)
{
	const struct timespec pause = { .tv_nsec = LOCK_PAUSE_NS };
	int fd = open(log, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return -1;
	for (int i = 0; flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK; i++) {
		if (i == LOCK_TRIES) {
			close(fd);
			return -EAGAIN;
		}
		nanosleep(&pause, NULL);
	}
	return fd;
}

bool notes_writable(const struct session *session)
{
	char *path = notes_path(session), *slash;
	bool writable;

	if (!path)
		return false;
	slash = strrchr(path, '/');
	if (slash)
		slash[slash == path] = '\0';
	writable = !access(slash ? path : ".", W_OK);
	free(path);
	return writable;
}

static int read_all(int fd, char **bytes, size_t *length)
{
	struct stat about;
	ssize_t got;

	if (fstat(fd, &about))
		return -errno;
	if (!S_ISREG(about.st_mode) || about.st_size > NOTES_BYTES_MAX)
		return -EFBIG;
	*bytes = malloc(NOTES_BYTES_MAX + 1);
	if (!*bytes)
		return -ENOMEM;
	got = io_read(fd, *bytes, NOTES_BYTES_MAX);
	if (got < 0)
		return got;
	*length = got;
	return 0;
}

/* Reads the notes; empty notes if there is no file.  free() @bytes in any case.  0 or -errno. */
static int read_notes(const char *path, char **bytes, size_t *length)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	int error;

	*bytes = NULL;
	if (fd < 0 && errno == ENOENT) {
		*bytes = strdup(no_notes);
		*length = strlen(no_notes);
		return *bytes ? 0 : -ENOMEM;
	}
	if (fd < 0)
		return -errno;
	error = read_all(fd, bytes, length);
	close(fd);
	return error;
}

static void make_tag(char *tag, size_t capacity, const char *bytes, size_t length)
{
	unsigned char hash[16];
	char digits[2 * sizeof(hash) + 1];

	crypto_generichash(hash, sizeof(hash), (const unsigned char *)bytes, length, NULL, 0);
	sodium_bin2hex(digits, sizeof(digits), hash, sizeof(hash));
	snprintf(tag, capacity, "\"%s\"", digits);
}

/* Notes describe the log, so only users who can read the log may read them. */
static int write_notes(const char *path, const char *log, const char *bytes, size_t length)
{
	struct atomic_file output;
	struct stat about;
	int error;

	error = atomic_file_new(&output, path, stat(log, &about) ? 0600 : about.st_mode & 0666);
	if (error)
		return error;
	if (fwrite(bytes, 1, length, output.out) == length)
		return atomic_file_finish(&output);
	error = errno ? -errno : -EIO;
	atomic_file_discard(&output);
	return error;
}

static unsigned int notes_failed(struct request *request, int error)
{
	if (error == -EACCES || error == -EPERM || error == -EROFS)
		return request_error(request, MHD_HTTP_FORBIDDEN,
				     "notes can't be saved next to the log: %s", strerror(-error));
	if (error == -EFBIG)
		return request_error(request, MHD_HTTP_FORBIDDEN,
				     "the file LOG.notes.json is not a file of notes");
	if (error == -ELOOP)
		return request_error(request, MHD_HTTP_FORBIDDEN,
				     "the file LOG.notes.json is a symbolic link of another user, or has no target");
	return request_failed(request, error);
}

unsigned int answer_notes(struct request *request)
{
	char *path, *bytes = NULL;
	size_t length;
	int error = find_notes(request->session, &path);

	if (!error)
		error = read_notes(path, &bytes, &length);

	free(path);
	if (error) {
		free(bytes);
		return notes_failed(request, error);
	}
	request->bytes = bytes;
	request->length = length;
	request->owned = true;
	request->type = "application/json";
	make_tag(request->entity_tag, sizeof(request->entity_tag), bytes, length);
	return MHD_HTTP_OK;
}

static unsigned int replace(struct request *request, const char *path, const char *tag)
{
	char *bytes, now[sizeof(request->entity_tag)];
	size_t length;
	int error = read_notes(path, &bytes, &length);

	if (!error)
		make_tag(now, sizeof(now), bytes, length);
	free(bytes);
	if (error)
		return notes_failed(request, error);
	if (strcmp(tag, now))
		return request_error(request, MHD_HTTP_CONFLICT,
				     "the notes were changed meanwhile: read them again");
	error = write_notes(path, request->session->hosts[0].path, request->body,
			    request->body_length);
	if (error)
		return notes_failed(request, error);
	make_tag(request->entity_tag, sizeof(request->entity_tag), request->body,
		 request->body_length);
	return MHD_HTTP_NO_CONTENT;
}

unsigned int answer_put_notes(struct request *request)
{
	const char *tag = request_header(request, "If-Match");
	unsigned int status;
	char *path = NULL;
	int lock, error;

	if (!tag)
		return request_error(request, MHD_HTTP_BAD_REQUEST,
				     "send If-Match with the ETag of the notes as read");
	if (!request->body || !json_check_object(request->body, request->body_length))
		return request_error(request, MHD_HTTP_BAD_REQUEST,
				     "send {\"marks\": [...]} as JSON");
	pthread_mutex_lock(&request->server->notes_lock);
	lock = lock_log(request->session->hosts[0].path);
	error = lock == -EAGAIN ? lock : find_notes(request->session, &path);
	status = error ? notes_failed(request, error) : replace(request, path, tag);
	if (lock >= 0)
		close(lock);
	pthread_mutex_unlock(&request->server->notes_lock);
	free(path);
	return status;
}
