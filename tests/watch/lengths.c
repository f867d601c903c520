// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lengths SEED COUNT - two processes of two threads; each thread sends so many datagrams to 127.0.0.1,
 * port 9, of 111 or 222 bytes at random, with random pauses.
 */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned int count;

struct thread {
	pthread_t thread;
	uint32_t state;
};

static uint32_t draw(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

static void *send_all(void *data)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9) };
	struct thread *t = data;
	static char bytes[222];
	int s = socket(AF_INET, SOCK_DGRAM, 0);

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	for (unsigned int i = 0; i < count; i++) {
		size_t length = draw(&t->state) & 0x100 ? 111 : 222;

		/* Nobody listens: the error of a datagram is reported by the next send. */
		if (sendto(s, bytes, length, 0, (struct sockaddr *)&to, sizeof(to)) < 0)
			sendto(s, bytes, length, 0, (struct sockaddr *)&to, sizeof(to));
		usleep(draw(&t->state) >> 8 & 1023);
	}
	close(s);
	return NULL;
}

int main(int argc, char **argv)
{
	uint32_t seed = argc > 2 ? (uint32_t)atoi(argv[1]) : 1;
	int is_second, status = 0;
	struct thread threads[2];

	if (argc != 3)
		return 2;
	count = (unsigned int)atoi(argv[2]);
	is_second = !fork();
	for (unsigned int i = 0; i < 2; i++) {
		threads[i].state = (seed + 1) * 2654435761U + (uint32_t)is_second * 2 + i;
		if (pthread_create(&threads[i].thread, NULL, send_all, &threads[i]))
			return 1;
	}
	for (unsigned int i = 0; i < 2; i++)
		pthread_join(threads[i].thread, NULL);
	if (!is_second)
		wait(&status);
	return status != 0;
}
