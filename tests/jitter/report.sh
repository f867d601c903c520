# SPDX-License-Identifier: GPL-2.0-or-later
#
# report.sh - copies a directory of evtlog jitter run and writes its reports. Sourced, not run.

# report DIR OUT [OPTION...] - copies DIR to OUT and writes all forms of its report to OUT
report() {
	report_from=$1 report_to=$2
	shift 2
	mkdir -p "$report_to"
	cp "$report_from"/* "$report_to"
	evtlog check "$report_from"/*.evl >"$report_to/check" || [ $? = 4 ] ||
		die "evtlog check: $(cat "$report_to/check")"
	status=0
	evtlog jitter report --json --by task "$@" "$report_from" >"$report_to/report.json" ||
		status=$?
	echo $status >"$report_to/status"
	[ $status = 0 ] || [ $status = 4 ] || die "evtlog jitter report --json: $status"
	for what in sources samples interruptions parts; do
		evtlog jitter report --csv=$what --by task "$@" "$report_from" \
			>"$report_to/$what.csv" || [ $? = 4 ] ||
			die "evtlog jitter report --csv=$what: $?"
	done
	evtlog jitter report "$@" "$report_from" >"$report_to/report.txt" || [ $? = 4 ] ||
		die "evtlog jitter report: $?"
}
