// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reads binary profiles.
 *
 * The bytes are not trusted: memory is allocated in proportion to the bytes that are there.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "lib/codec/crc32.h"

/*
 * struct bytes - the bytes that are not yet read
 * @names: strings of the file, by number
 */
struct bytes {
	const uint8_t *first, *at, *end;
	const char **names;
	size_t count;
	struct evtlog_error *error;
};

static int damaged(const struct bytes *bytes, const char *reason)
{
	return profile_refuse(bytes->error, -EBADMSG, sizeof(struct profile_head) + (bytes->at - bytes->first), reason);
}

static int take(struct bytes *bytes, uint64_t *number)
{
	*number = 0;
	for (unsigned int shift = 0; bytes->at < bytes->end && shift < 64; shift += 7) {
		uint8_t byte = *bytes->at++;

		if (shift == 63 && byte > 1)
			break;
		*number |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return 0;
	}
	return damaged(bytes, "a number is truncated or too large");
}

static int take_all(struct bytes *bytes, uint64_t **numbers, size_t count)
{
	int error = 0;

	for (size_t i = 0; i < count && !error; i++)
		error = take(bytes, numbers[i]);
	return error;
}

/* Takes a count of items that take at least @least bytes each. */
static int take_count(struct bytes *bytes, uint64_t *count, size_t least)
{
	int error = take(bytes, count);

	if (!error && *count > (size_t)(bytes->end - bytes->at) / least)
		error = damaged(bytes, "a count is larger than the data after it");
	return error;
}

static int take_u32(struct bytes *bytes, uint32_t *number, uint32_t most)
{
	uint64_t wide;
	int error = take(bytes, &wide);

	if (!error && wide > most)
		error = damaged(bytes, "a number is too large");
	if (!error)
		*number = wide;
	return error;
}

static int take_string(struct bytes *bytes, struct evtlog_profile *profile, bool is_path,
		       const char **text)
{
	uint64_t length;
	int error = take_count(bytes, &length, 1);

	if (error)
		return error;
	if (memchr(bytes->at, '\0', length))
		return damaged(bytes, "a name has a NUL");
	if (is_path && (!length || memchr(bytes->at, ' ', length) || memchr(bytes->at, '\n', length)))
		return damaged(bytes, "a path is empty, or has a blank or newline");
	*text = profile_string(profile, (const char *)bytes->at, length);
	bytes->at += length;
	return *text ? 0 : -ENOMEM;
}

static int take_about(struct bytes *bytes, struct evtlog_profile_about *about)
{
	uint64_t flags, costs;
	uint32_t rank;
	int error = take(bytes, &flags);

	if (!error)
		error = take_u32(bytes, &rank, INT32_MAX);
	if (!error)
		error = take_all(bytes, (uint64_t *[]){ &about->ticks_hz, &about->tasks_without,
							&about->members, &about->listed,
							&about->removed, &about->clamped }, 6);
	if (!error)
		error = take_count(bytes, &costs, 2);
	if (error)
		return error;
	about->rank = (int32_t)rank - 1;
	about->is_on = flags & PROFILE_IS_ON;
	about->is_diff = flags & PROFILE_IS_DIFF;
	about->is_compensated = flags & PROFILE_IS_COMPENSATED;
	for (uint64_t i = 0; i < costs && !error; i++) {
		struct evtlog_profile_costs other;
		struct evtlog_profile_costs *to = i < EVTLOG_PROFILE_COSTS ? &about->costs[i] : &other;

		error = take_all(bytes, (uint64_t *[]){ &to->inside, &to->outside }, 2);
	}
	return error;
}

static int take_names(struct bytes *bytes, struct evtlog_profile *profile)
{
	uint64_t count;
	int error = take_count(bytes, &count, 2);

	if (error)
		return error;
	bytes->names = calloc(count + 1, sizeof(*bytes->names));
	if (!bytes->names)
		return -ENOMEM;
	for (; bytes->count < count && !error; bytes->count++)
		error = take_string(bytes, profile, true, &bytes->names[bytes->count]);
	return error;
}

static int take_path(struct bytes *bytes, struct profile_slot *slot)
{
	struct evtlog_profile_path *path = profile_add_path(slot);
	uint64_t name;
	int error;

	if (!path)
		return -ENOMEM;
	error = take_all(bytes, (uint64_t *[]){ &name, &path->count, &path->inclusive,
						&path->exclusive, &path->largest }, 5);
	if (error)
		return error;
	if (name >= bytes->count)
		return damaged(bytes, "a path refers to a missing name");
	path->path = bytes->names[name];
	path->event = profile_event_of(path->path);
	return 0;
}

