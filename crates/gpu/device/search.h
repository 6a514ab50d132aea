/* Depth-first search, no further than the states' slacks.
 *
 * A warp has a stack of states of its own and takes as many off its top as it has lanes; each lane makes the successors of
 * one. When a stack runs low, it is filled up from the pool that all share. A warp that finds nothing there ends, and when
 * many have, all do: then what the stacks hold goes back into the pool, and everybody begins again.
 */
typedef struct {
    const World *world;
    /* What each warp has on its stack, and how much. */
    u32 *stacks;
    u32 *sizes;
    u32 *pool;
    Counts *counts;
    Record *records;
    /* Whether a root's board is solved; for all roots the first, where they are of one board. */
    u32 *solved;
    /* What each root's board has taken, where they are of many. */
    Tally *tallies;
    /* How long it may go on, in nanoseconds and in steps of a warp. */
    u64 nanoseconds;
    u32 steps;
    u32 warps;
    u32 capacity;
    u32 pool_capacity;
    /* States that are taken from the pool at once, and expansions from the budget. */
    u32 grab;
    u32 grant;
    /* So many idle warps end it. */
    u32 idle_limit;
    /* Whether each root is a board of its own. */
    u32 batch;
} Search;

/* Steps between two looks at the clock. */
#define LOOK 32u

INSIDE void load_view(const u32 *words, u32 capacity, ViewState *state) {
    state->plane0 = words[0];
    state->plane1 = words[capacity];
    state->orders = words[2u * capacity] | (u64)words[3u * capacity] << 32;
    state->moves = words[4u * capacity];
}

INSIDE void store_view(u32 *words, u32 capacity, const ViewState *state) {
    words[0] = state->plane0;
    words[capacity] = state->plane1;
    words[2u * capacity] = (u32)state->orders;
    words[3u * capacity] = (u32)(state->orders >> 32);
    words[4u * capacity] = state->moves;
}

/* Takes states from the pool; says how many. */
INSIDE u32 take_from_pool(const Search *q, u32 *stack, u32 size, u32 words) {
    u32 at = 0;
    if (LANE == 0) at = ADD(&q->counts->pool_next, q->grab);
    at = FROM_FIRST(at);
    u32 count = q->counts->pool_count;
    if (at >= count) return 0;
    u32 taken = count - at < q->grab ? count - at : q->grab;
    for (u32 i = LANE; i < taken; i += WIDTH)
        for (u32 w = 0; w < words; w++)
            stack[w * q->capacity + size + i] = q->pool[(u64)w * q->pool_capacity + at + i];
    WARP_SYNC();
    return taken;
}

/* Up to so many expansions, taken off the budget. */
INSIDE u64 take_grant(const Search *q) {
    u64 got = 0;
    if (LANE == 0) {
        u64 left = ADD(&q->counts->budget, (u64)0 - q->grant);
        /* Below nothing it wraps to more than anybody has. */
        if (left >> 62) left = 0;
        got = left < q->grant ? left : q->grant;
        if (got < q->grant) ADD(&q->counts->budget, q->grant - got);
    }
    return FROM_FIRST(got);
}

/* The first lane looks for all of them: no two may disagree. */
INSIDE u32 is_over(const Search *q, u64 begun) {
    u32 over = 0;
    if (LANE == 0) over = *(volatile u32 *)&q->counts->stop != 0 || clock_now() - begun > q->nanoseconds;
    return FROM_FIRST(over);
}

INSIDE void found_goal(const Search *q, u32 root, u32 left, const u32 *path) {
    u32 slot = q->batch ? root : 0;
    if (EXCHANGE(&q->solved[slot], 1u) != 0) return;
    Record *record = &q->records[slot];
    record->root = root;
    record->left = left;
    for (u32 w = 0; w < PATH_WORDS; w++) record->path[w] = path[w];
    ADD(&q->counts->found, 1u);
    if (!q->batch) q->counts->stop = 1;
}

