/* Boards of up to 64 cells: tables of many tiles, beams, and depth-first search from a frontier.
 *
 * A table holds one bit for each placement of its tiles: the second lowest of the number of moves that bring them home, when
 * tiles may step into any cell without one of them. A step changes that number by one, and its lowest bit is that of
 * the sum of the tiles' distances: so the bit says which of the two it was. A row is where all tiles but the last lie; its
 * bits are the cells that are left for the last.
 *
 * Where the blank is matters in corners alone: a corner both of whose doors (the cells beside it) hold tiles of the pattern
 * is shut. Nobody steps into a shut corner, unless the blank is in it: such placements have rows of their own, after the
 * others: for each corner and the two tiles in its doors, where all other tiles but the last lie.
 */
#define ALL_VIEWS 8u
#define ALL_PARTS 16u
#define LONGEST 7u

#ifdef __CUDACC__
#define CELLS_OF(world) CELLS
#define VIEWS_OF(world) VIEWS
#define TILES_OF(world) TILES
#define ROW_WORDS_OF(world) ROW_WORDS
#define CLAIM(address, value) atomicCAS(address, 0ull, value)
#define FIRST_BIT_WIDE(bits) ((u32)__ffsll((long long)(bits)) - 1u)
#define LAST_BIT_WIDE(bits) (63u - (u32)__clzll((long long)(bits)))
#define WARP_LEAST(value) __reduce_min_sync(0xffffffffu, value)
#define MOST_BOARD_CELLS CELLS
#define MOST_VIEWS VIEWS
#define DIVING(name, params) extern "C" __global__ void __launch_bounds__(256, DIVE_BLOCKS) name(const params p)
#else
#define CELLS_OF(world) ((world)->cells)
#define VIEWS_OF(world) ((world)->views)
#define TILES_OF(world) LONGEST
#define ROW_WORDS_OF(world) ((world)->row_words)
#define CLAIM(address, value) plain_claim(address, value)
INSIDE u64 plain_claim(u64 *address, u64 value) { u64 old = *address; if (old == 0) *address = value; return old; }
#define FIRST_BIT_WIDE(bits) ((u32)__builtin_ctzll(bits))
#define LAST_BIT_WIDE(bits) (63u - (u32)__builtin_clzll(bits))
#define DIVING(name, params) KERNEL(name, params)
#define WARP_LEAST(value) (value)
#define MOST_BOARD_CELLS 64u
#define MOST_VIEWS ALL_VIEWS
#endif

#define LARGE_PATH 8u
#define SCORES 8192u
#define DEAD 0xffffu
#define NO_DIRECTION 4u
/* Above all levels. */
#define COMPLETE 255u

/* A pattern as a view sees it: its table, and the tiles in the order of its index. */
typedef struct {
    const u32 *rows;
    /* A byte each: the tiles of the board that are looked up. */
    u64 tiles;
    u32 count;
    /* The first row of those with the blank in a corner, and how many there are for each corner and two tiles, or none. */
    u32 base;
    u32 span;
    u32 spare;
} Part;

typedef struct {
    /* For each view its patterns. */
    const Part *parts;
    /* For each state of the automaton, the states after a move in each direction. */
    const u64 *transitions;
    u32 cells;
    u32 views;
    u32 row_words;
    u32 blank;
    /* For each cell and direction, the next cell, or NO_CELL. */
    const u8 *beside;
    /* For each view, the cell that it sees each cell as. */
    const u8 *image;
    /* For each view and tile, which is named by its goal cell, its pattern. */
    const u8 *part_of;
    /* The distance of two cells. */
    const u8 *distance;
    /* For each cell its number among the corners, or NO_CELL; then each corner's two doors. */
    const u8 *corner;
} Large;

/* A state's words: the cells, four in each; for each view two bits of each pattern's number of moves; for each view their sum,
 * two in a word; blank, last direction and the sum of distances; a hash of the cells in two words. */
#define CELL_WORDS(world) ((CELLS_OF(world) + 3u) / 4u)
#define SUM_WORDS(world) ((VIEWS_OF(world) + 1u) / 2u)
#define TAIL_AT(world) (CELL_WORDS(world) + VIEWS_OF(world) + SUM_WORDS(world))
#define LARGE_WORDS(world) (TAIL_AT(world) + 3u)
/* What a state has besides when it waits for depth-first search: the frontier's state it comes from, the moves left, the
 * moves to be made and the automaton's state, the path. */
#define SPILL_WORDS(world) (LARGE_WORDS(world) + 3u + LARGE_PATH)

