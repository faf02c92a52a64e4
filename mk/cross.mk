# SPDX-License-Identifier: GPL-2.0-or-later
# Building for another machine than this one: ARCH=arm64 with Debian's cross compiler and, below SYSROOT,
# Debian's libraries, both of which `make setup-cross` fetches.

ifneq ($(CROSS),)
ifeq ($(origin CC),default)
CC := $(CPU)-linux-gnu-gcc
endif
SYSROOT ?= $(O)/sysroot/$(CPU)
SYSROOT_FLAGS := --sysroot=$(SYSROOT)
export PKG_CONFIG_LIBDIR := $(abspath $(SYSROOT))/usr/lib/$(CPU)-linux-gnu/pkgconfig:$(abspath $(SYSROOT))/usr/share/pkgconfig
export PKG_CONFIG_SYSROOT_DIR := $(abspath $(SYSROOT))
ifeq ($(wildcard $(SYSROOT)/usr/include),)
ifneq ($(filter-out clean help setup% test%,$(or $(MAKECMDGOALS),all)),)
$(error no libraries for $(CPU) in $(SYSROOT): make setup-cross ARCH=$(ARCH))
endif
endif
endif

.PHONY: setup-cross
setup-cross: SYSROOT ?= $(O)/sysroot/aarch64
setup-cross: ## install a cross compiler, and fetch libraries for arm64 into build/sysroot
	@tests/setup.sh build cross
	@[ -d $(SYSROOT) ] || mk/sysroot.sh $(or $(CROSS),aarch64) $(SYSROOT)
