/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Offsets of members of kernel structures that probes read.
 *
 * From the running kernel's BTF, or a file made when the kernel was built. Nothing is guessed.
 */
#ifndef EVTLOG_PATH_OFFSETS_H
#define EVTLOG_PATH_OFFSETS_H

#include <stddef.h>

#define PATH_BTF	"/sys/kernel/btf/vmlinux"

/* In bytes, in sk_buff; @write_seq is in tcp_sock, 0 if unknown. */
struct path_offsets {
	unsigned int len;
	unsigned int data_len;
	unsigned int data;
	unsigned int write_seq;
};

/**
 * path_offsets_of_btf() - read offsets from a file such as /sys/kernel/btf/vmlinux
 *
 * Return: 0; -ENOENT: no such file; -EBADMSG: not BTF, or damaged; -ESRCH: no struct sk_buff in
 * it, or not with these members; -ENOMEM; -errno of reading.
 */
int path_offsets_of_btf(struct path_offsets *offsets, const char *path);

/**
 * path_offsets_of_file() - read offsets from lines such as "sk_buff.data 192"
 *
 * Other lines are skipped. Return: as above, except -EBADMSG.
 */
int path_offsets_of_file(struct path_offsets *offsets, const char *path);

/** path_btf_offset() - find a member's offset in bytes: 0, -EBADMSG, -ESRCH or -ENOMEM */
int path_btf_offset(const void *btf, size_t length, const char *structure, const char *member,
		    unsigned int *offset);

#endif /* EVTLOG_PATH_OFFSETS_H */