INSIDE u64 key_of(u32 tile, u32 cell) {
    u64 x = (u64)(tile * 64u + cell + 1u) * 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

INSIDE u32 tile_at(const u32 *state, u32 cell) {
    return state[cell >> 2] >> (8u * (cell & 3u)) & 0xffu;
}

/* Where a placement is found while the blank is in a corner: its row among those, and the bit there. */
INSIDE u32 corner_place(const u32 *cells, u32 count, u32 most, u32 board, u32 index, u32 corner, const u8 *doors, u32 span,
                        u32 *bit) {
    u32 first = doors[0];
    u32 second = doors[1];
    u32 row = 0;
    u32 kept = 0;
    u32 at_first = 0;
    u32 at_second = 0;
    UNROLL for (u32 j = 0; j < most; j++) {
        if (j >= count) break;
        u32 cell = cells[j];
        if (cell == first) {
            at_first = j;
        } else if (cell == second) {
            at_second = j;
        } else {
            u32 rank = cell - (corner < cell) - (first < cell) - (second < cell);
            UNROLL for (u32 i = 0; i < j; i++) rank -= cells[i] < cell && cells[i] != first && cells[i] != second;
            if (kept + 3u < count) row = row * (board - 3u - kept) + rank;
            else *bit = rank;
            kept++;
        }
    }
    return ((index * count + at_first) * count + at_second) * span + row;
}

/* The bit of a pattern's placement when `tile` lies in `to` and the others where they are, and the blank in `blank`. */
INSIDE u32 bit_of(const Large *world, u32 view, const Part *part, const u8 *places, u32 tile, u32 to, u32 blank) {
    const u8 *image = world->image + 64u * view;
    u64 tiles = part->tiles;
    u32 count = part->count;
    u32 cells[LONGEST];
    u32 row = 0;
    u32 last = 0;
    UNROLL for (u32 j = 0; j < TILES_OF(world); j++) {
        if (j >= count) break;
        u32 other = (u32)(tiles >> (8u * j)) & 0xffu;
        u32 cell = image[other == tile ? to : places[other]];
        u32 rank = cell;
        UNROLL for (u32 i = 0; i < j; i++) rank -= cells[i] < cell;
        cells[j] = cell;
        if (j + 1u < count) row = row * (CELLS_OF(world) - j) + rank;
        else last = rank;
    }
    u32 corner = blank == NO_CELL ? NO_CELL : world->corner[image[blank]];
    if (corner != NO_CELL && part->span != 0) {
        const u8 *doors = world->corner + 64u + 2u * corner;
        u32 shut = 0;
        UNROLL for (u32 j = 0; j < TILES_OF(world); j++) {
            if (j >= count) break;
            shut += cells[j] == doors[0] || cells[j] == doors[1];
        }
        if (shut == 2u) {
            row = part->base + corner_place(cells, count, TILES_OF(world), CELLS_OF(world), corner, image[blank], doors,
                                            part->span, &last);
        }
    }
    return FAR_WORD(part->rows + (u64)row * ROW_WORDS_OF(world) + (last >> 5)) >> (last & 31u) & 1u;
}

/* Whether a move leads further away, by the two lowest bits of the moves needed before it and the bit after it. */
INSIDE u32 is_up(u32 before, u32 bit) {
    return ((before + 1u) >> 1 & 1u) == bit;
}

/* --- Building ---------------------------------------------------------------------------------------------------- */

typedef struct {
    u32 *seen;
    u32 *rows;
    u32 *changed;
    /* For the rows of each warp, from which level on there is something to do. */
    u8 *marks;
    const u8 *beside;
    const u8 *distance;
    const u8 *corner;
    u64 count;
    u64 first;
    u64 end;
    /* The cells of one colour; the masks by which a set of cells is shifted to all its neighbours. */
    u64 black;
    u64 right;
    u64 left;
    u64 down;
    u64 up;
    u64 right_wrap;
    u64 left_wrap;
    u64 down_wrap;
    u64 up_wrap;
    /* What a tile's rank counts in a row's number, and in that of a row with the blank in a corner. */
    u32 weights[LONGEST + 1u];
    u32 corner_weights[LONGEST + 1u];
    u32 cells;
    u32 cols;
    u32 wrap_shift;
    u32 tiles;
    u32 row_words;
    u32 level;
    u32 span;
    /* The cells that are corners. */
    u32 corners[4];
    u32 corner_count;
    u8 homes[8];
} Grow;

INSIDE u64 below(u32 bits) { return bits >= 64u ? ~(u64)0 : ((u64)1 << bits) - 1u; }

INSIDE u64 row_at(const u32 *rows, u64 row, u32 words) {
    return words == 1u ? rows[row] : rows[2u * row] | (u64)rows[2u * row + 1u] << 32;
}

INSIDE void set_row(u32 *rows, u64 row, u32 words, u64 bits) {
    if (words == 1u) {
        rows[row] = (u32)bits;
        return;
    }
    rows[2u * row] = (u32)bits;
    rows[2u * row + 1u] = (u32)(bits >> 32);
}

/* The cells for the last tile as a set of cells, and back. `taken` are the others' cells. */
INSIDE u64 spread_out(u64 bits, u64 taken) {
    while (taken) {
        u64 low = (taken & (0u - taken)) - 1u;
        bits = (bits & low) | (bits & ~low) << 1;
        taken &= taken - 1u;
    }
    return bits;
}

INSIDE u64 drawn_in(u64 cells, u64 taken) {
    /* From the highest cell down, so that lower ones stay in their places. */
    while (taken) {
        u64 top = (u64)1 << LAST_BIT_WIDE(taken);
        u64 low = top - 1u;
        cells = (cells & low) | (cells >> 1 & ~low);
        taken ^= top;
    }
    return cells;
}

INSIDE u64 neighbours_of(const Grow *q, u64 set) {
    return (set & q->right) << 1 | (set & q->left) >> 1 | (set & q->down) << q->cols | (set & q->up) >> q->cols |
           (set & q->right_wrap) >> (q->cols - 1u) | (set & q->left_wrap) << (q->cols - 1u) |
           (set & q->down_wrap) >> q->wrap_shift | (set & q->up_wrap) << q->wrap_shift;
}

/* What another row's bits are as this row's, when one of the tiles that are not the last goes from `from` there to `to` here:
 * the cells between the two move up or down by one. */
INSIDE u64 carried(u64 bits, u32 from, u32 to, u64 free) {
    u32 low = from < to ? from : to;
    u32 high = from < to ? to : from;
    u32 start = COUNT_WIDE(free & below(low));
    u32 between = COUNT_WIDE(free & below(high) & ~below(low + 1u));
    u64 rest = bits & (below(start) | ~below(start + between + 1u));
    u64 band = below(between) << start;
    /* Here `to` is taken. If it is the lower one, `from` comes after the cells between, there before them. */
    return from > to ? rest | (bits >> 1 & band) : rest | (bits << 1 & band << 1);
}

INSIDE u32 is_seen(const Grow *q, u64 row, u32 bit) {
    return q->seen[row * q->row_words + (bit >> 5)] >> (bit & 31u) & 1u;
}

/* The row of a placement with the blank in a corner, and the bit there. */
INSIDE u64 corner_row(const Grow *q, const u32 *cells, u32 index, u32 *bit) {
    const u8 *doors = q->corner + 64u + 2u * index;
    return q->count + corner_place(cells, q->tiles, LONGEST, q->cells, index, q->corners[index], doors, q->span, bit);
}

/* The row of a placement with the blank elsewhere, and the bit there. */
INSIDE u64 plain_row(const Grow *q, const u32 *cells, u32 *bit) {
    u64 row = 0;
    UNROLL for (u32 j = 0; j < LONGEST; j++) {
        if (j >= q->tiles) break;
        u32 rank = cells[j];
        UNROLL for (u32 i = 0; i < j; i++) rank -= cells[i] < cells[j];
        if (j + 1u < q->tiles) row += (u64)rank * q->weights[j];
        else *bit = rank;
    }
    return row;
}

/* What is reached from placements with the blank in a corner, to which the corner's tile steps out of it. */
INSIDE u64 out_of_corners(const Grow *q, const u32 *cells, u64 taken, u64 wanted) {
    u32 others = q->tiles - 1u;
    u64 free = below(q->cells) & ~taken;
    u64 found = 0;
    for (u32 index = 0; index < q->corner_count; index++) {
        u32 corner = q->corners[index];
        for (u32 side = 0; side < 2u; side++) {
            u32 door = q->corner[64u + 2u * index + side];
            u32 open = q->corner[64u + 2u * index + (side ^ 1u)];
            if (taken >> open & 1u) continue;
            u32 in_corner = (u32)(taken >> corner) & 1u;
            u32 in_door = (u32)(taken >> door) & 1u;
            if (!in_corner && !in_door) continue;
            /* Where the last tile is: anywhere, or in that of the two cells that none of the others is in. */
            u32 cell = !in_corner ? corner : door;
            u64 bit = (u64)1 << COUNT_WIDE(free & below(cell));
            if (in_corner && in_door) cell = FIRST_BIT_WIDE(free & ~((u64)1 << open));
            else if (!(wanted & ~found & bit)) continue;
            u32 list[LONGEST];
            UNROLL for (u32 j = 0; j < LONGEST; j++) {
                u32 lies = j < others ? cells[j] : cell;
                list[j] = lies == corner ? open : lies;
            }
            u32 at = 0;
            u64 row = corner_row(q, list, index, &at);
            if (in_corner && in_door) {
                /* All that the last tile's row says; it cannot be in the door that is open here. */
                u64 low = below(COUNT_WIDE(free & below(open)));
                u64 seen = row_at(q->seen, row, q->row_words);
                found |= ((seen & low) | (seen & ~low) << 1) & wanted;
            } else if (is_seen(q, row, at)) {
                found |= bit;
            }
        }
    }
    return found;
}

/* One level more: placements that a step leads to from one that was reached. Those have the other colour, so that none that
 * is reached now is mistaken for one of the last level, and one that was reached earlier has no neighbour left.
 * Returns from which level on there is something to do. */
INSIDE u32 grow_row(const Grow *q, u64 row, u32 *changed) {
    u32 others = q->tiles - 1u;
    u64 board = below(q->cells);
    u32 cells[LONGEST];
    u64 taken = 0;
    u32 rest = (u32)row;
    u32 far = 0;
    u32 colour = q->level & 1u;
    UNROLL for (u32 j = 0; j + 1u < LONGEST; j++) {
        if (j >= others) break;
        u32 cell = rest / q->weights[j];
        rest -= cell * q->weights[j];
        /* The free cell of that rank: step over those that are taken, lowest first. */
        u64 left = taken;
        while (left && FIRST_BIT_WIDE(left) <= cell) {
            cell++;
            left &= left - 1u;
        }
        cells[j] = cell;
        taken |= (u64)1 << cell;
        far += q->distance[64u * q->homes[j] + cell];
        colour ^= (u32)(q->black >> cell ^ q->black >> q->homes[j]) & 1u;
    }
    if (far > q->level) return far;
    colour ^= (u32)(q->black >> q->homes[others]) & 1u;
    u64 free = board & ~taken;
    u64 seen = row_at(q->seen, row, q->row_words);
    u64 full = below(q->cells - others);
    if (seen == full) return COMPLETE;
    u64 wanted = drawn_in(free & (colour ? q->black : ~q->black), taken) & ~seen;
    if (wanted == 0) return 0;
    /* The last tile goes neither into a corner with another one in a door nor out of it. */
    u64 barred = 0;
    for (u32 index = 0; index < q->corner_count; index++) {
        const u8 *doors = q->corner + 64u + 2u * index;
        if ((taken >> doors[0] | taken >> doors[1]) & 1u) barred |= (u64)1 << q->corners[index];
    }
    u64 found = drawn_in(neighbours_of(q, spread_out(seen, taken) & ~barred) & free & ~barred, taken) & wanted;
    UNROLL for (u32 j = 0; j + 1u < LONGEST; j++) {
        if (j >= others || found == wanted) break;
        u32 here = cells[j];
        for (u32 d = 0; d < 4u; d++) {
            u32 there = q->beside[4u * here + d];
            if (there == NO_CELL || (taken >> there & 1u)) continue;
            u64 allowed = wanted;
            u32 index = q->corner[here] != NO_CELL ? q->corner[here] : q->corner[there];
            if (index != NO_CELL) {
                /* The other door must be open. */
                const u8 *doors = q->corner + 64u + 2u * index;
                u32 door = doors[0] == here || doors[0] == there ? doors[1] : doors[0];
                if (taken >> door & 1u) continue;
                allowed &= ~((u64)1 << COUNT_WIDE(free & below(door)));
            }
            u32 rank_here = here;
            u32 rank_there = there;
            u64 other = row;
            UNROLL for (u32 i = 0; i + 1u < LONGEST; i++) {
                if (i >= others) break;
                if (i < j) {
                    rank_here -= cells[i] < here;
                    rank_there -= cells[i] < there;
                } else if (i > j) {
                    other += (u64)(cells[i] > here) * q->weights[i];
                    other -= (u64)(cells[i] > there) * q->weights[i];
                }
            }
            other += (u64)rank_there * q->weights[j];
            other -= (u64)rank_here * q->weights[j];
            found |= carried(row_at(q->seen, other, q->row_words), there, here, free & ~((u64)1 << there)) & allowed;
        }
    }
    if (q->span != 0 && found != wanted) found |= out_of_corners(q, cells, taken, wanted & ~found);
    if (found == 0) return 0;
    *changed = 1;
    set_row(q->seen, row, q->row_words, seen | found);
    if (q->level & 2u) set_row(q->rows, row, q->row_words, row_at(q->rows, row, q->row_words) | found);
    return (seen | found) == full ? COMPLETE : 0;
}

KERNEL(grow, Grow) {
    u32 changed = 0;
    /* All lanes of a warp go on together. */
    for (u64 base = p.first + THREAD - LANE; base < p.end; base += THREADS) {
        if (p.marks[base / WIDTH] > p.level) continue;
        u64 row = base + LANE;
        u32 due = WARP_LEAST(row < p.end ? grow_row(&p, row, &changed) : COMPLETE);
        if (LANE == 0 && due > p.level) p.marks[base / WIDTH] = (u8)(due < COMPLETE ? due : COMPLETE);
    }
    if (changed) *p.changed = 1;
}

/* The same for a row of placements with the blank in a corner: one of the two tiles beside it has just come out of it. */
INSIDE u32 grow_corner_row(const Grow *q, u64 row, u32 *changed) {
    u32 rest = (u32)(row % q->span);
    u32 pair = (u32)(row / q->span);
    u32 index = pair / (q->tiles * q->tiles);
    u32 one = pair / q->tiles % q->tiles;
    u32 two = pair % q->tiles;
    if (one == two) return COMPLETE;
    u32 corner = q->corners[index];
    u32 first = q->corner[64u + 2u * index];
    u32 second = q->corner[64u + 2u * index + 1u];
    u64 taken = (u64)1 << corner | (u64)1 << first | (u64)1 << second;
    u32 cells[LONGEST];
    u32 kept = 0;
    u32 last = 0;
    u32 far = 0;
    u32 colour = q->level & 1u;
    UNROLL for (u32 j = 0; j < LONGEST; j++) {
        cells[j] = 0;
        if (j >= q->tiles) continue;
        u32 cell = j == one ? first : second;
        if (j != one && j != two) {
            if (kept + 3u == q->tiles) {
                last = j;
                continue;
            }
            cell = rest / q->corner_weights[kept];
            rest -= cell * q->corner_weights[kept];
            kept++;
            u64 left = taken;
            while (left && FIRST_BIT_WIDE(left) <= cell) {
                cell++;
                left &= left - 1u;
            }
            taken |= (u64)1 << cell;
        }
        cells[j] = cell;
        far += q->distance[64u * q->homes[j] + cell];
        colour ^= (u32)(q->black >> cell ^ q->black >> q->homes[j]) & 1u;
    }
    if (far > q->level) return far;
    colour ^= (u32)(q->black >> q->homes[last]) & 1u;
    u64 free = below(q->cells) & ~taken;
    u64 full = below(q->cells - q->tiles);
    u64 seen = row_at(q->seen, q->count + row, q->row_words);
    if (seen == full) return COMPLETE;
    u64 wanted = drawn_in(free & (colour ? q->black : ~q->black), taken) & ~seen;
    u64 found = 0;
    u32 is_last = last + 1u == q->tiles;
    for (u64 left = wanted; left; left &= left - 1u) {
        u32 at = FIRST_BIT_WIDE(left);
        u32 cell = FIRST_BIT_WIDE(spread_out((u64)1 << at, taken));
        for (u32 side = 0; side < 2u; side++) {
            u32 from = side ? two : one;
            u32 list[LONGEST];
            UNROLL for (u32 j = 0; j < LONGEST; j++) list[j] = j == last ? cell : j == from ? corner : cells[j];
            u32 bit = 0;
            u64 other = plain_row(q, list, &bit);
            if (is_last) {
                /* All that the last tile's row says; there it may also be in the door that is taken here. */
                u64 there = free | (u64)1 << (side ? second : first);
                u64 low = below(COUNT_WIDE(there & below(side ? second : first)));
                u64 bits = row_at(q->seen, other, q->row_words);
                found |= ((bits & low) | (bits >> 1 & ~low)) & wanted;
            } else if (is_seen(q, other, bit)) {
                found |= (u64)1 << at;
                break;
            }
        }
        if (is_last) break;
    }
    if (found == 0) return 0;
    *changed = 1;
    set_row(q->seen, q->count + row, q->row_words, seen | found);
    if (q->level & 2u) set_row(q->rows, q->count + row, q->row_words, row_at(q->rows, q->count + row, q->row_words) | found);
    return (seen | found) == full ? COMPLETE : 0;
}

KERNEL(grow_corners, Grow) {
    u32 changed = 0;
    for (u64 base = p.first + THREAD - LANE; base < p.end; base += THREADS) {
        if (p.marks[base / WIDTH] > p.level) continue;
        u64 row = base + LANE;
        u32 due = WARP_LEAST(row < p.end ? grow_corner_row(&p, row, &changed) : COMPLETE);
        if (LANE == 0 && due > p.level) p.marks[base / WIDTH] = (u8)(due < COMPLETE ? due : COMPLETE);
    }
    if (changed) *p.changed = 1;
}

/* --- The first state --------------------------------------------------------------------------------------------- */

typedef struct {
    const Large *world;
    const u8 *boards;
    u32 *states;
    u32 *broken;
    u32 count;
    u32 spare;
} Assess;

/* Whether a pattern's tile lies in a cell. */
INSIDE u32 is_taken(const Part *part, const u8 *places, u32 cell) {
    for (u32 j = 0; j < part->count; j++)
        if (places[(part->tiles >> (8u * j)) & 0xffu] == cell) return 1;
    return 0;
}

/* The other door of a corner that has tables of its own. */
INSIDE u32 other_door(const Large *world, const Part *part, u32 corner, u32 door) {
    u32 index = world->corner[corner];
    if (index == NO_CELL || part->span == 0) return NO_CELL;
    const u8 *doors = world->corner + 64u + 2u * index;
    return doors[0] == door ? doors[1] : doors[0];
}

/* Whether a cell is a corner that a pattern's tiles shut. */
INSIDE u32 is_shut(const Large *world, const Part *part, const u8 *places, u32 cell) {
    u32 index = world->corner[cell];
    if (index == NO_CELL || part->span == 0) return 0;
    const u8 *doors = world->corner + 64u + 2u * index;
    return is_taken(part, places, doors[0]) && is_taken(part, places, doors[1]);
}

/* How many moves bring a pattern's tiles home: as many as steps downhill lead there. */
INSIDE u32 moves_home(const Large *world, u32 view, const Part *part, u8 *places, u32 colour, u32 blank) {
    u32 steps = 0;
    /* The corner that the blank is shut into. */
    u32 hole = is_shut(world, part, places, blank) ? blank : NO_CELL;
    u32 now = 2u * bit_of(world, view, part, places, NO_CELL, 0, blank) + colour;
    for (;;) {
        u32 is_home = 1;
        for (u32 j = 0; j < part->count; j++) {
            u32 tile = (u32)(part->tiles >> (8u * j)) & 0xffu;
            if (places[tile] != tile) is_home = 0;
        }
        if (is_home && hole == (is_shut(world, part, places, world->blank) ? world->blank : NO_CELL)) return steps;
        u32 stepped = 0;
        for (u32 j = 0; j < part->count && !stepped; j++) {
            u32 tile = (u32)(part->tiles >> (8u * j)) & 0xffu;
            u32 from = places[tile];
            for (u32 d = 0; d < 4u && !stepped; d++) {
                u32 to = world->beside[4u * from + d];
                if (to == NO_CELL || is_taken(part, places, to)) continue;
                u32 next = NO_CELL;
                if (hole != NO_CELL) {
                    if (to != hole) continue;
                } else {
                    u32 into = other_door(world, part, to, from);
                    if (into != NO_CELL && is_taken(part, places, into)) continue;
                    u32 out = other_door(world, part, from, to);
                    if (out != NO_CELL && is_taken(part, places, out)) next = from;
                }
                if (is_up(now, bit_of(world, view, part, places, tile, to, next))) continue;
                places[tile] = (u8)to;
                hole = next;
                stepped = 1;
            }
        }
        if (!stepped || steps > 250u) return 255u;
        steps++;
        now = (now + 3u) & 3u;
    }
}

/* Makes states of boards: what each view says of them. */
KERNEL(assess, Assess) {
    const Large *world = p.world;
    u32 words = LARGE_WORDS(world);
    for (u64 index = THREAD; index < p.count; index += THREADS) {
        const u8 *board = p.boards + index * CELLS_OF(world);
        u32 *state = p.states + index * words;
        u8 home[MOST_BOARD_CELLS];
        u32 blank = 0;
        u32 far = 0;
        u64 hash = 0;
        for (u32 w = 0; w < words; w++) state[w] = 0;
        for (u32 cell = 0; cell < CELLS_OF(world); cell++) {
            u32 tile = board[cell];
            home[tile] = (u8)cell;
            state[cell >> 2] |= tile << (8u * (cell & 3u));
            if (tile == world->blank) {
                blank = cell;
                continue;
            }
            far += world->distance[64u * tile + cell];
            hash ^= key_of(tile, cell);
        }
        for (u32 view = 0; view < VIEWS_OF(world); view++) {
            u32 sum = 0;
            u32 low = 0;
            for (u32 g = 0; g < ALL_PARTS; g++) {
                const Part *part = world->parts + ALL_PARTS * view + g;
                if (part->count == 0) break;
                u8 places[MOST_BOARD_CELLS];
                u32 colour = 0;
                for (u32 cell = 0; cell < CELLS_OF(world); cell++) places[cell] = home[cell];
                for (u32 j = 0; j < part->count; j++) {
                    u32 tile = (u32)(part->tiles >> (8u * j)) & 0xffu;
                    colour ^= world->distance[64u * tile + home[tile]] & 1u;
                }
                u32 moves = moves_home(world, view, part, places, colour, blank);
                if (moves == 255u) *p.broken = 1;
                sum += moves;
                low |= (moves & 3u) << (2u * g);
            }
            state[CELL_WORDS(world) + view] = low;
            state[CELL_WORDS(world) + VIEWS_OF(world) + view / 2u] |= sum << (16u * (view & 1u));
        }
        state[TAIL_AT(world)] = blank | NO_DIRECTION << 8 | far << 16;
        state[TAIL_AT(world) + 1u] = (u32)hash;
        state[TAIL_AT(world) + 2u] = (u32)(hash >> 32);
    }
}

/* --- Levels of a beam, or of a breadth-first search ----------------------------------------------------------------- */

typedef struct {
    const Large *world;
    /* The states of this level and of the one before it. */
    const u32 *here;
    const u32 *before;
    /* Hash tables: upper halves of hashes above numbers of states or successors, from one on. */
    u64 *claims;
    const u64 *before_slots;
    u64 claims_mask;
    u64 slots_mask;
    /* For each successor its score, and the views in which it is further away. */
    u16 *scores;
    u16 *ups;
    u32 *histogram;
    /* The number of a successor that is the goal. */
    u32 *found;
    u32 count;
    /* The most moves that a successor may need. */
    u32 left;
    int sum_weight;
    int distance_weight;
    u32 shift;
    u32 most_score;
} Spread;

/* By what the words of a successor differ from its parent's: the blank and a tile change places. */
INSIDE u32 patch_of(u32 word, u32 a, u32 b, u32 both) {
    return (word == a >> 2 ? both << (8u * (a & 3u)) : 0u) ^ (word == b >> 2 ? both << (8u * (b & 3u)) : 0u);
}

/* Whether a successor of a state is another one's successor, or a state. */
INSIDE u32 is_same(const Large *world, const u32 *one, u32 from, u32 to, const u32 *two, u32 direction) {
    u32 two_from = two[TAIL_AT(world)] & 0xffu;
    u32 two_to = two_from;
    if (direction != NO_DIRECTION) two_to = world->beside[4u * two_from + direction];
    if (two_to != to) return 0;
    u32 one_both = tile_at(one, to) ^ world->blank;
    u32 two_both = tile_at(two, two_to) ^ world->blank;
    for (u32 w = 0; w < CELL_WORDS(world); w++) {
        u32 a = one[w] ^ patch_of(w, from, to, one_both);
        u32 b = two[w] ^ (two_from == two_to ? 0u : patch_of(w, two_from, two_to, two_both));
        if (a != b) return 0;
    }
    return 1;
}

KERNEL(spread, Spread) {
    const Large *world = p.world;
    const u32 words = LARGE_WORDS(world);
    for (u64 index = THREAD; index < p.count; index += THREADS) {
        const u32 *state = p.here + index * words;
        u8 places[MOST_BOARD_CELLS];
        for (u32 w = 0; w < CELL_WORDS(world); w++) {
            u32 four = state[w];
            for (u32 i = 0; i < 4u; i++)
                if (4u * w + i < CELLS_OF(world)) places[four >> (8u * i) & 0xffu] = (u8)(4u * w + i);
        }
        u32 tail = state[TAIL_AT(world)];
        u64 hash = state[TAIL_AT(world) + 1u] | (u64)state[TAIL_AT(world) + 2u] << 32;
        u32 blank = tail & 0xffu;
        for (u32 d = 0; d < 4u; d++) {
            u32 id = 4u * (u32)index + d;
            u32 to = world->beside[4u * blank + d];
            p.scores[id] = DEAD;
            /* Directions are up, left, right, down: opposite ones make three. */
            if (to == NO_CELL || (d ^ 3u) == (tail >> 8 & 0xffu)) continue;
            u32 tile = tile_at(state, to);
            u64 after = hash ^ key_of(tile, to) ^ key_of(tile, blank);
            u64 mine = (after >> 32 << 32) | (id + 1u);
            u32 is_new = 1;
            for (u64 at = after & p.slots_mask;; at = (at + 1u) & p.slots_mask) {
                u64 there = p.before_slots[at];
                if (there == 0) break;
                if ((there ^ mine) >> 32) continue;
                if (is_same(world, state, blank, to, p.before + (u64)((u32)there - 1u) * words, NO_DIRECTION)) {
                    is_new = 0;
                    break;
                }
            }
            for (u64 at = after & p.claims_mask; is_new; at = (at + 1u) & p.claims_mask) {
                u64 there = p.claims[at];
                if (there == 0) there = CLAIM(&p.claims[at], mine);
                if (there == 0) break;
                if ((there ^ mine) >> 32) continue;
                u32 other = (u32)there - 1u;
                if (is_same(world, state, blank, to, p.here + (u64)(other >> 2) * words, other & 3u)) is_new = 0;
            }
            if (!is_new) continue;
            u32 ups = 0;
            u32 sum = 0;
            u32 is_within = 1;
            for (u32 view = 0; view < VIEWS_OF(world); view++) {
                u32 group = world->part_of[64u * view + tile];
                u32 low = state[CELL_WORDS(world) + view] >> (2u * group) & 3u;
                u32 up = is_up(low, bit_of(world, view, world->parts + ALL_PARTS * view + group, places, tile, blank, to));
                u32 moves = state[CELL_WORDS(world) + VIEWS_OF(world) + view / 2u] >> (16u * (view & 1u)) & 0xffffu;
                moves += 2u * up - 1u;
                ups |= up << view;
                sum += moves;
                if (moves > p.left) is_within = 0;
            }
            if (!is_within) continue;
            int far = (int)(tail >> 16) + world->distance[64u * tile + blank] - world->distance[64u * tile + to];
            int score = ((int)sum * p.sum_weight + far * p.distance_weight) >> p.shift;
            score = score < 0 ? 0 : score > (int)p.most_score ? (int)p.most_score : score;
            p.scores[id] = (u16)score;
            p.ups[id] = (u16)ups;
            if (far == 0) LEAST(p.found, id);
        }
    }
}

/* --- A network on top of the tables ------------------------------------------------------------------------------ */

/* As in solver/src/guide/network.rs; a test compares the scores of both. */
#define FIRST 256u
#define SECOND 32u
#define DEEP_BITS 9
#define MOST_HIDDEN 8191
/* What one of the network's output is in 1/64 of a move. */
#define OUTPUT_SCALE 640
/* Scores in 1/64 of a move lose two bits. */
#define SCORE_BITS 2
/* The first layer's sums of a state, and a row of its weights, in pieces of four words. A word is two numbers, the first and
 * 65,536 times the second, so that words add up. */
#define PIECES (FIRST / 8u)

typedef struct ALIGNED(16) {
    u32 words[4];
} Piece;

/* The first layer's sums of a level's states: from those of the states before them, or from scratch, if there are none. */
typedef struct {
    const Large *world;
    const u32 *here;
    /* For each state, four times the number of the one before it, and the direction. */
    const u32 *parents;
    const Piece *before;
    Piece *sums;
    /* For each tile and cell the first layer's weights, then what its sums begin with. */
    const Piece *rows;
    u32 count;
    u32 spare;
} Carry;

KERNEL(carry, Carry) {
    const Large *world = p.world;
    u64 all = PIECES * (u64)p.count;
    for (u64 at = THREAD; at < all; at += THREADS) {
        u64 index = at / PIECES;
        const Piece *rows = p.rows + at % PIECES;
        const u32 *state = p.here + index * LARGE_WORDS(world);
        Piece sums;
        if (p.parents) {
            u32 tail = state[TAIL_AT(world)];
            u32 from = tail & 0xffu;
            u32 to = world->beside[4u * from + ((tail >> 8 & 0xffu) ^ 3u)];
            u32 tile = tile_at(state, to);
            sums = p.before[(u64)(p.parents[index] >> 2) * PIECES + at % PIECES];
            Piece left = rows[(tile * CELLS_OF(world) + from) * PIECES];
            Piece entered = rows[(tile * CELLS_OF(world) + to) * PIECES];
            UNROLL for (u32 w = 0; w < 4u; w++) sums.words[w] += entered.words[w] - left.words[w];
        } else {
            sums = rows[CELLS_OF(world) * CELLS_OF(world) * PIECES];
            for (u32 cell = 0; cell < CELLS_OF(world); cell++) {
                Piece row = rows[(tile_at(state, cell) * CELLS_OF(world) + cell) * PIECES];
                UNROLL for (u32 w = 0; w < 4u; w++) sums.words[w] += row.words[w];
            }
        }
        p.sums[at] = sums;
    }
}

typedef struct {
    const Large *world;
    const u32 *here;
    /* For each successor the tables' score in 1/64 of a move, which gives way to the network's in 1/16. */
    u16 *scores;
    const Piece *sums;
    const Piece *rows;
    /* The second layer's weights, each as two digits by 256. For each 32 values of the first layer, each eight of the second
     * and each lane: the lower digits of four weights, of four more, and the higher digits of the same. Lane 4i + k has those
     * of the i-th of the eight values for the k-th eight of the 32. */
    const Piece *deep;
    const int *deep_bias;
    const int *last;
    u32 count;
    int last_bias;
    /* What the tables' score counts, in 1/256. */
    int share;
    u32 spare;
} Judge;

/* The two numbers of a word as two halves, each clamped to 0 … MOST_HIDDEN. */
INSIDE u32 hidden_pair(u32 word) {
#ifdef __CUDACC__
    /* A negative first number has taken one from the second. */
    return __vmaxs2(__vmins2(word + ((word & 0x8000u) << 1), MOST_HIDDEN * 0x10001u), 0u);
#else
    int one = (int)(short)(word & 0xffffu);
    int two = (int)(word - (u32)one) >> 16;
    one = one < 0 ? 0 : one > MOST_HIDDEN ? MOST_HIDDEN : one;
    two = two < 0 ? 0 : two > MOST_HIDDEN ? MOST_HIDDEN : two;
    return (u32)one | (u32)two << 16;
#endif
}

/* What a value of the second layer adds to the output. */
INSIDE int output_of(int sum, int weight) {
    int value = sum >> DEEP_BITS;
    return (value < 0 ? 0 : value > 32767 ? 32767 : value) * weight;
}

INSIDE u16 score_of(int tables, int share, long long output) {
    int score = ((tables * share >> 8) + (int)(output * OUTPUT_SCALE >> 16)) >> SCORE_BITS;
    return (u16)(score < 0 ? 0 : score > (int)SCORES - 1 ? (int)SCORES - 1 : score);
}

/* Of some things that each lane of a warp has at most four of: the number of those of the lanes before, and of all. */
INSIDE u32 before_in_warp(u32 mine, u32 *all) {
    u32 ones = BALLOT(mine & 1u);
    u32 twos = BALLOT(mine & 2u);
    u32 fours = BALLOT(mine & 4u);
    u32 before = (1u << LANE) - 1u;
    *all = COUNT(ones) + 2u * COUNT(twos) + 4u * COUNT(fours);
    return COUNT(ones & before) + 2u * COUNT(twos & before) + 4u * COUNT(fours & before);
}

#ifdef __CUDACC__
#define JUDGE_WARPS 8u

/* Adds the products of 16 rows of 32 bytes and 8 columns. */
INSIDE void add_products(int *sums, const u32 *rows, u32 upper, u32 lower) {
    asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
        : "r"(rows[0]), "r"(rows[1]), "r"(rows[2]), "r"(rows[3]), "r"(upper), "r"(lower));
}

