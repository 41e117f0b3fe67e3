import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ofInts, wrap } from './int-operations.ts';
import { outputOf, randomEngines } from './run-source.ts';

/** An index in a loop, of its variable `k` and the parameters `a` and `b`. */
type Index = bigint | 'k' | 'a' | 'b' | { readonly op: string; readonly left: Index; readonly right: Index };

interface Loop {
  readonly first: bigint;
  readonly turns: bigint;
  readonly isInclusive: boolean;
  readonly a: bigint;
  readonly b: bigint;
  readonly read: Index;
  readonly written: Index;
  /** Ends the loop before the last turns, so that later indices do not matter. */
  readonly lastTurn: bigint;
}

const LIST = [3n, 1n, 4n, 1n, 5n, 9n];
const MAX_INT = 2n ** 63n - 1n;

const small = fc.bigInt(-2n, 6n);
const edges = fc.constantFrom(
  2n ** 31n - 1n,
  2n ** 31n,
  2n ** 32n,
  2n ** 61n,
  2n ** 62n,
  MAX_INT,
  -MAX_INT,
  -(2n ** 31n),
);
const ints = fc.oneof({ arbitrary: small, weight: 4 }, edges);
const indices = fc.letrec<{ index: Index }>(tie => ({
  index: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Index>('k', 'k', 'a', 'b'),
    fc.oneof({ arbitrary: fc.bigInt(0n, 3n), weight: 4 }, fc.constantFrom(2n ** 31n, 2n ** 62n, MAX_INT)),
    fc
      .tuple(fc.constantFrom('+', '-', '*', '+', '*', '&'), tie('index'), tie('index'))
      .map(([op, left, right]): Index => ({ op, left, right })),
  ),
})).index;
const loops = fc.record<Loop>({
  first: fc.oneof({ arbitrary: fc.bigInt(-1n, 3n), weight: 6 }, edges),
  turns: fc.bigInt(0n, 6n),
  isInclusive: fc.boolean(),
  a: ints,
  b: ints,
  read: indices,
  written: indices,
  lastTurn: fc.bigInt(0n, 8n),
});

const textOf = (index: Index): string =>
  typeof index === 'object' ? `(${textOf(index.left)} ${index.op} ${textOf(index.right)})` : String(index);

const endOf = ({ first, turns }: Loop): bigint => (first + turns > MAX_INT ? MAX_INT : first + turns);

const functionText = (name: string, { isInclusive, read, written, first, lastTurn }: Loop): string => `
fn ${name}(list: [int], first: int, end: int, a: int, b: int) int {
    let mut sum = 0
    for k in first..${isInclusive ? '=' : ''}end {
        if k - ${first} >= ${lastTurn} { break }
        sum = sum * 31 + list[${textOf(read)}]
        list[${textOf(written)}] += k
    }
    return sum
}`;

const callText = (name: string, loop: Loop): string =>
  `let list${name} = [${LIST.join(', ')}]
    print(${name}(list${name}, ${[loop.first, endOf(loop), loop.a, loop.b].join(', ')}))`;

/** The output of a function: its result, or the end of the program. */
function expected({ isInclusive, a, b, read, written, lastTurn, ...loop }: Loop): { text: string; isFailure: boolean } {
  const list = Array.from(LIST);
  const variables = { a, b, k: loop.first };
  const value = (index: Index): bigint => {
    if (typeof index === 'bigint') return index;
    return typeof index === 'string' ? variables[index] : ofInts(index.op, value(index.left), value(index.right));
  };
  const end = endOf({ isInclusive, a, b, read, written, lastTurn, ...loop });
  let sum = 0n;
  for (let k = loop.first; isInclusive ? k <= end : k < end; k += 1n) {
    if (k - loop.first >= lastTurn) break;
    variables.k = k;
    for (const at of [read, written].map(value)) {
      const element = list[Number(at)];
      if (element === undefined)
        return { text: `pluto: array index out of bounds: index ${at}, length ${list.length}`, isFailure: true };
    }
    sum = wrap(sum * 31n + (list[Number(value(read))] ?? 0n));
    const at = Number(value(written));
    list[at] = wrap((list[at] ?? 0n) + k);
  }
  return { text: String(sum), isFailure: false };
}

test('reads and writes elements by every index in a loop, in WebAssembly and in JavaScript', async () => {
  const modules = process.env['CI'] === undefined ? 40 : 1200;
  await fc.assert(
    fc.asyncProperty(fc.array(loops, { minLength: 15, maxLength: 15 }), randomEngines, async (all, engine) => {
      // A failure ends the program, so there is one at most.
      const returning = all.filter(one => !expected(one).isFailure);
      const used = [...returning, ...all.filter(one => expected(one).isFailure).slice(0, 1)];
      const functions = used.map((one, index) => functionText(`program${index}`, one));
      const calls = used.map((one, index) => callText(`program${index}`, one));
      const output = await outputOf(`${functions.join('\n')}\nfn main() {\n    ${calls.join('\n    ')}\n}\n`, engine);
      const lines = output.split('\n').filter(line => line !== '' && !line.startsWith('  at '));
      assert.deepEqual(
        lines,
        used.map(one => expected(one).text),
      );
    }),
    { numRuns: modules },
  );
});
