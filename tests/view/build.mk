# SPDX-License-Identifier: GPL-2.0-or-later
# Playwright, which drives Debian's chromium in the viewer's tests, and the logs of these tests

VIEW_TEST_MODULES := $(BUILD)/tests/view/node_modules/.package-lock.json

# npm writes this file last, and uses its cache if it can.
$(VIEW_TEST_MODULES): tests/view/package.json tests/view/package-lock.json
	@mkdir -p $(BUILD)/tests/view
	cp $^ $(BUILD)/tests/view
	cd $(BUILD)/tests/view && npm ci --no-audit --no-fund --prefer-offline >npm.log 2>&1 || \
		{ cat npm.log >&2; echo "npm ci: failed; what it says is above" >&2; exit 1; }
	touch $@

# The logs of the viewer's tests: the demo's load on two guests; 64 CPUs of one host; 64 hosts; 7
# lost events. An index is written into a log's directory, so the committed logs are copied.
VIEW_TEST_LOGS := $(BUILD)/tests/view/logs/.made
TEST_PROGRAMS += $(VIEW_TEST_MODULES) $(VIEW_TEST_LOGS) $(addprefix $(BUILD)/tests/view/,jitter_curves_test \
	jitter_labels_test jitter_picture no_memory.so index_figures)

$(VIEW_TEST_LOGS): $(BUILD)/tests/make-log $(wildcard tests/fixtures/demo/*.evl) tests/view/build.mk
	rm -rf $(@D)
	mkdir -p $(@D)/guests $(@D)/hosts
	cp $(filter %.evl,$^) $(@D)/guests
	$< --cpus 64 --tasks 400 --events 400000 --compress 3 --host wide $(@D)/wide.evl
	for host in $$(seq 64); do \
		$< --cpus 8 --tasks 60 --events 20000 --compress 3 --host host$$host --boot $$host \
			--seed $$host --real-ns $$((host * 1000)) $(@D)/hosts/host$$host.evl || exit; \
	done
	$< --cpus 2 --events 20000 --lose 7 --compress 3 --host losing $(@D)/losing.evl
	touch $@

$(BUILD)/tests/view/index_figures: $(BUILD)/tests/view/index_figures.o \
		$(BUILD)/tools/libevtlog.a
	$(CC) $(CFLAGS) -o $@ $^ -lz -lm -lpthread

# The curves of interruptions need no log: their input is made by hand.
JITTER_CURVES := $(addprefix $(BUILD)/sanitized/tools/jitter/plot/,curves.o density.o periodogram.o spectrum.o)

$(BUILD)/tests/view/jitter_curves_test: $(BUILD)/sanitized/tests/view/jitter_curves_test.o \
		$(BUILD)/sanitized/tests/view/jitter_made.o $(JITTER_CURVES)
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_SANITIZE) -o $@ $^ -lcmocka -lm

$(BUILD)/tests/view/jitter_labels_test: $(BUILD)/sanitized/tests/view/jitter_labels_test.o \
		$(BUILD)/sanitized/tools/jitter/plot/labels.o
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_SANITIZE) -o $@ $^ -lcmocka

$(BUILD)/tests/view/jitter_picture: $(BUILD)/tests/view/jitter_picture.o \
		$(BUILD)/tests/view/jitter_made.o $(VIEW_OBJECTS) \
		$(filter-out %/main.o,$(EVTLOG_OBJECTS)) $(TOOLS_OBJECTS) \
		$(BUILD)/tools/libevtlog.a
	$(CC) $(CFLAGS) -o $@ $^ $(EVTLOG_LIBS) $(VIEW_LIBS)

# Preloaded: a calloc() that fails
$(BUILD)/tests/view/no_memory.so: tests/view/memory/no_memory.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -fno-builtin -O2 -shared -fPIC -o $@ $<
