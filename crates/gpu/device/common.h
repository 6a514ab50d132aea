/* What the device and the host that drives it share, and the few words in which CUDA and plain C differ.
 *
 * The code is C that is also C++. A GPU runs it in warps of 32 lanes; on a host it is compiled for warps of one lane, which
 * run one after the other: the same loops, look-ups and counts, for tests on machines without a GPU.
 */
#ifdef __CUDACC__
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
#define WIDTH 32u
#define ALIGNED(bytes) __align__(bytes)
#define INSIDE static __device__ __forceinline__
#define APART static __device__ __noinline__
#define KERNEL(name, params) extern "C" __global__ void name(const params p)
#define BOUNDED(name, params) extern "C" __global__ void __launch_bounds__(BLOCK, BLOCKS) name(const params p)
#define UNROLL _Pragma("unroll")
#define THREAD (blockIdx.x * (u64)blockDim.x + threadIdx.x)
#define THREADS (gridDim.x * (u64)blockDim.x)
#define LANE (threadIdx.x & 31u)
#define BALLOT(flag) __ballot_sync(0xffffffffu, flag)
#define FROM_FIRST(value) __shfl_sync(0xffffffffu, value, 0)
#define WARP_SYNC() __syncwarp()
#define COUNT(bits) ((u32)__popc(bits))
#define COUNT_WIDE(bits) ((u32)__popcll(bits))
#define FIRST_BIT(bits) ((u32)__ffs((int)(bits)) - 1u)
#define ADD(address, value) atomicAdd(address, value)
#define LEAST(address, value) atomicMin(address, value)
#define MOST(address, value) atomicMax(address, value)
#define EXCHANGE(address, value) atomicExch(address, value)
/* Read once, by one thread: it is not worth the small cache. */
#define FAR_WORD(address) __ldcg(address)
INSIDE u64 clock_now(void) {
    u64 now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}
#else
#include <stdint.h>
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
#define WIDTH 1u
#define ALIGNED(bytes)
#define INSIDE static inline
#define APART static
#define KERNEL(name, params) static void name(const params p, u64 THREAD, u64 THREADS)
#define BOUNDED(name, params) KERNEL(name, params)
#define UNROLL
#define LANE 0u
#define BALLOT(flag) ((flag) ? 1u : 0u)
#define FROM_FIRST(value) (value)
#define WARP_SYNC() ((void)0)
#define COUNT(bits) ((u32)__builtin_popcount(bits))
#define COUNT_WIDE(bits) ((u32)__builtin_popcountll(bits))
#define FIRST_BIT(bits) ((u32)__builtin_ctz(bits))
#define ADD(address, value) plain_add(address, value)
#define LEAST(address, value) plain_least(address, value)
#define MOST(address, value) plain_most(address, value)
#define EXCHANGE(address, value) plain_exchange(address, value)
#define FAR_WORD(address) (*(address))
#define plain_add(address, value) (sizeof *(address) == 8 ? wide_add((u64 *)(void *)(address), (u64)(value)) : short_add((u32 *)(void *)(address), (u32)(value)))
INSIDE u64 wide_add(u64 *address, u64 value) { u64 old = *address; *address = old + value; return old; }
INSIDE u32 short_add(u32 *address, u32 value) { u32 old = *address; *address = old + value; return old; }
INSIDE void plain_most(u32 *address, u32 value) { if (value > *address) *address = value; }
INSIDE void plain_least(u32 *address, u32 value) { if (value < *address) *address = value; }
INSIDE u32 plain_exchange(u32 *address, u32 value) { u32 old = *address; *address = value; return old; }
INSIDE u64 clock_now(void) { return 0; }
#define PATH_WORDS 8u
/* On a GPU these are known when the code is compiled. */
#define VIEWS (p.world->views)
#define ONE_BIT (p.world->one_bit)
#define CELL_BITS (p.world->cell_bits)
#endif

#define MOST_CELLS 32u
#define MOST_GROUPS 4u
#define MOST_TILES 8u
#define LOW_CELLS 13u
#define PRUNED 0xffffu
#define NO_CELL 0xffu

/* A set of cells: its regions' map and its first row. */
typedef struct {
    u64 map;
    u32 first_row;
    u32 mask;
} Set;

/* A pattern's table. */
typedef struct {
    const u32 *entries;
    const Set *sets;
    const u16 *reorderings;
    u64 stride;
    u32 tiles;
    u32 orders;
    /* Which of the boards' `high` it uses: tables of patterns with as many tiles share one. */
    u32 kind;
    u32 goal_row;
    u8 homes[MOST_TILES];
} Table;

/* All that does not change from search to search. */
typedef struct {
    Table tables[2 * MOST_GROUPS];
    const u16 *low;
    /* For each state of the automaton, the states after a move in each direction. */
    const u64 *transitions;
    u32 cells;
    u32 views;
    u32 one_bit;
    u32 cell_bits;
    u32 groups[2];
    /* The ranks of the upper cells, for each kind of table. */
    const u32 *high[MOST_GROUPS];
    u32 kinds;
    u32 high_length;
    /* For each cell and direction, the next cell, or NO_CELL. */
    u8 beside[4 * MOST_CELLS];
    u8 image[2][MOST_CELLS];
    u8 colour[MOST_CELLS];
    /* For each tile, which is named by its goal cell, its group and its number there. */
    u8 group_of[2][MOST_CELLS];
    u8 number_of[2][MOST_CELLS];
} World;

/* What all warps have come to. */
typedef struct {
    u32 pool_next;
    u32 pool_count;
    u32 idle;
    u32 stop;
    u32 found;
    u32 shortfall;
    u32 broken;
    u32 spare;
    u64 expanded;
    u64 generated;
    u64 budget;
} Counts;

/* A path to the goal: the state that it starts from, the moves that are then left, and the moves made: two bits each, at
 * the place that says how many are left after it. */
typedef struct {
    u32 root;
    u32 left;
    u32 path[8];
} Record;

/* What one board of many has taken. */
typedef struct {
    u64 expanded;
    u64 generated;
} Tally;

/* A state is so many words: for each view two planes that say which cells belong to which group, the orders of four groups
 * and their moves; the automaton's state with each view's slack; the number of the root; the path. The words of several
 * states lie side by side: the first words of all, then the second. */
#define VIEW_WORDS 5u
#define STATE_WORDS (VIEW_WORDS * VIEWS + 2u + PATH_WORDS)
/* The cell of the blank is kept above the first view's first plane. */
#define BLANK_SHIFT 26u

typedef struct {
    u32 plane0;
    u32 plane1;
    u64 orders;
    u32 moves;
} ViewState;
