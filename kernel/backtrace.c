/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/backtrace.h"

#include <stdbool.h>
#include <stddef.h>

#include "kernel/entry.h"
#include "kernel/symbols.h"
#include "lib/search.h"

enum { BACKTRACE_LINES = 32, BACKTRACE_FRAMES = 4096 };

/* What RBP points at in every function compiled with frame pointers. */
struct frame {
	uint64_t caller_rbp;
	uint64_t return_address;
};

static bool within(uint64_t address, uint64_t bytes, uint64_t bottom, uint64_t top)
{
	return address >= bottom && address < top && top - address >= bytes;
}

static bool on_stack(const struct percpu *block, uint64_t address, uint64_t bytes)
{
	return address % sizeof(uint64_t) == 0 &&
	       (within(address, bytes, block->stack_bottom, block->stack_top) ||
		within(address, bytes, block->exception_stack_bottom, block->exception_stack_top) ||
		within(address, bytes, block->nmi_stack_bottom, block->nmi_stack_top));
}

static bool in_text(uint64_t address)
{
	return address >= (uint64_t)__text_start && address < (uint64_t)__text_end;
}

/* The frame at `rbp`, NULL when none can be there; the outermost returns to 0. */
static const struct frame *frame_at(const struct percpu *block, uint64_t rbp)
{
	const struct frame *frame = (const struct frame *)rbp;

	return on_stack(block, rbp, sizeof(*frame)) && frame->return_address ? frame : NULL;
}

/* The last symbol at or below `offset`, NULL when there is none. */
static const struct symbol *find_symbol(uint64_t offset)
{
	uint32_t behind = search_first(i, kernel_symbol_count, kernel_symbols[i].offset > offset);

	return behind > 0 ? &kernel_symbols[behind - 1] : NULL;
}

/* `inside` is an address within the instruction meant: a return address may be the next function's
 * first byte when the call never returns, so one less is looked up for those. */
static void print_address(const struct sink *sink, const char *mark, uint64_t address,
			  uint64_t inside)
{
	const struct symbol *symbol = NULL;

	if (in_text(inside))
		symbol = find_symbol(inside - (uint64_t)__text_start);
	if (symbol)
		sink_print(sink, "  %s %016lx %s+0x%lx\n", mark, address,
			   &kernel_symbol_names[symbol->name],
			   address - (uint64_t)__text_start - symbol->offset);
	else
		sink_print(sink, "  %s %016lx\n", mark, address);
}

static void print_return(const struct sink *sink, const char *mark, uint64_t address)
{
	print_address(sink, mark, address, address - 1);
}

static void print_top_of_stack(const struct sink *sink, const struct percpu *block, uint64_t rsp,
			       const struct frame *frame)
{
	uint64_t value = on_stack(block, rsp, sizeof(value)) ? *(const uint64_t *)rsp : 0;

	if (in_text(value - 1) && !(frame && frame->return_address == value))
		print_return(sink, "?", value);
}

/* How many frames from *frame on return to the same place; *frame becomes the first that does not,
 * or NULL. A chain that goes in circles ends by the number of frames. */
static uint32_t skip_recursion(const struct percpu *block, const struct frame **frame)
{
	uint64_t place = (*frame)->return_address;
	uint32_t count = 0;

	while (*frame && (*frame)->return_address == place && count < BACKTRACE_FRAMES) {
		*frame = frame_at(block, (*frame)->caller_rbp);
		count++;
	}
	return count;
}

void backtrace_print(const struct sink *sink, const struct percpu *block,
		     const struct backtrace_start *start)
{
	const struct frame *frame = frame_at(block, start->rbp);

	sink_print(sink, "  back trace:\n");
	print_address(sink, " ", start->rip, start->rip);
	print_top_of_stack(sink, block, start->rsp, frame);
	for (uint32_t line = 2; line < BACKTRACE_LINES && frame; line++) {
		uint64_t place = frame->return_address;
		uint32_t times = skip_recursion(block, &frame);

		print_return(sink, " ", place);
		if (times > 1)
			sink_print(sink, "    ... %u times\n", times);
	}
}
