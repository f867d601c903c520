# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# bash completion of evtlog: commands, options, event types, files. What there is of commands
# and options is made from their tables by `make update-options`.

# options
_evtlog_table() {
	case $1 in
	"") echo "
command record
command start
command stop
command status
command arm
command disarm
command filter
command probe
command buffer
command profile
command watch
command flight
command sensor
command path
command remote
command gather
command info
command dump
command stat
command query
command check
command merge
command index
command view
command export
command jitter
	" ;;
	"record") echo "
operands command
-o --output file
-d --directory directory
-e --events type-changes
-b --buffers text
-k --buffer-kb text
-s --set text
-t --timeout text
- --sample text
- --tree text
- --logd file
-h --help -
	" ;;
	"start") echo "
operands text
-e --events type-changes
-n --name text
-j --json -
-h --help -
	" ;;
	"stop") echo "
operands text
-t --timeout text
-j --json -
-h --help -
	" ;;
	"status") echo "
operands text
-j --json -
-h --help -
	" ;;
	"arm") echo "
operands text
-j --json -
-h --help -
	" ;;
	"disarm") echo "
operands text
-j --json -
-h --help -
	" ;;
	"filter") echo "
operands types
-d --delete -
-j --json -
-h --help -
	" ;;
	"probe") echo "
operands text
-b --buffer text
-j --json -
-s --show -
-t --timer -
-h --help -
	" ;;
	"buffer") echo "
operands text
-e --events text
-u --urgent text
-i --if text
-k --kb text
-b --buffers text
-g --global -
-w --overwrite -
-o --output file
-j --json -
-h --help -
	" ;;
	"profile") echo "
command run
command start
command stop
command show
command check
command record
command report
command top
command trace
	" ;;
	"profile run") echo "
operands command
-t --tree -
-f --folded -
-C --compensate -
-j --json -
-o --output file
-h --help -
	" ;;
	"profile start") echo "
operands text
-g --groups text
-h --help -
	" ;;
	"profile stop") echo "
operands text
-h --help -
	" ;;
	"profile show") echo "
operands text
-p --pid text
-c --per-cpu -
-t --tree -
-f --folded -
-C --compensate -
-j --json -
-h --help -
	" ;;
	"profile check") echo "
operands text
-h --help -
	" ;;
	"profile record") echo "
operands text
-e --every text
-p --pid text
-c --cgroup directory
-a --all -
-d --directory directory
-k --keep text
-n --rounds text
-t --traces text
-C --compensate -
-j --json -
-r --raw -
-h --help -
	" ;;
	"profile report") echo "
operands file
-p --pid text
-c --per-cpu -
-s --sum -
-t --tree -
-d --compare -
-b --before file
-C --compensate -
-f --folded -
-j --json -
-g --svg file
-P --pprof file
-T --tau directory
-h --help -
	" ;;
	"profile top") echo "
operands text
-e --by-event -
-b --batch -
-C --compensate -
-n --rounds text
-d --delay text
-h --help -
	" ;;
	"profile trace") echo "
operands text
-n --events text
-t --tree -
-k --keep text
-d --delete -
-j --json -
-h --help -
	" ;;
	"watch") echo "
operands text
-p --period text
-n --count text
-t --timeout text
-j --json -
-h --help -
	" ;;
	"flight") echo "
operands text
-o --output file
-l --last text
-a --after text
-p --probe text
-e --events text
-k --kb text
-b --buffers text
-j --json -
-h --help -
	" ;;
	"sensor") echo "
operands text
-p --probe text
-e --events text
-u --urgent text
-i --if text
-k --kb text
-b --buffers text
- --global -
-t --interval text
-n --count text
-f --fields text
- --histogram text
-s --socket file
- --textfile file
- --ganglia text
-g --group text
-h --help -
	" ;;
	"path") echo "
operands log
-p --packets -
-n --limit text
- --protocol word udp tcp icmp
- --udp -
- --tcp -
- --icmp -
- --address text
- --port text
- --from text
- --to text
- --run text
- --assume-ntp -
- --pcapng file
- --csv -
-j --json -
- --bytes text
- --offsets file
- --show -
-h --help -
	" ;;
	"remote") echo "
command status
command prepare
command start
command stop
command sched
command cancel
command keygen
command key
command hosts
	" ;;
	"remote status") echo "
operands text
-k --key file
-t --timeout text
-r --retries text
-x --exclude text
- --hosts-file file
-j --json -
-h --help -
	" ;;
	"remote prepare") echo "
operands text
- --undo -
-b --broadcast interface
-k --key file
-t --timeout text
-r --retries text
-x --exclude text
- --hosts-file file
-j --json -
-h --help -
	" ;;
	"remote start") echo "
