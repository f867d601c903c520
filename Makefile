# SPDX-License-Identifier: GPL-2.0-or-later
# evtlog: `make help` lists what can be made; parts are in */build.mk.

MAKEFLAGS += --no-builtin-rules
SHELL	:= /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
# Objects of tests are kept, so that nothing is made twice.
.SECONDARY:

VERSION	:= 0.11.0
BUILD	?= build
OUT	?= out

prefix	?= /usr
sbindir	?= $(prefix)/sbin
bindir	?= $(prefix)/bin
libdir	?= $(prefix)/lib
includedir ?= $(prefix)/include
mandir	?= $(prefix)/share/man
docdir	?= $(prefix)/share/doc/evtlog
sysconfdir ?= /etc
DESTDIR	?=

# make divides all names at blanks, and would install into the pieces.
blank_in = $(word 2,$(1))
$(foreach name,CURDIR BUILD OUT DESTDIR prefix sbindir bindir libdir includedir mandir docdir \
	sysconfdir,$(if $(call blank_in,$($(name))),$(error $(name) is "$($(name))": \
	make cannot work with names that have blanks; use another directory)))

CC	?= gcc
ifeq ($(origin CC),default)
CC	:= gcc
endif
CFLAGS	?= -O2 -g
EVTLOG_CFLAGS := -std=gnu11 -Wall -Wextra -Wmissing-prototypes -Wstrict-prototypes \
		-Wno-unused-parameter -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 \
		-DEVTLOG_VERSION='"$(VERSION)"' -Iinclude -Itools -MMD -MP

# `make V=1` shows the commands.
ifneq ($(V),1)
MAKEFLAGS += --silent
endif

# Objects live under $(BUILD) at the path of their source.
$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_CFLAGS) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

include $(wildcard kernel-patches/build.mk logd/build.mk tools/build.mk tests/build.mk)

.PHONY: all clean help install
all: $(ALL)

install: all $(INSTALL)

clean:
	rm -rf $(BUILD)

help:
	@echo 'make            build logd, libevtlog and evtlog (seconds)'
	@echo 'make demo       build and boot the patched kernel, log real load, show it'
	@echo 'make check      the tests of all parts; ends with N passed, N failed, N skipped'
	@echo 'make check-full the rest: other kernels, real time, long fuzzing, heavy readers'
	@echo 'make study      a file daemon before NFS and a disk: profiles, traces, correlation'
	@echo '                tests/study/openmp/run DIR: OpenMP programs on an overloaded machine'
	@echo 'make bench      measure; writes $(OUT)/bench/results.tsv'
	@echo 'make install    install the built userland (DESTDIR, prefix)'
	@echo 'make clean      remove $(BUILD)/ (kernels stay in the cache)'

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