/* A warp takes 32 states and multiplies for 16 of their successors at once: four lanes for each two successors. */
extern "C" __global__ void __launch_bounds__(32 * JUDGE_WARPS, 2) judge(const Judge p) {
    __shared__ Piece deep[FIRST * SECOND / 8u];
    __shared__ u32 lists[JUDGE_WARPS][128];
    const Large *world = p.world;
    const u32 words = LARGE_WORDS(world);
    for (u32 i = threadIdx.x; i < FIRST * SECOND / 8u; i += blockDim.x) deep[i] = p.deep[i];
    __syncthreads();
    u32 *list = lists[threadIdx.x / 32u];
    u32 part = LANE & 3u;
    for (u64 base = THREAD - LANE; base < p.count; base += THREADS) {
        u32 alive = 0;
        for (u32 d = 0; d < 4u && base + LANE < p.count; d++)
            alive |= (u32)(p.scores[4u * (base + LANE) + d] != DEAD) << d;
        u32 total = 0;
        u32 at = before_in_warp(COUNT(alive), &total);
        const u32 *state = p.here + (base + LANE) * words;
        u32 blank = alive ? state[TAIL_AT(world)] & 0xffu : 0u;
        for (; alive != 0; alive &= alive - 1u) {
            u32 d = FIRST_BIT(alive);
            u32 to = world->beside[4u * blank + d];
            list[at++] = LANE | d << 5 | tile_at(state, to) << 7 | to << 13 | blank << 19;
        }
        __syncwarp();
        for (u32 first = 0; first < total; first += 16u) {
            const Piece *sums[2];
            const Piece *left[2];
            const Piece *entered[2];
            u32 entries[2];
            UNROLL for (u32 r = 0; r < 2u; r++) {
                u32 which = first + LANE / 4u + 8u * r;
                u32 entry = entries[r] = list[which < total ? which : first];
                const Piece *rows = p.rows + (entry >> 7 & 63u) * CELLS * PIECES + part;
                sums[r] = p.sums + (base + (entry & 31u)) * PIECES + part;
                left[r] = rows + (entry >> 13 & 63u) * PIECES;
                entered[r] = rows + (entry >> 19 & 63u) * PIECES;
            }
            int low[SECOND / 8u][4] = {};
            int middle[SECOND / 8u][4] = {};
            int high[SECOND / 8u][4] = {};
            UNROLL for (u32 step = 0; step < FIRST / 32u; step++) {
                u32 lower[4];
                u32 upper[4];
                UNROLL for (u32 r = 0; r < 2u; r++) {
                    Piece sum = sums[r][4u * step];
                    Piece less = left[r][4u * step];
                    Piece more = entered[r][4u * step];
                    u32 pairs[4];
                    UNROLL for (u32 w = 0; w < 4u; w++)
                        pairs[w] = hidden_pair(sum.words[w] - less.words[w] + more.words[w]);
                    UNROLL for (u32 half = 0; half < 2u; half++) {
                        lower[2u * half + r] = __byte_perm(pairs[2u * half], pairs[2u * half + 1u], 0x6420);
                        upper[2u * half + r] = __byte_perm(pairs[2u * half], pairs[2u * half + 1u], 0x7531);
                    }
                }
                UNROLL for (u32 n = 0; n < SECOND / 8u; n++) {
                    Piece weights = deep[(step * (SECOND / 8u) + n) * 32u + LANE];
                    add_products(low[n], lower, weights.words[0], weights.words[1]);
                    add_products(middle[n], lower, weights.words[2], weights.words[3]);
                    add_products(middle[n], upper, weights.words[0], weights.words[1]);
                    add_products(high[n], upper, weights.words[2], weights.words[3]);
                }
            }
            int outputs[2] = {0, 0};
            UNROLL for (u32 n = 0; n < SECOND / 8u; n++) {
                UNROLL for (u32 i = 0; i < 4u; i++) {
                    u32 value = 8u * n + 2u * part + (i & 1u);
                    int sum = low[n][i] + 256 * middle[n][i] + 65536 * high[n][i] + p.deep_bias[value];
                    outputs[i >> 1] += output_of(sum, p.last[value]);
                }
            }
            UNROLL for (u32 r = 0; r < 2u; r++) {
                outputs[r] += __shfl_xor_sync(0xffffffffu, outputs[r], 1);
                outputs[r] += __shfl_xor_sync(0xffffffffu, outputs[r], 2);
                if (part == r && first + LANE / 4u + 8u * r < total) {
                    u16 *score = p.scores + 4u * (base + (entries[r] & 31u)) + (entries[r] >> 5 & 3u);
                    *score = score_of((int)*score, p.share, outputs[r] + p.last_bias);
                }
            }
        }
        __syncwarp();
    }
}
#else
KERNEL(judge, Judge) {
    const Large *world = p.world;
    const u32 cells = CELLS_OF(world);
    for (u64 id = THREAD; id < 4u * (u64)p.count; id += THREADS) {
        if (p.scores[id] == DEAD) continue;
        const u32 *state = p.here + (id >> 2) * LARGE_WORDS(world);
        u32 blank = state[TAIL_AT(world)] & 0xffu;
        u32 to = world->beside[4u * blank + ((u32)id & 3u)];
        u32 tile = tile_at(state, to);
        int second[SECOND];
        for (u32 i = 0; i < SECOND; i++) second[i] = p.deep_bias[i];
        for (u32 j = 0; j < FIRST / 2u; j++) {
            u32 sums = p.sums[(id >> 2) * PIECES + j / 4u].words[j % 4u];
            sums -= p.rows[(tile * cells + to) * PIECES + j / 4u].words[j % 4u];
            sums += p.rows[(tile * cells + blank) * PIECES + j / 4u].words[j % 4u];
            u32 pair = hidden_pair(sums);
            for (u32 i = 0; i < SECOND; i++) {
                const Piece *deep = p.deep + (j / 16u * (SECOND / 8u) + i / 8u) * 32u + 4u * (i % 8u) + j / 4u % 4u;
                for (u32 half = 0; half < 2u; half++) {
                    u32 shift = 8u * (2u * (j % 2u) + half);
                    int low = (signed char)(deep->words[j / 2u % 2u] >> shift);
                    int high = (signed char)(deep->words[2u + j / 2u % 2u] >> shift);
                    second[i] += (low + 256 * high) * (int)(pair >> (16u * half) & 0xffffu);
                }
            }
        }
        int output = p.last_bias;
        for (u32 i = 0; i < SECOND; i++) output += output_of(second[i], p.last[i]);
        p.scores[id] = score_of((int)p.scores[id], p.share, output);
    }
}
#endif

