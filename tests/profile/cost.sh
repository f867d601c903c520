#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# cost.sh - instructions of a getppid(), with profiles off, on, and off again; and of reads and
# messages, with the groups net and block, and with a timer
. /script/guest.sh

measure() {
	echo "$1 $(boundary 0 cost 400)" >>"$OUT/cost.txt"
}

io() {
	io_cost 0 50 | sed "s/^/$1_/" >>"$OUT/cost.txt"
	echo "$1_round $(pingpong 25)" >>"$OUT/cost.txt"
}

ifconfig lo 127.0.0.1 up
measure off
compensated off 4000 >"$OUT/whole.txt"
io off
echo 1 >$evtlog/profile/control || die "profile: cannot be started"
measure on
compensated on 4000 >>"$OUT/whole.txt" || die "compensated: $?"
io on
evtlog probe add vfs_read%timer
io timer
evtlog probe del '*'
echo 0 >$evtlog/profile/control
echo "groups all,net,block" >$evtlog/profile/control
echo 1 >$evtlog/profile/control
io groups
echo 0 >$evtlog/profile/control
measure again
io again
