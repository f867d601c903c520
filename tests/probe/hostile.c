// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hostile FILE SECONDS SEED TEXT... - writes randomly changed texts to a file of /proc/evtlog;
 * first writes each text once unchanged.
 *
 * Changes: parts of one text in another, bytes that are inserted, deleted or changed, other
 * numbers, words of the language. Accepted texts are undone with "-*" or with the type alone.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ROOM	8192

static uint64_t state;

static uint64_t below(uint64_t n)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (state * 0x2545f4914f6cdd1dULL >> 32) % n;
}

static const char *const words[] = {
	" if ", " sample ", " pcap ", " handler ", " raw ", "&&", "||", "!", "(", ")", "[0:4001]", "[0:64]",
	"->", ".", "%return", "+5", "+99999999", "arg1", "arg7", "retval", "%di", "%zz", ":u32", ":s8",
	":str4000", ":u7", "1/1", "1/0", "p=0.5", "10ms", " by ", " seed ", "\"", "{", "}", ",", "-1",
	"18446744073709551616", "0x", "65536", "4294967295", "skb", "->skb", "\n+", "\n-", "\n", "*",
	"comm", "cgroup", "tree==1", "cpu", "pid", "\377", "%n%s", ">net ", "6 0 0 1", ",6 0 0 1",
	"[3]", "[4294967295]", "[", "]", ":be16", ":ip4", ":ip6", ":mac", "memory(", "@0xffffffff81000000", "@0x",
	"10.0.0.1", "==\"2001:db8::1\"", "~\"a*\"", "sk->__sk_common.skc_dport",
	",21 255 255 0", ",48 0 0 4294963204", ",177 0 0 4294967295", ",28 0 0 0", "((((((((((((((((((",
	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
};

static size_t replace(char *text, size_t size, size_t at, size_t old, const char *new, size_t length)
{
	if (size - old + length >= ROOM)
		return size;
	memmove(text + at + length, text + at + old, size - at - old);
	memcpy(text + at, new, length);
	return size - old + length;
}

static size_t change(char *text, size_t size, char **texts, unsigned int nr)
{
	size_t at = below(size + 1), rest = size - at, from;
	const char *other;
	char byte = (char)below(256);

	switch (below(6)) {
	case 0:
		return replace(text, size, at, 0, &byte, 1);
	case 1:
		return replace(text, size, at, rest ? 1 : 0, &byte, 1);
	case 2:
		return replace(text, size, at, rest ? below(rest < 9 ? rest + 1 : 10) : 0, "", 0);
	case 3:
		other = texts[below(nr)];
		from = below(strlen(other));
		return replace(text, size, at, 0, other + from, below(strlen(other) - from) + 1);
	case 4:
		while (at < size && (text[at] < '0' || text[at] > '9'))
			at++;
		if (at < size)
			text[at] = (char)('0' + below(10));
		return size;
	default:
		other = words[below(sizeof(words) / sizeof(words[0]))];
		return replace(text, size, at, below(2) && rest ? 1 : 0, other, strlen(other));
	}
}

static int put(const char *file, const char *text, size_t size)
{
	int fd = open(file, O_WRONLY), error = 0;

	if (fd < 0 || write(fd, text, size) < 0)
		error = errno;
	if (fd >= 0)
		close(fd);
	return error;
}

static void take_away(const char *file, char *text)
{
	if (strstr(file, "probes"))
		put(file, "-*", 2);
	else if (put(file, text, strcspn(text, " \t\n")))
		printf("not taken away: %s\n", text);
}

int main(int argc, char **argv)
{
	unsigned int nr = (unsigned int)argc - 4, writes = 0, accepted = 0;
	char **texts = argv + 4, text[ROOM + 1];
	time_t end;

	if (argc < 5)
		return 2;
	state = strtoull(argv[3], NULL, 0) * 2 + 1;
	end = time(NULL) + atoi(argv[2]);
	for (unsigned int i = 0; i < nr; i++) {
		if (put(argv[1], texts[i], strlen(texts[i]))) {
			printf("refused: %s\n", texts[i]);
			return 1;
		}
		take_away(argv[1], texts[i]);
	}
	while (time(NULL) < end) {
		const char *origin = texts[below(nr)];
		size_t size = strlen(origin);
		int error;

		memcpy(text, origin, size);
		for (uint64_t n = below(4) + 1; n; n--)
			size = change(text, size, texts, nr);
		text[size] = '\0';
		error = put(argv[1], text, size);
		writes++;
		if (!error) {
			/* A deletion waits until no task is in the probes' code. */
			if (++accepted % 16 == 0 || !strstr(argv[1], "probes"))
				take_away(argv[1], text);
		} else if (error == EFAULT || error == EIO) {
			printf("error %d: %s\n", error, text);
			return 1;
		}
	}
	if (strstr(argv[1], "probes"))
		put(argv[1], "-*", 2);
	printf("%u texts, %u accepted\n", writes, accepted);
	return 0;
}