/* How many successors have each score. */
#ifdef __CUDACC__
KERNEL(count_scores, Spread) {
    __shared__ u32 near[SCORES];
    for (u32 i = threadIdx.x; i < SCORES; i += blockDim.x) near[i] = 0;
    __syncthreads();
    u64 pairs = 2u * (u64)p.count;
    for (u64 i = THREAD; i < pairs; i += THREADS) {
        u32 two = ((const u32 *)p.scores)[i];
        if ((two & 0xffffu) != DEAD) atomicAdd(&near[two & 0xffffu], 1u);
        if (two >> 16 != DEAD) atomicAdd(&near[two >> 16], 1u);
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < SCORES; i += blockDim.x)
        if (near[i]) atomicAdd(&p.histogram[i], near[i]);
}
#else
KERNEL(count_scores, Spread) {
    for (u64 id = THREAD; id < 4u * (u64)p.count; id += THREADS)
        if (p.scores[id] != DEAD) p.histogram[p.scores[id]]++;
}
#endif

typedef struct {
    const Large *world;
    const u32 *here;
    u32 *next;
    u64 *slots;
    u64 slots_mask;
    const u16 *scores;
    const u16 *ups;
    /* For each state that is kept, the number of the successor that it was. */
    u32 *parents;
    /* For each of them its score, if anybody wants to know. */
    u16 *kept_scores;
    u32 *taken;
    u32 *ties;
    u32 count;
    /* All states with lower scores are kept, and this number of those with this score. */
    u32 limit;
    u32 at_limit;
    u32 capacity;
} Take;

