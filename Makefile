# memmap-lab. `make help` lists the targets.
BUILD ?= build
HOST_CC ?= gcc

CWARN := -Wall -Wextra -Werror -Wshadow -Wundef -Wstrict-prototypes -Wmissing-prototypes \
	 -Wmissing-declarations -Wpointer-arith -Wcast-qual -Wwrite-strings -Wvla -Wformat=2 \
	 -Wimplicit-fallthrough -Wold-style-definition

# The pure code: kernel, tests and host tools build it from this one list. lib/mem.c is what a
# freestanding compiler needs; the host has its own.
PURE := $(filter-out lib/mem.c,$(wildcard lib/*.c)) $(wildcard acpi/*.c mm/*.c lab/*.c) \
	$(wildcard boot/boot_info.c boot/multiboot2.c boot/pvh.c boot/cmdline.c) \
	$(wildcard smp/dispatch.c smp/barrier.c kernel/record.c kernel/report*.c)

HOST_FLAGS := -std=gnu11 -O1 -g -I. $(CWARN) -fsanitize=address,undefined -fno-sanitize-recover=all
HOST_TESTS := $(patsubst tests/host/%.c,$(BUILD)/host/%,$(wildcard tests/host/test_*.c))
HOST_PURE := $(PURE:%.c=$(BUILD)/host/pure/%.o)

.SECONDARY:
.PHONY: host-tests
host-tests: $(HOST_TESTS)
	@status=0; for t in $(HOST_TESTS); do $$t || status=1; done; exit $$status

$(BUILD)/host/pure/%.o: %.c
	@mkdir -p $(dir $@)
	$(HOST_CC) $(HOST_FLAGS) -MMD -c $< -o $@

$(BUILD)/host/test_%: tests/host/test_%.c $(HOST_PURE) tests/host/shim.c
	@mkdir -p $(dir $@)
	$(HOST_CC) $(HOST_FLAGS) -MMD $< tests/host/shim.c $(HOST_PURE) -o $@ -lcmocka -lpthread

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
