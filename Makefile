# SPDX-License-Identifier: GPL-2.0-only
# memmap-lab. `make help` lists the targets.
MAKEFLAGS += --no-builtin-rules --no-print-directory
.DELETE_ON_ERROR:
.SECONDARY:

BUILD ?= build
$(if $(word 2,$(BUILD)),$(error BUILD is one word for make: no blanks in its path))
CROSS_COMPILE ?= x86_64-linux-gnu-
HOST_CC ?= gcc
MACHINE ?= default
FIRMWARE ?= bios
# the default report; without any word the kernel compares all generations
CMDLINE ?= policy=node,padata
QEMU ?= qemu-system-x86_64
ACCEL ?= tcg,thread=multi
# QEMU's -cpu; empty: the machine's own
CPU ?=
# seconds without output after which make run gives up; 0: never
TIMEOUT ?= 600
SOURCE_DATE_EPOCH ?= $(or $(shell git log -1 --format=%ct 2>/dev/null),1000000000)
quiet = @$(if $(V),set -x;,echo '  $(1)';)
# for targets that install first and build then, unless the caller has said how many
JOBS = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$$(nproc))
export BUILD CMDLINE CROSS_COMPILE HOST_CC QEMU ACCEL SOURCE_DATE_EPOCH

ifdef LLVM
OUT := $(BUILD)/llvm
CC := clang --target=x86_64-linux-gnu
LD := ld.lld
TOOL := llvm-
else
OUT := $(BUILD)
CC := $(CROSS_COMPILE)gcc
LD := $(CROSS_COMPILE)ld
TOOL := $(CROSS_COMPILE)
endif
KERNEL := $(OUT)/memmap-lab.elf
ISO := $(OUT)/memmap-lab.iso

CWARN := -Wall -Wextra -Werror -Wshadow -Wundef -Wstrict-prototypes -Wmissing-prototypes \
	 -Wmissing-declarations -Wpointer-arith -Wcast-qual -Wwrite-strings -Wvla -Wformat=2 \
	 -Wimplicit-fallthrough -Wold-style-definition

