#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# reboot.sh BOOT - repeats a message that was obeyed: in the next boot, under a key that was removed
# and set again, and after the clock was set back.
. /script/control-guest.sh

saved=$OUT/message
lo=127.0.0.1

# counts CAUSE NUMBER - have NUMBER messages been refused for this cause?
counts() {
	[ "$(status_of remote_refused_"$1")" = "$2" ]
}

# refused CAUSE FILE - the repeated message is counted under the cause, and is not obeyed
refused() {
	before=$(status_of remote_refused_"$1")
	obeyed=$(status_of remote_obeyed)
	send load="$2"
	await 60 counts "$1" $((before + 1))
	[ "$(status_of remote_obeyed)" = "$obeyed" ] || die "$2 was obeyed again"
}

set_clock() {
	date -s "@$1" >/dev/null || die "date -s @$1"
}

case $1 in
1)
	set_key 1 $key
	age_key
	date +%s >"$OUT/sent"
	# The sender's clock is some seconds ahead: the message stays valid longer.
	ask 0 ahead=4000000000 save="$saved" name=first $lo $lo start
	ask 0 ahead=4000000001 $lo $lo stop
	refused replay "$saved"

	echo "== the key taken away and given back"
	echo "1 -" >$evtlog/remote_key
	set_key 1 $key
	refused stale "$saved"

	echo "== the clock set back, too"
	echo "1 -" >$evtlog/remote_key
	sent=$(cat "$OUT/sent")
	set_clock $((sent - 4))
	set_key 1 $key
	# The message's time is "sent" + 4 s: within the window from now on, and new enough for the
	# key. Only the remembered time of the sender's last message refuses it.
	sleep 4.5
	refused replay "$saved"
	set_clock $((sent + 60))
	;;
2)
	# Half a second after the message was sent; no machine boots that fast.
	sent=$(sed -n 1p /script/sent)
	set_clock $((sent + 1))
	set_key 1 $key
	refused stale /script/message
	sleep 2
	refused stale /script/message

	echo "== the key was set before the clock was"
	echo "1 -" >$evtlog/remote_key
	set_clock 86400
	set_key 1 $key
	# A short sleep: 5 s later the message would be valid.
	sleep 0.1
	set_clock $((sent + 1))
	refused stale /script/message
	echo "1 -" >$evtlog/remote_key
	set_clock $((sent + 100))
	set_key 1 $key
	age_key
	ask 0 name=second $lo $lo start
	ask 0 $lo $lo stop
	[ "$(status_of run)" = 1 ] || die "run $(status_of run)"
	;;
esac
