#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# installed.sh - boots the Debian on /dev/vda, as PID 1 of a namespace, and uses, upgrades, removes and purges its
# packages while logd runs.
. ./logd-in-guest.sh

mount -t ext4 /dev/vda /mnt || die "no disk"
mount -o rbind /dev /mnt/dev && mount -o rbind /sys /mnt/sys && mount -t tmpfs tmpfs /mnt/run || die "mount: $?"

# start_debian - starts systemd in the root; the kernel is not booted again
start_debian() {
	unshare -m -p -f chroot /mnt sh -c 'mount -t proc proc /proc
		exec env -i container=test PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --system' &
	outer=$!
	until_true 300 inside systemctl is-active --quiet multi-user.target 2>/dev/null || {
		inside systemctl list-jobs --no-pager
		die "systemd does not start"
	}
}

stop_debian() {
	inside systemctl poweroff
	until_true 120 is_gone $outer || die "systemd does not end"
}

is_gone() {
	! kill -0 "$1" 2>/dev/null
}

inside() {
	nsenter -t "$(pgrep -P $outer | head -n 1)" -m -p -r -w "$@"
}

has_logger() {
	! logger_is 0
}

# loses_nothing LOG - LOG in /var/log/evtlog is complete
loses_nothing() {
	evtlog check --json "/mnt/var/log/evtlog/$1" >"$OUT/${1##*/}.json" || die "$1: check: $? $(cat "$OUT/${1##*/}.json")"
	claim "$1 lost nothing" [ "$(file_lost "/mnt/var/log/evtlog/$1")" = 0 ]
}

# shown NAME COMMAND... - COMMAND must succeed; its output is $OUT/NAME
shown() {
	name=$1
	shift
	inside "$@" >"$OUT/$name" 2>&1 || die "$*: $? $(cat "$OUT/$name")"
}

echo node1 >/mnt/etc/hostname
claim "the kernel has no evtlog" [ ! -e /proc/evtlog ]
read -r begin _ </proc/uptime
start_debian
echo "== the module is loaded, and logd runs"
claim "the module" grep -qx "form module" /proc/evtlog/format
claim "logd" until_true 20 has_logger
shown record evtlog record -o /root/first.evl -- sleep 1
shown stat evtlog stat --json /root/first.evl
read -r end _ </proc/uptime
echo "$begin $end" | awk '{ print "from the boot to the first stat:", $2 - $1, "s" }'

echo "== members of the group, and nobody else, read logs"
logs=/var/log/evtlog
group=$(awk -F: '$1 == "evtlog" { print $3 }' /mnt/etc/group)
claim "the directory" [ "$(stat -c '%a %g' /mnt$logs)" = "750 $group" ]
shown start evtlog start --name read
shown stop evtlog stop
shown member useradd -G evtlog member
shown reader su member -s /bin/sh -c "evtlog info $logs/node1-read.evl"
! inside su nobody -s /bin/sh -c "evtlog info $logs/node1-read.evl" >/dev/null 2>&1 || die "nobody can read it"

echo "== upgraded and rotated while a run is recorded"
logger=$(cat /proc/evtlog/pid)
shown start evtlog start --name upgraded
load_start
shown upgrade sh -c 'dpkg -i /root/newer/evtlog_*.deb /root/newer/libevtlog*.deb'
claim "logd is back" until_true 20 has_logger
claim "another logd" [ "$(cat /proc/evtlog/pid)" != "$logger" ]
claim "still recorded" grep -qx 1 /proc/evtlog/enable
claim "a file" until_true 20 test -s /mnt$logs/node1-upgraded.evl
shown rotate logrotate --force /etc/logrotate.d/evtlog
claim "a new file" until_true 20 test -s /mnt$logs/node1-upgraded.evl
load_stop
shown stop evtlog stop
loses_nothing old/node1-upgraded.1.evl
loses_nothing node1-upgraded.evl

echo "== booted once more"
stop_debian
claim "logd has ended" logger_is 0
chroot /mnt rmmod evtlog || die "rmmod: $?"
start_debian
claim "logd" until_true 20 has_logger
# What the installation does on a running kernel, after dkms has built the module
shown stop systemctl stop evtlog
chroot /mnt rmmod evtlog || die "rmmod: $?"
touch /mnt/etc/dkms/no-autoinstall
shown configure /var/lib/dpkg/info/evtlog-dkms.postinst configure
claim "the installation starts logd" until_true 20 has_logger

echo "== upgraded, removed and purged while a run is recorded"
shown start evtlog start --name removed
load_start
# dkms would need half an hour in the guest to build the module again. The loaded one stays.
shown upgrade sh -c 'dpkg -i /root/newer/evtlog-dkms_*.deb'
claim "still recorded" grep -qx 1 /proc/evtlog/enable
packages="evtlog-dkms evtlog libevtlog-dev libevtlog0 evtlog-kernel-patch"
shown remove dpkg -r $packages
load_stop
claim "the module is unloaded" [ ! -e /proc/evtlog ]
loses_nothing node1-removed.evl
left=$(find /mnt/lib/modules /mnt/lib/systemd /mnt/usr /mnt/var/lib/dkms -name '*evtlog*')
[ -z "$left" ] || die "removed, but there is: $left"
shown purge dpkg -P $packages
left=$(find /mnt -xdev -name '*evtlog*' ! -path '/mnt/root/*')
[ -z "$left" ] || die "purged, but there is: $left"
# The group stays, as files in other places may belong to it.
claim "the group" grep -q '^evtlog:' /mnt/etc/group
stop_debian
