// SPDX-License-Identifier: GPL-2.0-or-later
/* The programs that run in the kernel, as one object. */
#include "kern.h"

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>

#include "events.h"
#include "codes.h"
#include "maps.h"
#include "task.h"
#include "walk.h"
#include "stack.h"
#include "copy.h"
#include "thread.h"
#include "sample.h"
#include "block.h"
#include "sched.h"
#include "wake.h"
#include "life.h"
#include "iter.h"
#include "snapshot.h"
#include "ksym.h"

char LICENSE[] SEC("license") = "GPL";
