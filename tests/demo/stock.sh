#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# stock.sh - the part of make demo-stock in the guest: loads the module and records a load. Lines that
# begin with "guest: " are shown.
set -eu
. ./waiting.sh

say() {
	echo "guest: $*"
}

# Tasks that compute, sleep, pipe and fork; disk and network
load() {
	ping -c 10 -i 0.1 -q 10.99.0.254 >/dev/null &
	(i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done) &
	(for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.1; /bin/true; done) &
	dd if=/dev/zero bs=512 count=4000 2>/dev/null | cat | wc -c >/dev/null &
	(dd if=/dev/zero of=/mnt/file bs=64k count=100 conv=fsync 2>/dev/null
	 md5sum /mnt/file >/dev/null) &
	wait
}

if [ "${1:-}" = load ]; then
	load
	exit
fi
mke2fs -F /dev/vda >/dev/null 2>&1
mount -t ext4 /dev/vda /mnt
say "Linux $(uname -r), Debian's own, on $(nproc) CPUs"
say "insmod evtlog.ko"
insmod /script/evtlog.ko || die "insmod: $?"
say "evtlog record -o stock.evl -- ./stock.sh load"
evtlog record -o "$OUT/stock.evl" -- "$0" load 2>&1 | sed 's/^/guest:     /'
say "rmmod evtlog"
rmmod evtlog || die "rmmod: $?"
