# SPDX-License-Identifier: GPL-2.0-or-later
# SQLite's extension, with sanitizers.

TEST_PROGRAMS += $(BUILD)/sanitized/libevtlog-sqlite.so
