/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What the lab can run, as data. */
#include "lab/experiment_id.h"
#include "lib/words.h"

struct experiment {
	enum experiment_id id;
	struct word word; /* as in run= */
	bool unasked;     /* runs where nobody chose */
};