INSIDE void search_warp(const Search p, const Near *near, u32 warp) {
    /* The last block may have more warps than there are stacks. */
    if (warp >= p.warps) return;
    const World *world = near->world;
    const u32 words = STATE_WORDS;
    const u32 capacity = p.capacity;
    u32 *stack = p.stacks + (u64)warp * capacity * words;
    u32 size = p.sizes[warp];
    u64 begun = clock_now();
    u64 grant = 0;
    u64 expanded = 0;
    u32 generated = 0;
    u32 shortfall = ~0u;
    u32 dry = 0;
    u32 step;
    for (step = 0; step < p.steps; step++) {
        if (step % LOOK == LOOK - 1u && is_over(&p, begun)) break;
        if (size < WIDTH && !dry) {
            u32 taken = take_from_pool(&p, stack, size, words);
            dry = taken == 0;
            size += taken;
        }
        if (size == 0) break;
        u32 hand = size < WIDTH ? size : WIDTH;
        if (grant < hand) grant += take_grant(&p);
        if (grant == 0) {
            p.counts->stop = 1;
            break;
        }
        if (grant < hand) hand = (u32)grant;
        size -= hand;
        /* The states to expand, whose room their successors take. */
        u32 on = LANE < hand;
        const u32 *here = stack + size + LANE;
        ViewState first = {0, 0, 0, 0};
        ViewState second = {0, 0, 0, 0};
        u32 path[PATH_WORDS + 1u];
        u32 tail = 0;
        u32 root = 0;
        if (on) {
            load_view(here, capacity, &first);
            if (VIEWS > 1u) load_view(here + VIEW_WORDS * capacity, capacity, &second);
            tail = here[VIEW_WORDS * VIEWS * capacity];
            root = here[(VIEW_WORDS * VIEWS + 1u) * capacity];
            UNROLL for (u32 w = 0; w < PATH_WORDS; w++) path[w] = here[(VIEW_WORDS * VIEWS + 2u + w) * capacity];
            if (p.batch && p.solved[root]) on = 0;
        }
        WARP_SYNC();
        u32 expanding = COUNT(BALLOT(on));
        grant -= expanding;
        expanded += expanding;
        u32 blank = first.plane0 >> BLANK_SHIFT;
        first.plane0 &= (1u << BLANK_SHIFT) - 1u;
        u64 transitions = on ? world->transitions[tail & 0xffffu] : ~(u64)0;
        int slacks[2] = {(int)(tail >> 16 & 0xffu), (int)(tail >> 24)};
        u32 to[4];
        u32 wanted = 0;
        UNROLL for (u32 d = 0; d < 4u; d++) {
            to[d] = world->beside[4u * blank + d];
            if (((u32)(transitions >> (16u * d)) & 0xffffu) != PRUNED) wanted |= 1u << d;
        }
        generated += COUNT(wanted);
        if (p.batch && on) {
            ADD(&p.tallies[root].expanded, (u64)1);
            ADD(&p.tallies[root].generated, (u64)COUNT(wanted));
        }
        Lookups one = look(near, 0, &first, blank, to, wanted, slacks[0], ONE_BIT, CELL_BITS, &shortfall);
        Lookups two = {0, 0, one.kept};
        if (VIEWS > 1u) two = look(near, 1, &second, blank, to, one.kept, slacks[1], ONE_BIT, CELL_BITS, &shortfall);
        UNROLL for (u32 d = 0; d < 4u; d++) {
            u32 kept = two.kept >> d & 1u;
            ViewState seen = first;
            u32 left = 0;
            if (kept) {
                u32 a = world->image[0][to[d]];
                int change = (int)(one.changes >> (2u * d) & 3u) - 1;
                step_view(&seen, a, world->image[0][blank], group_at(&first, a), (u32)(one.orders >> (16u * d)) & 0xffffu,
                           change);
                left = (u32)(slacks[0] - 1 - change) + sum_of(seen.moves);
                if (seen.moves == 0) {
                    u32 whole[PATH_WORDS + 1u];
                    for (u32 w = 0; w < PATH_WORDS; w++)
                        whole[w] = path[w] | (left >> 4 == w ? d << (2u * (left & 15u)) : 0u);
                    found_goal(&p, root, left, whole);
                    kept = 0;
                }
            }
            u32 all = BALLOT(kept);
            if (kept) {
                u32 *child = stack + size + COUNT(all & ((1u << LANE) - 1u));
                int change = (int)(one.changes >> (2u * d) & 3u) - 1;
                u32 next = (u32)(transitions >> (16u * d)) & 0xffffu;
                u32 rest = next | (u32)(slacks[0] - 1 - change) << 16;
                seen.plane0 |= to[d] << BLANK_SHIFT;
                store_view(child, capacity, &seen);
                if (VIEWS > 1u) {
                    u32 a = world->image[1][to[d]];
                    change = (int)(two.changes >> (2u * d) & 3u) - 1;
                    ViewState other = second;
                    step_view(&other, a, world->image[1][blank], group_at(&second, a),
                               (u32)(two.orders >> (16u * d)) & 0xffffu, change);
                    rest |= (u32)(slacks[1] - 1 - change) << 24;
                    store_view(child + VIEW_WORDS * capacity, capacity, &other);
                }
                child[VIEW_WORDS * VIEWS * capacity] = rest;
                child[(VIEW_WORDS * VIEWS + 1u) * capacity] = root;
                UNROLL for (u32 w = 0; w < PATH_WORDS; w++)
                    child[(VIEW_WORDS * VIEWS + 2u + w) * capacity] =
                        path[w] | (left >> 4 == w ? d << (2u * (left & 15u)) : 0u);
            }
            size += COUNT(all);
        }
        WARP_SYNC();
    }
    if (shortfall != ~0u) LEAST(&p.counts->shortfall, shortfall);
    ADD(&p.counts->generated, (u64)generated);
    if (LANE == 0) {
        p.sizes[warp] = size;
        ADD(&p.counts->budget, grant);
        ADD(&p.counts->expanded, expanded);
        if (size == 0 && ADD(&p.counts->idle, 1u) + 1u >= p.idle_limit) p.counts->stop = 1;
    }
}

