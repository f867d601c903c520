#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# local.sh CLIENTS KIB BLOCK_KIB SYNC - runs iod and its clients in one guest, on its own disk.
. /script/guest.sh
# shellcheck source=tests/study/measure.sh
. /script/measure.sh

clients=$1
shift
load=$*

begin_clients() {
	# shellcheck disable=SC2086 # words
	iotest 127.0.0.1 7101 "$clients" $load >"$OUT/local-$clients.load" &
}

ifconfig lo 127.0.0.1 up
mkdir -p /local
gzip -dc /script/disk.gz >/dev/vda
mount -t ext4 /dev/vda /local
tell_functions
measure local "$clients" 7101
