# SPDX-License-Identifier: GPL-2.0-or-later
# What is run: demo, check, bench. Test programs are in tests/*/build.mk.

include $(wildcard tests/*/build.mk)

# Tests look into logd as well.
$(BUILD)/tests/%.o $(BUILD)/sanitized/tests/%.o: EVTLOG_CFLAGS += -I.

.PHONY: demo study check check-debug check-long bench depend guest kernels

depend:
	tests/depend build kernel vm

# Static programs that tests/vm/run puts into the guest.
guest: $(BUILD)/guest/logd $(BUILD)/guest/evtlog

# All that the tests boot, before any of them has a time to keep. What fails here is told
# by the tests that need it.
kernels:
	-@unset MAKEFLAGS MFLAGS MAKELEVEL; \
	mkdir -p $(OUT)/check && : >$(OUT)/check/kernels; \
	export EVTLOG_TOOK=$(abspath $(OUT))/check/kernels; \
	for variant in guest debug off; do \
		tests/kernel/build --variant $$variant >/dev/null; \
	done; \
	tests/kernel/package >/dev/null

demo:
	tests/demo/run $(OUT)/demo

# A kernel with NFS is built for it, and three guests run for minutes; then two more.
study:
	tests/study/run $(OUT)/study
	tests/study/openmp/run $(OUT)/study-openmp 2,4 100 200 --sample 250Hz

# SEED=N or SEED=random: other inputs than those of each run (tests/run --help).
check:
	tests/depend build kernel vm fuzz check
	. tests/compilers; $(MAKE) --no-print-directory -j$$(nproc) all guest
	$(MAKE) --no-print-directory kernels
	tests/run --attempts 2 $(if $(SEED),--seed $(SEED))

# The tests that need the debug kernel, alone; part of check.
check-debug:
	tests/depend build kernel vm check
	$(MAKE) --no-print-directory guest
	tests/run $(if $(SEED),--seed $(SEED)) $(wildcard tests/*/debug*.test)

# What takes too long for each change: kernels that nothing else boots are built for it.
LONG_TESTS := tests/kernel/kcsan-long tests/kernel/crash-buffers-long tests/remote/boost-storm-long \
	tests/kernel/clang-long tests/kernel/kunit-uml-long tests/kernel/off-long tests/unit/filter-long \
	tests/study/nfs-long tests/export/vite-long tests/kshark/kernelshark-long \
	tests/kshark/ten-million-long tests/kshark/trace-dat-long tests/kshark/damage-long \
	tests/tables/parquet-long tests/export/lttng-long tests/probe/many-long tests/profile/forks-long \
	tests/profile/witnesses-long tests/profile/go-pprof-long tests/profile/tau-long \
	tests/profile/resolution-long tests/export/perfetto-long tests/path/ip6-long tests/kernel/debug-long \
	tests/bench/cpus-long tests/bench/packets-long tests/jitter/daemons-long

check-long:
	tests/depend build kernel vm fuzz check bench
	$(MAKE) --no-print-directory all guest
	-@unset MAKEFLAGS MFLAGS MAKELEVEL; \
	for variant in clang kcsan uml plain nfs debug graph; do \
		tests/kernel/build --variant $$variant >/dev/null; \
	done
	tests/run --lanes 1 --timeout 7200 --out $(OUT)/check-long $(if $(SEED),--seed $(SEED)) $(LONG_TESTS)

bench:
	tests/depend build kernel vm bench
	$(MAKE) --no-print-directory all guest
	tests/bench/run $(OUT)/bench
