#pragma once
/* The steps of topology_join, in the order in which they run; each relies on those before it. */
#include "mm/machine/topology.h"

/* Notes of one kind in the anomaly log; a table that is wrong throughout must not fill it. */
enum { NOTES_PER_KIND = 8 };

/* The node of proximity domain `pxm`, or NODE_NONE. Binary search. */
uint32_t topology_node_by_pxm(const struct topology *topology, uint32_t pxm);

void topology_join_cpus(struct topology *topology, const struct topology_input *input,
			struct anomaly_log *log);
void topology_join_ram(struct topology *topology, const struct topology_input *input,
		       struct anomaly_log *log);
void topology_join_distances(struct topology *topology, const struct topology_input *input);
void topology_adopt(struct topology *topology);
