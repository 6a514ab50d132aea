// PathFinding.js beside the other peers: the same maps and the same queries as `peers`, eight-way
// without corner cutting.
//
//   npm install pathfinding@0.4.18 && PINTU_MAPS=… node crates/grid/benches/pathfinding_js.cjs
//
// Its grid holds the search's state, so that every query needs a fresh copy: the time is given with and
// without making it.
const fs = require('fs');
const path = require('path');
const PF = require(require.resolve('pathfinding', { paths: [process.cwd()] }));

const folder = process.env.PINTU_MAPS;
if (!folder) {
  console.error('PINTU_MAPS is not set: expected the folder of the MovingAI maps');
  process.exit(2);
}

// A fifth of those that `peers` takes: it is slow.
const QUERIES = 12;
const finders = {
  'A*': new PF.AStarFinder({ diagonalMovement: PF.DiagonalMovement.OnlyWhenNoObstacles, heuristic: PF.Heuristic.octile }),
  'jump points': PF.JumpPointFinder({ diagonalMovement: PF.DiagonalMovement.OnlyWhenNoObstacles, heuristic: PF.Heuristic.octile }),
};

console.log('| map | queries | A* µs | with its grid | jump points µs | with its grid |');
console.log('| --- | --- | --- | --- | --- | --- |');
for (const name of fs.readdirSync(folder).filter((file) => file.endsWith('.map')).sort()) {
  const rows = fs.readFileSync(path.join(folder, name), 'utf8').split(/\r?\n/).slice(4).filter((row) => row.length > 0);
  const grid = new PF.Grid(rows.map((row) => [...row].map((symbol) => ('.GS'.includes(symbol) ? 0 : 1))));
  const lines = fs.readFileSync(path.join(folder, `${name}.scen`), 'utf8').split(/\r?\n/);
  const all = lines.map((line) => line.split(/\s+/)).filter((words) => words.length >= 9);
  const every = Math.ceil(all.length / QUERIES);
  const queries = all.filter((_, number) => number % every === 0);
  const columns = Object.values(finders).map((finder) => measure(finder, grid, queries));
  console.log(`| ${name} | ${queries.length} | ${columns.flat().map((time) => time.toFixed(0)).join(' | ')} |`);
}

// Mean microseconds of processor time a query, without and with the copy of the grid.
function measure(finder, grid, queries) {
  let search = 0;
  let both = 0;
  for (const words of queries) {
    const [fromX, fromY, toX, toY] = words.slice(4, 8).map(Number);
    const start = process.cpuUsage().user;
    const fresh = grid.clone();
    const copied = process.cpuUsage().user;
    const found = PF.Util.expandPath(finder.findPath(fromX, fromY, toX, toY, fresh));
    const end = process.cpuUsage().user;
    const length = PF.Util.pathLength(found);
    const expected = Number(words[8]);
    if (Math.abs(length - expected) > Math.max(1e-4, 1e-5 * expected)) {
      throw new Error(`found ${length}, on record ${expected}: ${words.join(' ')}`);
    }
    search += end - copied;
    both += end - start;
  }
  return [search, both].map((time) => time / queries.length);
}
