# SPDX-License-Identifier: GPL-2.0-or-later
#
# guest.sh - what the oracles' scripts share in the guest: logd from start to
# end, and a disk to work on. Sourced, not run.
set -eu

evtlog=/proc/evtlog
log=/tmp/log

die() {
	echo "guest: $*"
	exit 1
}

[ -d $evtlog ] || die "$evtlog: this kernel has no evtlog"

start_logd() {
	mkdir -p $log
	logd -q -d $log --daemon -p /tmp/logd.pid "$@" || die "logd did not start"
	logd_pid=$(cat /tmp/logd.pid)
}

# Files are whole once logd has ended.
stop_logd() {
	kill "$logd_pid"
	tries=300
	while kill -0 "$logd_pid" 2>/dev/null; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || die "logd does not end"
		sleep 0.1
	done
}

run_number() {
	sed -n 's/^run //p' $evtlog/status
}

# The guest's own disk where it has one, which interrupts; else one on tmpfs.
make_disk() {
	disk=/dev/vda options=
	if [ ! -b $disk ]; then
		disk=/tmp/disk options="-o loop"
		dd if=/dev/zero of=$disk bs=1M count=0 seek=32 2>/dev/null
	fi
	mke2fs -F $disk >/dev/null 2>&1 || die "mke2fs failed"
	mount -t ext4 $options $disk /mnt || die "no ext4 on $disk"
}

# Writes, syncs and reads for so many seconds.
use_disk() {
	end=$(($(date +%s) + $1))
	while [ "$(date +%s)" -lt "$end" ]; do
		dd if=/dev/zero of=/mnt/file bs=16k count=64 conv=fsync 2>/dev/null
		md5sum /mnt/file >/dev/null
	done
}
