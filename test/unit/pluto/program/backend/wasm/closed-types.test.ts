import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runToEnd } from '../../../../../../src/base/time-slice.ts';
import { closedTypes } from '../../../../../../src/pluto/program/backend/wasm/closed-types.ts';
import { showType } from '../../../../../../src/pluto/language/check/types/show.ts';
import { functionValuesOf } from '../../../../../../src/pluto/program/backend/wasm/closures.ts';
import { built } from '../typed/build-source.ts';

/** The classes and enums whose values are only in WebAssembly, and the types of such function values. */
async function closedIn(source: string): Promise<readonly string[]> {
  const program = await built(source);
  const analyses = runToEnd(closedTypes(program));
  const functions = functionValuesOf(program).map(({ type }) => ({ name: showType(type), type }));
  return [...program.classes, ...program.enums, ...functions].flatMap(({ name, type }) =>
    type && analyses.kinds.closedOf(type) ? [name] : [],
  );
}

/** A class with a loop, and functions that WebAssembly can express. */
const CLASS = `
class Counter {
    count: int
    next: Counter?
    fn add(mut self, by: int) { for i in 0..by { self.count += i } }
    fn get(self) int { return self.count }
}
fn made(count: int) Counter { return Counter { count: count, next: none } }
fn total(counter: Counter, rounds: int) int {
    let mut sum = 0
    for i in 0..rounds { sum += counter.get() }
    return sum
}
fn later(counter: Counter) Counter? { return counter.next }
`;

/** A statement that only JavaScript can express. A loop with it stays in its function. */
const ONLY_JAVASCRIPT = 'let names: [Task<int>] = []';
const IN_LOOP = 'let tasks: [Task<int>] = []';

test('keeps objects in WebAssembly that JavaScript only passes on', async () => {
  const source = `${CLASS}
fn passed(counter: Counter) Counter {
    ${ONLY_JAVASCRIPT}
    return counter
}
fn unwrapped(counter: Counter) Counter? {
    ${ONLY_JAVASCRIPT}
    let next = later(counter)?
    return passed(next)
}
fn main() {
    ${ONLY_JAVASCRIPT.replace('names', 'all')}
    print(f"{total(made(1), 3)}")
    let mut counter = passed(made(1))
    let kept: Counter? = unwrapped(counter)
    counter = made(2)
    for round in 0..3 { counter.add(round) }
    print(f"{total(counter, 3)} {counter.get()}")
}`;
  assert.deepEqual(await closedIn(source), ['Counter']);
});

const LEAVES: Readonly<Record<string, string>> = {
  'reads a field': 'print(f"{made(1).count}")',
  'assigns to a field': 'let mut counter = made(1)\ncounter.count = 2\nprint(f"text")',
  'makes an object': 'let counter = Counter { count: 1, next: none }\nprint(f"{total(counter, 3)}")',
  'compares objects': 'let counter = made(1)\nprint(f"{counter == made(1)} {total(counter, 3)}")',
  'compares with none': 'let counter = later(made(1))\nprint(f"{counter == none}")',
  'puts an object into a list': 'let all = [made(1)]\nprint(f"{all.len()}")',
  'puts an object into a map': 'let all = Map<string, Counter> { "a": made(1) }\nprint(f"{all.len()}")',
  'captures an object in a closure': 'let counter = made(1)\nlet f = [() => total(counter, 3)][0]\nprint(f"{f()}")',
  'gives an object to a task': 'let task = spawn total(made(1), 3)\nprint(f"{task.get()}")',
  'sends an object': 'let (tx, rx) = chan<Counter>(1)\ntx.send(made(1)) catch e { return }\nprint(f"text")',
  'chooses an object': 'let counter = if 1 > 0 { made(1) } else { made(2) }\nprint(f"{total(counter, 3)}")',
  'calls a short method in a loop': `let counter = made(1)\nfor i in 0..9 {\n${IN_LOOP}\nprint(f"{counter.get()}")\n}`,
  'calls a short function in a closure': 'let f = [() => made(1)][0]\nprint(f"{total(f(), 3)}")',
};

