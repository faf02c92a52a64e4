#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Fetches a kernel of Debian to boot in a virtual machine: fetch-kernel.sh amd64|arm64 5.10|6.1|...|latest. Prints
# the folder that has vmlinuz, modules/ and release, and beside it, for the same processor, busybox.
#
# Packages come from this machine's own mirror of Debian, through apt with a state of its own below the cache:
# nothing is installed, and the machine's lists stay as they are. What was fetched before takes no network.
# Exit status 77: there is none to be had; the last line says why.
set -euo pipefail

[ $# -eq 2 ] || {
	echo "usage: $0 amd64|arm64 SERIES|latest" >&2
	exit 2
}
arch=$1 series=$2
cache=${PA_VM_CACHE:-${HOME:-/tmp}/.cache/pa-vm}
dir=$cache/$arch-$series
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
# What a guest needs to write its results to a disk; newer kernels have most of it inside.
modules="virtio virtio_ring virtio_pci_legacy_dev virtio_pci_modern_dev virtio_pci virtio_blk"

unavailable() {
	echo "$*" >&2
	exit 77
}

have() {
	[ -s "$dir/vmlinuz" ] && [ -x "$cache/busybox-$arch" ]
}

# The URI of an archive whose path ends in NAME, as this machine has it.
mirror() {
	{ grep -hsoE 'https?://[^ ]+' /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources} || true; } |
		sed 's|/*$||' | grep -m 1 "/$1\$" || true
}

# Some images set the names of apt's caches to nothing, which makes each call slow.
apt() {
	APT_CONFIG=$cache/apt/apt.conf "$@" -o Dir::Cache::pkgcache=pkgcache.bin -o Dir::Cache::srcpkgcache=srcpkgcache.bin
}

set_up_apt() {
	local main security suite options="[arch=amd64,arm64 signed-by=$keyring]"

	main=$(mirror debian) security=$(mirror debian-security)
	[ -n "$main" ] || unavailable "no mirror of Debian in /etc/apt"
	[ -r $keyring ] || unavailable "no $keyring to check packages with"
	mkdir -p "$cache/apt/lists/partial" "$cache/apt/cache/archives/partial" "$cache/apt/state"
	: >"$cache/apt/status"
	for suite in bullseye bookworm trixie; do
		echo "deb $options $main $suite main"
		[ -z "$security" ] || echo "deb $options $security $suite-security main"
	done >"$cache/apt/sources.list"
	echo "deb $options $main trixie-backports main" >>"$cache/apt/sources.list"
	cat >"$cache/apt/apt.conf" <<-X
		Dir::Etc::sourcelist "$cache/apt/sources.list";
		Dir::Etc::sourceparts "-";
		Dir::State "$cache/apt/state";
		Dir::State::status "$cache/apt/status";
		Dir::State::lists "$cache/apt/lists";
		Dir::Cache "$cache/apt/cache";
		APT::Architectures { "amd64"; "arm64"; };
		APT::Sandbox::User "root";
		Acquire::Languages "none";
		Acquire::Retries "2";
		Acquire::http::Timeout "20";
	X
}

# A suite that the mirror has not makes the whole fail, though the others' lists are there.
update_lists() {
	set_up_apt
	apt timeout 300 apt-get update -qq >"$cache/apt/update.log" 2>&1 || true
	ls "$cache"/apt/lists/*_Packages* >/dev/null 2>&1 ||
		unavailable "lists of packages cannot be fetched: $(grep -m 1 '^[EW]:' "$cache/apt/update.log" || echo "no network?")"
}

# The image packages of the series, newest first, whichever suite they are in.
candidates() {
	apt apt-cache show -a "linux-image-cloud-$arch:$arch" 2>/dev/null | awk -v series="$series" '
	function flush() {
		if (image != "" && (series == "latest" || index(version, series ".") == 1))
			print version, image
		version = image = ""
	}
	/^Version:/ { version = $2 }
	/^Depends:/ && match($0, /linux-image-[0-9][^ ,]*/) { image = substr($0, RSTART, RLENGTH) }
	/^$/ { flush() }
	END { flush() }' | sort -k1,1Vr -u | cut -d' ' -f2
}

# From 6.19 on an image package is empty, and depends on one with the kernel and one with the modules.
parts() {
	local split

	split=$(apt apt-cache show "$1:$arch" | sed -n 's/^Depends: //p' | head -n 1 | tr ',|' '\n' |
		awk '$1 ~ /^linux-(binary|modules)-/ { print $1 }')
	echo "${split:-$1}"
}

# download DIR PACKAGE...: without these lines' stderr, since a mirror often lists what it has no longer.
download() {
	local to=$1
	shift
	rm -rf "$to"
	mkdir -p "$to"
	(cd "$to" && apt timeout 300 apt-get download -qq "${@/%/:$arch}" >/dev/null 2>"$cache/apt/download.log")
}

# Debian's images are not where they were from 6.19 on; modules may be compressed, which busybox cannot load.
unpack_kernel() {
	local deb module file

	rm -rf "$part/root"
	mkdir -p "$part/root" "$part/modules"
	for deb in "$part"/deb/*.deb; do
		dpkg --fsys-tarfile "$deb" | tar -x -C "$part/root" --wildcards '*/vmlinuz*' '*/virtio*' 2>/dev/null || true
	done
	for module in $modules; do
		file=$(find "$part/root" -name "$module.ko*" | head -n 1)
		case $file in
		'') ;;
		*.xz) xz -dc "$file" >"$part/modules/$module.ko" ;;
		*) cp "$file" "$part/modules/" ;;
		esac
	done
	file=$(find "$part/root" -type f -name 'vmlinuz*' | head -n 1)
	[ -n "$file" ] && cp "$file" "$part/vmlinuz"
}

fetch_kernel() {
	local image

	for image in $(candidates); do
		# shellcheck disable=SC2046 # a list of words
		if ! download "$part/deb" $(parts "$image") || ! unpack_kernel; then
			continue
		fi
		echo "${image#linux-image-}" >"$part/release"
		rm -rf "$part/deb" "$part/root" "$dir"
		mv "$part" "$dir"
		return 0
	done
	return 1
}

fetch_busybox() {
	[ ! -x "$cache/busybox-$arch" ] || return 0
	download "$part/busybox" busybox-static || return 1
	dpkg --fsys-tarfile "$part"/busybox/*.deb | tar -x -O --wildcards '*/bin/busybox' >"$part/busybox/busybox"
	chmod 755 "$part/busybox/busybox"
	mv "$part/busybox/busybox" "$cache/busybox-$arch"
	rm -rf "$part/busybox"
}

fetch() {
	fetch_busybox && fetch_kernel
}

if ! have; then
	command -v apt-get >/dev/null || unavailable "not a Debian system: no apt-get to fetch kernels with"
	mkdir -p "$cache"
	exec 9>"$cache/lock"
	flock 9
fi
if ! have; then
	part=$cache/$arch-$series.part
	rm -rf "$part"
	mkdir -p "$part"
	trap 'rm -rf "$part"' EXIT
	[ -s "$cache/apt/apt.conf" ] || update_lists
	# Lists that are old name packages that are gone.
	fetch || { update_lists && fetch; } ||
		unavailable "no $arch kernel $series to be had: $(grep -m 1 '^[EW]:' "$cache/apt/download.log" 2>/dev/null || echo "not in the lists of packages")"
fi
echo "$dir"
