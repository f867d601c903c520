#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# guest.sh - the demo's part in the guest: logd through its init script, two runs, a
# real load in each. Lines that begin with "guest: " are shown.
set -eu

say() {
	echo "guest: $*"
}

compute() {
	i=0
	while [ $i -lt 60000 ]; do
		i=$((i + 1))
	done
}

# Tasks that compute, sleep, pipe and fork; disk and network; pings.
load() {
	compute &
	compute &
	(for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.1; done) &
	dd if=/dev/zero bs=512 count=4000 2>/dev/null | cat | wc -c >/dev/null &
	(for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do /bin/true; done) &
	(dd if=/dev/zero of=/mnt/file bs=64k count=200 conv=fsync 2>/dev/null
	 md5sum /mnt/file >/dev/null) &
	ping -c 5 -i 0.2 -q 127.0.0.1 >/dev/null &
	ping -c 5 -i 0.2 -q 10.99.0.254 >/dev/null &
	(echo hello | nc -l -p 7777 >/dev/null & sleep 0.3; head -c 300000 /dev/zero | nc 127.0.0.1 7777 >/dev/null) &
	wait
}

say "Linux $(uname -r) on $(nproc) CPUs"
mke2fs -q /dev/vda 2>/dev/null || mkfs.ext2 /dev/vda >/dev/null
mount /dev/vda /mnt

/etc/init.d/evtlog start
for run in 1 2; do
	say "run $run: echo 1 > /proc/evtlog/enable"
	echo 1 >/proc/evtlog/enable
	load
	echo 0 >/proc/evtlog/enable
	say "run $run: stopped after real load"
done
evtlog status || true
/etc/init.d/evtlog status
/etc/init.d/evtlog stop
ls -l /var/log/evtlog
cp /var/log/evtlog/*.evl "$OUT"
say "$(ls /var/log/evtlog | tr '\n' ' ')"
