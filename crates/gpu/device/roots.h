/* The states that searches begin with. */
typedef struct {
    const World *world;
    /* For each root what lies in its cells, each a tile named by its goal cell; and the automaton's state. */
    const u8 *boards;
    const u16 *automata;
    /* The roots as they are made, in the words of states; the moves of the automaton's word's upper half are those made. */
    u32 *roots;
    const u16 *made;
    u32 *pool;
    Counts *counts;
    /* The length of the solutions that are looked for: of every root, or of each its own. */
    const u16 *bounds;
    u32 *solved;
    Record *records;
    u32 batch;
    u32 bound;
    u32 count;
    u32 pool_capacity;
} Roots;

INSIDE u32 order_of_cells(const u8 *cells, u32 tiles) {
    u32 rank = 0;
    u32 factorial = 1;
    for (u32 tile = 1; tile < tiles; tile++) {
        u32 inversions = 0;
        factorial *= tile;
        for (u32 other = 0; other < tile; other++) inversions += cells[other] > cells[tile];
        rank += inversions * factorial;
    }
    return rank;
}

INSIDE u32 mask_of_cells(const u8 *cells, u32 tiles) {
    u32 mask = 0;
    for (u32 tile = 0; tile < tiles; tile++) mask |= 1u << cells[tile];
    return mask;
}

INSIDE u32 row_of_cells(const Near *near, const Table *table, u32 mask, u32 blank, u32 cell_bits) {
    u32 kind = table->kind;
    u32 rank = near->low[mask & ((1u << LOW_CELLS) - 1u)] + near->world->high[kind][mask >> LOW_CELLS];
    return row_in(table->sets[rank].map, table->sets[rank].first_row, blank, cell_bits);
}

/* The moves that tiles in these cells need, found by a walk to their goal. The cells that a view sees are its own; but the
 * neighbours are the board's, for views see the same board. */
APART u32 moves_needed(const Near *near, const Table *table, u8 *cells, u32 blank, u32 one_bit, u32 cell_bits) {
    const World *world = near->world;
    u32 tiles = table->tiles;
    u32 modulus = one_bit ? 4u : 3u;
    u32 mask = mask_of_cells(cells, tiles);
    u32 row = row_of_cells(near, table, mask, blank, cell_bits);
    u32 parity = 0;
    for (u32 tile = 0; tile < tiles; tile++) parity ^= world->colour[cells[tile]] ^ world->colour[table->homes[tile]];
    u32 held = held_at(table, row, order_of_cells(cells, tiles), one_bit);
    u32 residue = one_bit ? 2u * held + parity : held;
    for (u32 moves = 0; moves < 255u; moves++) {
        u32 away = row != table->goal_row;
        for (u32 tile = 0; tile < tiles; tile++) away |= cells[tile] != table->homes[tile];
        if (!away) return moves;
        u32 wanted = (residue + modulus - 1u) % modulus;
        u32 stepped = 0;
        for (u32 choice = 0; choice < 4u * tiles && !stepped; choice++) {
            u32 tile = choice / 4u;
            u32 from = cells[tile];
            u32 to = world->beside[4u * from + choice % 4u];
            if (to == NO_CELL || mask >> to & 1u || row_of_cells(near, table, mask, to, cell_bits) != row) continue;
            u32 after = mask ^ 1u << from ^ 1u << to;
            cells[tile] = (u8)to;
            u32 next = row_of_cells(near, table, after, from, cell_bits);
            u32 there = held_at(table, next, order_of_cells(cells, tiles), one_bit);
            if (one_bit) there = 2u * there + (parity ^ 1u);
            if (there == wanted) {
                stepped = 1;
                row = next;
                mask = after;
                residue = wanted;
                parity ^= 1u;
            } else {
                cells[tile] = (u8)from;
            }
        }
        if (!stepped) break;
    }
    return 255u;
}