for (const [what, code] of Object.entries(LEAVES))
  test(`keeps objects in JavaScript that ${what}`, async () => {
    assert.deepEqual(await closedIn(`${CLASS}\nfn main() {\n${ONLY_JAVASCRIPT}\n${code}\n}`), []);
  });

const ENUM = `
enum Step {
    Stop
    Go { by: int }
}
fn step(by: int) Step { return if by > 0 { Step.Go { by: by } } else { Step.Stop } }
fn walk(first: Step, count: int) int {
    let mut at = first
    let mut sum = 0
    for i in 0..count {
        match at {
            Step.Stop { return sum }
            Step.Go { by } {
                sum += by
                at = step(by - 1)
            }
        }
    }
    return sum
}`;

test('keeps values of enums in WebAssembly that JavaScript only passes on', async () => {
  const main = `fn main() {\n${ONLY_JAVASCRIPT}\nlet first = step(4)\nlet other = first\nprint(walk(other, 9))\n}`;
  assert.deepEqual(await closedIn(`${ENUM}\n${main}`), ['Step']);
});

const ENUM_LEAVES: Readonly<Record<string, string>> = {
  'makes a value': 'print(walk(Step.Go { by: 2 }, 3))',
  'makes a value without fields': 'print(walk(Step.Stop, 3))',
  'matches a value':
    'match step(1) {\nStep.Stop { print(1) }\nStep.Go { by } { print(by) }\n}\nprint(walk(step(1), 3))',
  'compares values': 'print(step(1) == step(2))\nprint(walk(step(1), 3))',
  'puts a value into a map': 'let all = Map<Step, int> { step(1): 2 }\nprint(walk(step(all.len()), 3))',
  'shows a value of a list': 'let all = [step(1)]\nprint(walk(all[0], 3))',
};

for (const [what, code] of Object.entries(ENUM_LEAVES))
  test(`keeps enums in JavaScript if it ${what}`, async () => {
    assert.deepEqual(await closedIn(`${ENUM}\nfn main() {\n${ONLY_JAVASCRIPT}\n${code}\n}`), []);
  });

test('keeps enums in JavaScript that contain values of JavaScript', async () => {
  const source = `
enum Step {
    Stop
    Go { names: [Task<int>] }
}
class Walk { step: Step }
fn run(walk: Walk) int {
    for i in 0..9 {
        match walk.step {
            Step.Stop { return 1 }
            Step.Go { names } { return names.len() }
        }
    }
    return 0
}
fn main() { print(run(Walk { step: Step.Go { names: [] } })) }`;
  assert.deepEqual(await closedIn(source), []);
});

const SHAPES = `
trait Shape { fn area(self) int }
class Square impl Shape {
    side: int
    fn area(self) int { return self.side }
}
class Dot impl Shape {
    x: int
    fn area(self) int { return 0 }
}
fn shapes() [Shape] { return [Square { side: 2 }, Dot { x: 1 }] }
fn added(all: [Shape], rounds: int) int {
    let mut sum = 0
    for i in 0..rounds { for shape in all { sum += shape.area() } }
    return sum
}
fn first() Shape { return Square { side: 2 } }
fn total(shape: Shape, rounds: int) int { return added([shape], rounds) }`;

test('keeps objects in WebAssembly behind a trait of several classes', async () => {
  const main = `fn main() {\n${ONLY_JAVASCRIPT}\nlet shape = first()\nprint(f"{added(shapes(), 2)} {total(shape, 3)}")\n}`;
  assert.deepEqual(await closedIn(`${SHAPES}\n${main}`), ['Square', 'Dot']);
});

const TRAIT_LEAVES: Readonly<Record<string, string>> = {
  'calls a method of a trait': 'print(first().area())\nprint(added(shapes(), 2))',
  'makes an object of one class': 'print(added([Dot { x: 1 }], 2))',
  'reads a list of a trait': 'let shape = shapes()[0]\nprint(added(shapes(), 2))',
  'captures an object in a closure': 'let shape = first()\nlet f = [() => total(shape, 3)][0]\nprint(f"{f()}")',
};

for (const [what, code] of Object.entries(TRAIT_LEAVES))
  test(`keeps all objects of a trait in JavaScript if it ${what}`, async () => {
    assert.deepEqual(await closedIn(`${SHAPES}\nfn main() {\n${ONLY_JAVASCRIPT}\n${code}\n}`), []);
  });