KERNEL(take, Take) {
    const Large *world = p.world;
    const u32 words = LARGE_WORDS(world);
    u64 rounds = (p.count + THREADS - 1u) / THREADS;
    for (u64 round = 0; round < rounds; round++) {
        u64 index = round * THREADS + THREAD;
        u32 on = 0;
        u32 ties = 0;
        for (u32 d = 0; d < 4u && index < p.count; d++) {
            u32 score = p.scores[4u * index + d];
            on |= (u32)(score < p.limit) << d;
            ties |= (u32)(score == p.limit) << d;
        }
        u32 all = 0;
        u32 before = before_in_warp(COUNT(ties), &all);
        u32 at = 0;
        if (LANE == 0 && all != 0) at = ADD(p.ties, all);
        for (at = FROM_FIRST(at) + before; ties != 0 && at < p.at_limit; ties &= ties - 1u, at++) on |= ties & (0u - ties);
        before = before_in_warp(COUNT(on), &all);
        at = 0;
        if (LANE == 0 && all != 0) at = ADD(p.taken, all);
        at = FROM_FIRST(at) + before;
        const u32 *state = p.here + index * words;
        for (; on != 0 && at < p.capacity; on &= on - 1u, at++) {
            u32 d = FIRST_BIT(on);
            u32 id = 4u * (u32)index + d;
            u32 *child = p.next + (u64)at * words;
            u32 tail = state[TAIL_AT(world)];
            u32 blank = tail & 0xffu;
            u32 to = world->beside[4u * blank + d];
            u32 tile = tile_at(state, to);
            for (u32 w = 0; w < CELL_WORDS(world); w++) child[w] = state[w] ^ patch_of(w, blank, to, tile ^ world->blank);
            u32 ups = p.ups[id];
            u32 pair = 0;
            for (u32 view = 0; view < VIEWS_OF(world); view++) {
                u32 group = world->part_of[64u * view + tile];
                u32 low = state[CELL_WORDS(world) + view];
                u32 up = ups >> view & 1u;
                u32 old = low >> (2u * group) & 3u;
                child[CELL_WORDS(world) + view] = low ^ (old ^ ((old + (up ? 1u : 3u)) & 3u)) << (2u * group);
                u32 at_word = CELL_WORDS(world) + VIEWS_OF(world) + view / 2u;
                u32 moves = (state[at_word] >> (16u * (view & 1u)) & 0xffffu) + 2u * up - 1u;
                pair |= moves << (16u * (view & 1u));
                if ((view & 1u) || view + 1u == VIEWS_OF(world)) {
                    child[at_word] = pair;
                    pair = 0;
                }
            }
            u32 far = (tail >> 16) + world->distance[64u * tile + blank] - world->distance[64u * tile + to];
            u64 hash = state[TAIL_AT(world) + 1u] | (u64)state[TAIL_AT(world) + 2u] << 32;
            hash ^= key_of(tile, to) ^ key_of(tile, blank);
            child[TAIL_AT(world)] = to | d << 8 | far << 16;
            child[TAIL_AT(world) + 1u] = (u32)hash;
            child[TAIL_AT(world) + 2u] = (u32)(hash >> 32);
            p.parents[at] = id;
            if (p.kept_scores) p.kept_scores[at] = p.scores[id];
            u64 mine = (hash >> 32 << 32) | (at + 1u);
            for (u64 slot = hash & p.slots_mask; CLAIM(&p.slots[slot], mine) != 0; slot = (slot + 1u) & p.slots_mask) {
            }
        }
    }
}

