#pragma once
/* Workload `stream` of the experiment `pcp`: tables of the published shape, then what a message
 * asks of the page allocator, then the records. */
#include "kernel/report.h"
#include "lab/stream.h"

void report_stream(struct report *report, const struct stream_results *results);

/* ---- its parts ------------------------------------------------------------------------------ */

/* Published gains of a size, in tenths of a percent. */
enum stream_published { STREAM_TWO_SOCKETS, STREAM_ONE_SOCKET, STREAM_LINUX_5_14 };
uint32_t report_stream_published(uint32_t size, enum stream_published column);

/* Of one setting: the counters under all ways. */
void report_stream_counters(const struct report *report, const struct stream_results *results,
			    uint32_t setting);

void report_stream_records(struct report *report, const struct stream_results *results);
