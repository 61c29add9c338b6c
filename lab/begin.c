/* What stays the same throughout an experiment. */
#include "lab/timed_run.h"

static bool find_online(struct lab *lab)
{
	const struct topology *topology = lab->input->topology;

	lab->online_count = 0;
	for (uint32_t i = 0; i < topology->cpu_count; i++) {
		if (topology->cpus[i].online)
			lab->online[lab->online_count++] = i;
		if (topology->cpus[i].boot)
			lab->boot_cpu = i;
	}
	return lab->online_count > 0;
}

bool lab_begin(struct lab *lab)
{
	const struct init_input *input = lab->input;
	struct verify_job job = { input->memmap, input->topology, input->reserved,
				  VERIFY_INITIALISED };

	lab->began_tsc = lab_now(lab);
	lab->init_only = input->options->page_size != sizeof(struct page);
	verify_expected(&job, &lab->expected);
	return find_online(lab);
}
