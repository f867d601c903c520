# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# bash completion of evtlog: commands, options, event types, files.

# Types of this kernel if it has evtlog, else those of the first file named.
_evtlog_types() {
	local word
	if [[ -r /proc/evtlog/events ]]; then
		sed 's/^[-+]//' /proc/evtlog/events 2>/dev/null
		return
	fi
	for word in "${COMP_WORDS[@]:2}"; do
		if [[ $word == *.evl && -r $word ]]; then
			evtlog info --json "$word" 2>/dev/null |
				sed -n '/"events": {/,/}/s/^ *"\([a-z_0-9]*\)": [0-9].*/\1/p'
			return
		fi
	done
	echo "sched_switch sched_waking sched_wakeup_new sched_migrate_task
		sched_process_fork sched_process_exec sched_process_exit task_rename
		softirq_entry softirq_exit irq_handler_entry irq_handler_exit
		local_timer_entry local_timer_exit reschedule_entry reschedule_exit
		call_function_entry call_function_exit call_function_single_entry
		call_function_single_exit irq_work_entry irq_work_exit vector_entry
		vector_exit icmp_rx icmp_tx remote remote_boost remote_unboost
		user_exit user_enter user_nmi exception_entry exception_exit put put_at task counter time lost"
}

# What several types begin with names all of them: sched, softirq, irq_handler.
_evtlog_groups() {
	local -A members=()
	local type begin
	for type in $(_evtlog_types); do
		begin=$type
		while [[ $begin == *_* ]]; do
			begin=${begin%_*}
			members[$begin]+=x
		done
	done
	for begin in "${!members[@]}"; do
		[[ ${#members[$begin]} -lt 2 ]] || echo "$begin"
	done
}

# Of the files named.
_evtlog_hosts() {
	local word
	for word in "${COMP_WORDS[@]:2}"; do
		[[ $word == *.ev[lm] && -r $word ]] && evtlog info --json "$word" 2>/dev/null |
			sed -n 's/^ *"host": "\(.*\)",$/\1/p'
	done
}

# Names of tasks of the files named, those without blanks.
_evtlog_comms() {
	local word
	for word in "${COMP_WORDS[@]:2}"; do
		[[ $word == *.evl && -r $word ]] && evtlog stat --json "$word" 2>/dev/null |
			sed -n 's/^ *"comm": "\([^" \\,]*\)",$/\1/p' | sort -u
	done
}

# The last of a list divided by commas; what is before it is kept, and so is its sign if
# it may have one ($3).
_evtlog_complete_list() {
	local current=$1 before=
	[[ $current == *,* ]] && before=${current%,*},
	current=${current##*,}
	if [[ -n ${3-} && $current == [-+]* ]]; then
		before+=${current:0:1}
		current=${current:1}
	fi
	mapfile -t COMPREPLY < <(compgen -P "$before" -W "$2" -- "$current")
	compopt -o nospace
}

_evtlog() {
	local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
	local commands="record start stop status arm disarm remote gather info dump stat check merge index view export jitter help"
	local command=${COMP_WORDS[1]} options= words

	COMPREPLY=()
	if [[ $COMP_CWORD -eq 1 ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$commands --help --version" -- "$current")
		return
	fi
	# bash takes --type=x for three words
	if [[ $current == = ]]; then
		current=
	elif [[ $previous == = ]]; then
		previous=${COMP_WORDS[COMP_CWORD - 2]}
	fi

	case $command:$previous in
	dump:--type | dump:-t | merge:--type | merge:-t)
		_evtlog_complete_list "$current" "all $(_evtlog_groups) $(_evtlog_types)"
		return
		;;
	start:--events | start:-e | record:--events | record:-e)
		_evtlog_complete_list "$current" "all $(_evtlog_groups) $(_evtlog_types)" signs
		return
		;;
	stat:--sort | stat:-s)
		words="run switches wakeups latency p99 migrations pid name" ;;
	merge:--time) words="start raw real" ;;
	dump:--time) words="start raw real ticks" ;;
	*:--cpu | *:-c | *:--cpus)
		_evtlog_complete_list "$current" \
			"$(seq -s ' ' 0 $(($(getconf _NPROCESSORS_CONF) - 1)))"
		return
		;;
	merge:--host | dump:--host | *:--hosts)
		mapfile -t COMPREPLY < <(compgen -W "$(_evtlog_hosts)" -- "$current")
		return
		;;
	view:--listen) words="127.0.0.1: unix:" ;;
	view:--port | index:--threads | index:-t | view:--width | view:--height | view:--title | export:--events) return ;;
	view:--png | export:--html)
		compopt -o default
		return
		;;
	help:*) words=$commands ;;
	jitter:--method | jitter:-m) words="detour fwq ftq" ;;
	jitter:--output | jitter:-o)
		# A directory, but for a picture
		[[ ${COMP_WORDS[2]} == picture ]] || compopt -o dirnames
		[[ ${COMP_WORDS[2]} != picture ]] || compopt -o default
		return
		;;
	jitter:--logd)
		compopt -o default
		return
		;;
	jitter:--by) words="task name" ;;
	jitter:--kind) words="histogram density spectrum" ;;
	jitter:--family)
		_evtlog_complete_list "$current" "user kernel interrupt"
		return
		;;
	jitter:--csv) words="sources samples interruptions parts" ;;
	jitter:--samples)
		compopt -o default
		return
		;;
	jitter:--fail-on) words="new larger gone smaller changed any none" ;;
	jitter:--level | jitter:--min-change | jitter:--blocks | jitter:--seed | jitter:--nodes | \
		jitter:--ranks | jitter:--phase | jitter:--phases | jitter:--without) return ;;
	jitter:--largest | jitter:--patterns | jitter:--task | jitter:--duration | jitter:-d | \
		jitter:--threshold | jitter:--work | jitter:--quantum | jitter:--rt | jitter:--buffers | \
		jitter:-b | jitter:--buffer-kb | jitter:-k | jitter:--from-us | jitter:--to-us | \
		jitter:--from-hz | jitter:--to-hz | jitter:--bandwidth | jitter:--source | \
		jitter:--width | jitter:--height | jitter:--title)
		return
		;;
	jitter:jitter)
		[[ $current == -* ]] || words="run report picture diff scale"
		;;
	remote:remote)
		[[ $current == -* ]] || words="status prepare start stop sched cancel keygen key hosts"
		;;
	remote:key) words="install remove" ;;
	remote:--broadcast | remote:-b)
		words=$(cd /sys/class/net 2>/dev/null && echo *) ;;
	remote:--hosts-file | gather:--hosts-file | remote:--key | remote:-k | remote:keygen)
		compopt -o default
		return
		;;
	remote:--name | remote:-n | remote:--pgid | remote:--sid | remote:--cgroup | \
		remote:--for | remote:--exclude | remote:-x | remote:--retries | remote:-r)
		return
		;;
	gather:--from | gather:--to | gather:--shared)
		compopt -o dirnames
		return
		;;
	gather:--run | gather:-n | gather:--rsh | gather:-e | gather:--exclude | gather:-x | \
		gather:--jobs)
		return
		;;
	record:--directory | record:-d | index:--directory | index:-d | *:--index-dir)
		compopt -o dirnames
		return
		;;
	dump:--comm | merge:--comm | stat:--comm | jitter:--comm)
		_evtlog_complete_list "$current" "$(_evtlog_comms)"
		return
		;;
	*:--before | *:--after | *:--around | *:-A | *:-B | *:-C | *:--from | *:--to | *:--limit | *:-n | *:--top | *:--pid | *:-p | *:--timeout | \
		start:--name | start:-n | record:--buffers | record:-b | record:--buffer-kb | record:-k)
		return
		;;
	esac
	if [[ -n ${words-} ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
		return
	fi

	if [[ $current == -* ]]; then
		case $command in
		jitter)
			case ${COMP_WORDS[2]} in
			run) options="--output --cpus --duration --threshold --method --work --quantum \
				--no-baseline --rt --buffers --buffer-kb --timeout --logd --json" ;;
			report) options="--by --per-cpu --largest --patterns --csv --json --task --comm --samples \
				--from --to" ;;
			picture) options="--output --kind --from-us --to-us --from-hz --to-hz --linear \
				--bandwidth --cpus --family --source --by --samples --width --height --light \
				--dark --title" ;;
			diff) options="--level --min-change --by --blocks --seed --fail-on --force \
				--json" ;;
			scale) options="--nodes --ranks --phase --phases --without --by --level --seed \
				--json" ;;
			esac
			;;
		info) options="--json" ;;
		check) options="--json --quiet" ;;
		dump) options="--cpu --pid --comm --type --from --to --before --after --around --limit \
			--time --host --assume-ntp --counters --json" ;;
		merge) options="--output --compress --report --assume-ntp --rho --reference --netns --run --any-run \
			--host --cpu --pid --comm --type --from --to --before --after --around --limit \
			--time --memory --counters --json" ;;
		index) options="--directory --force --threads --json" ;;
		export) options="--html --hosts --cpus --from --to --events --force --index-dir --no-index \
			--assume-ntp" ;;
		view) options="--hosts --cpus --from --to --port --listen --open --index-dir --no-index \
			--assume-ntp --png --width --height --light --dark --title" ;;
		stat) options="--requests --top --sort --cpu --pid --comm --from --to --json" ;;
		record) options="--output --directory --events --buffers --buffer-kb --set \
			--timeout --logd" ;;
		start) options="--events --name --json" ;;
		stop) options="--timeout --json" ;;
		status | arm | disarm) options="--json" ;;
		gather) options="--run --from --to --shared --rsh --exclude --hosts-file --jobs \
			--timeout --json" ;;
		remote) options="--name --pgid --sid --cgroup --for --broadcast --exclude \
			--hosts-file --key --timeout --retries --undo --sched --force --if-exists --all --fold --json" ;;
		esac
		mapfile -t COMPREPLY < <(compgen -W "$options --help" -- "$current")
		return
	fi
	case $command in
	info | check | dump | stat | merge | index | view | export | jitter)
		mapfile -t COMPREPLY < <(compgen -f -X '!*.ev[lm]' -- "$current"
			compgen -d -S / -- "$current")
		compopt -o filenames
		;;
	record) compopt -o default -o bashdefault ;;
	esac
}
complete -F _evtlog evtlog
