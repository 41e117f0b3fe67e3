import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileFunction } from 'node:vm';
import { type MakeProgram, runProgram } from '../../../../../../src/pluto/program/runtime/run-program.ts';
import { MemoryProgramHost } from '../../../../../harness/memory-program-host.ts';
import { loweredProgram } from '../run-source.ts';

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** Runs a program that also has a small function with a loop. @returns its output, and whether the engine accepted its WebAssembly */
async function run(
  declarations: string,
  main: string,
): Promise<{ readonly output: string; readonly ranWasm: boolean }> {
  const small = 'fn small(n: int) int {\n    let mut sum = 0\n    for i in 0..n { sum = sum + i }\n    return sum\n}\n';
  const { text, wasm } = await loweredProgram(
    `${small}${declarations}\nfn main() {\n    print(small(4))\n${main}\n}\n`,
  );
  assert.equal(wasm, 'without-bytes');
  const host = new MemoryProgramHost();
  runProgram(compileFunction(text, ['$rt']) as MakeProgram, host);
  return { output: host.textOf('stdout') + host.textOf('stderr'), ranWasm: host.ranWasm };
}

test('keeps a function with more variables than the engine allows in JavaScript, and no other', async () => {
  const pushes = numbers(13_000).map(index => `    list.push(${index})`);
  const large = `fn large() int {\n    let mut list: [int] = []\n    for i in 0..9 { list.push(i) }\n${pushes.join('\n')}\n    return list.len()\n}`;
  assert.deepEqual(await run(large, '    print(large())'), { output: '6\n13009\n', ranWasm: true });
});

test('keeps a function with more parameters than the engine allows in JavaScript, and no other', async () => {
  const params = numbers(1001).map(index => `p${index}: int`);
  const large = `fn large(${params.join(', ')}) int {\n    let mut sum = 0\n    for i in 0..p1000 { sum = sum + p0 }\n    return sum\n}`;
  const args = numbers(1001).map(() => '2');
  assert.deepEqual(await run(large, `    print(large(${args.join(', ')}))`), { output: '6\n4\n', ranWasm: true });
});

test('keeps an enum with more variants than the engine allows in JavaScript, and no other', async () => {
  const variants = numbers(10_001);
  const large = `enum Large {\n${variants.map(index => `    V${index}\n`).join('')}}\nfn run(n: int) int {\n    let mut at = Large.V7\n    for i in 0..n { if at == Large.V7 { at = Large.V9 } else { return 3 } }\n    return 4\n}`;
  assert.deepEqual(await run(large, '    print(run(3))'), { output: '6\n3\n', ranWasm: true });
});

test('keeps comparisons of an enum with too many fields for one function in JavaScript', async () => {
  const fields = numbers(9000).map(index => `f${index}: int`);
  const variants = numbers(45).map(index => `    V${index} { ${fields.join(', ')} }\n`);
  const same = 'fn same(one: Large) bool { return one == Large.Small { n: 2 } }';
  const loop = 'for i in 0..n { if same(Large.Small { n: i }) { count += 1 } }';
  const large = `enum Large {\n    Small { n: int }\n${variants.join('')}}\n${same}\nfn counted(n: int) int {\n    let mut count = 0\n    ${loop}\n    return count\n}`;
  assert.deepEqual(await run(large, '    print(counted(3))'), { output: '6\n1\n', ranWasm: true });
});

test('keeps a class with more fields than the engine allows in JavaScript, and no other', async () => {
  const fields = numbers(10_001);
  const large = `class Large {\n${fields.map(index => `    f${index}: int`).join('\n')}\n    fn sum(self) int {\n        let mut sum = 0\n        for i in 0..3 { sum = sum + self.f1 }\n        return sum\n    }\n}`;
  const inits = fields.map(index => `f${index}: ${index}`);
  const main = `    let large = Large { ${inits.join(', ')} }\n    print(large.sum())`;
  assert.deepEqual(await run(large, main), { output: '6\n3\n', ranWasm: true });
});

test('keeps more function values of one type than the engine allows in JavaScript, and no other', async () => {
  const closures = numbers(10_001).map(index => `    all.push((x: int) => x + ${index})`);
  const large = `fn large(n: int) int {\n    let mut all: [fn(int) int] = []\n${closures.join('\n')}\n    let mut sum = 0\n    for f in all { sum = sum + f(n) }\n    return sum\n}`;
  assert.deepEqual(await run(large, '    print(large(3))'), { output: '6\n50035003\n', ranWasm: true });
});

test('runs many function values of one type in WebAssembly', async () => {
  const closures = numbers(5000).map(index => `    all.push((x: int) => x + ${index})`);
  const large = `fn large(n: int) int {\n    let mut all: [fn(int) int] = []\n${closures.join('\n')}\n    let mut sum = 0\n    for f in all { sum = sum + f(n) }\n    return sum\n}`;
  assert.deepEqual(await run(large, '    print(large(3))'), { output: '6\n12512500\n', ranWasm: true });
});