/* --- What a network learns from ------------------------------------------------------------------------------------ */

/* For each state of a level the merit of its best descendant: by how much that one's score is below DEAD, or none. */
typedef struct {
    const u32 *parents;
    /* The scores of the last level's states, or the merits of those of the level after. */
    const u16 *scores;
    const u32 *after;
    u32 *merits;
    u32 count;
    /* A state of the last level that is one move before the goal, and its merit. */
    u32 last;
    u32 last_merit;
    u32 spare;
} Trace;

KERNEL(trace, Trace) {
    for (u64 at = THREAD; at < p.count; at += THREADS) {
        u32 merit = !p.scores ? p.after[at] : at == p.last ? p.last_merit : DEAD - p.scores[at];
        if (merit != 0) MOST(&p.merits[p.parents[at] >> 2], merit);
    }
}

/* Copies of states: those of a list, or all. */
typedef struct {
    const Large *world;
    const u32 *states;
    const u32 *list;
    u32 *copies;
    u32 count;
    u32 spare;
} Pick;

KERNEL(pick, Pick) {
    const u32 words = LARGE_WORDS(p.world);
    for (u64 at = THREAD; at < (u64)p.count * words; at += THREADS)
        p.copies[at] = p.states[(p.list ? p.list[at / words] : at / words) * words + at % words];
}

