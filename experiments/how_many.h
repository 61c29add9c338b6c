/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Who asks how many workers a node should have. */
#include "lab/options.h"

/* Whether anything chosen rests on the rules for numbers of workers, or compares them. */
bool asks_how_many(const struct options *options);