static int take_value(struct bytes *bytes, struct profile_slot *slot)
{
	struct evtlog_profile_value *value = profile_add_value(slot);
	uint64_t name;
	int error;

	if (!value)
		return -ENOMEM;
	error = take_all(bytes, (uint64_t *[]){ &name, &value->count, &value->sum, &value->least,
						&value->largest, &value->squares }, 6);
	if (error)
		return error;
	if (name >= bytes->count)
		return damaged(bytes, "a value refers to a missing name");
	value->name = bytes->names[name];
	return 0;
}

static int take_threads(struct bytes *bytes, struct evtlog_profile *profile,
			struct evtlog_profile_entry *entry)
{
	int error = take_u32(bytes, &entry->tgid, UINT32_MAX);

	return error ? error : take_string(bytes, profile, false, &entry->comm);
}

static int take_kind(struct bytes *bytes, struct evtlog_profile *profile,
		     struct evtlog_profile_entry *entry)
{
	uint32_t kind, cpu;
	int error = take_u32(bytes, &kind, PROFILE_OF_THREADS);

	if (error)
		return error;
	if (kind == PROFILE_OF_CPU) {
		error = take_u32(bytes, &cpu, INT32_MAX);
		if (!error)
			entry->cpu = cpu;
		return error;
	}
	if (kind == PROFILE_OF_ENDED || kind == PROFILE_OF_THREADS) {
		entry->comm = "ended";
		if (kind == PROFILE_OF_THREADS)
			error = take_threads(bytes, profile, entry);
		return error ? error : take_all(bytes, (uint64_t *[]){ &entry->ended, &entry->lifetime }, 2);
	}
	error = take_u32(bytes, &entry->pid, UINT32_MAX);
	if (!error)
		error = take_u32(bytes, &entry->tgid, UINT32_MAX);
	return error ? error : take_string(bytes, profile, false, &entry->comm);
}

static int take_entry(struct bytes *bytes, struct evtlog_profile *profile)
{
	struct profile_slot *slot = profile_add_entry(profile);
	struct evtlog_profile_entry *entry;
	uint64_t length = 0, paths = 0, values = 0;
	int error;

	if (!slot)
		return -ENOMEM;
	entry = &slot->entry;
	error = take_kind(bytes, profile, entry);
	if (!error)
		error = take_all(bytes, (uint64_t *[]){ &entry->begin, &length, &entry->unmatched,
							&entry->ahead }, 4);
	if (!error)
		error = take_count(bytes, &paths, 5);
	if (!error)
		error = profile_reserve_paths(slot, paths);
	entry->end = entry->begin + length;
	while (!error && paths--)
		error = take_path(bytes, slot);
	if (!error)
		error = take_count(bytes, &values, 6);
	while (!error && values--)
		error = take_value(bytes, slot);
	return error;
}

static int take_body(struct bytes *bytes, struct evtlog_profile *profile)
{
	uint64_t count = 0;
	int error = take_about(bytes, &profile->about);

	if (!error)
		error = take_names(bytes, profile);
	if (!error)
		error = take_count(bytes, &count, 8);
	while (!error && count--)
		error = take_entry(bytes, profile);
	if (!error && bytes->at < bytes->end)
		error = damaged(bytes, "data follows its end");
	return error;
}

static int check_head(const uint8_t *bytes, size_t length, struct profile_head *head, struct evtlog_error *error)
{
	if (length < sizeof(*head))
		return profile_refuse(error, -EBADMSG, length, "it ends within its header");
	memcpy(head, bytes, sizeof(*head));
	if ((head->version != PROFILE_VERSION && head->version != PROFILE_VERSION_THREADS) || head->head_bytes != sizeof(*head))
		return profile_refuse(error, -EPROTONOSUPPORT, 8, "it is of another version or byte order");
	if (head->body_bytes != length - sizeof(*head))
		return profile_refuse(error, -EBADMSG, 16, head->body_bytes > length - sizeof(*head) ?
				      "it is truncated" : "data follows its end");
	if (crc_of(0, bytes + sizeof(*head), length - sizeof(*head)) != head->crc)
		return profile_refuse(error, -EBADMSG, 12, "its checksum is wrong");
	return 0;
}

int profile_parse_binary(const void *from, size_t length, struct evtlog_profile **profilep,
			 struct evtlog_error *error)
{
	const uint8_t *first = from;
	struct bytes bytes = { .error = error };
	struct evtlog_profile *profile;
	struct profile_head head;
	int status = check_head(first, length, &head, error);

	if (status)
		return status;
	bytes.first = bytes.at = first + sizeof(head);
	bytes.end = first + length;
	profile = profile_new();
	status = profile ? take_body(&bytes, profile) : -ENOMEM;
	free(bytes.names);
	if (status) {
		evtlog_profile_free(profile);
		return status == -ENOMEM ? profile_refuse(error, status, 0, "no memory") : status;
	}
	*profilep = profile;
	return 0;
}
