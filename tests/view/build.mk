# SPDX-License-Identifier: GPL-2.0-or-later
# Playwright, which drives Debian's chromium in the viewer's tests, and their logs.

VIEW_TEST_MODULES := $(BUILD)/tests/view/node_modules/.package-lock.json

# npm writes that file last; it fetches from its cache where it can.
$(VIEW_TEST_MODULES): tests/view/package.json tests/view/package-lock.json
	@mkdir -p $(BUILD)/tests/view
	cp $^ $(BUILD)/tests/view
	cd $(BUILD)/tests/view && npm ci --no-audit --no-fund --prefer-offline >npm.log 2>&1 || \
		{ cat npm.log >&2; echo "npm ci: failed; what it says is above" >&2; exit 1; }
	touch $@

.PHONY: view-test-logs
view-test-logs: guest $(BUILD)/tests/make-log $(BUILD)/tools/evtlog
	tests/view/logs $(BUILD)/tests/view/logs

$(BUILD)/tests/view/index_figures: $(BUILD)/tests/view/index_figures.o \
		$(BUILD)/tools/libevtlog.a
	$(CC) $(CFLAGS) -o $@ $^ -lz -lm -lpthread

# The curves of interruptions need no log: what they are made of is made by hand.
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
