#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes a folder with the libraries of another architecture, to build for it: sysroot.sh CPU DIR. Packages
# come from this machine's own sources of Debian; nothing is installed, and its own packages stay as they are.
set -eu
packages="libc6-dev libbpf-dev libelf-dev zlib1g-dev libdw-dev libiberty-dev liblzma-dev libzstd-dev
	libprotobuf-c-dev libsqlite3-dev"

[ $# -eq 2 ] || {
	echo "usage: $0 aarch64|x86_64 DIR" >&2
	exit 2
}
case $1 in
aarch64) arch=arm64 ;;
x86_64) arch=amd64 ;;
*)
	echo "$0: no Debian architecture is known for $1" >&2
	exit 2
	;;
esac
mkdir -p "$2.part"
part=$(cd "$2.part" && pwd)
trap 'rm -rf "$part"' EXIT
mkdir -p "$part/apt/lists/partial" "$part/apt/cache/archives/partial" "$part/root"
: >"$part/apt/status"

# apt, with a state of its own. The names of its caches are given since some images set them to nothing.
apt() {
	apt-get -qq -o "APT::Architecture=$arch" -o "APT::Architectures::=$arch" -o APT::Sandbox::User=root \
		-o "Dir::State=$part/apt" -o "Dir::State::status=$part/apt/status" -o "Dir::Cache=$part/apt/cache" \
		-o Dir::Cache::pkgcache=pkgcache.bin -o Dir::Cache::srcpkgcache=srcpkgcache.bin \
		-o Acquire::Languages=none -o APT::Install-Recommends=false "$@"
}
apt update
# shellcheck disable=SC2086 # a list of words
apt install -y --download-only $packages >/dev/null
for deb in "$part"/apt/cache/archives/*.deb; do
	dpkg -x "$deb" "$part/root"
done
# What is linked to from the root of a machine is to be found in this one.
find "$part/root" -type l -lname '/*' | while IFS= read -r link; do
	ln -sfn "$(realpath -ms --relative-to="$(dirname "$link")" "$part/root$(readlink "$link")")" "$link"
done
rm -rf "$2"
mv "$part/root" "$2"
