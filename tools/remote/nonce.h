/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Nonces that rise over all processes of a host.
 */
#ifndef EVTLOG_REMOTE_NONCE_H
#define EVTLOG_REMOTE_NONCE_H

#include <stdint.h>

/* @fd: the file that keeps @last, -1 when there can be none */
struct nonce {
	int fd;
	uint64_t last;
};

/**
 * nonce_open() - open the file beside a key file, or make it
 *
 * Where there can be none (a read-only file system), nonces are the clock alone.
 */
void nonce_open(struct nonce *nonce, const char *key_path);
void nonce_close(struct nonce *nonce);

/**
 * nonce_begin() - from here to nonce_end() no other process takes a nonce
 *
 * Messages must be sent in the order of their nonces, so send them in between.
 */
void nonce_begin(struct nonce *nonce);
uint64_t nonce_next(struct nonce *nonce);
void nonce_end(struct nonce *nonce);

#endif /* EVTLOG_REMOTE_NONCE_H */
