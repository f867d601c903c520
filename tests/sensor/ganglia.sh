#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# ganglia.sh - a real gmond receives a sensor's metrics; tcpdump records their packets
set -euo pipefail
. ./waiting.sh

ip link set lo up
cat >/tmp/gmond.conf <<'EOF'
globals {
  daemonize = no
  setuid = no
  mute = yes
  deaf = no
  cleanup_threshold = 1
}
cluster { name = "guests" }
udp_recv_channel { port = 8649 bind = 127.0.0.1 family = inet4 }
tcp_accept_channel { port = 8649 bind = 127.0.0.1 }
EOF

# xml FILE - saves gmond's data from its port
xml() {
	(exec 3<>/dev/tcp/127.0.0.1/8649 && cat <&3 >"$1") 2>/dev/null
}

start_gmond() {
	gmond -c /tmp/gmond.conf -f >/tmp/gmond.log 2>&1 &
	gmond=$!
	until_true 10 xml /tmp/xml || die "gmond: $(cat /tmp/gmond.log)"
}

has() {
	xml /tmp/xml && grep -q "NAME=\"$1\"" /tmp/xml
}

mkdir /tmp/collector
prometheus-node-exporter --web.listen-address=127.0.0.1:9100 --collector.disable-defaults \
	--collector.textfile --collector.textfile.directory=/tmp/collector >/tmp/exporter.log 2>&1 &
exporter=$!
# Compares within one of the sensor's intervals
exporter_has_it() {
	cp /tmp/collector/evtlog.prom /tmp/prom &&
		curl -s --noproxy '*' http://127.0.0.1:9100/metrics >/tmp/metrics &&
		cmp -s /tmp/collector/evtlog.prom /tmp/prom && grep -q evtlog_sensor /tmp/metrics
}
start_gmond
tcpdump -i lo -U -w "$OUT/packets.pcap" udp port 8649 2>/tmp/tcpdump.log &
tcpdump=$!
until_true 10 grep -q 'listening on' /tmp/tcpdump.log || die "$(cat /tmp/tcpdump.log)"
evtlog sensor --interval 1s -p 'udp_sendmsg(len=arg3:u32) if len==111' --ganglia 127.0.0.1:8649 \
	--textfile /tmp/collector/evtlog.prom 2>/tmp/said &
sensor=$!
until_true 20 has evtlog_sensor_lost || die "no metric: $(cat /tmp/said /tmp/gmond.log)"
# Send 20 datagrams every 100 ms for 3 s, and until gmond has a mean, which it gets after the rate.
rounds=0
while [ $rounds -lt 30 ] || [ ! -e "$OUT/xml" ]; do
	[ $rounds -lt 300 ] || die "no mean"
	udp 20 111
	rounds=$((rounds + 1))
	[ -e "$OUT/xml" ] || ! has evtlog_sensor_udp_sendmsg_len_mean || cp /tmp/xml "$OUT/xml"
	sleep 0.1
done
echo $((rounds * 20)) >"$OUT/sent"
exporter_has_it || until_true 10 exporter_has_it || die "node_exporter: $(cat /tmp/exporter.log /tmp/metrics)"
cp /tmp/metrics /tmp/prom "$OUT"
kill -TERM $exporter
wait $exporter || true
sleep 1.2
evtlog probe list --json >"$OUT/probes.json"
kill -TERM $tcpdump
wait $tcpdump || true
kill -TERM $sensor
wait $sensor || die "sensor: $? $(cat /tmp/said)"
kill -TERM $gmond
