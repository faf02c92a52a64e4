#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes a Debian package of a staged installation: build.sh STAGED VERSION DIRECTORY. As an ordinary user, too.
# SOURCE_DATE_EPOCH is the time of what is in it; MAINTAINER ("Name <address>") who answers for it.
set -eu

staged=$1 version=$2 out=$3
here=$(dirname "$0")
arch=$(dpkg --print-architecture)
: "${MAINTAINER:=${DEBFULLNAME:-The maintainer of pa} <${DEBEMAIL:-root@$(hostname -f 2>/dev/null || hostname)}>}"
: "${SOURCE_DATE_EPOCH:=$(stat -c %Y "$here/../../VERSION")}"
export SOURCE_DATE_EPOCH
umask 022
root=$out/root
doc=$root/usr/share/doc/pa
rm -rf "$root" "$out/debian"
mkdir -p "$root/DEBIAN" "$out/debian"
cp -R "$staged/." "$root"

strip --strip-unneeded -R .comment -R .note "$root"/usr/bin/*
mkdir -p "$root/usr/lib/systemd/system" "$root/usr/share/zsh/vendor-completions"
cp "$here/../systemd/"*.service "$root/usr/lib/systemd/system"
mv "$root"/usr/share/zsh/site-functions/* "$root/usr/share/zsh/vendor-completions"
rmdir "$root/usr/share/zsh/site-functions"
gzip -9n "$root"/usr/share/man/man?/*
cp "$here/copyright" "$doc"
install -D -m 644 "$here/lintian-overrides" "$root/usr/share/lintian/overrides/pa"
gzip -9nc "$doc/CHANGELOG.md" >"$doc/NEWS.gz"
rm "$doc/CHANGELOG.md"
gzip -9nc >"$doc/changelog.gz" <<END
pa ($version) unstable; urgency=medium

  * What is new is in NEWS.gz.

 -- $MAINTAINER  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
END

# Which libraries in which versions is the linker's knowledge.
printf 'Source: pa\n\nPackage: pa\nArchitecture: any\n' >"$out/debian/control"
depends=$(cd "$out" && dpkg-shlibdeps -O root/usr/bin/pa-record root/usr/bin/pa-report 2>/dev/null)
sed -e "s|@VERSION@|$version|; s|@ARCH@|$arch|; s|@MAINTAINER@|$MAINTAINER|" \
	-e "s|@SIZE@|$(du -sk --exclude=DEBIAN "$root" | cut -f1)|" \
	-e "s|@DEPENDS@|${depends#shlibs:Depends=}|" "$here/control.in" >"$root/DEBIAN/control"
install -m 755 "$here/postinst" "$here/postrm" "$root/DEBIAN"
(cd "$root" && find usr -type f | LC_ALL=C sort | xargs md5sum) >"$root/DEBIAN/md5sums"
find "$root" -newermt "@$SOURCE_DATE_EPOCH" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
chmod -R u=rwX,go=rX "$root"
dpkg-deb --root-owner-group --build "$root" "$out/pa_${version}_$arch.deb" >/dev/null
echo "$out/pa_${version}_$arch.deb"
