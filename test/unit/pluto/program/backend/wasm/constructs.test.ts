import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runToEnd } from '../../../../../../src/base/time-slice.ts';
import { closedTypes } from '../../../../../../src/pluto/program/backend/wasm/closed-types.ts';
import { outputOf } from '../run-source.ts';
import { built } from '../typed/build-source.ts';

/** The functions and methods of a program that become WebAssembly, by name. */
async function wasmIn(source: string): Promise<readonly string[]> {
  const program = await built(source);
  const { functions, classes } = program;
  const all = [...functions, ...classes.flatMap(({ methods }) => Array.from(methods.values()))];
  const analyses = runToEnd(closedTypes(program));
  return all.filter(of => analyses.isWasm(of)).map(({ name }) => name);
}

/** A function `run` with a loop. */
interface Construct {
  readonly source: string;
  readonly output: string;
}

const CONSTRUCTS: Readonly<Record<string, Construct>> = {
  'lists of strings': {
    source: `
fn run(text: string) int {
    let mut all: [string] = ["first"]
    for part in text.split(" ") { all.push(part + all.last()) }
    all[0] = all.pop()
    return all[0].len() + all.len()
}
fn main() { print(run("a list of words")) }`,
    output: '21\n',
  },
  enums: {
    source: `
enum Color {
    Red
    Green
}
enum Shape {
    Dot
    Box { width: int, color: Color }
}
fn next(shape: Shape) Shape {
    return match shape {
        Shape.Dot => Shape.Box { color: Color.Green, width: 2 },
        Shape.Box { width, color } => Shape.Box { width: width + 1, color: color }
    }
}
fn run(count: int) int {
    let mut shape = Shape.Dot
    for i in 0..count { shape = next(shape) }
    match shape {
        Shape.Box { width, color } { return if color == Color.Green { width } else { 0 } }
        Shape.Dot { return -1 }
    }
}
fn main() {
    print(run(3))
    print(run(0))
}`,
    output: '4\n-1\n',
  },
  'calls of traits with several classes': {
    source: `
trait Shape { fn area(mut self, scale: int) int }
class Square impl Shape {
    side: int
    fn area(mut self, scale: int) int {
        self.side += 1
        return self.side * scale
    }
}
class Dot impl Shape {
    x: int
    fn area(mut self, scale: int) int { return self.x }
}
fn run(count: int) int {
    let mut sum = 0
    let mut shape: Shape = Square { side: 1 }
    for i in 0..count {
        sum += shape.area(10)
        if i == 2 { shape = Dot { x: 5 } }
    }
    return sum
}
fn main() { print(run(5)) }`,
    output: '100\n',
  },
  'closures that are only called': {
    source: `
fn fold(list: [int], start: int, f: fn(int, int) int) int {
    let mut sum = start
    for one in list { sum = f(sum, one) }
    return sum
}
fn run(count: int, by: int) int {
    let mut list = [1]
    let next = (x: int) => x * by + list.len()
    for i in 0..count { list.push(next(i)) }
    return fold(list, by, (sum: int, x: int) => sum * 31 + x)
}
fn main() { print(run(4, 3)) }`,
    output: '86845862\n',
  },
  'comparisons of enums': {
    source: `
enum Size {
    Unknown
    Known { size: float, name: string }
}
fn run(sizes: int) int {
    let mut count = 0
    let wanted = Size.Known { size: -0.0, name: "2" }
    for i in 0..sizes {
        let size = Size.Known { size: 0.0, name: f"{i}" }
        if size == wanted && size != Size.Unknown { count += 1 }
    }
    return count
}
fn main() { print(run(9)) }`,
    output: '1\n',
  },
  'comparisons of an enum that contains itself': {
    source: `
enum Chain {
    End
    Link { next: Chain, key: int }
}
fn linked(count: int) Chain {
    let mut chain = Chain.End
    for i in 0..count { chain = Chain.Link { next: chain, key: i & 1 } }
    return chain
}
fn run(count: int) bool {
    let mut isSame = false
    for i in 0..2 { isSame = linked(count) == linked(count) }
    return isSame && linked(count) != linked(count - 2)
}
fn main() { print(run(500000)) }`,
    output: 'true\n',
  },
  'comparisons of enums that contain each other': {
    source: `
enum Tree {
    Leaf { value: int }
    Node { left: Tree?, children: Trees, right: Tree? }
}
enum Trees {
    None
    More { first: Tree, others: Trees }
}
fn tree(depth: int, last: int) Tree {
    if depth == 0 { return Tree.Leaf { value: last } }
    let others = Trees.More { first: tree(depth - 1, 1), others: Trees.None }
    let children = Trees.More { first: tree(depth - 1, 2), others: others }
    return Tree.Node { right: if last < 0 { none } else { tree(depth - 1, last) }, left: none, children: children }
}
fn run(depth: int) int {
    let mut count = 0
    for last in -1..4 {
        if tree(depth, last) == tree(depth, 2) { count += 1 }
        let trees = Trees.More { others: Trees.None, first: tree(depth, last) }
        let others = Trees.More { first: tree(depth, 3), others: Trees.None }
        if trees == others { count += 10 }
    }
    return count
}
fn main() { print(run(6)) }`,
    output: '11\n',
  },
  'maps and sets': {
    source: `
class Index {
    ids: Map<string, int>
    groups: Map<int, [string]>
    tables: Map<string, Map<int, bool>>
    fn add(mut self, name: string) int {
        if !self.ids.contains(name) { self.ids[name] = self.ids.len() }
        let id = self.ids[name]
        if !self.groups.contains(id % 3) { self.groups.insert(id % 3, []) }
        self.groups[id % 3].push(name)
        return id
    }
}
fn run(text: string) int {
    let mut index = Index { ids: Map<string, int> {}, groups: Map<int, [string]> {}, tables: Map<string, Map<int, bool>> {} }
    let seen = Set<int> { 100, 7 }
    for word in text.split(" ") {
        seen.insert(index.add(word))
        index.tables[word] = Map<int, bool> { 1: true }
        index.tables[word][1] = word == "a"
    }
    seen.remove(7)
    let mut sum = 0
    for one in seen.to_array() { sum += one }
    for id in index.ids.values() { sum += id * 1000 }
    for group in index.groups.keys() { sum += index.groups[group].len() * 100000 }
    for word in index.ids.keys() { if index.tables[word][1] { sum += 10000000 } }
    index.ids["a"] += 1
    return sum + if index.ids == index.ids && seen != Set<int> { 1 } { index.ids["a"] } else { 0 }
}
fn main() { print(run("a map of words to a set of a map")) }`,
    output: '11015116\n',
  },
  'maps and sets with keys of other types': {
    source: `
enum Place {
    Home
    At { x: int, name: string? }
}
fn run(count: int) int {
    let visits = Map<Place, int> { Place.Home: 1 }
    let sizes = Map<float, [Place]> {}
    let flags = Set<bool> {}
    for i in 0..count {
        let place = if i % 3 == 0 { Place.Home } else { Place.At { x: i % 4, name: none } }
        if !visits.contains(place) { visits[place] = 0 }
        visits[place] += i
        sizes[i as float / 4.0] = [place]
        flags.insert(visits.contains(Place.At { x: 2, name: none }))
    }
    let mut sum = flags.len()
    for place in visits.keys() { sum += visits[place] * 10 }
    return sum + sizes[0.25].len() * 10000 + visits.len() * 100000
}
fn main() { print(run(9)) }`,
    output: '510372\n',
  },
  'scope blocks': {
    source: `
scoped class Step { n: int }
scoped class Walk[step: Step] {
    fn go(self, by: int) int { return self.step.n * by }
}
fn run(count: int) int {
    let mut sum = 0
    for i in 0..count {
        scope(Step { n: i }) |walk: Walk| { sum += walk.go(10) }
    }
    return sum
}
fn main() { print(run(4)) }`,
    output: '60\n',
  },
  errors: {
    source: `
error Odd { n: int, text: string }
error Late { on: bool }
fn checked(n: int) int {
    if n % 2 == 1 { raise Odd { text: f"no {n}", n: n } }
    if n > 5 { raise Late { on: n > 6 } }
    return n
}
fn store(list: [int], n: int) { list.push(checked(n + 1)!) }
fn run(count: int) int {
    let mut sum = 0
    let list: [int] = []
    for i in 0..count {
        sum += checked(i) catch e: Odd { e.n * 100 + e.text.len() } catch e: Late { if e.on { 10000 } else { 20000 } }
        store(list, i) catch e { continue }
        sum += checked(i) catch 1000000
    }
    return sum + list.len()
}
fn main() { print(run(9)) }`,
    output: '2031624\n',
  },
  'handlers and branches that assign': {
    source: `
error Odd { n: int }
fn checked(n: int) int {
    if n % 2 == 1 { raise Odd { n: n } }
    return n
}
fn run(count: int) int {
    let mut a = 0
    let mut list = [0]
    for i in 0..count {
        a += checked(i) catch e: Odd {
            e.n += 10
            list = [e.n]
            a += 100
            1000
        }
        list[0] = a + if i == 2 {
            a += 5
            1
        } else { 0 }
    }
    return a * 10000 + list[0]
}
fn main() { print(run(4)) }`,
    output: '20072007\n',
  },
  'lists of lists, of maps and of values that may be none': {
    source: `
class Cell { x: int }
fn row(count: int) [int]? {
    if count < 1 { return none }
    return [count, count]
}
fn doubled(text: string?) string? {
    let one = text?
    return one + one
}
fn run(count: int) int {
    let mut grid = [[0]]
    let mut maps: [Map<int, string>] = []
    let mut cells: [Cell?] = [none]
    let mut last: Map<int, string>? = none
    for y in 0..count {
        let mut line = [y]
        for x in 0..count { line.push(x * y) }
        grid.push(line)
        maps.push(Map<int, string> { y: "a" })
        cells.push(Cell { x: y })
        last = maps[0]
    }
    grid[1][1] = 100
    grid[0] = grid[1]
    let mut sum = if last == none || cells[0] != none || doubled(none) != none { 0 } else { 1 }
    for line in grid { for n in line { sum += n } }
    if row(0) == none && row(1) != row(1) && doubled("a") == doubled("a") { sum += maps.len() * 1000 }
    return sum
}
fn main() { print(run(4)) }`,
    output: '4243\n',
  },
  'scalars that may be none': {
    source: `
fn half(n: int) int? { return if n % 2 == 0 { n / 2 } else { none } }
fn quarter(n: int) int? {
    let one = half(n)?
    return half(one)
}
fn run(count: int) int {
    let mut found: [int?] = []
    let mut last: float? = none
    let known = Map<int, bool?> { 1: none }
    for i in 0..count {
        found.push(quarter(i))
        last = i as float
        known[i] = i > 2
    }
    let mut sum = if last == none || known[1] == none { 100 } else { 0 }
    for one in found { if one != none { sum += 1 } }
    return sum
}
fn main() { print(run(9)) }`,
    output: '3\n',
  },
  'functions of lists and strings': {
    source: `
fn or_zero(n: int?, into: [int]) { into.push(n?) }
fn run(text: string) int {
    let mut list = [pow(3, 2) catch 0]
    for c in text {
        list.insert_at(0, c.repeat(3).len())
        or_zero((c + "0").to_int(), list)
    }
    list.reverse()
    let sum = list.remove_at(0) + list.slice(-1, 3).len() * 1000
    return if list.contains(9) { sum + list.index_of(9) * 100000 + text.char_at(0).len() } else { 0 }
}
fn main() { print(run("a2b")) }`,
    output: '3021\n',
  },
  bytes: {
    source: `
fn run(count: int) int {
    let data = "ab".to_bytes()
    let counts = Map<byte, int> {}
    let mut list = [0 as byte]
    for i in 0..count {
        data.push((i * 100) as byte)
        list.push(data[i])
        counts[data[i]] = i
    }
    data[0] = 67 as byte
    let mut sum = data.to_string().len()
    for one in data { if one > list[1] { sum += one as int } }
    return sum + counts.len() * 1000
}
fn main() { print(run(4)) }`,
    output: '4404\n',
  },
};