test('keeps all objects of a trait in JavaScript if one of its classes has values of JavaScript', async () => {
  const source = `${SHAPES}
class Named impl Shape {
    names: [Task<int>]
    fn area(self) int { return 1 }
}
fn main() { print(added([Named { names: [] }, first()], 2)) }`;
  assert.deepEqual(await closedIn(source), []);
});

test('keeps objects in JavaScript that no loop and no recursion uses', async () => {
  const source = `
class Point { x: int }
fn get(point: Point) int { return point.x }
fn main() { print(get(Point { x: 1 })) }`;
  assert.deepEqual(await closedIn(source), []);
});

/** Settings that no loop uses, in the code that makes the objects of a loop. */
const SETTINGS = `
class Settings { rounds: int }
fn settings() Settings { return Settings { rounds: 3 } }
fn started(settings: Settings) Counter { return Counter { count: settings.rounds, next: none } }`;

test('keeps objects in WebAssembly that code uses together with objects of a loop', async () => {
  const main = `fn main() {
    let chosen = settings()
    let mut counter = started(chosen)
    counter.add(chosen.rounds)
    print(f"{total(counter, chosen.rounds)}")
}`;
  assert.deepEqual(await closedIn(`${CLASS}${SETTINGS}\n${main}`), ['Counter', 'Settings']);
});

test('keeps objects of a loop in WebAssembly beside others that JavaScript gives to a short function in a loop', async () => {
  const main = `
fn width(settings: Settings, counter: Counter) int { return settings.rounds }
fn main() {
    ${ONLY_JAVASCRIPT}
    let chosen = settings()
    let counter = made(1)
    for i in 0..9 {
        ${IN_LOOP}
        print(f"{width(chosen, counter)}")
    }
    print(f"{total(counter, 3)}")
}`;
  assert.deepEqual(await closedIn(`${CLASS}${SETTINGS.split('fn started')[0]}\n${main}`), ['Counter']);
});

const JSON_PROGRAM = 'import std.json\nfn read(text: string) int { return json.parse(text)!.len() }';

test('keeps objects of the standard library in JavaScript that only its own loops use', async () => {
  assert.deepEqual(await closedIn(`${JSON_PROGRAM}\nfn main() { print(read("[1]") catch _ { 0 }) }`), []);
});

test('keeps objects of the standard library in WebAssembly that a loop of the program uses', async () => {
  const main = `fn main() {
    let mut sum = 0
    for i in 0..9 { sum += read(f"[{i}]") catch _ { 0 } }
    print(sum)
}`;
  assert.deepEqual(await closedIn(`${JSON_PROGRAM}\n${main}`), ['Json', 'Reader']);
});

test('keeps objects in JavaScript whose fields have values of JavaScript', async () => {
  const source = `
class Named {
    names: [Task<int>]
    next: Other
}
class Other { value: int }
fn run(named: Named) int {
    let mut sum = 0
    for i in 0..9 { sum += named.next.value }
    return sum
}
fn main() { print(run(Named { names: [], next: Other { value: 1 } })) }`;
  assert.deepEqual(await closedIn(source), []);
});

test('keeps objects in JavaScript that a task runs a method of', async () => {
  const source = `
class Counter {
    count: int
    fn add(mut self, by: int) int {
        for i in 0..by { self.count += i }
        return self.count
    }
    fn later(mut self) int {
        let task = spawn self.add(3)
        self.add(2)
        return task.get()
    }
}
fn made() Counter { return Counter { count: 1 } }
fn main() {
    let mut counter = made()
    print(counter.later())
    print(counter.add(1))
}`;
  assert.deepEqual(await closedIn(source), []);
});

const FUNCTIONS = `
class Handler { run: fn(int) int }
fn adder(by: int) fn(int) int { return (x: int) => x + by }
fn handler(by: int) Handler { return Handler { run: adder(by) } }
fn times(f: fn(int) int, count: int) int {
    let mut n = 1
    for i in 0..count { n = f(n) }
    return n
}
fn fire(handler: Handler, count: int) int {
    let mut sum = 0
    for i in 0..count { sum += times(handler.run, i) }
    return sum
}`;

