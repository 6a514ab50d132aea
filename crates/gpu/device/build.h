/* Fills a pattern's table by breadth-first search from the goal, a level at a time, as the solver does on a CPU: rows of
 * bits, one for each order, and each level pulls into a row what one move leads there.
 */
typedef struct {
    const Set *sets;
    /* For each row, the rank of its set. */
    const u32 *set_of_row;
    const u16 *low;
    const u32 *high;
    const u16 *reorderings;
    const u8 *beside;
    /* The states reached on the last level and on this one, and on any; the remainders' bits, a plane after the other. */
    const u32 *last;
    u32 *next;
    u32 *seen;
    u32 *planes;
    /* Which rows have states of the last level and of this one. */
    const u8 *last_active;
    u8 *next_active;
    u64 *reached;
    /* Where the table goes. */
    u32 *entries;
    u64 stride;
    /* The part of all words that is to be done now. */
    u64 first;
    u64 end;
    u32 rows;
    u32 words;
    u32 orders;
    u32 tiles;
    u32 cells;
    u32 level;
    u32 bits;
    u32 cell_bits;
    u32 goal_row;
} Build;

INSIDE u32 planned_row(const Build *q, u32 mask, u32 cell) {
    u32 rank = q->low[mask & ((1u << LOW_CELLS) - 1u)] + q->high[mask >> LOW_CELLS];
    return row_in(q->sets[rank].map, q->sets[rank].first_row, cell, q->cell_bits);
}

/* What the orders of one word come from when the tile at position `to` goes back to position `from`. */
INSIDE u32 turned_word(const Build *q, const u32 *source, u32 word, u32 need, u32 from, u32 to) {
    const u16 *turn = q->reorderings + (u64)(to * q->tiles + from) * q->orders + 32u * word;
    u32 coming = 0;
    while (need) {
        u32 bit = FIRST_BIT(need);
        u32 order = turn[bit];
        need &= need - 1u;
        coming |= (source[order >> 5] >> (order & 31u) & 1u) << bit;
    }
    return coming;
}

/* The states of one word of a row that one move leads to from the last level. */
INSIDE u32 pulled(const Build *q, u32 row, u32 word, u32 need) {
    u32 mask = q->sets[q->set_of_row[row]].mask;
    Set set = q->sets[q->set_of_row[row]];
    u32 coming = 0;
    for (u32 left = mask; left; left &= left - 1u) {
        u32 to = FIRST_BIT(left);
        for (u32 d = 0; d < 4u; d++) {
            u32 from = q->beside[4u * to + d];
            if (from == NO_CELL || mask >> from & 1u || row_in(set.map, set.first_row, from, q->cell_bits) != row) continue;
            u32 before = mask ^ 1u << to ^ 1u << from;
            u32 source = planned_row(q, before, to);
            if (!q->last_active[source]) continue;
            const u32 *bits = q->last + (u64)source * q->words;
            u32 place = COUNT(mask & ((1u << to) - 1u));
            u32 was = COUNT(before & ((1u << from) - 1u));
            if (place == was) {
                coming |= bits[word];
            } else {
                coming |= turned_word(q, bits, word, need & ~coming, was, place);
            }
        }
    }
    return coming & need;
}

/* One level, for some of the words of all rows. */
KERNEL(pull, Build) {
    u64 total = (u64)p.rows * p.words;
    u32 held = p.bits == 1u ? p.level >> 1 & 1u : p.level % 3u;
    u32 reached = 0;
    for (u64 at = p.first + THREAD; at < p.end; at += THREADS) {
        u32 row = (u32)(at / p.words);
        u32 word = (u32)(at % p.words);
        u32 orders = p.orders - 32u * word;
        u32 need = ~p.seen[at] & (orders >= 32u ? ~0u : (1u << orders) - 1u);
        u32 coming = need ? pulled(&p, row, word, need) : 0;
        p.next[at] = coming;
        if (!coming) continue;
        p.seen[at] |= coming;
        p.next_active[row] = 1;
        reached += COUNT(coming);
        if (held & 1u) p.planes[at] |= coming;
        if (held & 2u) p.planes[total + at] |= coming;
    }
    if (reached) ADD(p.reached, (u64)reached);
}

/* The goal: level 0. */
KERNEL(plant, Build) {
    if (THREAD != 0) return;
    u64 at = (u64)p.goal_row * p.words;
    p.next[at] = 1u;
    p.seen[at] = 1u;
    p.next_active[p.goal_row] = 1;
    (void)THREADS;
}

/* Puts the entries of one order side by side: each thread transposes the orders of one word in 32 rows. */
KERNEL(pack, Build) {
    u32 blocks = (u32)(p.stride / p.bits / 32u);
    for (u64 at = p.first + THREAD; at < p.end; at += THREADS) {
        u32 block = (u32)(at % blocks);
        u32 word = (u32)(at / blocks);
        for (u32 bit = 0; bit < 32u && 32u * word + bit < p.orders; bit++) {
            u32 first = 0;
            u32 second = 0;
            for (u32 row = 0; row < 32u; row++) {
                u64 from = 32u * (u64)block + row;
                if (from >= p.rows) break;
                first |= (p.planes[from * p.words + word] >> bit & 1u) << row;
                if (p.bits > 1u) second |= (p.planes[((u64)p.rows + from) * p.words + word] >> bit & 1u) << row;
            }
            u32 *into = p.entries + (32u * word + bit) * (p.stride / 32u);
            if (p.bits == 1u) {
                into[block] = first;
            } else {
                u64 spread = 0;
                for (u32 row = 0; row < 32u; row++)
                    spread |= ((u64)(first >> row & 1u) | (u64)(second >> row & 1u) << 1) << (2u * row);
                into[2u * block] = (u32)spread;
                into[2u * block + 1u] = (u32)(spread >> 32);
            }
        }
    }
}