test('runs function values in WebAssembly', async () => {
  const source = `
class Step {
    by: int
    fn change(self) fn(int) int { return (x: int) => x * self.by + 1 }
}
fn pipeline(count: int) [fn(int) int] {
    let mut all: [fn(int) int] = []
    for i in 0..count {
        all.push((x: int) => x + i)
        all.push(Step { by: i + 2 }.change())
    }
    return all
}
fn run(all: [fn(int) int], start: int) int {
    let mut n = start
    for f in all { n = f(n) }
    return n
}
fn main() { print(run(pipeline(3), 5)) }`;
  assert.deepEqual(await wasmIn(source), ['main', 'pipeline', 'run', 'change']);
  assert.equal(await outputOf(source), '157\n');
});

test('runs functions in WebAssembly that JavaScript gives closures', async () => {
  const source = `
fn fold(list: [int], start: int, f: fn(int, int) int) int {
    let mut sum = start
    for one in list { sum = f(sum, one) }
    return sum
}
fn main() {
    let mut tasks: [Task<int>] = []
    let total = fold([1, 2, 3], tasks.len() + 2, (sum: int, x: int) => sum + x * (tasks.len() + 1))
    print(fold([1, 2, 3], tasks.len() + 2, (sum: int, x: int) => sum * 10 + x))
    print(total)
}`;
  // The function with a closure that uses a list of tasks stays in JavaScript.
  assert.deepEqual(await wasmIn(source), ['fold']);
  assert.equal(await outputOf(source), '2123\n8\n');
});