test('keeps function values in WebAssembly that JavaScript only passes on', async () => {
  const main = `fn main() {\n${ONLY_JAVASCRIPT}\nlet mut f = adder(1)\nf = adder(2)\nlet one = handler(3)\nprint(times(f, 3) + fire(one, 4))\n}`;
  assert.deepEqual(await closedIn(`${FUNCTIONS}\n${main}`), ['Handler', 'fn(int) int']);
});

const FUNCTION_LEAVES: Readonly<Record<string, string>> = {
  'calls one': 'let f = adder(1)\nprint(f(2))\nprint(times(f, 3))',
  'makes one': 'let f = [(x: int) => x][0]\nprint(times(f, 3))',
  'makes one that uses a map': 'let f = [(x: int) => x + names.len()][0]\nprint(times(f, 3))',
  'puts one into a list': 'let all = [adder(1)]\nprint(times(adder(2), all.len()))',
  'puts one into a map': 'let all = Map<int, fn(int) int> { 1: adder(1) }\nprint(times(adder(2), all.len()))',
  'captures one': 'let f = adder(1)\nlet all = [() => times(f, 3)]\nlet g = all[0]\nprint(g())',
  'gives one to a task': 'let f = adder(1)\nlet task = spawn times(f, 3)\nprint(task.get())',
  'reads a field with one': 'let f = handler(1).run\nprint(times(f, 3))',
};

for (const [what, code] of Object.entries(FUNCTION_LEAVES))
  test(`keeps function values in JavaScript if JavaScript ${what}`, async () => {
    assert.deepEqual(
      (await closedIn(`${FUNCTIONS}\nfn main() {\n${ONLY_JAVASCRIPT}\n${code}\n}`)).filter(name => /int/.test(name)),
      [],
    );
  });

test('keeps objects in WebAssembly that only a field of another one has', async () => {
  const source = `
class Limit { most: int }
class Counter {
    count: int
    limit: Limit
}
fn made() Counter { return Counter { count: 1, limit: Limit { most: 5 } } }
fn isFull(counter: Counter) bool { return counter.count >= counter.limit.most }
fn run(counter: Counter, rounds: int) int {
    let mut one = counter
    for i in 0..rounds { one.count += i }
    return one.count
}
fn main() {
    let counter = made()
    print(f"{run(counter, 3)} {isFull(counter)}")
}`;
  assert.deepEqual(await closedIn(source), ['Counter', 'Limit']);
});

const TABLES = `
fn filled(count: int) Map<int, string> {
    let all = Map<int, string> {}
    for i in 0..count { all[i] = f"{i}" }
    return all
}
fn has(all: Map<int, string>, key: int) bool { return all.contains(key) }
fn total(all: Map<int, string>, rounds: int) int {
    let mut sum = 0
    for i in 0..rounds { sum += all.len() }
    return sum
}`;

/** Whether the maps of `TABLES` are in WebAssembly. */
async function hasMaps(main: string): Promise<boolean> {
  const program = await built(`${TABLES}\n${main}`);
  const analyses = runToEnd(closedTypes(program));
  const filled = program.functions.find(({ name }) => name === 'filled');
  return filled !== undefined && analyses.isWasm(filled);
}

test('keeps maps in WebAssembly that JavaScript only passes on', async () => {
  const main = `fn passed(all: Map<int, string>) Map<int, string> {\n${ONLY_JAVASCRIPT}\nreturn all\n}
fn main() {\n${ONLY_JAVASCRIPT}\nlet mut all = passed(filled(3))\nall = filled(2)\nprint(total(all, 3))\nprint(has(all, 1))\n}`;
  assert.equal(await hasMaps(main), true);
});