#ifdef __CUDACC__
BOUNDED(search, Search) {
    extern __shared__ u32 shared[];
    /* The ranks and the world are copied to where all of a block's threads reach them soon. */
    u32 high_words = p.world->kinds * p.world->high_length;
    u32 *high = shared;
    u32 *low = high + high_words;
    u32 *world = low + (1u << LOW_CELLS) / 2u;
    for (u32 i = threadIdx.x; i < high_words; i += blockDim.x) {
        high[i] = p.world->high[i / p.world->high_length][i % p.world->high_length];
    }
    for (u32 i = threadIdx.x; i < (1u << LOW_CELLS) / 2u; i += blockDim.x) low[i] = ((const u32 *)p.world->low)[i];
    for (u32 i = threadIdx.x; i < sizeof(World) / 4u; i += blockDim.x) world[i] = ((const u32 *)p.world)[i];
    __syncthreads();
    Near near = {(const World *)world, (const u16 *)low, high};
    search_warp(p, &near, (u32)(THREAD / WIDTH));
}
#else
KERNEL(search, Search) {
    /* Each thread of the host that plays a device has its own. */
    static _Thread_local u32 high[MOST_GROUPS << LOW_CELLS];
    for (u32 i = 0; i < p.world->kinds * p.world->high_length; i++)
        high[i] = p.world->high[i / p.world->high_length][i % p.world->high_length];
    Near near = {p.world, p.world->low, high};
    search_warp(p, &near, (u32)(THREAD / WIDTH));
    (void)THREADS;
}
#endif

/* Brings what the stacks hold back into the pool. */
KERNEL(gather, Search) {
    u32 warp = (u32)(THREAD / WIDTH);
    if (warp >= p.warps) return;
    u32 words = STATE_WORDS;
    u32 *stack = p.stacks + (u64)warp * p.capacity * words;
    u32 size = p.sizes[warp];
    u32 quota = p.pool_capacity / p.warps;
    u32 given = size < quota ? size : quota;
    u32 at = 0;
    if (LANE == 0 && given > 0) at = ADD(&p.counts->pool_count, given);
    at = FROM_FIRST(at);
    for (u32 w = 0; w < words; w++)
        for (u32 i = LANE; i < given; i += WIDTH)
            p.pool[(u64)w * p.pool_capacity + at + i] = stack[w * p.capacity + i];
    /* What does not fit moves down. */
    for (u32 w = 0; w < words; w++)
        for (u32 i = given; i < size; i += WIDTH) {
            u32 on = i + LANE < size;
            u32 word = on ? stack[w * p.capacity + i + LANE] : 0;
            WARP_SYNC();
            if (on) stack[w * p.capacity + i - given + LANE] = word;
            WARP_SYNC();
        }
    if (LANE == 0) p.sizes[warp] = size - given;
    (void)THREADS;
}
