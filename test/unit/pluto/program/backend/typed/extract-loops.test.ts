import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runToEnd } from '../../../../../../src/base/time-slice.ts';
import { closedTypes } from '../../../../../../src/pluto/program/backend/wasm/closed-types.ts';
import { outputOf } from '../run-source.ts';
import { built } from './build-source.ts';

/** The parameters of the functions of loops, which have the names of the functions that they were in; `wasm` if it became WebAssembly. */
async function extractedFrom(source: string): Promise<readonly string[]> {
  const program = await built(source);
  const analyses = runToEnd(closedTypes(program));
  const seen = new Set(program.classes.flatMap(({ methods }) => Array.from(methods.keys())));
  return program.functions.flatMap(of => {
    const { name, body } = of;
    const isExtracted = seen.has(name);
    seen.add(name);
    const params = body.params.map(param => param.name).join(', ');
    return isExtracted ? [`${analyses.isWasm(of) ? 'wasm ' : ''}${name}(${params}) ${body.result.kind}`] : [];
  });
}

/** A program with a channel in `main`. */
const withChannel = (code: string): string =>
  `fn main() {\nlet (tx, rx) = chan<int>(9)\ntx.send(3)!\nlet n = rx.recv() catch 0\n${code}\n}`;

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
  'only the loop if several variables are used later': {
    code: 'let mut a = 0\nlet mut b = 1\nfor i in 0..n { a += i }\nfor i in 0..n { b += a }\ntx.send(a + b)!\nprint(rx.recv() catch 0)',
    functions: ['wasm main(n, a) int', 'wasm main(n, b, a) int'],
    output: '13\n',
  },
  'no loop that assigns to several variables': {
    code: 'let mut a = 0\nlet mut b = 1\nfor i in 0..n {\na += i\nb += a\n}\ntx.send(a + b)!\nprint(rx.recv() catch 0)',
    functions: [],
    output: '8\n',
  },
  'no loop that returns': {
    code: 'for i in 0..n { if i == 2 { return } }\nprint(n)',
    functions: [],
    output: '',
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
