#!/bin/sh
# Copyright 2026 the Rabbit Retry authors.
# SPDX-License-Identifier: Apache-2.0
#
# supervise.sh FOLDER COMMAND...
#
# Keeps one server below a process whose standard input is a pipe from the JVM. However the JVM ends, also by SIGKILL, the
# pipe closes; then the server is ended by its id and FOLDER is removed.
# Reads commands, one a line, and answers each with "done": "start", "kill".
folder=$1
shift
server=''

# Ctrl-C reaches the whole foreground group: the JVM decides what it means. PIPE: the JVM may be gone when we answer.
trap '' INT HUP PIPE
trap 'exit 0' TERM

# QUIT makes the server stop without a checkpoint, as a crash does, but takes its children along.
kill_server() {
	[ -n "$server" ] || return 0
	kill -QUIT "$server" 2>/dev/null
	wait "$server" 2>/dev/null
	server=''
}

clean_up() {
	trap '' TERM
	kill_server
	[ -f "$folder/supervise.sh" ] && rm -rf "$folder"
}
trap clean_up EXIT

cd /
while read -r command; do
	case $command in
		start)
			"$@" </dev/null >>"$folder/log" 2>&1 &
			server=$!
			echo 'done'
			;;
		kill)
			kill_server
			echo 'done'
			;;
		*) echo "unknown command $command" ;;
	esac
done
