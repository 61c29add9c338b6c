#pragma once
#include "boot/cmdline.h"

/* Raises the exception that inject= asks for, if any; it must end the run with the panic status. */
void self_test(const struct options *options);
