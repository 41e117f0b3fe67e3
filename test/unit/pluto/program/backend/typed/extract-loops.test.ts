import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runToEnd } from '../../../../../../src/base/time-slice.ts';
import { closedTypes } from '../../../../../../src/pluto/program/backend/wasm/closed-types.ts';
import { outputOf } from '../run-source.ts';
import { built } from './build-source.ts';

/** The parameters of the functions of loops, which have the names of the functions that they were in, and their outputs; `wasm` if it became WebAssembly. */
async function extractedFrom(source: string): Promise<readonly string[]> {
  const program = await built(source);
  const analyses = runToEnd(closedTypes(program));
  const seen = new Set(program.classes.flatMap(({ methods }) => Array.from(methods.keys())));
  return program.functions.flatMap(of => {
    const { name, body } = of;
    const isExtracted = seen.has(name);
    seen.add(name);
    const params = body.params.map(param => param.name).join(', ');
    const results = [body.result.kind, ...(body.outputs ?? []).map(output => output.name)].join(', ');
    return isExtracted ? [`${analyses.isWasm(of) ? 'wasm ' : ''}${name}(${params}) ${results}`] : [];
  });
}

/** A program with a channel in `main`. */
const withChannel = (code: string): string =>
  `fn main() {\nlet (tx, rx) = chan<int>(9)\ntx.send(3)!\nlet n = rx.recv() catch 0\n${code}\n}`;

const TEN = Array.from({ length: 10 }, (_, index) => `a${index}`);

const EXTRACTED: Readonly<
  Record<string, { readonly code: string; readonly functions: readonly string[]; readonly output: string }>
> = {
  'the statements around a loop': {
    code: 'let mut all: [int] = []\nfor i in 0..n { all.push(i * n) }\nlet last = all[2]\nprint(last)',
    functions: ['wasm main(n) void'],
    output: '6\n',
  },
  'the declaration of the variable that is used later': {
    code: 'let mut sum = 0\nfor i in 0..n { sum += i }\ntx.send(sum)!\nprint(rx.recv() catch 0)',
    functions: ['wasm main(n) int'],
    output: '3\n',
  },
  'a loop that assigns to a variable': {
    code: 'let mut sum = rx.try_recv() catch 1\nfor i in 0..n { sum += i }\nprint(sum + rx.try_recv() catch 0)',
    functions: ['wasm main(n, sum) int'],
    output: '4\n',
  },
  'a loop inside of one that waits': {
    code: 'tx.send(2)!\ntx.close()\nfor one in rx {\nlet mut sum = 0\nfor i in 0..n { sum += i * one }\nif sum > 0 { print(sum) }\n}',
    functions: ['wasm main(n, one) void'],
    output: '6\n',
  },
  'the declarations of several variables that are used later': {
    code: 'let mut a = 0\nlet mut b = 1\nfor i in 0..n { a += i }\nfor i in 0..n { b += a }\ntx.send(a + b)!\nprint(rx.recv() catch 0)',
    functions: ['wasm main(n) void, a, b'],
    output: '13\n',
  },
  'a loop that assigns to several variables': {
    code: 'let mut a = rx.try_recv() catch 1\nlet mut text = f"{rx.try_recv() catch 2}"\nfor i in 0..n {\na += i\ntext += f"{a}"\n}\nprint(f"{text} {a} {rx.try_recv() catch 0}")',
    functions: ['wasm main(n, a, text) void, a, text'],
    output: '2124 4 0\n',
  },
  'fewer declarations if too many variables are used later': {
    code: `${TEN.map(name => `let mut ${name} = n`).join('\n')}\nfor i in 0..n { a0 += a1 }\ntx.send(a0)!\nprint(${TEN.join(' + ')})`,
    functions: ['wasm main(n, a0, a1) void, a0, a3, a4, a5, a6, a7, a8, a9'],
    output: '39\n',
  },
  'a loop that returns': {
    code: 'for i in 0..n { if i == 2 { return } }\nprint(n)',
    functions: ['wasm main(n) void, $returns'],
    output: '',
  },
  'a loop that may return, and assigns to variables': {
    code: 'let mut a = 0\nlet mut b = ""\nfor i in 0..n {\nif i == 9 { return }\na += i\nb += f"{i}"\n}\ntx.send(a)!\nprint(f"{b} {rx.recv() catch 0}")',
    functions: ['wasm main(n) void, a, b, $returns'],
    output: '012 3\n',
  },
  'a loop that returns before a declaration, without the declaration': {
    code: 'for i in 0..n { if i == 9 { return } }\nlet last = n * 2\ntx.send(last)!\nprint(last)',
    functions: ['wasm main(n) void, $returns'],
    output: '6\n',
  },
  'a loop that ends early': {
    code: 'let mut at = 0\nwhile true {\nat += 1\nif at % 2 == 0 { continue }\nif at > n { break }\n}\nprint(at)',
    functions: ['wasm main(n) void'],
    output: '5\n',
  },
  'no part of a loop that waits': {
    code: 'for i in 0..n {\ntx.send(i)!\nprint(rx.recv() catch 0)\nif i > 0 { break }\n}',
    functions: [],
    output: '0\n1\n',
  },
};

