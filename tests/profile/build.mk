# SPDX-License-Identifier: GPL-2.0-or-later
# Tests of records of ended tasks and members of cgroups, without a kernel

TEST_PROGRAMS += $(BUILD)/tests/profile/ended_test $(BUILD)/tests/profile/self_cost
# Programs linked with libevtlog, as users' programs
PROFILE_LINKED := compensated library $(addprefix programs/,edges pairs paths)
GUEST_PROGRAMS += $(addprefix profile/,family io_cost mixed others pages pingpong profiled selfread settled starts \
	threads values $(addprefix programs/,starved witnessed) $(PROFILE_LINKED))

$(PROFILE_LINKED:%=$(GUEST_BIN)/profile/%): $(BUILD)/tools/libevtlog.a
$(PROFILE_LINKED:%=$(GUEST_BIN)/profile/%): GUEST_LIBS := -lz -lm

$(BUILD)/tests/profile/self_cost: $(BUILD)/tests/profile/self_cost.o
	$(CC) $(CFLAGS) -o $@ $^

PROFILE_RECORD := $(addprefix $(BUILD)/sanitized/tools/, \
	$(addprefix profile/,ended.o ended-entry.o entry.o members.o values.o read.o) \
	$(addprefix common/,error.o json.o utf8.o))
PROFILE_RECORD += $(BUILD)/sanitized/libevtlog.a

$(BUILD)/tests/profile/ended_test: $(BUILD)/sanitized/tests/profile/ended_test.o $(PROFILE_RECORD)
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_SANITIZE) -o $@ $^ -lcmocka -lz -lm

# Programs with regions, compiled as users do. The linker leaves the library out of a program that
# does not call it; plug-ins and preloaded libraries bring their own.
REGION_BIN := $(BUILD)/tests/profile/programs

# $(call region_program,NAMES,COMPILER,SOURCE,FLAGS); % is the name
define region_program
TEST_PROGRAMS += $(1:%=$$(REGION_BIN)/%)
$(1:%=$$(REGION_BIN)/%): $$(REGION_BIN)/%: tests/profile/programs/$(3) $$(BUILD)/tools/libevtlog.so
	@mkdir -p $$(@D)
	$(2) -O1 -g -Wall -D_GNU_SOURCE -Iinclude -o $$@ $$(REGION_FIRST) $$< $(4) -L$$(BUILD)/tools -Wl,--as-needed \
		$$(REGION_LIBS) -levtlog
endef

$(eval $(call region_program,regions edges symbols ends handler unload,$$(CC),%.c))
$(eval $(call region_program,plugin.so,$$(CC),unload.c,-shared -fPIC -DPLUGIN))
$(eval $(call region_program,functions,$$(CC),functions.c,-finstrument-functions))
$(eval $(call region_program,cc,g++,bindings.cc))
$(eval $(call region_program,both,g++,bindings.cc,-finstrument-functions))
$(eval $(call region_program,gcc-locks,$$(CC),locks.c,-fopenmp))
$(eval $(call region_program,runtime,$$(CC),runtime.c,-idirafter $$(OMPT_INCLUDE)))
$(REGION_BIN)/runtime: REGION_LIBS := -levtlog-openmp
$(REGION_BIN)/runtime: $(BUILD)/tools/libevtlog-openmp.so
$(eval $(call region_program,fortran,gfortran,bindings.f90,-Wno-tabs -J$$(@D)))
$(REGION_BIN)/fortran: REGION_FIRST := include/evtlog/region.f90
$(eval $(call region_program,ranks ranks-more,mpicc,%.c))
$(eval $(call region_program,mpi mpi_f08,mpifort,ranks.f90,-Wno-tabs -cpp -DMODULE=$$*))
$(eval $(call region_program,teams tasks locks,clang,%.c,-fopenmp))
$(eval $(call region_program,throws,clang++,throws.cc,-fopenmp))

TEST_PROGRAMS += $(REGION_BIN)/linked
$(REGION_BIN)/linked: tests/profile/programs/functions.c tools/shims/instrument.c $(BUILD)/tools/libevtlog.a
	@mkdir -p $(@D)
	$(CC) -O1 -g -Wall -D_GNU_SOURCE -Iinclude -static -finstrument-functions -o $@ $^ -lm -lz
	strip $@
