# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
#
# template.sh - a saved state of a guest that has booted; sourced by tests/vm/run. A guest whose
# time is virtual goes on from the state of its template, which saves the boot: 1.5 s of CPU time, and
# 10 s in the debug kernel. A template is made once per kernel and machine, and kept in the cache.

template_keep_days=3
# The job and the programs come by memory that QEMU shares with the guest; its size in bytes
template_shared=33554432

# template_of KEY - sets $template to the state of the machine that KEY describes; makes it if it is
# not in the cache. Sets it to nothing if the guest cannot have a template.
template_of() {
	local dir=${XDG_CACHE_HOME:-$HOME/.cache}/evtlog/templates

	mkdir -p "$dir"
	template=$dir/$(sha256sum <<<"$1" | cut -c1-32)
	exec 6>"$template.lock"
	flock 6
	if [ ! -e "$template" ]; then
		find "$dir" -type f -mtime +"$template_keep_days" -delete
		make_template "$template.new"
		mv "$template.new" "$template"
	fi
	touch "$template" "$template.console" "$template.lock"
	exec 6>&-
	[ -s "$template" ] || template=
}

# start_template DIR STATE CONSOLE VERDICT OUTPUT ARG... - starts QEMU as start_qemu does, in the
# background, with the memory $scratch/shared and its monitor. $template_file is STATE, for commands
# that QEMU executes: QEMU 7.2 cannot write to a file itself. Sets $qemu_pid.
start_template() {
	export template_file=$2
	rm -f "$scratch/shared" "$scratch/commands"
	truncate -s "$template_shared" "$scratch/shared"
	: >"$scratch/answers"
	mkfifo "$scratch/commands"
	exec 5<>"$scratch/commands"
	start_qemu "$1" "${@:3}" -monitor stdio -device ivshmem-plain,memdev=shared,master=on -object \
		"memory-backend-file,id=shared,mem-path=$scratch/shared,size=$template_shared,share=on" \
		<&5 >"$scratch/answers" 2>&1 5>&- 6>&- &
	qemu_pid=$!
	guests+=("$qemu_pid")
}

# wait_for PATTERN FILE [COMMAND] - until a line of FILE matches; gives COMMAND to QEMU's monitor
# before each look. False if QEMU has ended, or after 900 s.
wait_for() {
	local until=$((SECONDS + 900))

	until grep -qa "$1" "$2"; do
		kill -0 "$qemu_pid" 2>/dev/null && [ "$SECONDS" -lt "$until" ] || return 1
		[ -z "${3:-}" ] || echo "$3" >&5
		sleep 0.02
	done
}

# make_template FILE - boots a guest without a job and saves its state in FILE. FILE is empty if the
# guest cannot map the shared memory, which a kernel that is locked down does not allow.
make_template() {
	local dir=$scratch/template

	mkdir "$dir"
	: >"$dir/verdict" >"$1"
	start_template "$dir" "$1" "$dir/console" "$dir/verdict" /dev/null -initrd "$base"
	wait_for ' template$' "$dir/verdict" || {
		if grep -q 'Operation not permitted' "$dir/verdict"; then
			guests=()
			: >"$template.console"
			rm -rf "$dir"
			return
		fi
		tail -n 40 "$dir/console" | tr -d '\r' | sed 's/^/    /' >&2
		die "the guest did not boot; the last lines of its console are above. $(cat "$dir/verdict" "$scratch/answers")"
	}
	# It asserts if a guest that runs has shared memory.
	printf '%s\n' stop 'migrate "exec:cat >$template_file"' 'info migrate' quit >&5
	wait "$qemu_pid" || true
	guests=()
	exec 5>&-
	grep -qai 'status: completed' "$scratch/answers" ||
		die "$1: QEMU cannot save the guest's state: $(tail -n 5 "$scratch/answers")"
	grep -q "Brought up 1 node, $cpus CPU" "$dir/console" || [ -n "$append" ] ||
		die "the guest's kernel did not start $cpus CPUs; its console is: $(cat "$dir/console")"
	mv "$dir/console" "$template.console"
	rm -rf "$dir"
}

# go_on JOB ARG... - starts a guest with $template's state, the programs and the JOB, both archives.
# The rest is as of start_template.
go_on() {
	local sizes

	sizes=$(stat -c %s "$programs" "$1" | tr '\n' ' ')
	start_template "$2" "$template" "${@:3}" -S -incoming 'exec:cat <$template_file'
	wait_for 'VM status: paused.$' "$scratch/answers" 'info status' || {
		cat "$scratch/answers" >&2
		die "QEMU cannot use the guest's saved state $template; remove the file"
	}
	# The memory was part of the state, and is written now.
	{ printf '%-511s\n' "$sizes" && cat "$programs" "$1"; } 1<>"$scratch/shared"
	[ "$(stat -c %s "$scratch/shared")" = "$template_shared" ] ||
		die "the guest's files are larger than $template_shared bytes; use --clock host"
	echo cont >&5
	exec 5>&-
}
