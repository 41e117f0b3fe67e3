import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runToEnd } from '../../../../../../src/base/time-slice.ts';
import { closedTypes } from '../../../../../../src/pluto/program/backend/wasm/closed-types.ts';
import { outputOf } from '../run-source.ts';
import { built } from './build-source.ts';

/** Functions and methods: `wasm` for those that became WebAssembly, `js` for the others. */
async function languagesOf(source: string): Promise<Readonly<Record<string, string>>> {
  const program = await built(source);
  const analyses = runToEnd(closedTypes(program));
  const methods = program.classes.flatMap(one => Array.from(one.methods.values()));
  const all = [...program.functions, ...methods].map(of => [of.name, analyses.isWasm(of) ? 'wasm' : 'js'] as const);
  const names = new Set(all.map(([name]) => name));
  return Object.fromEntries(
    Array.from(names, name => [name, all.flatMap(([other, language]) => (other === name ? [language] : [])).join(' ')]),
  );
}

const BOARD = `
class Board {
    cells: [int]
    sum: int
    fn fill(mut self, n: int) int {
        for i in 0..n {
            self.cells.push(i)
            self.sum += i
        }
        return self.cells.len()
    }
}`;

/** A program with a channel and a number that it received in `main`. */
const withBoard = (code: string): string =>
  `${BOARD}\nfn main() {\nlet (tx, rx) = chan<int>(9)\ntx.send(3)!\nlet n = rx.recv() catch 0\n${code}\n}`;

const EXTRACTED: Readonly<Record<string, { readonly code: string; readonly main: string; readonly output: string }>> = {
  'an object that it makes': {
    code: 'let mut board = Board { cells: [], sum: 1 }\nprint(board.fill(n))',
    main: 'js wasm',
    output: '3\n',
  },
  'a field in a value that waits': {
    code: 'let mut board = Board { cells: [], sum: 1 }\nboard.fill(n)\ntx.send(board.sum)!\nprint(rx.recv() catch 0)',
    main: 'js wasm wasm',
    output: '4\n',
  },
  'an object with the value of a wait': {
    code: 'tx.send(5)!\nlet mut board = Board { sum: rx.recv() catch 0, cells: [n] }\nboard.fill(n)\nprint(board.sum)',
    main: 'js wasm wasm',
    output: '8\n',
  },
  'a field that gets the value of a wait': {
    code: 'let mut board = Board { cells: [], sum: 1 }\nboard.fill(n)\ntx.send(5)!\nboard.sum = rx.recv() catch 0\nprint(board.sum)',
    main: 'js wasm wasm wasm',
    output: '5\n',
  },
  'a field that grows by the value of a wait, and is read before it': {
    code: 'let mut board = Board { cells: [], sum: 1 }\ntx.send(5)!\nboard.sum += (rx.recv() catch 0) + board.fill(n)\nprint(board.sum)',
    main: 'js wasm wasm wasm wasm',
    output: '9\n',
  },
};

for (const [what, { code, main, output }] of Object.entries(EXTRACTED))
  test(`gives ${what} a function, so that the loops of its class are WebAssembly`, async () => {
    assert.deepEqual(await languagesOf(withBoard(code)), { main, fill: 'wasm' });
    assert.equal(await outputOf(withBoard(code)), output);
  });

test('gives a call without a result a function that gets the value of a wait', async () => {
  const source = `
class Table {
    rows: [[int]]
    fn sum(self) int {
        let mut sum = 0
        for row in self.rows { sum += row[0] }
        return sum
    }
}
fn main() {
    let (tx, rx) = chan<int>(9)
    tx.send(3)!
    let table = Table { rows: [[1]] }
    table.rows.push([rx.recv() catch 0])
    print(table.sum())
}`;
  assert.deepEqual(await languagesOf(source), { main: 'js wasm wasm wasm', sum: 'wasm' });
  assert.equal(await outputOf(source), '4\n');
});

test('leaves objects to JavaScript that tasks copy, and makes no functions for them', async () => {
  const source = withBoard(
    'let mut board = Board { cells: [], sum: 1 }\nlet task = spawn board.fill(n)\nprint(task.get() + board.sum)',
  );
  assert.deepEqual(await languagesOf(source), { main: 'js', fill: 'js' });
  assert.equal(await outputOf(source), '4\n');
});

test('leaves values to JavaScript that code matches while it waits, and all that has them', async () => {
  const source = `${BOARD}
enum Step { Fill { board: Board } Wait { n: int } }
fn all(steps: [Step]) int {
    let mut sum = 0
    for step in steps {
        match step {
            Step.Fill { board } {
                let mut own = board
                sum += own.fill(2)
            }
            Step.Wait { n } { sum += n }
        }
    }
    return sum
}
fn main() {
    let (tx, rx) = chan<int>(9)
    let step = Step.Wait { n: 4 }
    match step {
        Step.Wait { n } { tx.send(n)! }
        Step.Fill { board } { tx.send(board.sum)! }
    }
    print(all([step]) + (rx.recv() catch 0))
}`;
  assert.deepEqual(await languagesOf(source), { all: 'js', main: 'js', fill: 'js' });
  assert.equal(await outputOf(source), '8\n');
});
