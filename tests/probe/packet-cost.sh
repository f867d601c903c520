#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# packet-cost.sh - counts the instructions of sending a datagram while some of its bytes are
# recorded: datagrams of 5,000 bytes are linear, those of 20,000 are in pages
. /script/guest.sh

probes=$evtlog/probes
ifconfig lo 127.0.0.1 up
echo "compress = 0" >/tmp/logd.conf
echo "-all +event" >$evtlog/events
echo 8192 >$evtlog/buffer_kb
# with WHAT ARGUMENTS - measures each kind of datagram
with() {
	start_logd -f /tmp/logd.conf
	[ "$1" = none ] || echo "+ip_send_skb${2:-}" >$probes || die "$2: $(head -n 1 $probes)"
	for kind in linear:5000 pages:20000; do
		echo 1 >$evtlog/enable
		echo "${kind%:*} $1 $(send_cost "${kind#*:}" 200)" >>"$OUT/cost.txt"
		echo 0 >$evtlog/enable
	done
	cat $probes >>"$OUT/probes.txt"
	echo "-*" >$probes
	stop_logd
	rm -f $log/*.evl
}
with none
with 0
for bytes in 64 512 4000; do
	with packet-$bytes "(packet(skb)[0:$bytes])"
	with data-$bytes "(skb->data[0:$bytes])"
done
# Only fragments
with far-512 "(packet(skb)[4000:512])"
