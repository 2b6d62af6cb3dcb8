#!/bin/bash
# Copyright 2026 the Rabbit Retry authors.
# SPDX-License-Identifier: Apache-2.0
#
# unpack.sh SUITE PACKAGES FOLDER [NEEDED]     (the mirror comes in the environment variable MIRROR)
#
# Unpacks packages of a Debian suite into FOLDER: no root, nothing installed, no service. Of the packages that they depend on,
# only those whose names match the Perl expression NEEDED; none without it. apt resolves and verifies with a state
# of its own. The folder is put into its place last.
set -euo pipefail
suite=$1 folder=$3 needed=${4:-}
read -ra packages <<<"$2"

mkdir -p "$(dirname "$folder")"
exec 9>"$folder.lock"
flock -w 600 9 || { echo "another unpacking holds $folder.lock for more than 10 minutes" >&2; exit 1; }
[ -d "$folder" ] && exit 0

work=$(mktemp -d "$folder.XXXXXX")
trap 'rm -rf "$work"' EXIT
architecture=$(dpkg --print-architecture)
mkdir -p "$work"/{lists/partial,cache/archives/partial,tools,unpacked}
: >"$work/status"
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
if [ ! -f "$keyring" ]; then # not on Ubuntu; its own archive has it, verified with its own keys
	(cd "$work/tools" && apt-get -qq -o APT::Sandbox::User=root download debian-archive-keyring &&
		dpkg-deb -x debian-archive-keyring_*.deb .)
	keyring=$work/tools$keyring
fi
echo "deb [arch=$architecture signed-by=$keyring] $MIRROR $suite main" >"$work/sources.list"
apt=(apt-get -qq -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=/dev/null
	-o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts=/dev/null
	-o Dir::State="$work" -o Dir::State::lists="$work/lists" -o Dir::State::status="$work/status"
	-o Dir::Cache="$work/cache" -o APT::Architecture="$architecture" -o APT::Architectures="$architecture"
	-o APT::Sandbox::User=root -o APT::Install-Recommends=false -o Acquire::Languages=none -o Acquire::Check-Valid-Until=false -o Acquire::Retries=3
	-o Debug::NoLocking=1)
"${apt[@]}" update
if [ -n "$needed" ]; then
	plan=$("${apt[@]}" install -s "${packages[@]}")
	mapfile -t -O "${#packages[@]}" packages < <(awk '/^Inst/ { print $2 }' <<<"$plan" | grep -xP "$needed")
fi
(cd "$work/cache/archives" && "${apt[@]}" download "${packages[@]}")
for package in "$work"/cache/archives/*.deb; do
	dpkg-deb -x "$package" "$work/unpacked"
done
chmod 755 "$work/unpacked"
mv "$work/unpacked" "$folder"