operands text
-n --name text
-b --broadcast interface
-k --key file
-t --timeout text
-r --retries text
-x --exclude text
- --hosts-file file
-j --json -
-h --help -
	" ;;
	"remote stop") echo "
operands text
-b --broadcast interface
-k --key file
-t --timeout text
-r --retries text
-x --exclude text
- --hosts-file file
-j --json -
-h --help -
	" ;;
	"remote sched") echo "
operands text
- --pgid text
- --sid text
- --cgroup directory
- --for text
-b --broadcast interface
-k --key file
-t --timeout text
-r --retries text
-x --exclude text
- --hosts-file file
-j --json -
-h --help -
	" ;;
	"remote cancel") echo "
operands text
-b --broadcast interface
-k --key file
-t --timeout text
-r --retries text
-x --exclude text
- --hosts-file file
-j --json -
-h --help -
	" ;;
	"remote keygen") echo "
operands file
- --sched -
-f --force -
-k --key file
-h --help -
	" ;;
	"remote key") echo "
command install
command remove
	" ;;
	"remote key install") echo "
operands file
- --if-exists -
-k --key file
-h --help -
	" ;;
	"remote key remove") echo "
operands file
- --if-exists -
- --all -
-k --key file
-h --help -
	" ;;
	"remote hosts") echo "
operands text
- --fold -
-x --exclude text
- --hosts-file file
-h --help -
	" ;;
	"gather") echo "
operands text
-n --run text
- --from directory
- --to directory
- --shared directory
-e --rsh text
-x --exclude text
- --hosts-file file
- --jobs text
-t --timeout text
-j --json -
-h --help -
	" ;;
	"info") echo "
operands log
-j --json -
-h --help -
	" ;;
	"dump") echo "
operands log
-c --cpu cpus
-p --pid text
- --comm comms
- --from text
- --to text
-t --type types
-B --before text
-A --after text
-C --around text
-n --limit text
- --time word start raw real ticks
- --host hosts
- --assume-ntp -
- --counters -
-j --json -
-h --help -
	" ;;
	"stat") echo "
operands log
-n --top text
-s --sort word run switches wakeups latency p99 migrations pid name
-c --cpu cpus
-p --pid text
- --comm comms
- --from text
- --to text
- --requests -
- --interval text
- --host hosts
- --assume-ntp -
- --source word auto events samples
- --csv -
- --partial -
- --join -
-j --json -
-h --help -
	" ;;
	"query") echo "
operands log
-f --file file
- --assume-ntp -
- --index-dir directory
- --csv -
-j --json -
-h --help -
	" ;;
	"check") echo "
operands log
-j --json -
-q --quiet -
-p --profile -
-h --help -
	" ;;
	"merge") echo "
operands log
-o --output file
-z --compress text
- --report file
- --assume-ntp -
- --rho text
- --reference hosts
- --netns text
- --run text
- --any-run -
- --host hosts
-c --cpu cpus
-p --pid text
- --comm comms
- --from text
- --to text
-t --type types
-B --before text
-A --after text
-C --around text
-n --limit text
- --time word start real raw
- --memory text
- --counters -
-j --json -
-h --help -
	" ;;
	"index") echo "
operands log
-d --directory directory
-f --force -
-t --threads text
-j --json -
-h --help -
	" ;;
	"view") echo "
operands log
- --host hosts
-c --cpu cpus
- --from text
- --to text
- --index-dir directory
- --no-index -
- --assume-ntp -
- --port text
- --listen word 127.0.0.1: unix:
- --open -
- --png file
- --counters words runnable switches migrations forks exits
- --per-cpu -
- --runnable -
- --width text
- --height text
- --light -
- --dark -
- --title text
-h --help -
	" ;;
	"export") echo "
operands log
- --html file
- --otf2 directory
- --ctf directory
- --perfetto file
- --parquet directory
- --host hosts
-c --cpu cpus
- --from text
- --to text
- --index-dir directory
- --no-index -
- --assume-ntp -
- --tables text
- --interval text
- --streams text
- --source word auto events samples
- --with file
- --with-clock text
- --regions file
- --events text
- --force -
-h --help -
	" ;;
	"jitter") echo "
command run
command report
command picture
command diff
command scale
	" ;;
	"jitter run") echo "
operands text
-o --output directory
-c --cpu cpus
-d --duration text
- --threshold text
-m --method word detour fwq ftq
- --work text
- --quantum text
- --no-baseline -
- --rt text
-b --buffers text
-k --buffer-kb text
-t --timeout text
- --logd file
-j --json -
-h --help -
	" ;;
	"jitter report") echo "
operands log
- --by word name task
- --per-cpu -
- --largest text
- --patterns text
-p --task text
- --comm comms
- --samples file
- --from text
- --to text
- --csv =word sources samples interruptions parts
-j --json -
-h --help -
	" ;;
	"jitter picture") echo "
