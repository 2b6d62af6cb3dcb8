#!/bin/sh
# Copyright 2026 the Rabbit Retry authors.
# SPDX-License-Identifier: Apache-2.0
#
# supervise.sh FOLDER KILL_SIGNAL SERVER...
#
# Keeps one server below a process whose standard input is a pipe from the JVM. However the JVM ends, also by SIGKILL, the
# pipe closes; then the server, and the epmd that was started for it, are ended by their ids and FOLDER is removed.
# Reads commands, one a line, and answers each with one line: "epmd", once, and "start" -> "started PID",
# "kill" -> "killed", "stop" (SIGTERM) -> "stopped", "freeze" and "unfreeze" (SIGSTOP, SIGCONT) -> "done".
folder=$1 kill_signal=$2
shift 2
epmd='' monitor=''

# Ctrl-C reaches the whole foreground group: the JVM decides what it means. PIPE: the JVM may be gone when we answer.
trap '' INT HUP PIPE
trap 'exit 0' TERM

kill_server() {
	[ -n "$monitor" ] || return 0
	server=$(cat "$folder/server.pid")
	if [ ! -e "$folder/server.ended" ]; then
		kill "-$kill_signal" "$server" 2>/dev/null
		# a frozen one learns of it when it goes on
		kill -CONT "$server" 2>/dev/null
	fi
	wait "$monitor" 2>/dev/null
	monitor=''
	# a start script that did not become its Erlang VM leaves it behind: the VM wrote its own id
	beam=$(cat "$folder/pid" 2>/dev/null)
	rm -f "$folder/pid"
	if [ -n "$beam" ] && [ "$beam" != "$server" ]; then
		kill -KILL "$beam" 2>/dev/null
		tries=0
		while kill -0 "$beam" 2>/dev/null && [ "$tries" -lt 100 ]; do
			tries=$((tries + 1))
			sleep 0.05
		done
	fi
}

# The Erlang VM's own id, if it wrote one: a start script that did not become it ignores signals.
signal_server() {
	[ -n "$monitor" ] && [ ! -e "$folder/server.ended" ] || { echo "failed: the server does not run"; return 1; }
	beam=$(cat "$folder/pid" 2>/dev/null)
	kill "-$1" "${beam:-$(cat "$folder/server.pid")}"
}

stop_server() {
	signal_server TERM || return
	tries=0
	while [ ! -e "$folder/server.ended" ] && [ "$tries" -lt 1200 ]; do
		tries=$((tries + 1))
		sleep 0.05
	done
	[ -e "$folder/server.ended" ] || { echo "failed: the server has not stopped after 60 s"; return; }
	kill_server
	echo stopped
}

clean_up() {
	trap '' TERM
	kill_server
	if [ -n "$epmd" ]; then
		kill -KILL "$epmd" 2>/dev/null
		wait "$epmd" 2>/dev/null
	fi
	[ -f "$folder/supervise.sh" ] && rm -rf "$folder"
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
# waits for that.
start_epmd() {
	program=$(find_epmd) || { echo "failed: no epmd next to erl"; return; }
	"$program" -address 127.0.0.1 -port "$ERL_EPMD_PORT" </dev/null >>"$folder/log/epmd" 2>&1 &
	epmd=$!
	echo "started $epmd"
}

# The inner shell tells its id and becomes the server; the outer one reaps it at once, so that its end can be seen.
start_server() {
	kill_server
	rm -f "$folder/server.pid" "$folder/server.ended"
	(
		sh -c 'echo "$$" >"$1/server.pid.new" && mv "$1/server.pid.new" "$1/server.pid" && shift && exec "$@"' \
			sh "$folder" "$@" </dev/null >>"$folder/log/console" 2>&1
		: >"$folder/server.ended"
	) &
	monitor=$!
	until [ -s "$folder/server.pid" ] || [ -e "$folder/server.ended" ]; do
		sleep 0.01
	done
	[ -s "$folder/server.pid" ] || { echo "failed: the server's id can't be written to $folder"; return; }
	echo "started $(cat "$folder/server.pid")"
}

while read -r command; do
	case $command in
		epmd) start_epmd ;;
		start) start_server "$@" ;;
		kill) kill_server; echo killed ;;
		stop) stop_server ;;
		freeze) signal_server STOP && echo done ;;
		unfreeze) signal_server CONT && echo done ;;
		*) echo "failed: unknown command $command" ;;
	esac
done