const MAP_LEAVES: Readonly<Record<string, string>> = {
  'makes a map': 'let all = Map<int, string> {}\nprint(total(all, 3))',
  'reads a value': 'print(filled(3)[1])',
  'assigns a value': 'let all = filled(2)\nall[1] = "a"\nprint(total(all, 3))',
  'calls a method': 'print(filled(3).len())',
  'lists the keys': `for key in filled(3).keys() {\n${IN_LOOP}\nprint(key)\n}`,
  'compares maps': 'print(filled(3) == filled(3))',
  'puts a map into a list': 'let all = [filled(3)]\nprint(all.len())',
  'captures a map in a closure': 'let all = filled(3)\nlet f = [() => total(all, 3)][0]\nprint(f())',
  'gives a map to a task': 'let all = filled(3)\nlet task = spawn total(all, 3)\nprint(task.get())',
  'gets a map from a task': 'let task = spawn filled(3)\nprint(total(task.get(), 3))',
  'chooses a map': 'let all = if 1 > 0 { filled(1) } else { filled(2) }\nprint(total(all, 3))',
  'calls a short function in a loop': `let all = filled(3)\nfor i in 0..9 {\n${IN_LOOP}\nprint(has(all, i))\n}`,
};

for (const [what, code] of Object.entries(MAP_LEAVES))
  test(`keeps maps in JavaScript if it ${what}`, async () => {
    assert.equal(await hasMaps(`fn main() {\n${ONLY_JAVASCRIPT}\n${code}\n}`), false);
  });

test('keeps maps in JavaScript that no loop and no recursion uses', async () => {
  const source = `
fn made() Map<int, int> { return Map<int, int> { 1: 2 } }
fn read(all: Map<int, int>) int { return all[1] }
fn main() { print(read(made())) }`;
  const program = await built(source);
  const analyses = runToEnd(closedTypes(program));
  assert.deepEqual(
    program.functions.filter(of => analyses.isWasm(of)),
    [],
  );
});

const GRIDS = `
fn filled(count: int) [[int]] {
    let mut all = [[0]]
    for i in 0..count { all.push([i, i]) }
    return all
}
fn total(all: [[int]]) int {
    let mut sum = 0
    for row in all { sum += row.len() }
    return sum
}`;

/** Whether the lists of `GRIDS` are in WebAssembly. */
async function hasGrids(main: string): Promise<boolean> {
  const program = await built(`${GRIDS}\nfn main() {\n${ONLY_JAVASCRIPT}\n${main}\n}`);
  const analyses = runToEnd(closedTypes(program));
  return program.functions.some(one => one.name === 'total' && analyses.isWasm(one));
}

test('keeps lists of lists in WebAssembly that JavaScript only passes on', async () => {
  assert.equal(await hasGrids('let mut all = filled(3)\nall = filled(2)\nprint(total(all))'), true);
});

const GRID_LEAVES: Readonly<Record<string, string>> = {
  'makes one': 'print(total([[1], [2]]))',
  'reads one': 'print(filled(3)[1].len())',
  'changes one': 'let mut all = filled(3)\nall.push([1])\nprint(total(all))',
  'loops over one': `let all = filled(3)\nfor row in all {\n${IN_LOOP}\nprint(row.len())\n}\nprint(total(all))`,
  'compares one': 'print(filled(3) == filled(3))',
  'puts one into a list': 'let all = [filled(3)]\nprint(all.len())',
  'gives one to a task': 'let all = filled(3)\nlet task = spawn total(all)\nprint(task.get())',
};

for (const [what, code] of Object.entries(GRID_LEAVES))
  test(`keeps lists of lists in JavaScript if it ${what}`, async () => {
    assert.equal(await hasGrids(code), false);
  });

test('keeps fields of errors in WebAssembly unless JavaScript code raises the error or reads the field', async () => {
  const main = (code: string): string => `
enum Kind {
    Small
    Large { n: int }
}
error Bad { kind: Kind }
fn checked(count: int) int {
    let mut kind = Kind.Small
    for i in 0..count { kind = Kind.Large { n: i } }
    if count > 2 { raise Bad { kind: kind } }
    return count
}
fn main() {
    ${ONLY_JAVASCRIPT}
    ${code}
}`;
  assert.deepEqual(await closedIn(main('print(checked(3) catch e { e.message.len() })')), ['Kind']);
  assert.deepEqual(
    await closedIn(main('print(checked(3) catch e: Bad { if e.kind == Kind.Small { 1 } else { 2 } })')),
    [],
  );
  assert.deepEqual(await closedIn(main('print(checked(1) catch 2)\n    raise Bad { kind: Kind.Small }')), []);
});
