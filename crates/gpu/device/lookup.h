/* Looking a board up in a view's tables. */

/* What a multiprocessor's threads share. */
typedef struct {
    const World *world;
    const u16 *low;
    const u32 *high;
} Near;

INSIDE u32 rank_of(const Near *near, u32 kind, u32 mask) {
    return near->low[mask & ((1u << LOW_CELLS) - 1u)] + near->high[kind * near->world->high_length + (mask >> LOW_CELLS)];
}

INSIDE u32 row_in(u64 map, u32 first_row, u32 cell, u32 cell_bits) {
    return first_row + ((u32)(map >> (cell_bits * cell)) & ((1u << cell_bits) - 1u));
}

/* The bits of a table's entry. */
INSIDE u32 held_at(const Table *table, u32 row, u32 order, u32 one_bit) {
    u64 place = order * table->stride + (one_bit ? row : 2u * row);
    return FAR_WORD(table->entries + (place >> 5)) >> (place & 31u) & (one_bit ? 1u : 3u);
}

/* By how much a move changes the moves that are needed: less one, and what is held of the number after it. */
INSIDE int change_of(u32 before, u32 held, u32 one_bit) {
    if (one_bit) return 1 - (int)((((before + 1u) >> 1 ^ held) & 1u) << 1);
    u32 step = (held + 3u - before % 3u) % 3u;
    return step == 2u ? -1 : (int)step;
}

/* Where the tiles of a group lie: planes hold the two bits of each cell's group, and nothing for the blank. */
INSIDE u32 mask_of_group(const ViewState *state, u32 group, u32 board, u32 blank) {
    u32 p0 = group & 1u ? state->plane0 : ~state->plane0;
    u32 p1 = group & 2u ? state->plane1 : ~state->plane1;
    return p0 & p1 & board & ~(1u << blank);
}

INSIDE u32 group_at(const ViewState *state, u32 cell) {
    return (state->plane0 >> cell & 1u) | (state->plane1 >> cell & 1u) << 1;
}

INSIDE u32 order_at(const ViewState *state, u32 group) {
    return (u32)(state->orders >> (16u * group)) & 0xffffu;
}

INSIDE u32 moves_at(const ViewState *state, u32 group) {
    return state->moves >> (8u * group) & 0xffu;
}

/* The state after a move. Cells are as the view sees them: the tile in `from` goes to `to`. */
INSIDE void step_view(ViewState *state, u32 from, u32 to, u32 group, u32 order, int change) {
    u32 flip = 1u << from | 1u << to;
    if (group & 1u) state->plane0 ^= flip;
    if (group & 2u) state->plane1 ^= flip;
    state->orders ^= (u64)(order_at(state, group) ^ order) << (16u * group);
    state->moves += (u32)change << (8u * group);
}

INSIDE u32 sum_of(u32 moves) {
    return (moves & 0xffu) + (moves >> 8 & 0xffu) + (moves >> 16 & 0xffu) + (moves >> 24);
}

/* What up to four moves of the blank do to one view: for each direction the group's order and two bits of the change, and
 * which of them leave enough. */
typedef struct {
    u64 orders;
    u32 changes;
    u32 kept;
} Lookups;

/* Looks the moves in `wanted` up; `to` are the cells that the blank would go to. Each step is taken for all moves before
 * the next, so that they wait for memory together. */
INSIDE Lookups look(const Near *near, u32 view, const ViewState *state, u32 blank, const u32 *to, u32 wanted, int slack,
                   u32 one_bit, u32 cell_bits, u32 *over) {
    const World *world = near->world;
    u32 board = (1u << world->cells) - 1u;
    u32 b = world->image[view][blank];
    u32 groups = 0;
    u64 orders = 0;
    u64 maps[4];
    u32 firsts[4];
    u32 words[4];
    u32 shifts = 0;
    UNROLL for (u32 d = 0; d < 4u; d++) {
        u32 on = wanted >> d & 1u;
        u32 a = world->image[view][on ? to[d] : blank];
        u32 group = group_at(state, a);
        u32 mask = mask_of_group(state, group, board, b);
        u32 after = mask ^ (1u << a) ^ (1u << b);
        const Table *table = &world->tables[MOST_GROUPS * view + group];
        u32 from = COUNT(mask & ((1u << a) - 1u));
        u32 place = COUNT(after & ((1u << b) - 1u));
        u32 order = order_at(state, group);
        maps[d] = 0;
        firsts[d] = 0;
        if (on) {
            const Set *set = table->sets + rank_of(near, table->kind, after);
            maps[d] = set->map;
            firsts[d] = set->first_row;
            if (from != place) order = table->reorderings[(from * table->tiles + place) * table->orders + order];
        }
        groups |= group << (2u * d);
        orders |= (u64)order << (16u * d);
    }
    UNROLL for (u32 d = 0; d < 4u; d++) {
        const Table *table = &world->tables[MOST_GROUPS * view + (groups >> (2u * d) & 3u)];
        u32 on = wanted >> d & 1u;
        u32 a = world->image[view][on ? to[d] : blank];
        u32 row = row_in(maps[d], firsts[d], a, cell_bits);
        u64 place = ((u32)(orders >> (16u * d)) & 0xffffu) * table->stride + (one_bit ? row : 2u * row);
        words[d] = 0;
        if (on) words[d] = FAR_WORD(table->entries + (place >> 5));
        shifts |= ((u32)place & 31u) << (8u * d);
    }
    Lookups lookups = {orders, 0, 0};
    UNROLL for (u32 d = 0; d < 4u; d++) {
        u32 held = words[d] >> (shifts >> (8u * d) & 31u) & (one_bit ? 1u : 3u);
        int change = change_of(moves_at(state, groups >> (2u * d) & 3u), held, one_bit);
        int left = slack - 1 - change;
        u32 on = wanted >> d & 1u;
        lookups.changes |= (u32)(change + 1) << (2u * d);
        if (on && left >= 0) lookups.kept |= 1u << d;
        if (on && left < 0 && (u32)-left < *over) *over = (u32)-left;
    }
    return lookups;
}
