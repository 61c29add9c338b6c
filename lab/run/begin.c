/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/run/begin.h"


static bool find_online(struct lab *lab)
{
	const struct topology *topology = lab->input->topology;

	lab->online_count = 0;
	for (uint32_t i = 0; i < topology->cpu_count; i++)
		if (topology->cpus[i].online)
			lab->online[lab->online_count++] = i;
	return lab->online_count > 0;
}

bool lab_begin(struct lab *lab)
{
	const struct lab_input *input = lab->input;
	struct verify_job job = { input->memmap, input->topology, input->reserved,
				  VERIFY_INITIALISED };

	lab->began_tsc = lab_now(lab);
	lab->init_only = input->options->page_size != sizeof(struct page);
	verify_expected(&job, &lab->expected);
	return find_online(lab);
}

uint32_t lab_most_online(const struct topology *topology)
{
	uint16_t online[NODE_MAX] = { 0 };
	uint32_t most = 0;

	for (uint32_t i = 0; i < topology->cpu_count; i++)
		if (topology->cpus[i].online && ++online[topology->cpus[i].node] > most)
			most = online[topology->cpus[i].node];
	return most;
}

void lab_check_options(struct options *options, const struct topology *topology,
			struct anomaly_log *log)
{
	if (options->threads <= lab_most_online(topology))
		return;
	anomaly_add(log, "options", 0,
		    "threads: no node has so many CPUs online: the default is used",
		    options->threads);
	options->threads = 0;
}