/* --- Depth-first search from the states of a frontier ------------------------------------------------------------- */

typedef struct {
    u32 root_next;
    u32 spilled_next;
    u32 spill_count;
    u32 idle;
    u32 stop;
    u32 found;
    u32 spare[2];
    u64 expanded;
    u64 generated;
} DiveCounts;

typedef struct {
    const Large *world;
    const u32 *roots;
    const u32 *spilled;
    u32 *spill;
    DiveCounts *counts;
    Record *record;
    u64 nanoseconds;
    u64 steps;
    u32 root_count;
    u32 spilled_count;
    u32 spill_capacity;
    /* The moves that a root has left. */
    u32 left;
    u32 idle_limit;
} Dive;

/* Steps between two looks at the clock. */
#define DIVE_LOOK 256u
#define MOST_DEPTH 128u

/* The moves to be made and the automaton's state, of a state of the automaton. */
INSIDE u32 choices_of(const Large *world, u32 automaton) {
    u64 transitions = world->transitions[automaton];
    u32 choices = automaton << 16;
    UNROLL for (u32 d = 0; d < 4u; d++)
        if (((u32)(transitions >> (16u * d)) & 0xffffu) != PRUNED) choices |= 1u << d;
    return choices;
}

/* What a thread has in hand. */
typedef struct {
    u8 cells[MOST_BOARD_CELLS];
    u8 places[MOST_BOARD_CELLS];
    /* For each view the two bits of each pattern. */
    u32 low[MOST_VIEWS];
    /* For each level: the moves left to try, the one taken, the views in which it led further away; the automaton's state. */
    u32 levels[MOST_DEPTH];
    u32 path[LARGE_PATH];
    /* For each view a byte: by how much the moves left exceed those needed. */
    u64 slacks;
    u32 choices;
    u32 depth;
    u32 left;
    u32 blank;
    u32 origin;
} Hand;

