#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# study.sh COUNTS KIB BLOCK_KIB SYNC - runs the study's guests. node1 is the I/O node: iod does the
# file I/O of clients, on NFS and on its own disk; its profile and traces are kept. node2 has the
# clients, for each number in COUNTS ("2,4"). node3 is the NFS server.
. /script/guest.sh
# shellcheck source=tests/study/measure.sh
. /script/measure.sh

counts=$(echo "$1" | tr , ' ')
shift
server=10.99.0.3
# The file handle of the root of an export with fsid=1: version 1, no authentication, the fsid of 4
# bytes, the root
handle=0100010001000000

# tell() NODE PORT - waits for the node's wait_for PORT
tell() {
	await 200 nc 10.99.0.$1 $2 </dev/null
}
wait_for() {
	nc -l -p $1 </dev/null >/dev/null
}

mount_disk() {
	mkdir -p $1
	gzip -dc /script/disk.gz >/dev/vda
	mount -t ext4 /dev/vda $1
}

serve_nfs() {
	mount_disk /srv
	portmap >/tmp/portmap &
	await 20 grep -q ready /tmp/portmap
	mount -t nfsd nfsd /proc/fs/nfsd
	# The answers of mountd: the client at an address, its exports and their flags (fsid, no
	# check of subtrees), and the export of a handle. The kernel must not ask again.
	for node in 1 2; do
		echo "nfsd 10.99.0.$node 2147483647 ionode" >/proc/net/rpc/auth.unix.ip/channel
	done
	echo "ionode /srv 2147483647 9216 -2 -2 1" >/proc/net/rpc/nfsd.export/channel
	printf '%s\n' 'ionode 1 \x01000000 2147483647 /srv' >/proc/net/rpc/nfsd.fh/channel
	echo 8 >/proc/fs/nfsd/threads
	wait_for 7000
	cp /proc/net/rpc/nfsd "$OUT/nfsd"
}

is_mounted() {
	nfsmount $server $handle /nfs
}

# each COMMAND... - with each back end and number of clients, and a port for both
each() {
	port=7100
	for back in nfs local; do
		for clients in $counts; do
			port=$((port + 1))
			"$@" $back $clients $port
		done
	done
}

begin_clients() {
	tell 2 $((port + 1000))
}

serve_files() {
	mkdir -p /nfs
	mount_disk /local
	await 60 is_mounted
	grep ' /nfs ' /proc/mounts
	tell_functions
	each measure
	tell 3 7000
}

ask() {
	wait_for $(($3 + 1000))
	iotest 10.99.0.1 "$3" "$2" $load >"$OUT/$1-$2.load" || die "iotest: $?"
}

load=$*
case $NODE in
1) serve_files ;;
2) each ask ;;
3) serve_nfs ;;
esac
