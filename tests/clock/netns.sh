#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# netns.sh SECONDS - pings between two network namespaces of one guest, under load.
. /script/guest.sh

unshare -n sleep 3600 &
inside=$!
sleep 1
# Their names are the kernel's choice: busybox does not give any.
ip link add type veth
ip link set veth1 netns $inside
ip addr add 10.88.0.1/24 dev veth0
ip link set veth0 up
nsenter -t $inside -n ip addr add 10.88.0.2/24 dev veth1
nsenter -t $inside -n ip link set veth1 up
await_host 10.88.0.2
start_logd
echo 1 >$evtlog/enable
load "$1" 10 &
busy=$!
ping -q -i 0.1 -c $((10 * $1)) 10.88.0.2 >"$OUT/ping.txt"
wait $busy
echo 0 >$evtlog/enable
stop_logd
kill $inside
cp $log/*.evl "$OUT"