INSIDE u32 take_root(const Dive *q, Hand *hand) {
    const Large *world = q->world;
    const u32 words = LARGE_WORDS(world);
    const u32 *state = 0;
    u32 is_spilled = 1;
    if (*(volatile u32 *)&q->counts->spilled_next < q->spilled_count) {
        u32 at = ADD(&q->counts->spilled_next, 1u);
        if (at < q->spilled_count) state = q->spilled + (u64)at * SPILL_WORDS(world);
    }
    if (state == 0) {
        if (*(volatile u32 *)&q->counts->root_next >= q->root_count) return 0;
        hand->origin = ADD(&q->counts->root_next, 1u);
        if (hand->origin >= q->root_count) return 0;
        state = q->roots + (u64)hand->origin * words;
        is_spilled = 0;
    }
    for (u32 w = 0; w < CELL_WORDS(world); w++) {
        u32 four = state[w];
        for (u32 i = 0; i < 4u; i++) {
            if (4u * w + i >= CELLS_OF(world)) break;
            u32 tile = four >> (8u * i) & 0xffu;
            hand->cells[4u * w + i] = (u8)tile;
            hand->places[tile] = (u8)(4u * w + i);
        }
    }
    hand->blank = state[TAIL_AT(world)] & 0xffu;
    hand->depth = 0;
    if (is_spilled) {
        hand->origin = state[words];
        hand->left = state[words + 1u];
        hand->choices = state[words + 2u];
        for (u32 w = 0; w < LARGE_PATH; w++) hand->path[w] = state[words + 3u + w];
    } else {
        hand->left = q->left;
        hand->choices = choices_of(world, hand->blank);
        for (u32 w = 0; w < LARGE_PATH; w++) hand->path[w] = 0;
    }
    hand->slacks = 0;
    for (u32 view = 0; view < VIEWS_OF(world); view++) {
        hand->low[view] = state[CELL_WORDS(world) + view];
        int sum = (int)(state[CELL_WORDS(world) + VIEWS_OF(world) + view / 2u] >> (16u * (view & 1u)) & 0xffffu);
        int slack = (int)hand->left - sum;
        /* A state that another view has let pass before. */
        if (slack < 0) {
            hand->choices = 0;
            slack = 0;
        }
        hand->slacks |= (u64)(u32)slack << (8u * view);
    }
    return 1;
}

/* Moves the blank, one way or back; `ups` are the views in which the move leads, or has led, further away. */
INSIDE void slide(const Large *world, Hand *hand, u32 to, u32 ups, u32 is_back) {
    u32 blank = hand->blank;
    u32 tile = hand->cells[to];
    hand->cells[blank] = (u8)tile;
    hand->cells[to] = (u8)world->blank;
    hand->places[tile] = (u8)blank;
    hand->blank = to;
    u64 change = 0;
    UNROLL for (u32 view = 0; view < VIEWS_OF(world); view++) {
        u32 group = world->part_of[64u * view + tile];
        u32 up = ups >> view & 1u;
        u32 old = hand->low[view] >> (2u * group) & 3u;
        hand->low[view] ^= (old ^ ((old + (up != is_back ? 1u : 3u)) & 3u)) << (2u * group);
        change |= (u64)(2u * up) << (8u * view);
    }
    hand->slacks += is_back ? change : (u64)0 - change;
}

INSIDE void step_back(const Large *world, Hand *hand) {
    hand->depth--;
    hand->left++;
    hand->choices = hand->levels[hand->depth];
    /* The direction opposite to the one taken. */
    slide(world, hand, world->beside[4u * hand->blank + ((hand->choices >> 4 & 3u) ^ 3u)], hand->choices >> 8 & 0xffu, 1u);
}

/* The whole path: what came before this root, and the moves since, each at the place that says how many are left after it. */
INSIDE void write_path(const Hand *hand, u32 *path) {
    for (u32 w = 0; w < LARGE_PATH; w++) path[w] = hand->path[w];
    for (u32 level = 0; level < hand->depth; level++) {
        u32 left = hand->left + hand->depth - 1u - level;
        path[left >> 4] |= (hand->levels[level] >> 4 & 3u) << (2u * (left & 15u));
    }
}

INSIDE void put_aside(const Dive *q, const Hand *hand) {
    const Large *world = q->world;
    const u32 words = LARGE_WORDS(world);
    u32 at = ADD(&q->counts->spill_count, 1u);
    /* There is room for all levels of all threads. */
    if (at >= q->spill_capacity) return;
    u32 *state = q->spill + (u64)at * SPILL_WORDS(world);
    for (u32 w = 0; w < CELL_WORDS(world); w++) {
        u32 four = 0;
        for (u32 i = 0; i < 4u; i++)
            if (4u * w + i < CELLS_OF(world)) four |= (u32)hand->cells[4u * w + i] << (8u * i);
        state[w] = four;
    }
    for (u32 view = 0; view < VIEWS_OF(world); view++) {
        state[CELL_WORDS(world) + view] = hand->low[view];
        u32 at_word = CELL_WORDS(world) + VIEWS_OF(world) + view / 2u;
        u32 sum = hand->left - ((u32)(hand->slacks >> (8u * view)) & 0xffu);
        state[at_word] = (view & 1u) ? state[at_word] | sum << 16 : sum;
    }
    state[TAIL_AT(world)] = hand->blank;
    state[words] = hand->origin;
    state[words + 1u] = hand->left;
    state[words + 2u] = hand->choices;
    write_path(hand, state + words + 3u);
}

/* Searches the states that were put aside, before the time is over. */
INSIDE u32 is_dive_over(const Dive *q, u64 begun, u64 step) {
    if (*(volatile u32 *)&q->counts->stop != 0) return 1;
    if (*(volatile u32 *)&q->counts->spilled_next < q->spilled_count) return 0;
    return step >= q->steps || clock_now() - begun > q->nanoseconds;
}

DIVING(dive, Dive) {
    const Large *world = p.world;
    Hand hand;
    u64 begun = clock_now();
    u64 expanded = 0;
    u64 generated = 0;
    u32 is_idle = 0;
    hand.depth = 0;
    hand.choices = 0;
    hand.left = 0;
    hand.origin = 0;
    for (u64 step = 1;; step++) {
        if (step % DIVE_LOOK == 0 && is_dive_over(&p, begun, step)) break;
        if ((hand.choices & 15u) == 0) {
            if (hand.depth > 0) {
                step_back(world, &hand);
            } else if (!take_root(&p, &hand)) {
                is_idle = 1;
                break;
            }
            if ((hand.choices & 15u) == 0) continue;
        }
        u32 d = FIRST_BIT(hand.choices & 15u);
        hand.choices &= ~(1u << d);
        generated++;
        u32 to = world->beside[4u * hand.blank + d];
        u32 tile = hand.cells[to];
        /* Views without slack first: only these can refuse it. */
        u32 tight = 0;
        UNROLL for (u32 view = 0; view < VIEWS_OF(world); view++)
            if (((u32)(hand.slacks >> (8u * view)) & 0xfeu) == 0) tight |= 1u << view;
        u32 todo = (1u << VIEWS_OF(world)) - 1u;
        u32 ups = 0;
        while (todo) {
            u32 first = todo & tight;
            u32 view = FIRST_BIT(first ? first : todo);
            u32 group = world->part_of[64u * view + tile];
            u32 low = hand.low[view] >> (2u * group) & 3u;
            u32 up = is_up(low, bit_of(world, view, world->parts + ALL_PARTS * view + group, hand.places, tile, hand.blank, to));
            if (up && first) break;
            ups |= up << view;
            todo &= ~(1u << view);
        }
        if (todo) continue;
        hand.levels[hand.depth] = (hand.choices & ~0xfff0u) | d << 4 | ups << 8;
        u32 next = (u32)(world->transitions[hand.choices >> 16] >> (16u * d)) & 0xffffu;
        slide(world, &hand, to, ups, 0u);
        hand.depth++;
        hand.left--;
        expanded++;
        hand.choices = choices_of(world, next);
        if (((u32)hand.slacks & 0xffu) == hand.left) {
            /* Nothing is left to do. */
            if (EXCHANGE(&p.counts->found, 1u) == 0) {
                p.record->root = hand.origin;
                p.record->left = hand.left;
                write_path(&hand, p.record->path);
            }
            p.counts->stop = 1;
            break;
        }
    }
    ADD(&p.counts->expanded, expanded);
    ADD(&p.counts->generated, generated);
    if (is_idle) {
        if (ADD(&p.counts->idle, 1u) + 1u >= p.idle_limit) p.counts->stop = 1;
        return;
    }
    for (;;) {
        if (hand.choices & 15u) put_aside(&p, &hand);
        if (hand.depth == 0) break;
        step_back(world, &hand);
    }
#ifndef __CUDACC__
    (void)THREAD;
    (void)THREADS;
#endif
}
