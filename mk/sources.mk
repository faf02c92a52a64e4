# SPDX-License-Identifier: GPL-2.0-or-later
# What the programs are made of.
FORMAT_SOURCES := $(wildcard format/*.c format/util/*.c)
CLI_SOURCES := $(wildcard format/cli/*.c)
RECORD_SOURCES := $(wildcard record/*.c record/*/*.c)
REPORT_SOURCES := $(wildcard report/*.c report/*/*.c)