/* Finds out all that tables say of roots. */
KERNEL(seed, Roots) {
    const World *world = p.world;
    Near near = {world, world->low, 0};
    for (u64 root = THREAD; root < p.count; root += THREADS) {
        const u8 *board = p.boards + root * MOST_CELLS;
        u32 blank = 0;
        for (u32 view = 0; view < VIEWS; view++) {
            u8 cells[MOST_GROUPS][MOST_TILES];
            ViewState state = {0, 0, 0, 0};
            u32 seen_blank = 0;
            for (u32 cell = 0; cell < world->cells; cell++) {
                u32 tile = board[cell];
                u32 image = world->image[view][cell];
                u32 group = world->group_of[view][tile];
                if (group == NO_CELL) {
                    blank = cell;
                    seen_blank = image;
                    continue;
                }
                cells[group][world->number_of[view][tile]] = (u8)image;
                state.plane0 |= (group & 1u) << image;
                state.plane1 |= (group >> 1) << image;
            }
            for (u32 group = 0; group < world->groups[view]; group++) {
                const Table *table = &world->tables[MOST_GROUPS * view + group];
                state.orders |= (u64)order_of_cells(cells[group], table->tiles) << (16u * group);
                u32 moves = moves_needed(&near, table, cells[group], seen_blank, ONE_BIT, CELL_BITS);
                if (moves == 255u) p.counts->broken = 1;
                state.moves |= moves << (8u * group);
            }
            if (view == 0) state.plane0 |= blank << BLANK_SHIFT;
            store_view(p.roots + VIEW_WORDS * view * p.count + root, p.count, &state);
        }
        p.roots[VIEW_WORDS * VIEWS * p.count + root] = p.automata[root] | (u32)p.made[root] << 16;
    }
}

/* Puts into the pool the roots through which a solution may be as short as the bound. */
KERNEL(deal, Roots) {
    u32 views = VIEWS;
    /* All lanes of a warp go on together. */
    u64 rounds = (p.count + THREADS - 1u) / THREADS;
    for (u64 round = 0; round < rounds; round++) {
        u64 root = round * THREADS + THREAD;
        u32 on = root < p.count && !(p.batch && p.solved[root]);
        u32 tail = 0;
        if (on) {
            u32 automaton = p.roots[VIEW_WORDS * views * p.count + root];
            int left = (int)(p.bounds ? p.bounds[root] : p.bound) - (int)(automaton >> 16);
            tail = automaton & 0xffffu;
            for (u32 view = 0; view < views; view++) {
                int slack = left - (int)sum_of(p.roots[(VIEW_WORDS * view + 4u) * p.count + root]);
                if (slack < 0) {
                    on = 0;
                    LEAST(&p.counts->shortfall, (u32)-slack);
                    break;
                }
                tail |= (u32)(slack > 255 ? 255 : slack) << (16u + 8u * view);
            }
        }
        if (on && p.roots[4u * (u64)p.count + root] == 0) {
            /* It is the goal. */
            u32 slot = p.batch ? (u32)root : 0;
            on = 0;
            if (EXCHANGE(&p.solved[slot], 1u) == 0) {
                p.records[slot].root = (u32)root;
                p.records[slot].left = tail >> 16 & 0xffu;
                ADD(&p.counts->found, 1u);
            }
        }
        u32 all = BALLOT(on);
        u32 at = 0;
        if (LANE == 0 && all != 0) at = ADD(&p.counts->pool_count, COUNT(all));
        at = FROM_FIRST(at) + COUNT(all & ((1u << LANE) - 1u));
        if (!on) continue;
        for (u32 w = 0; w < VIEW_WORDS * views; w++)
            p.pool[(u64)w * p.pool_capacity + at] = p.roots[(u64)w * p.count + root];
        p.pool[(u64)(VIEW_WORDS * views) * p.pool_capacity + at] = tail;
        p.pool[(u64)(VIEW_WORDS * views + 1u) * p.pool_capacity + at] = (u32)root;
        for (u32 w = 0; w < PATH_WORDS; w++) p.pool[(u64)(VIEW_WORDS * views + 2u + w) * p.pool_capacity + at] = 0;
    }
}
