# SPDX-License-Identifier: GPL-2.0-or-later
# Libraries that make regions of functions, MPI and OpenMP, and one that saves regions.  Those of
# MPI and OpenMP are built only if their headers are there.

SHIMS	:= instrument exit
SHIM_CC	= $(CC)
# mpicc finds mpi.h and links MPI's library: the shim is preloaded into programs without MPI, too.
MPICC	?= $(shell command -v mpicc 2>/dev/null)
ifneq ($(MPICC),)
SHIMS	+= mpi
$(BUILD)/pic/tools/shims/mpi.o: CC := OMPI_CC='$(CC)' $(MPICC)
$(BUILD)/tools/libevtlog-mpi.so: $(BUILD)/pic/tools/shims/mpi-fortran.o
$(BUILD)/tools/libevtlog-mpi.so: private SHIM_CC = OMPI_CC='$(CC)' $(MPICC)
endif
# clang has the header of OMPT.
OMPT_INCLUDE ?= $(patsubst %/omp-tools.h,%,$(lastword $(sort \
	$(wildcard /usr/lib/llvm-*/lib/clang/*/include/omp-tools.h))))
ifneq ($(OMPT_INCLUDE),)
SHIMS	+= openmp
$(BUILD)/pic/tools/shims/openmp.o: EVTLOG_CFLAGS += -idirafter $(OMPT_INCLUDE)
endif

SHIM_LIBRARIES := $(SHIMS:%=$(BUILD)/tools/libevtlog-%.so)
ALL	+= $(SHIM_LIBRARIES)
INSTALL	+= install-shims

$(BUILD)/tools/libevtlog-%.so: $(BUILD)/pic/tools/shims/%.o $(BUILD)/tools/libevtlog.so
	$(SHIM_CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(@F) -Wl,-z,relro,-z,now -o $@ $(filter %.o,$^) \
		-L$(BUILD)/tools -levtlog

.PHONY: install-shims
install-shims: $(SHIM_LIBRARIES)
	install -d $(DESTDIR)$(libdir)
	install -m 644 $(SHIM_LIBRARIES) $(DESTDIR)$(libdir)/
