import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runToEnd } from '../../../../../../src/base/time-slice.ts';
import { closedTypes } from '../../../../../../src/pluto/program/backend/wasm/closed-types.ts';
import { outputOf } from '../run-source.ts';
import { built } from '../typed/build-source.ts';
import { CONSTRUCTS } from './construct-programs.ts';
import { ERRORS } from './error-programs.ts';

/** The functions, methods and singletons of a program that become WebAssembly, by name. */
async function wasmIn(source: string): Promise<readonly string[]> {
  const program = await built(source);
  const { functions, classes, singletons } = program;
  const all = [...functions, ...classes.flatMap(({ methods }) => Array.from(methods.values())), ...singletons];
  const analyses = runToEnd(closedTypes(program));
  return all.filter(of => analyses.isWasm(of)).map(({ name }) => name);
}

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

for (const [what, { source, output }] of Object.entries({ ...CONSTRUCTS, ...ERRORS }))
  test(`runs ${what} in WebAssembly`, async () => {
    assert.ok((await wasmIn(source)).includes('run'));
    assert.equal(await outputOf(source), output);
  });

test('runs what is injected into an app in WebAssembly', async () => {
  const source = `
class Store {
    items: [int]
    found: int?
    fn fill(mut self, count: int) { for i in 0..count { self.items.push(i * i) } }
    fn total(self) int {
        let mut sum = 0
        for item in self.items { sum += item }
        return sum
    }
}
class Service[store: Store] {
    fn run(self, count: int) int {
        let mut store = self.store
        store.fill(count)
        return store.total()
    }
}
app Main[service: Service, store: Store] {
    fn main(self) {
        print(self.service.run(4))
        print(self.shown())
    }
    fn shown(self) int { return self.store.total() }
}`;
  assert.deepEqual(await wasmIn(source), ['fill', 'total', 'run', 'Service', 'Store']);
  assert.equal(await outputOf(source), '14\n14\n');
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
