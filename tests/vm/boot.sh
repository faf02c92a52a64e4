#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Boots a kernel of Debian in an emulated machine, and runs one command there, as root:
#
#     boot.sh [-f FILE]... [-o DIR] amd64|arm64 SERIES COMMAND
#
# Each FILE, with the libraries that it is linked with, lies in /t, where the command runs; a FILE from=to lies
# elsewhere. What it leaves in /out comes back into DIR, along with its output (log), dmesg and the console. Nothing
# else is there but busybox. The exit status is the command's; 125 if the machine gave none, 77 if there is no
# kernel or no emulator, and why.
#
# PA_VM_SMP (CPUs), PA_VM_APPEND (words for the kernel) and PA_VM_TIMEOUT (seconds) are for trying things.
set -euo pipefail
here=$(dirname "$0")
root=$(cd "$here/../.." && pwd)

usage() {
	sed -n '/^#     boot.sh/s/^# *//p' "$0" >&2
	exit 2
}

files=() out=
while getopts f:o: option; do
	case $option in
	f) files+=("$OPTARG") ;;
	o) out=$OPTARG ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
[ $# -eq 3 ] || usage
arch=$1 series=$2 command=$3

# Never with KVM: where it is there it may be of a kind that guests' early boot dies on.
case $arch in
amd64)
	machine=(qemu-system-x86_64 -accel tcg -cpu max -smp "${PA_VM_SMP:-2}")
	console=ttyS0
	libraries=/lib/x86_64-linux-gnu
	;;
arm64)
	# A fixed -icount makes the emulated PMU count instructions, and exactly so.
	machine=(qemu-system-aarch64 -accel tcg -M virt -cpu cortex-a57 -smp "${PA_VM_SMP:-1}" -icount shift=1)
	console=ttyAMA0
	libraries=${SYSROOT:-$root/build/sysroot/aarch64}/usr/lib/aarch64-linux-gnu
	;;
*) usage ;;
esac
command -v "${machine[0]}" >/dev/null || {
	echo "no ${machine[0]} to boot kernels with" >&2
	exit 77
}
kernel=$("$here/fetch-kernel.sh" "$arch" "$series")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
guest=$work/root

# The libraries that a program asks for, and those that they ask for, where it looks for them.
add_libraries() {
	local name to

	for name in $(readelf -ldW "$1" 2>/dev/null |
		sed -n 's/.*interpreter: \(.*\)\]$/\1/p; s/.*(NEEDED).*\[\(.*\)\]$/\1/p'); do
		to=$guest/${name#/}
		[ "$name" != "${name##*/}" ] || to=$guest$(lib_folder)/$name
		[ ! -e "$to" ] || continue
		mkdir -p "$(dirname "$to")"
		cp -L "$libraries/${name##*/}" "$to"
		add_libraries "$to"
	done
}
lib_folder() {
	echo "/lib/${libraries##*/}"
}

add_file() {
	local from=${1%%=*} to=/t/${1##*/}

	[ "$from" = "$1" ] || to=${1#*=}
	mkdir -p "$guest$(dirname "$to")"
	cp -RL "$from" "$guest$to"
	[ ! -f "$from" ] || add_libraries "$from"
}

# A folder's mode becomes that of the guest's root, where others than root have to get along, too.
mkdir -p "$guest"/{bin,proc,sys,dev,tmp,out,t,etc,modules,cgroup}
chmod 755 "$guest"
chmod 1777 "$guest/tmp"
printf 'root:x:0:0::/:/bin/sh\nuser:x:1000:1000::/:/bin/sh\n' >"$guest/etc/passwd"
cp "${PA_VM_CACHE:-${HOME:-/tmp}/.cache/pa-vm}/busybox-$arch" "$guest/bin/busybox"
cp "$kernel"/modules/*.ko "$guest/modules/" 2>/dev/null || true
for file in ${files[@]+"${files[@]}"}; do
	add_file "$file"
done
printf '%s\n' "$command" >"$guest/command"

# Modules are loaded in several rounds instead of by their dependencies, which Debian's packages do not list.
cat >"$guest/init" <<'X'
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin HOME=/
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev 2>/dev/null
mount -t tracefs tracefs /sys/kernel/tracing
mount -t cgroup2 cgroup /cgroup
for round in 1 2 3 4; do
	for module in /modules/*.ko; do
		[ ! -f "$module" ] || ! insmod "$module" 2>/dev/null || rm "$module"
	done
done
cd /t
(. /command) >/out/log 2>&1
echo $? >/out/status
dmesg >/out/dmesg
for round in 1 2 3 4 5 6 7 8 9 10; do
	[ -b /dev/vda ] && break
	sleep 0.2
done
[ -b /dev/vda ] && tar -C /out -cf /dev/vda . && sync
echo "GUEST ENDED $(cat /out/status)"
reboot -f
X
chmod 755 "$guest/init"
(cd "$guest" && find . | cpio -o -H newc -R 0:0 --quiet | gzip -1) >"$work/initrd"
truncate -s 64M "$work/disk"

# The kernel's own tests of its cryptography would take the CPU for seconds. A panic reboots, which ends qemu
# with status 0: only the guest's own last line counts.
timeout -k 5 "${PA_VM_TIMEOUT:-120}" "${machine[@]}" -m 1024 -display none -monitor none -nodefaults -no-reboot \
	-serial "file:$work/console" -kernel "$kernel/vmlinuz" -initrd "$work/initrd" \
	-drive "file=$work/disk,format=raw,if=none,id=disk" -device virtio-blk-pci,drive=disk \
	-append "console=$console panic=-1 quiet cryptomgr.notests ${PA_VM_APPEND:-}" \
	</dev/null >"$work/qemu.log" 2>&1 || echo "${machine[0]} ended with status $? (124: it took too long)" >>"$work/qemu.log"

if [ -n "$out" ]; then
	mkdir -p "$out"
	tar -C "$out" -xf "$work/disk" 2>/dev/null || true
	cp "$work/console" "$out/console"
	cp "$kernel/release" "$out/release"
else
	tar -xO -f "$work/disk" ./log 2>/dev/null || true
fi
status=$(tr -d '\r' <"$work/console" | sed -n 's/.*GUEST ENDED \([0-9]*\)$/\1/p' | tail -n 1)
[ -n "$status" ] || {
	echo "$arch $series: the machine gave no result:" >&2
	tail -n 5 "$work/qemu.log" >&2
	tail -n 20 "$work/console" >&2
	exit 125
}
exit "$status"
