// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * nfsmount ADDRESS HANDLE DIRECTORY - mounts an NFS server's export by its file handle, in hex:
 * version 3 over TCP, without mountd and without locks.
 *
 * mount.nfs asks the server's mountd for the handle; the guests do not have mountd.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/nfs.h>
#include <linux/nfs_mount.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>

int main(int argc, char **argv)
{
	struct nfs_mount_data data = {
		.version = NFS_MOUNT_VERSION,
		.flags = NFS_MOUNT_VER3 | NFS_MOUNT_TCP | NFS_MOUNT_NONLM,
		.timeo = 600,
		.retrans = 2,
		.acregmin = 3, .acregmax = 60, .acdirmin = 30, .acdirmax = 60,
		.namlen = 255,
		.addr = { .sin_family = AF_INET },
	};
	char source[64];
	size_t length;

	if (argc != 4 || inet_pton(AF_INET, argv[1], &data.addr.sin_addr) != 1)
		return 2;
	data.addr.sin_port = htons(NFS_PORT);
	length = strlen(argv[2]);
	if (length % 2 || length / 2 > NFS3_FHSIZE)
		return 2;
	for (size_t i = 0; i < length / 2; i++) {
		unsigned int byte;

		if (sscanf(argv[2] + 2 * i, "%2x", &byte) != 1)
			return 2;
		data.root.data[i] = byte;
	}
	data.root.size = length / 2;
	snprintf(data.hostname, sizeof(data.hostname), "%s", argv[1]);
	snprintf(source, sizeof(source), "%s:/", argv[1]);
	if (mount(source, argv[3], "nfs", 0, &data)) {
		fprintf(stderr, "nfsmount: %s: %s\n", source, strerror(errno));
		return 1;
	}
	return 0;
}
