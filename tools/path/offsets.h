/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the running kernel has the members of its structures that probes read.
 *
 * From the kernel's BTF, or a file that was made when the kernel was built.  Nothing is guessed.
 */
#ifndef EVTLOG_PATH_OFFSETS_H
#define EVTLOG_PATH_OFFSETS_H

#include <stddef.h>

#define PATH_BTF	"/sys/kernel/btf/vmlinux"

/* In bytes: of sk_buff; the last of tcp_sock, 0 if the kernel does not tell */
struct path_offsets {
	unsigned int len;
	unsigned int data_len;
	unsigned int data;
	unsigned int write_seq;
};

/**
 * path_offsets_of_btf() - of a file as /sys/kernel/btf/vmlinux
 *
 * Return: 0; -ENOENT: no such file; -EBADMSG: it is no BTF, or damaged; -ESRCH: no struct
 * sk_buff in it, or not with these members; -errno of reading.
 */
int path_offsets_of_btf(struct path_offsets *offsets, const char *path);

/**
 * path_offsets_of_file() - of lines such as "sk_buff.data 192"
 *
 * Other lines are skipped.  Return: as above, -EBADMSG does not occur.
 */
int path_offsets_of_file(struct path_offsets *offsets, const char *path);

/** path_btf_offset() - of a member, in bytes: 0 and *@offset, or -EBADMSG, -ESRCH */
int path_btf_offset(const void *btf, size_t length, const char *structure, const char *member,
		    unsigned int *offset);

#endif /* EVTLOG_PATH_OFFSETS_H */
