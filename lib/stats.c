/* SPDX-License-Identifier: GPL-2.0-only */
#include "lib/stats.h"

#include "lib/assert.h"
#include "lib/sort.h"

typedef unsigned __int128 u128;

/*
 * value / by, rounded down, one bit at a time: the compiler's own 128-bit division is a call into
 * libgcc, which a kernel does not have.
 */
static u128 divide(u128 value, uint64_t by, uint64_t *remainder)
{
	uint64_t high = (uint64_t)(value >> 64), low = (uint64_t)value;
	uint64_t rest = high % by, quotient = 0;

	for (int bit = 63; bit >= 0; bit--) {
		uint64_t carry = rest >> 63;

		rest = rest << 1 | (low >> bit & 1);
		quotient <<= 1;
		if (carry || rest >= by) {
			rest -= by;
			quotient |= 1;
		}
	}
	*remainder = rest;
	return (u128)(high / by) << 64 | quotient;
}

/* Square root, rounded down: its bits from the top, each kept if the square still fits. */
static uint64_t root(u128 value)
{
	u128 rest = value, result = 0;

	for (u128 bit = (u128)1 << 126; bit; bit >>= 2) {
		u128 trial = result + bit;

		result >>= 1;
		if (rest >= trial) {
			rest -= trial;
			result += bit;
		}
	}
	return (uint64_t)result;
}

uint64_t mul_div_u64(uint64_t a, uint64_t b, uint64_t c)
{
	u128 product = (u128)a * b;
	uint64_t remainder;

	lab_assert(c);
	if ((uint64_t)(product >> 64) >= c)
		return UINT64_MAX;
	if (product >> 64 == 0)
		return (uint64_t)product / c;
	return (uint64_t)divide(product, c, &remainder);
}

static bool smaller(const void *a, const void *b)
{
	return *(const uint64_t *)a < *(const uint64_t *)b;
}

static uint64_t mean_of(const uint64_t *values, uint32_t count)
{
	u128 sum = 0;
	uint64_t mean, remainder;

	for (uint32_t i = 0; i < count; i++)
		sum += values[i];
	mean = (uint64_t)divide(sum, count, &remainder);
	return mean + (remainder >= count - remainder);
}

static uint64_t median_of(const uint64_t *sorted, uint32_t count)
{
	uint64_t low = sorted[(count - 1) / 2], high = sorted[count / 2];

	return low + (high - low) / 2;
}

/*
 * With d = value - min, which keeps the numbers short and changes no deviation:
 *
 *   variance = (n * sum(d^2) - sum(d)^2) / (n * (n - 1))
 *
 * in integers, without a rounded mean in between. n * d < 2^64 keeps n * sum(d^2) and four times
 * the difference inside 128 bits; longer values are shifted right first. The root is taken of
 * 4 * variance: floor(2 * s) has the half that rounding to nearest needs.
 */
static uint64_t stddev_of(const uint64_t *sorted, uint32_t count)
{
	uint64_t min = sorted[0], range = sorted[count - 1] - min, twice, remainder;
	u128 sum = 0, squares = 0;
	unsigned shift = 0;

	if (count < 2)
		return 0;
	while ((u128)count * (range >> shift) >> 64)
		shift++;
	for (uint32_t i = 0; i < count; i++) {
		uint64_t d = (sorted[i] - min) >> shift;

		sum += d;
		squares += (u128)d * d;
	}
	twice = root(divide(4 * (count * squares - sum * sum), (uint64_t)count * (count - 1),
			    &remainder));
	return shift ? twice << (shift - 1) : (twice + 1) / 2;
}

struct summary stats_summary(uint64_t *values, uint32_t count)
{
	struct summary summary = { .count = count };

	if (!count)
		return summary;
	sort(values, count, sizeof(values[0]), smaller);
	summary.mean = mean_of(values, count);
	summary.min = values[0];
	summary.median = median_of(values, count);
	summary.max = values[count - 1];
	summary.stddev = stddev_of(values, count);
	return summary;
}
