#!/bin/sh
# Copyright 2026 the Rabbit Retry authors.
# SPDX-License-Identifier: Apache-2.0
#
# supervise.sh FOLDER SERVER EPMD_PORT
#
# Keeps one node and its epmd below a process whose standard input is a pipe from the JVM. However the JVM ends, also by
# SIGKILL, the pipe closes; then the node and its epmd are killed by their ids and FOLDER is removed.
# Reads commands, one a line, and answers each with one line: "epmd", once, and "start" -> "started PID",
# "kill" -> "killed", "stop" (SIGTERM) -> "stopped", "freeze" and "unfreeze" (SIGSTOP, SIGCONT) -> "done".
folder=$1 server=$2 epmd_port=$3
epmd='' monitor=''

# Ctrl-C reaches the whole foreground group: the JVM decides what it means. PIPE: the JVM may be gone when we answer.
trap '' INT HUP PIPE
trap 'exit 0' TERM

kill_node() {
	[ -n "$monitor" ] || return 0
	node=$(cat "$folder/node.pid")
	[ -e "$folder/node.ended" ] || kill -KILL "$node" 2>/dev/null
	wait "$monitor" 2>/dev/null
	monitor=''
	# a start script that did not become its Erlang VM leaves it behind: the VM wrote its own id
	beam=$(cat "$folder/pid" 2>/dev/null)
	rm -f "$folder/pid"
	if [ -n "$beam" ] && [ "$beam" != "$node" ]; then
		kill -KILL "$beam" 2>/dev/null
		tries=0
		while kill -0 "$beam" 2>/dev/null && [ "$tries" -lt 100 ]; do
			tries=$((tries + 1))
			sleep 0.05
		done
	fi
}

# The Erlang VM's own id, if it wrote one: a start script that did not become it ignores signals.
signal_node() {
	[ -n "$monitor" ] && [ ! -e "$folder/node.ended" ] || { echo "failed: the node does not run"; return 1; }
	beam=$(cat "$folder/pid" 2>/dev/null)
	kill "-$1" "${beam:-$(cat "$folder/node.pid")}"
}

stop_node() {
	signal_node TERM || return
	tries=0
	while [ ! -e "$folder/node.ended" ] && [ "$tries" -lt 1200 ]; do
		tries=$((tries + 1))
		sleep 0.05
	done
	[ -e "$folder/node.ended" ] || { echo "failed: the node has not stopped after 60 s"; return; }
	kill_node
	echo stopped
}

clean_up() {
	trap '' TERM
	kill_node
	if [ -n "$epmd" ]; then
		kill -KILL "$epmd" 2>/dev/null
		wait "$epmd" 2>/dev/null
	fi
	[ -f "$folder/rabbitmq.conf" ] && rm -rf "$folder"
}
trap clean_up EXIT

find_epmd() {
	command -v epmd && return
	root=$(erl -boot no_dot_erlang -noinput -eval 'io:put_chars(code:root_dir()), halt().')
	for candidate in "$root"/bin/epmd "$root"/erts-*/bin/epmd; do
		[ -x "$candidate" ] && echo "$candidate" && return
	done
	return 1
}

# Our own epmd: one that Erlang starts by itself outlives the node. It must listen before the node looks for it: the JVM
# sees to that.
start_epmd() {
	program=$(find_epmd) || { echo "failed: no epmd next to erl"; return; }
	"$program" -address 127.0.0.1 -port "$epmd_port" </dev/null >>"$folder/log/epmd" 2>&1 &
	epmd=$!
	echo "started $epmd"
}

# The inner shell tells its id and becomes the node; the outer one reaps it at once, so that its end can be seen.
start_node() {
	kill_node
	rm -f "$folder/node.pid" "$folder/node.ended"
	(
		sh -c 'echo "$$" >"$1/node.pid.new" && mv "$1/node.pid.new" "$1/node.pid" && exec "$2"' \
			sh "$folder" "$server" </dev/null >>"$folder/log/console" 2>&1
		: >"$folder/node.ended"
	) &
	monitor=$!
	until [ -s "$folder/node.pid" ] || [ -e "$folder/node.ended" ]; do
		sleep 0.01
	done
	[ -s "$folder/node.pid" ] || { echo "failed: the node's id can't be written to $folder"; return; }
	echo "started $(cat "$folder/node.pid")"
}

while read -r command; do
	case $command in
		epmd) start_epmd ;;
		start) start_node ;;
		kill) kill_node; echo killed ;;
		stop) stop_node ;;
		freeze) signal_node STOP && echo done ;;
		unfreeze) signal_node CONT && echo done ;;
		*) echo "failed: unknown command $command" ;;
	esac
done
