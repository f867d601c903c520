# SPDX-License-Identifier: GPL-2.0-or-later
# evtlog: `make help` lists the main targets; the rules of each part are in its build.mk.

MAKEFLAGS += --no-builtin-rules
SHELL	:= /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
# Keep the objects of tests, so that nothing is compiled twice.
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

# make splits names at blanks, and would install into several wrong directories.
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
	@echo 'make demo       build and boot the patched kernel, record a load, show the logs'
	@echo 'make demo-stock  the same with the kernel of Debian 12 and the module, on one node: no kernel is built'
	@echo 'make check      run the tests of all parts; ends with N passed, N failed, N skipped'
	@echo 'make check-full run the other tests: other kernels, real time, long fuzzing, large readers'
	@echo 'make test-programs  build what tests need, as tests/run TEST does'
	@echo 'make guest      build the programs that tests/vm/run installs in its guests'
	@echo 'make study      measure a file daemon on NFS and on a disk, and OpenMP programs on an'
	@echo '                overloaded machine; writes $(OUT)/study and $(OUT)/study-openmp'
	@echo 'make bench      compare with other tracers; writes $(OUT)/bench/results.tsv'
	@echo 'make install    install logd, evtlog and libevtlog (DESTDIR, prefix)'
	@echo 'make deb, make rpm  build packages in $(BUILD)/packages'
	@echo 'make clean      remove $(BUILD)/; kernels stay in the cache'

-include $(shell find $(BUILD) -type f -name '*.d' 2>/dev/null)