for (const [what, { code, functions, output }] of Object.entries(EXTRACTED))
  test(`extracts ${what}`, async () => {
    assert.deepEqual(await extractedFrom(withChannel(code)), functions);
    assert.equal(await outputOf(withChannel(code)), output);
  });

/** A function that waits, with a loop that returns a value. */
const returning = (result: string, inLoop: string, after: string): string => `
error Bad { at: int }
class Box { n: int }
fn find(rx: Receiver<int>) ${result} {
    let n = rx.recv() catch 0
    let mut sum = 0
    for i in 0..9 {
        sum += i
        ${inLoop}
    }
    print(sum + rx.recv() catch 0)
    ${after}
}
fn main() {
    let (tx, rx) = chan<int>(9)
    for i in 0..4 { tx.send(3 - i)! }
    for i in 0..2 { SHOW }
}`;

const RETURNS: Readonly<Record<string, readonly [source: string, functions: readonly string[], output: string]>> = {
  'an int': [
    returning('int', 'if i == n { return sum }', 'return 0 - 1').replace('SHOW', 'print(find(rx))'),
    ['wasm find(n) int, sum, $returns'],
    '6\n3\n',
  ],
  'a value that may be none': [
    returning('int?', 'if i == n { return sum }', 'return none').replace('SHOW', 'print(find(rx) == none)'),
    ['wasm find(n) nullable, sum, $returns'],
    'false\nfalse\n',
  ],
  'none, or raises an error': [
    returning('int?', 'if sum > 2 { raise Bad { at: i } }\nif i == n - 1 { return none }', 'return 0').replace(
      'SHOW',
      'print((find(rx) catch e: Bad { e.at }) == none)',
    ),
    ['wasm find(n) nullable, sum, $returns'],
    'false\ntrue\n',
  ],
  'a list': [
    returning('[int]', 'if i == n { return [i, sum] }', 'return []').replace('SHOW', 'print(find(rx).last())'),
    ['wasm find(n) list, sum, $returns'],
    '6\n3\n',
  ],
};

for (const [what, [source, functions, output]] of Object.entries(RETURNS))
  test(`extracts a loop that returns ${what}`, async () => {
    assert.deepEqual(await extractedFrom(source), functions);
    assert.equal(await outputOf(source), output);
  });

test('extracts no loop that returns an object', async () => {
  const source = returning('Box', 'if i == n { return Box { n: sum } }', 'return Box { n: 0 }').replace(
    'SHOW',
    'print(find(rx).n)',
  );
  assert.deepEqual(await extractedFrom(source), []);
  assert.equal(await outputOf(source), '6\n3\n');
});

test('gives the loops of a method its object', async () => {
  const source = `
class Store {
    items: [int]
    sum: int
    fn add(mut self, item: int) { self.items.push(item) }
    fn fill(mut self, rx: Receiver<int>) int {
        let n = rx.recv() catch 0
        for i in 0..n {
            self.add(i * i)
            self.sum += i
            if self.sum > 20 { return self.items.len() }
        }
        return n + rx.recv() catch 0
    }
}
fn made() Store { return Store { items: [], sum: 0 } }
fn shown(store: Store) string { return f"{store.items.len()} {store.sum}" }
fn main() {
    let (tx, rx) = chan<int>(9)
    tx.send(4)!
    tx.send(1)!
    tx.send(8)!
    let mut store = made()
    print(store.fill(rx))
    print(store.fill(rx))
    print(shown(store))
}`;
  assert.deepEqual(await extractedFrom(source), ['wasm fill(n, $self) int, $returns']);
  assert.equal(await outputOf(source), '5\n10\n10 21\n');
});

test('extracts no loop that calls code that waits', async () => {
  const source = `
fn next(rx: Receiver<int>) int { return rx.recv() catch 0 }
fn later(rx: Receiver<int>) int { return next(rx) }
fn main() {
    let (tx, rx) = chan<int>(9)
    for i in 0..3 { tx.send(i)! }
    let mut sum = 0
    for i in 0..3 { sum += later(rx) }
    print(sum)
}`;
  assert.deepEqual(await extractedFrom(source), []);
  assert.equal(await outputOf(source), '3\n');
});

test('gives the loops of an app the fields of the app', async () => {
  const source = `
class Store {
    items: [int]
    fn add(mut self, item: int) { self.items.push(item) }
    fn get(self, index: int) int { return self.items[index] }
}
app Main[store: Store] {
    fn main(self) {
        for i in 0..4 {
            let mut store = self.store
            store.add(i * i)
        }
        print(self.total(4))
    }
    fn total(self, count: int) int {
        let mut sum = 0
        for i in 0..count { sum += self.store.get(i) }
        return sum
    }
}`;
  assert.deepEqual(await extractedFrom(source), ['wasm main($f1) void', 'wasm total(count, $f1) int']);
  assert.equal(await outputOf(source), '14\n');
});

test('keeps the places of failures in extracted loops', async () => {
  const source = withChannel('let all = [1, 2]\nlet mut sum = 0\nfor i in 0..n {\nsum += all[i]\n}\nprint(sum)');
  assert.deepEqual(await extractedFrom(source), ['wasm main(n) void']);
  assert.equal(await outputOf(source), 'pluto: array index out of bounds: index 2, length 2\n  at main.pt:8\n');
});
