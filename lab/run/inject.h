/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Deliberate faults after the clock has stopped, which the checks must find. */
#include "lab/run/state.h"

/* What the request asks for. */
void lab_inject(const struct lab *lab);
