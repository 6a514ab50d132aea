/* The device's code for a host: each kernel's threads one after the other. */
#include "common.h"
#include "lookup.h"
#include "search.h"
#include "roots.h"
#include "build.h"
#include "large.h"

#define EMULATED(kernel, params)                                                     \
    void pintu_emulated_##kernel(const params *p, u64 threads) {                     \
        for (u64 thread = 0; thread < threads; thread++) kernel(*p, thread, threads); \
    }

EMULATED(search, Search)
EMULATED(gather, Search)
EMULATED(seed, Roots)
EMULATED(deal, Roots)
EMULATED(pull, Build)
EMULATED(plant, Build)
EMULATED(pack, Build)
EMULATED(grow, Grow)
EMULATED(grow_corners, Grow)
EMULATED(assess, Assess)
EMULATED(spread, Spread)
EMULATED(carry, Carry)
EMULATED(judge, Judge)
EMULATED(count_scores, Spread)
EMULATED(take, Take)
EMULATED(trace, Trace)
EMULATED(pick, Pick)
EMULATED(dive, Dive)
