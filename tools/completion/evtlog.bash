# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# bash completion of evtlog: commands, options, event types, files. Commands and options are those of the
# evtlog that is found in PATH.

# Lines of a command: "command NAME ...", "operands KIND", "option LETTER NAME ARGUMENT KIND WORDS ...", with tabs
# between the fields and "-" for an empty one
_evtlog_table() {
	# shellcheck disable=SC2086 # "jitter run" is two words
	evtlog $1 --help=table 2>/dev/null
}

# Rows of the options that this table shares with others: lines "shared COMMAND OPTION"
_evtlog_shared() {
	local what command option
	while IFS=$'\t' read -r what command option; do
		[[ $what != shared ]] || _evtlog_table "$command" | grep $'^option\t.\t'"$option"$'\t'
	done <<<"$1"
}

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
		[[ $'\n'$(_evtlog_table "$command") == *$'\n'"command"$'\t'"$word"$'\t'* ]] || break
		command+=${command:+ }$word
	done
	echo "$command"
}

_evtlog() {
	local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
	local table command commands what letter option argument kind words operands= options=--help has_equals=

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
	table=$(_evtlog_table "$command")
	commands=$(sed -n 's/^command\t\([^\t]*\).*/\1/p' <<<"$table")
	if [[ -n $commands ]]; then
		[[ -n $command || $COMP_CWORD -gt 1 ]] || commands+=" help --version"
		mapfile -t COMPREPLY < <(compgen -W "$commands --help" -- "$current")
		return
	fi
	table+=$'\n'$(_evtlog_shared "$table")
	while IFS=$'\t' read -r what letter option argument kind words _; do
		[[ $what != operands ]] || operands=$letter
		[[ $what == option ]] || continue
		options+=" --$option"
		[[ $previous == "--$option" || ($previous == "-$letter" && $letter != -) ]] || continue
		# A value that may be left out has an equals sign.
		[[ $argument != \[* || -n $has_equals ]] || continue
		[[ $kind != - ]] || continue
		_evtlog_complete_kind "$current" "$kind" "${words#-}"
		return
	done <<<"$table"
	if [[ $current == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
	else
		_evtlog_complete_kind "$current" "$operands"
	fi
}
complete -F _evtlog evtlog
