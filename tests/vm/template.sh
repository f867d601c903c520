# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
#
# template.sh - makes and uses templates; sourced by tests/vm/run. A template is the saved state of
# a guest that has booted. A guest with virtual time starts from a template, which saves the CPU time
# of a boot: 1.5 s, or 10 s with the debug kernel. Each combination of kernel and QEMU options has one
# template, in the cache. When a new one is made, those not used for 3 days are removed, and the least
# recently used beyond 8 GB.

template_keep_days=3
template_keep_bytes=8000000000
# QEMU shares memory with the guest to pass it the job and the programs; the size in bytes
template_shared=33554432

# template_of KEY - sets $template to the path of the state for KEY, which describes the machine.
# Makes the state if it is not in the cache. $template is empty if the guest cannot use a template.
template_of() {
	local dir=${XDG_CACHE_HOME:-$HOME/.cache}/evtlog/templates

	mkdir -p "$dir"
	template=$dir/$(sha256sum <<<"$1" | cut -c1-32)
	exec 6>"$template.lock"
	flock 6
	if [ ! -e "$template" ]; then
		find "$dir" -type f -mtime +"$template_keep_days" -delete
		find "$dir" -type f -printf '%T@ %b %p\n' | sort -rn |
			awk -v most=$template_keep_bytes '(sum += 512 * $2) > most { print $3 }' | xargs -r rm -f || true
		make_template "$template.new"
		mv "$template.new" "$template"
	fi
	touch "$template" "$template.console" "$template.lock"
	exec 6>&-
	[ -s "$template" ] || template=
}

# start_template DIR STATE CONSOLE VERDICT OUTPUT ARG... - calls start_qemu in the background, with
# the shared memory $scratch/shared and a monitor that reads file descriptor 5. Sets $qemu_pid. Exports
# $template_file, which is STATE: QEMU 7.2 cannot write a file itself, so it runs cat.
start_template() {
	export template_file=$2
	rm -f "$scratch/shared" "$scratch/commands"
	truncate -s "$template_shared" "$scratch/shared"
	: >"$scratch/qemu1.log"
	mkfifo "$scratch/commands"
	exec 5<>"$scratch/commands"
	start_qemu "$1" "${@:3}" -monitor stdio -device ivshmem-plain,memdev=shared,master=on -object \
		"memory-backend-file,id=shared,mem-path=$scratch/shared,size=$template_shared,share=on" \
		<&5 >>"$scratch/qemu1.log" 2>&1 5>&- 6>&- &
	qemu_pid=$!
	guests+=("$qemu_pid")
}

# wait_for PATTERN FILE [COMMAND] - waits until a line of FILE matches; sends COMMAND to QEMU's monitor
# before each check. Fails if QEMU has ended, or after 900 s.
wait_for() {
	local until=$((SECONDS + 900))

	until grep -qa "$1" "$2"; do
		kill -0 "$qemu_pid" 2>/dev/null && [ "$SECONDS" -lt "$until" ] || return 1
		[ -z "${3:-}" ] || echo "$3" >&5
		sleep 0.02
	done
}

# make_template FILE - boots a guest without a job and saves its state in FILE. FILE is empty if the
# guest's kernel is locked down and does not allow init to map the shared memory.
make_template() {
	local dir=$scratch/template

	mkdir "$dir"
	: >"$dir/verdict" >"$1"
	start_template "$dir" "$1" "$dir/console" "$dir/verdict" /dev/null -initrd "$base"
	wait_for ' template$' "$dir/verdict" || {
		if grep -q 'Operation not permitted' "$dir/verdict"; then
			guests=()
			rm -rf "$dir"
			return
		fi
		tail -n 40 "$dir/console" | tr -d '\r' | sed 's/^/    /' >&2
		die "the guest did not boot; the last lines of its console are above. $(cat "$dir/verdict" "$scratch/qemu1.log")"
	}
	# Stop first: QEMU aborts if it saves a running guest that has shared memory.
	printf '%s\n' stop 'migrate "exec:cat >$template_file"' >&5
	# The command may return while the devices' state is not saved yet.
	wait_for 'status: *\(completed\|failed\)' "$scratch/qemu1.log" 'info migrate' || true
	echo quit >&5
	wait "$qemu_pid" || true
	guests=()
	exec 5>&-
	grep -qai 'status: *completed' "$scratch/qemu1.log" ||
		die "$1: QEMU cannot save the guest's state: $(tail -n 5 "$scratch/qemu1.log")"
	grep -q "Brought up 1 node, $cpus CPU" "$dir/console" || [ -n "$append" ] ||
		die "the guest's kernel did not start $cpus CPUs; its console is: $(cat "$dir/console")"
	mv "$dir/console" "$template.console"
	rm -rf "$dir"
}

# go_on JOB DIR CONSOLE VERDICT OUTPUT ARG... - starts a guest from $template, and passes it the
# archives $programs and JOB. The other arguments are those of start_template.
go_on() {
	local sizes

	sizes=$(stat -c %s "$programs" "$1" | tr '\n' ' ')
	start_template "$2" "$template" "${@:3}" -S -incoming 'exec:cat <$template_file'
	wait_for 'VM status: paused.$' "$scratch/qemu1.log" 'info status' || {
		grep -aoE 'qemu-system-[a-z0-9_]*: .*' "$scratch/qemu1.log" >&2 || true
		say "QEMU cannot use the guest's saved state $template; it is removed"
		rm -f "$template"
		[ -z "${EVTLOG_VM_AGAIN:-}" ] || die "this was the second attempt"
		clean_up
		EVTLOG_VM_AGAIN=1 exec "$here/run" "${arguments[@]}"
	}
	# Loading the state has overwritten the shared memory: write to it only now.
	{ printf '%-511s\n' "$sizes" && cat "$programs" "$1"; } 1<>"$scratch/shared"
	[ "$(stat -c %s "$scratch/shared")" = "$template_shared" ] ||
		die "the guest's files are larger than $template_shared bytes; use --clock host"
	: >"$scratch/qemu1.log"	# of interest is only what QEMU prints from now on
	echo cont >&5
	exec 5>&-
}
