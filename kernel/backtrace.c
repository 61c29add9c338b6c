#include "kernel/backtrace.h"

#include <stdbool.h>
#include <stddef.h>

#include "kernel/entry.h"
#include "kernel/symbols.h"

enum { BACKTRACE_FRAMES = 32 };

/* What RBP points at in every function compiled with frame pointers. */
struct frame {
	uint64_t caller_rbp;
	uint64_t return_address;
};

static bool within(uint64_t address, uint64_t bottom, uint64_t top)
{
	return address >= bottom && address < top && top - address >= sizeof(struct frame);
}

static bool is_frame(const struct percpu *block, uint64_t rbp)
{
	return rbp % sizeof(uint64_t) == 0 &&
	       (within(rbp, block->stack_bottom, block->stack_top) ||
		within(rbp, block->exception_stack_bottom, block->exception_stack_top));
}

/* The last symbol at or below `offset`, NULL when there is none. */
static const struct symbol *find_symbol(uint64_t offset)
{
	uint32_t low = 0, high = kernel_symbol_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (kernel_symbols[middle].offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? &kernel_symbols[low - 1] : NULL;
}

/* `inside` is an address within the instruction meant: a return address may be the next function's first
 * byte when the call never returns, so one less is looked up for those. */
static void print_address(const struct sink *sink, uint64_t address, uint64_t inside)
{
	const struct symbol *symbol = NULL;

	if (inside >= (uint64_t)__text_start && inside < (uint64_t)__text_end)
		symbol = find_symbol(inside - (uint64_t)__text_start);
	if (symbol)
		sink_print(sink, "    %016lx %s+0x%lx\n", address, &kernel_symbol_names[symbol->name],
			   address - (uint64_t)__text_start - symbol->offset);
	else
		sink_print(sink, "    %016lx\n", address);
}

void backtrace_print(const struct sink *sink, const struct percpu *block, uint64_t rip, uint64_t rbp)
{
	sink_print(sink, "  back trace:\n");
	print_address(sink, rip, rip);
	for (uint32_t i = 0; i < BACKTRACE_FRAMES && is_frame(block, rbp); i++) {
		const struct frame *frame = (const struct frame *)rbp;

		if (frame->return_address == 0)
			break;
		print_address(sink, frame->return_address, frame->return_address - 1);
		rbp = frame->caller_rbp;
	}
}
