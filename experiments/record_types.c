/* SPDX-License-Identifier: GPL-2.0-only */
#include "experiments/record_types.h"

#include <stddef.h>

#include "report/alloc/free_fields.h"
#include "report/alloc/pcp_fields.h"
#include "report/alloc/stream_fields.h"
#include "report/anomaly.h"
#include "report/init/allocator.h"
#include "report/init/async.h"
#include "report/init/lazy_first_use.h"
#include "report/init/nodes.h"
#include "report/init/plans.h"
#include "report/init/policies.h"
#include "report/init/samples.h"
#include "report/init/verification.h"
#include "report/machine/cpus.h"
#include "report/machine/links.h"
#include "report/machine/machine.h"
#include "report/machine/memmap.h"
#include "report/machine/memory_map.h"
#include "report/machine/nodes.h"
#include "report/machine/store_records.h"
#include "report/opening.h"
#include "report/workers/siblings.h"
#include "report/workers/bandwidth.h"
#include "report/workers/calibration.h"
#include "report/workers/compare_rules.h"
#include "report/workers/how_many.h"
#include "report/workers/sweep.h"
#include "report/verdict.h"

const struct record_type *const record_types[] = {
	/* the run and the machine */
	&run_record,
	&phase_record,
	&range_record,
	&ram_record,
	&cpu_record,
	&bringup_record,
	&node_record,
	&distance_record,
	&bandwidth_record,
	&memmap_record,
	&store_record,
	&core_kind_record,
	&store_trial_record,

	/* experiment init */
	&init_plan_record,
	&init_lent_record,
	&init_run_record,
	&init_node_record,
	&init_cpu_record,
	&init_policy_record,
	&init_node_result_record,
	&init_best_record,
	&init_lazy_record,
	&init_first_use_record,
	&init_async_record,
	&init_latency_record,
	&init_async_result_record,
	&init_verify_record,
	&init_allocator_record,
	&init_growth_record,

	/* experiments on the page allocator */
	&pcp_sample_record,
	&stream_sample_record,
	&free_sample_record,
	&pcp_result_record,
	&stream_result_record,
	&free_result_record,
	&free_fault_record,

	/* numbers of workers */
	&sweep_sample_record,
	&sweep_run_record,
	&sweep_node_record,
	&bandwidth_stream_record,
	&unmeasured_record,
	&matrix_record,
	&calibration_record,
	&curve_record,
	&search_step_record,
	&search_record,
	&compared_record,
	&comparison_record,
	&rule_record,
	&rule_all_record,
	&siblings_record,
	&knee_record,

	/* anywhere, and at the end */
	&anomaly_record,
	&verdict_record,
	&end_record,
	NULL,
};