for (const [what, { source, output }] of Object.entries(CONSTRUCTS))
  test(`runs ${what} in WebAssembly`, async () => {
    assert.ok((await wasmIn(source)).includes('run'));
    assert.equal(await outputOf(source), output);
  });

const WORDS = `
fn words(count: int) [string] {
    let mut all: [string] = []
    for i in 0..count { all.push(f"w{i}") }
    return all
}`;

test('keeps lists of strings in JavaScript if JavaScript code works on their elements', async () => {
  const main = (code: string): string =>
    `${WORDS}\nfn main() {\n    let counts = Map<string, int> {}\n    let lists: [Task<int>] = []\n    let all = words(9)\n    ${code}\n}`;
  assert.deepEqual(await wasmIn(main('print(all.last() + all[0])')), ['words']);
  assert.deepEqual(await wasmIn(main('for word in all { counts[word] = 1 }')), []);
  assert.deepEqual(await wasmIn(main('for i in 0..9 { counts[all[i]] = 1 }')), []);

  // Only WebAssembly code calls the short function.
  const last = 'fn last(all: [string]) string { return all[all.len() - 1] }';
  const run =
    'fn run(all: [string]) int {\n    let mut sum = 0\n    for one in all { sum += last(all).len() }\n    return sum\n}';
  assert.deepEqual(await wasmIn(`${main('print(run(all))')}\n${last}\n${run}`), ['words', 'run']);
});
