#!/bin/bash
# Copyright 2026 the Rabbit Retry authors.
# SPDX-License-Identifier: Apache-2.0
#
# unpack.sh SUITE VERSION FOLDER     (the mirror comes in the environment variable MIRROR)
#
# Unpacks RabbitMQ and its Erlang from a Debian suite into FOLDER: no root, nothing installed, no service. apt resolves and
# verifies with a state of its own, dpkg-deb unpacks, patchelf makes the programs use the suite's own libc from FOLDER.
# The paths end up inside the files, so FOLDER can't be moved: a marker file, written last, says that it is complete.
# The lock is held by this process and its children, not by the JVM that started it: an orphan still keeps others out.
set -euo pipefail
suite=$1 version=$2 folder=$3

give_up() {
	echo "$1" >&2
	exit 1
}

mkdir -p "$(dirname "$folder")"
exec 9>"$folder.lock"
flock -w 900 9 || give_up "another unpacking holds $folder.lock for more than 15 minutes"
marker=$folder/.complete
if [ -f "$marker" ] && [ "$(sed -n 2p "$marker")" = "$folder" ]; then
	exit 0
fi
rm -rf "$folder"

work=$folder/.work
architecture=$(dpkg --print-architecture)
mkdir -p "$work"/{lists/partial,cache/archives/partial,tools} "$folder"/usr/{bin,sbin,lib,lib64}
: >"$work/status"
for directory in bin sbin lib lib64; do # as Debian does it: some packages still ship /lib
	ln -s "usr/$directory" "$folder/$directory"
done

keyring=/usr/share/keyrings/debian-archive-keyring.gpg
if [ ! -f "$keyring" ]; then # not on Ubuntu; its own archive has it, verified with its own keys
	(cd "$work/tools" && apt-get -qq -o APT::Sandbox::User=root download debian-archive-keyring &&
		dpkg-deb -x debian-archive-keyring_*.deb .) || give_up "no Debian keyring: install debian-archive-keyring"
	keyring=$work/tools$keyring
fi
echo "deb [arch=$architecture signed-by=$keyring] $MIRROR $suite main" >"$work/sources.list"

# Valid-Until is not checked: a testing suite on a mirror that lags is past it; the signatures are checked all the same.
apt=(apt-get -qq -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=/dev/null
	-o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts=/dev/null
	-o Dir::State="$work" -o Dir::State::lists="$work/lists" -o Dir::State::status="$work/status"
	-o Dir::Cache="$work/cache" -o APT::Architecture="$architecture" -o APT::Architectures="$architecture"
	-o APT::Sandbox::User=root -o APT::Install-Recommends=false -o Acquire::Languages=none
	-o Acquire::Check-Valid-Until=false -o Acquire::Retries=3 -o Debug::NoLocking=1)
"${apt[@]}" update || give_up "apt-get update failed for the suite $suite"

plan=$("${apt[@]}" install -s rabbitmq-server) || give_up "the suite $suite has no installable rabbitmq-server"
offered=$(sed -nE 's/^Inst rabbitmq-server \(([^ -]+).*/\1/p' <<<"$plan")
case $offered in
	"$version".*) ;;
	*) give_up "the suite $suite holds RabbitMQ ${offered:-(none)}, not $version" ;;
esac
needed='rabbitmq-server|erlang-.*|libc6|libstdc\+\+6|libgcc-s1|libtinfo6|zlib1g|libzstd1|libssl3t?6?4?'
needed+='|openssl-provider-legacy|libsctp1|libsystemd0|libcap2'
mapfile -t packages < <(awk '/^Inst/ { print $2 }' <<<"$plan" | grep -E "^($needed)$")
command -v patchelf >/dev/null || packages+=(patchelf)
(
	cd "$work/cache/archives"
	"${apt[@]}" download "${packages[@]}" || give_up "downloading the packages of the suite $suite failed"
	for package in *.deb; do
		target=$folder
		case $package in patchelf_*) target=$work/tools ;; esac
		dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink --no-same-owner -C "$target"
		rm "$package"
	done
)

loaders=("$folder"/usr/lib64/ld-linux*.so.* "$folder"/usr/lib/ld-linux*.so.*)
for loader in "${loaders[@]}"; do
	[ -e "$loader" ] && break
done
loader=$(readlink -e "$loader") || give_up "the suite's libc6 has no dynamic loader"
libraries=$(dirname "$loader")
patchelf=(patchelf)
if [ -x "$work/tools/usr/bin/patchelf" ]; then # built for the suite's libc, perhaps newer than the machine's
	patchelf=("$loader" --library-path "$libraries" "$work/tools/usr/bin/patchelf")
fi
erlang=$folder/usr/lib/erlang
for file in "$erlang"/erts-*/bin/* "$erlang"/bin/* "$erlang"/lib/*/priv/bin/*; do
	if [ -f "$file" ] && [ ! -L "$file" ] && [ "$(head -c4 "$file" | tail -c3)" = ELF ]; then
		"${patchelf[@]}" --set-interpreter "$loader" --force-rpath --set-rpath "$libraries" "$file" ||
			give_up "patchelf failed on $file"
	fi
done
for file in "$erlang"/{bin,erts-*/bin}/{erl,start}; do
	if [ -f "$file" ]; then
		sed -i "s#/usr/lib/erlang#$erlang#g" "$file"
	fi
done

for modules in "$folder"/usr/lib/*/ossl-modules; do
	[ -d "$modules" ] && export OPENSSL_MODULES=$modules
done
HOME=$work "$erlang/bin/erl" -boot no_dot_erlang -noinput -eval '{ok, _} = application:ensure_all_started(crypto), halt(0).' \
	>&2 || give_up "the unpacked Erlang does not run on this machine"

rm -rf "$work" "$folder"/usr/share/{doc,man,locale} "$libraries/gconv"
printf '%s\n%s\n' "$offered" "$folder" >"$marker.new"
mv "$marker.new" "$marker"