# The folders of the file `layers`. Kernel, tests and host tools build the pure code from this one
# list. boot/entry.asm is what only a kernel can run.
PURE_FOLDERS := $(shell sed -n 's/^pure *//p' layers)
HARDWARE_FOLDERS := $(shell sed -n 's/^hardware *//p' layers)
PURE := $(wildcard $(PURE_FOLDERS:%=%/*.c))
PURE_ASM := $(filter-out boot/entry.asm,$(wildcard $(PURE_FOLDERS:%=%/*.asm)))

# ---- kernel -----------------------------------------------------------------------------------

KERNEL_C := $(sort $(PURE) $(wildcard $(HARDWARE_FOLDERS:%=%/*.c)))
KERNEL_ASM := $(sort $(PURE_ASM) boot/entry.asm $(wildcard $(HARDWARE_FOLDERS:%=%/*.asm)))
KERNEL_OBJECTS := $(KERNEL_C:%.c=$(OUT)/kernel/%.o) $(KERNEL_ASM:%.asm=$(OUT)/kernel/%.asm.o) \
		  $(OUT)/generated/build_id.o

# Frame pointers are for back traces, the prefix maps for equal bytes wherever checkout and BUILD
# lie. NASM has no such map and writes the folder into its debug information: that is left out.
KERNEL_FLAGS := -std=gnu11 -O2 -g -I. -ffreestanding -fno-pic -mcmodel=kernel -mno-red-zone \
		-mgeneral-regs-only -fno-omit-frame-pointer \
		-fstack-protector-strong -mstack-protector-guard=global \
		-fno-asynchronous-unwind-tables -fcf-protection=none \
		-ffile-prefix-map='$(CURDIR)'=. -ffile-prefix-map=$(OUT)=build \
		$(CWARN) -Wframe-larger-than=4096
ASM_FLAGS := -f elf64 -Werror --reproducible -I./
LINK := $(LD) -T linker.ld -z max-page-size=0x1000 -z noexecstack --build-id=none -nostdlib \
	--fatal-warnings

.PHONY: all
all: $(KERNEL)

$(OUT)/kernel/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(call quiet,CC  $@)$(CC) $(KERNEL_FLAGS) -MMD -MP -c $< -o $@

$(OUT)/kernel/%.asm.o: %.asm Makefile
	@mkdir -p $(@D)
	@nasm $(ASM_FLAGS) -M -MP -MT $@ $< > $(@:.o=.d)
	$(call quiet,ASM $@)nasm $(ASM_FLAGS) $< -o $@

$(OUT)/generated/%.o: $(OUT)/generated/%.c Makefile
	$(call quiet,CC  $@)$(CC) $(KERNEL_FLAGS) -c $< -o $@

# Written anew only when it changed.
$(OUT)/generated/build_id.c: FORCE
	@mkdir -p $(@D)
	@tools/gen-build-id > $@.new && if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
.PHONY: FORCE
FORCE:

# Two links: the first gives the addresses for the symbol table, the second contains it. The table
# lies behind the code, so that no function moves; that is checked.
$(OUT)/generated/no_symbols.c: tools/gen-symbols
	@mkdir -p $(@D)
	@tools/gen-symbols > $@

$(OUT)/generated/first.elf: $(KERNEL_OBJECTS) $(OUT)/generated/no_symbols.o linker.ld
	$(call quiet,LD  $@)$(LINK) $(filter %.o,$^) -o $@

$(OUT)/generated/symbols.c: $(OUT)/generated/first.elf tools/gen-symbols
	@$(TOOL)nm -n $< > $(OUT)/generated/first.sym
	@tools/gen-symbols $(OUT)/generated/first.sym > $@

$(KERNEL): $(KERNEL_OBJECTS) $(OUT)/generated/symbols.o linker.ld
	$(call quiet,LD  $@)$(LINK) $(filter %.o,$^) -o $@
	@$(TOOL)nm -n $@ > $(@:.elf=.sym)
	@tools/gen-symbols $(@:.elf=.sym) | cmp - $(OUT)/generated/symbols.c
	@$(TOOL)objdump -d $@ > $(@:.elf=.dis)

# ---- image ------------------------------------------------------------------------------------

.PHONY: iso
iso:
	@tools/install-deps build
	@$(MAKE) $(JOBS) $(ISO)

$(ISO): $(KERNEL) tools/make-iso iso/grub.cfg iso/early.cfg
	$(call quiet,ISO $@)tools/make-iso $< $@

# ---- running ----------------------------------------------------------------------------------

BOOT = tests/qemu/boot.py --qemu '$(QEMU)' --accel '$(ACCEL)' --kernel $(KERNEL) \
       --firmware $(FIRMWARE) --cpu '$(CPU)' --silence $(TIMEOUT)

.PHONY: run debug matrix
run:
	@tools/install-deps build run
	@$(MAKE) $(JOBS) $(KERNEL)
	@$(BOOT) --append "$$CMDLINE" --log $(OUT)/run.log $(MACHINE)

debug:
	@tools/install-deps build run
	@$(MAKE) $(JOBS) $(KERNEL)
	@$(BOOT) --append "$$CMDLINE" --log $(OUT)/debug.log --debug $(MACHINE)

matrix: $(KERNEL)
	@tests/qemu/run.py --qemu '$(QEMU)' --kernel $(KERNEL) --every-firmware --all

# ---- host -------------------------------------------------------------------------------------

# Three builds of the pure code for this machine, each one archive: under the address and undefined
# behaviour sanitizers, under the thread sanitizer, and as fast as it can be. The first two are for
# tests, which have more threads than CPUs: their headers go before.
TEST_FLAGS := -std=gnu11 -O1 -g -Itests/host/instead -I. $(CWARN)
HOST_FLAGS := $(TEST_FLAGS) -fsanitize=address,undefined -fno-sanitize-recover=all
TSAN_FLAGS := $(TEST_FLAGS) -fsanitize=thread
NATIVE_FLAGS := -std=gnu11 -O2 -g -I. $(CWARN)
TEST_LIBS := -lcmocka -ljansson -lpthread

HOST_TESTS := $(patsubst tests/%.c,$(BUILD)/%,$(shell find tests/host -name 'test_*.c' | sort))
# Tests that use threads run under the thread sanitizer as well; tests/run asks for them.
TSAN_TESTS := $(patsubst tests/host/%.c,$(BUILD)/tsan/%,$(shell grep -rlE \
		'include.*(pthread|fake_machine)\.h' --include='test_*.c' tests/host | sort))
INSPECT_C := $(sort $(wildcard tools/inspect/*.c))
SCHEMA_C := $(sort $(wildcard tools/schema/*.c))
BENCHES := $(patsubst tests/bench/%.c,$(BUILD)/bench/%,$(wildcard tests/bench/*.c))

# No sanitizer looks into assembly, so it is the same object everywhere.
HOST_ASM := $(PURE_ASM:%.asm=$(BUILD)/native/%.asm.o)
PURE_SHIM := $(PURE) tests/host/shim.c

$(BUILD)/native/%.asm.o: %.asm Makefile
	@mkdir -p $(@D)
	$(call quiet,ASM $@)nasm $(ASM_FLAGS) $< -o $@

# Written anew when a file has come or gone.
$(BUILD)/pure.list: FORCE
	@mkdir -p $(@D)
	@echo $(PURE_SHIM) | cmp -s - $@ || echo $(PURE_SHIM) > $@

# $(1): folder of the build, $(2): its flags
define flavour
$(BUILD)/$(1)/%.o: %.c Makefile
	@mkdir -p $$(@D)
	$$(call quiet,CC  $$@)$$(HOST_CC) $$($(2)) -MMD -MP -c $$< -o $$@

# Thin: it names its objects and does not hold them.
$(BUILD)/$(1)/pure.a: $(PURE_SHIM:%.c=$(BUILD)/$(1)/%.o) $(HOST_ASM) $(BUILD)/pure.list
	@rm -f $$@ && ar rcsT $$@ $$(filter %.o,$$^)
known_objects += $(PURE_SHIM:%.c=$(BUILD)/$(1)/%.o)
endef
known_objects := $(HOST_ASM)
$(eval $(call flavour,host,HOST_FLAGS))
$(eval $(call flavour,tsan,TSAN_FLAGS))
$(eval $(call flavour,native,NATIVE_FLAGS))

# Links $@ from $^ and what it uses of the archive $(1), and notes what that was: it is linked again
# when one of these changes or has gone, not whenever anything does.
define link
	@mkdir -p $(@D)
	$(call quiet,LD  $@)$(HOST_CC) $(2) $(filter %.o,$^) $(1) -o $@ $(3) -Wl,--trace > $@.used
	@sed -n 's|[^/]*/\.\./||; s|^\($(BUILD)/.*\.o\)$$|\1|p' $@.used | tr '\n' ' ' | \
		sed 's|\(.*\)|$@: $$(call used,$@,\1)\n|' > $@.d
	@rm $@.used
endef
# Of the objects $(2) that $(1) was linked from, those that there still are.
used = $(filter $(known_objects),$(2)) \
       $(if $(filter-out $(known_objects) $(BUILD)/host/tests/% $(BUILD)/tsan/tests/% \
		$(BUILD)/native/t%,$(2)),FORCE)

$(HOST_TESTS): $(BUILD)/host/%: $(BUILD)/host/tests/host/%.o | $(BUILD)/host/pure.a
	$(call link,$(BUILD)/host/pure.a,$(HOST_FLAGS),$(TEST_LIBS))

$(TSAN_TESTS): $(BUILD)/tsan/%: $(BUILD)/tsan/tests/host/%.o | $(BUILD)/tsan/pure.a
	$(call link,$(BUILD)/tsan/pure.a,$(TSAN_FLAGS),$(TEST_LIBS))

$(BENCHES): $(BUILD)/bench/%: $(BUILD)/native/tests/bench/%.o | $(BUILD)/native/pure.a
	$(call link,$(BUILD)/native/pure.a,$(NATIVE_FLAGS),-lpthread)

# A test that has passed does not run again until something that it is made of changes.
%.passed: %
	@if CMOCKA_MESSAGE_OUTPUT=TAP $< > $<.log 2>&1; then \
		echo "  PASS $<"; touch $@; else cat $<.log; echo "  FAIL $<"; exit 1; fi

# TEST: of these only those with that word in their names
TEST ?=
with_word = $(foreach t,$(1),$(if $(findstring $(TEST),$(t)),$(t)))
wanted_tests = $(patsubst %,%.passed,$(if $(TEST),$(with_word),$(1)))

.PHONY: host tsan host-tests tsan-tests inspect bench
host: $(HOST_TESTS) $(BUILD)/host/memmap-inspect $(BUILD)/host/memmap-inspect-sanitized \
	$(BUILD)/host/memmap-schema
tsan: $(TSAN_TESTS)
host-tests: $(call wanted_tests,$(HOST_TESTS))
tsan-tests: $(call wanted_tests,$(TSAN_TESTS))

# For the user's servers; the sanitized twin is for the tests.
inspect:
	@tools/install-deps inspect
	@$(MAKE) $(JOBS) $(BUILD)/host/memmap-inspect

# One static file, to be copied to a server that has no jansson.
$(BUILD)/host/memmap-inspect: $(INSPECT_C:%.c=$(BUILD)/native/%.o) | $(BUILD)/native/pure.a
	$(call link,$(BUILD)/native/pure.a,$(NATIVE_FLAGS) -static,-ljansson)

$(BUILD)/host/memmap-inspect-sanitized: $(INSPECT_C:%.c=$(BUILD)/host/%.o) | $(BUILD)/host/pure.a
	$(call link,$(BUILD)/host/pure.a,$(HOST_FLAGS),-ljansson)

# Prints the schema of the records, as the kernel writes them.
$(BUILD)/host/memmap-schema: $(SCHEMA_C:%.c=$(BUILD)/native/%.o) | $(BUILD)/native/pure.a
	$(call link,$(BUILD)/native/pure.a,$(NATIVE_FLAGS),-ljansson)

.PHONY: docs
docs: $(BUILD)/host/memmap-schema
	@tools/gen-docs --schema $<

bench: $(BENCHES) $(KERNEL)
	@for b in $(BENCHES); do $$b || exit 1; done
	@tests/bench/icount --kernel $(KERNEL)

# ---- fuzzing ----------------------------------------------------------------------------------

# The inputs found are kept and extended by the next run.
FUZZ_SECONDS ?= 60
FUZZERS := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(wildcard tests/fuzz/*.c))
FUZZED := $(PURE) tools/inspect/inspection.c tools/inspect/stand_in.c tools/inspect/alloc.c \
	  tests/host/shim.c

$(BUILD)/fuzz/%: tests/fuzz/%.c $(FUZZED) $(HOST_ASM) Makefile
	@mkdir -p $(@D)/corpus-$*
	$(call quiet,CC  $@)clang $(HOST_FLAGS) -fsanitize=fuzzer $< $(FUZZED) $(HOST_ASM) -o $@

.PHONY: fuzz
fuzz:
	@tools/install-deps build test fuzz
	@$(MAKE) $(JOBS) $(FUZZERS)
	@for f in $(FUZZERS); do echo "$$f, $(FUZZ_SECONDS) s"; \
		$$f -max_total_time=$(FUZZ_SECONDS) -max_len=8192 -len_control=10 -timeout=20 \
			-verbosity=0 -artifact_prefix=$$f- $(BUILD)/fuzz/corpus-$${f##*/} || \
			exit 1; \
	done

# ---- checking ---------------------------------------------------------------------------------

PURE_OBJECTS := $(sort $(PURE:%.c=$(OUT)/kernel/%.o) $(PURE_ASM:%.asm=$(OUT)/kernel/%.asm.o))

$(OUT)/generated/pure.o: $(PURE_OBJECTS)
	$(call quiet,LD  $@)$(LD) -r $(PURE_OBJECTS) -o $@

# what the kernel and the host tools are made of: where a name is used, if anywhere
PRODUCT_OBJECTS = $(KERNEL_OBJECTS) $(OUT)/generated/symbols.o \
		  $(patsubst %.c,$(BUILD)/native/%.o,$(wildcard tools/*/*.c))

.PHONY: check test
check: $(KERNEL) $(OUT)/generated/pure.o $(PRODUCT_OBJECTS)
	@HOST_FLAGS="-std=gnu11 -I. $(CWARN)" tools/check $(KERNEL) $(OUT)/generated/pure.o \
		$(PRODUCT_OBJECTS)

test:
	@tools/install-deps build run test
	@tests/run

.PHONY: deps clean help
deps:
	@tools/install-deps build run test

clean:
	rm -rf $(BUILD)

help:
	@echo 'make run      build, boot the ISO in QEMU and show the report'
	@echo '              MACHINE=name  of tests/qemu/machines.cfg (default: default)'
	@echo '              FIRMWARE=bios|uefi|pvh   CMDLINE="run=init,sweep"'
	@sed -n '/^## .run=/,/^## .policy=/s/^| `\(.*\)` | \(.*\) |$$/              run=\1: \2/p' \
		docs/command-line.md
	@echo '              docs/command-line.md has all words'
	@echo '              CPU=model     TIMEOUT=seconds without output (default: 600, 0: never)'
	@echo 'make test     everything that CI runs; ends with "N passed, N failed"'
	@echo 'make iso      build/memmap-lab.iso for BIOS and UEFI, CD, USB stick or virtual media'
	@echo 'make          only the kernel, build/memmap-lab.elf with .sym and .dis'
	@echo 'make debug    like run, but waits for a debugger; FIRMWARE=pvh is quickest'
	@echo 'make check    layers, headers, names, pure objects, segments, boot headers'
	@echo 'make matrix   all machines, the slow ones too, under each of their firmwares'
	@echo 'make host-tests, make tsan-tests   unit tests under ASan and UBSan, or TSan, if new;'
	@echo '              TEST=word: of these the ones with it in their names'
	@echo 'make inspect  build/host/memmap-inspect, which reads ACPI tables on a host'
	@echo 'make docs     renews what docs/ has from the code: records, command line'
	@echo 'make fuzz     hostile tables and boot information, FUZZ_SECONDS=60 each'
	@echo 'make bench    benchmarks on this machine; instructions per struct page'
	@echo 'make deps     install what is missing (Debian); clean removes build/'
	@echo
	@echo 'LLVM=1 builds with clang and lld in build/llvm.'
	@echo 'Also: CROSS_COMPILE, BUILD, QEMU, ACCEL; V=1 shows the commands.'

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
