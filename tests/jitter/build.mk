# SPDX-License-Identifier: GPL-2.0-or-later
# The test of what evtlog check says of user mode's boundary.

$(BUILD)/tests/jitter/crossing_test: $(BUILD)/sanitized/tests/jitter/crossing_test.o \
		$(BUILD)/sanitized/tools/evtlog/boundary.o
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_SANITIZE) -o $@ $^ -lcmocka

# Files of samples, written and read
$(BUILD)/tests/jitter/samples_test: $(BUILD)/sanitized/tests/jitter/samples_test.o \
		$(addprefix $(BUILD)/sanitized/tools/,jitter/samples-write.o \
		evtlog/output.o evtlog/say.o) $(BUILD)/sanitized/libevtlog.a
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_SANITIZE) -o $@ $^ -lcmocka -lz -lm

# What the library attributes, as text
$(BUILD)/tests/jitter/engine-dump: $(BUILD)/sanitized/tests/jitter/engine-dump.o \
		$(BUILD)/sanitized/libevtlog.a
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_SANITIZE) -o $@ $^ -lz -lm

# The attribution on logs made by hand
$(addprefix $(BUILD)/tests/jitter/,parts_test window_test inferred_test sequence_test \
		period_test engine_fuzz): \
		$(BUILD)/tests/jitter/%: $(BUILD)/sanitized/tests/jitter/%.o \
		$(BUILD)/sanitized/tests/jitter/by-hand.o \
		$(BUILD)/sanitized/tests/lib/loggen.o \
		$(BUILD)/sanitized/logd/pack.o $(BUILD)/sanitized/logd/huffman.o \
		$(addprefix $(BUILD)/sanitized/tools/,jitter/samples-write.o \
		evtlog/output.o evtlog/say.o) $(BUILD)/sanitized/libevtlog.a
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_SANITIZE) -o $@ $^ -lcmocka -lz -lm

# What evtlog jitter diff and scale are made of
JITTER_CHANCE := $(addprefix $(BUILD)/sanitized/tools/jitter/,random.o exact.o)

$(BUILD)/tests/jitter/compared_test: $(BUILD)/sanitized/tests/jitter/compared_test.o $(JITTER_CHANCE) \
		$(addprefix $(BUILD)/sanitized/tools/jitter/,compared.o judge.o blocks.o \
		bootstrap.o permute.o holm.o)
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_SANITIZE) -o $@ $^ -lcmocka -lm

$(BUILD)/tests/jitter/program_test: $(BUILD)/sanitized/tests/jitter/program_test.o $(JITTER_CHANCE) \
		$(addprefix $(BUILD)/sanitized/tools/jitter/,noise.o program.o)
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_SANITIZE) -o $@ $^ -lcmocka -lm

# Logs and samples of simulated loops, with the truth about them
$(BUILD)/tests/make-jitter: $(addprefix $(BUILD)/tests/jitter/,make-jitter.o pings.o) $(BUILD)/tests/lib/loggen.o \
		$(BUILD)/logd/pack.o $(BUILD)/logd/huffman.o \
		$(BUILD)/tools/jitter/samples-write.o \
		$(BUILD)/tools/commands/output.o $(BUILD)/tools/commands/say.o
	$(CC) $(CFLAGS) -o $@ $^ -lz

# Made-up machines, for the attribution's oracle
$(BUILD)/tests/jitter/make-machine: $(BUILD)/tests/jitter/make-machine.o \
		$(BUILD)/tests/lib/loggen.o $(BUILD)/logd/pack.o $(BUILD)/logd/huffman.o \
		$(BUILD)/tools/jitter/samples-write.o \
		$(addprefix $(BUILD)/tools/commands/,output.o say.o)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -o $@ $^ -lz
