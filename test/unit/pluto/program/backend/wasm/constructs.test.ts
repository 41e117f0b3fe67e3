import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runToEnd } from '../../../../../../src/base/time-slice.ts';
import { closedClasses } from '../../../../../../src/pluto/program/backend/wasm/closed-classes.ts';
import { outputOf } from '../run-source.ts';
import { built } from '../typed/build-source.ts';

/** The functions and methods of a program that become WebAssembly, by name. */
async function wasmIn(source: string): Promise<readonly string[]> {
  const program = await built(source);
  const { functions, classes } = program;
  const all = [...functions, ...classes.flatMap(({ methods }) => Array.from(methods.values()))];
  const analyses = runToEnd(closedClasses(program));
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
};

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
    `${WORDS}\nfn main() {\n    let counts = Map<string, int> {}\n    let all = words(9)\n    ${code}\n}`;
  assert.deepEqual(await wasmIn(main('print(all.last() + all[0])')), ['words']);
  assert.deepEqual(await wasmIn(main('for word in all { counts[word] = 1 }')), []);
  assert.deepEqual(await wasmIn(main('for i in 0..9 { counts[all[i]] = 1 }')), []);
});