operands log
-o --output file
-k --kind word histogram density spectrum
- --from-us text
- --to-us text
- --from-hz text
- --to-hz text
- --linear -
- --bandwidth text
-c --cpu cpus
- --family words user kernel interrupt smt hardware
- --source text
- --by word name task
- --samples file
- --width text
- --height text
- --light -
- --dark -
- --title text
-h --help -
	" ;;
	"jitter diff") echo "
operands directory
- --level text
- --min-change text
- --by word name task
- --blocks text
- --seed text
- --fail-on words new larger gone smaller changed any none
- --force -
-j --json -
-h --help -
	" ;;
	"jitter scale") echo "
operands directory
- --nodes text
- --ranks text
- --phase text
- --phases text
- --without text
- --by word name task
- --level text
- --seed text
-j --json -
-h --help -
	" ;;
	esac
}
# end of options

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
		user_exit user_enter user_nmi exception_entry exception_exit put put_at event event_format on_cpu task counter time lost"
}

# Events of probes and modules: of the files named, else those there are now.
_evtlog_registered() {
	local word files=
	for word in "${COMP_WORDS[@]:2}"; do
		[[ $word == *.evl && -r $word ]] || continue
		files=x
		evtlog stat --json "$word" 2>/dev/null |
			sed -n '/"registered": \[/,/\]/s/^ *"name": "\([a-zA-Z_0-9]*\)",$/\1/p'
	done
	[[ -n $files ]] || sed -n 's/^probe \([a-zA-Z_0-9]*\) .*/\1/p' /proc/evtlog/probes 2>/dev/null
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

# What may stand for a value, or an argument, of this kind; $2: words of its own.
_evtlog_complete_kind() {
	local current=$1 kind=$2 words=${3-}

	case $kind in
	word) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current") ;;
	words) _evtlog_complete_list "$current" "$words" ;;
	types) _evtlog_complete_list "$current" \
		"all $(_evtlog_groups) $(_evtlog_types) $(_evtlog_registered)" ;;
	type-changes)
		_evtlog_complete_list "$current" "all $(_evtlog_groups) $(_evtlog_types)" signs ;;
	cpus)
		_evtlog_complete_list "$current" \
			"$(seq -s ' ' 0 $(($(getconf _NPROCESSORS_CONF) - 1)))" ;;
	comms) _evtlog_complete_list "$current" "$(_evtlog_comms)" ;;
	hosts) mapfile -t COMPREPLY < <(compgen -W "$(_evtlog_hosts)" -- "$current") ;;
	interface)
		words=$(cd /sys/class/net 2>/dev/null && echo *)
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current") ;;
	file) compopt -o default ;;
	directory) compopt -o dirnames ;;
	command) compopt -o default -o bashdefault ;;
	log)
		mapfile -t COMPREPLY < <(compgen -f -X '!*.ev[lm]' -- "$current"
			compgen -d -S / -- "$current")
		compopt -o filenames ;;
	esac
}

# The command that is being typed: "jitter run" of evtlog jitter run -o.
_evtlog_command() {
	local command= word

	for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		[[ $(_evtlog_table "$command")$'\n' == *$'\n'"command $word"$'\n'* ]] || break
		command+=${command:+ }$word
	done
	echo "$command"
}

_evtlog() {
	local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
	local command commands letter option kind words operands= options=--help has_equals=

	COMPREPLY=()
	# bash takes --type=x for three words
	if [[ $current == = ]]; then
		current=
		has_equals=1
	elif [[ $previous == = ]]; then
		previous=${COMP_WORDS[COMP_CWORD - 2]}
		has_equals=1
	fi
	command=$(_evtlog_command)
	[[ ${COMP_WORDS[1]} != help || $COMP_CWORD -eq 1 ]] || command=
	commands=$(_evtlog_table "$command" | sed -n 's/^command //p')
	if [[ -n $commands ]]; then
		[[ -n $command || $COMP_CWORD -gt 1 ]] || commands+=" help --version"
		mapfile -t COMPREPLY < <(compgen -W "$commands --help" -- "$current")
		return
	fi
	while read -r letter option kind words; do
		if [[ $letter == operands ]]; then
			operands=$option
			continue
		fi
		[[ -n $letter ]] || continue
		options+=" $option"
		[[ $previous == "$option" || ($previous == "$letter" && $letter != -) ]] || continue
		# A value that may be left out has an equals sign.
		[[ $kind != =* || -n $has_equals ]] || continue
		kind=${kind#=}
		[[ $kind != - ]] || continue
		_evtlog_complete_kind "$current" "$kind" "$words"
		return
	done < <(_evtlog_table "$command")
	if [[ $current == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
	else
		_evtlog_complete_kind "$current" "$operands"
	fi
}
complete -F _evtlog evtlog
