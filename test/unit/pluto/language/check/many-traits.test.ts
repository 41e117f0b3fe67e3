import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { ProjectPath } from '../../../../../src/base/brand.ts';
import { Signatures } from '../../../../../src/pluto/language/check/program/signatures.ts';
import { CheckWorld } from '../check-world.ts';

/** A class with many traits. */
function classWith(count: number): string {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const traits = numbers.map(index => `trait T${index} { fn m${index}(self) int }\n`);
  const methods = numbers.map(index => `    fn m${index}(self) int { return ${index} }\n`);
  return `${traits.join('')}class C impl ${numbers.map(index => `T${index}`).join(', ')} {\n${methods.join('')}}\nfn main() { print(C {}.m0()) }\n`;
}

/** The number of questions for signatures of traits while a module is checked. */
async function questionsFor(t: TestContext, source: string): Promise<number> {
  const asked = t.mock.method(Signatures.prototype, 'trait');
  const { checker } = await CheckWorld.of({ 'main.pt': source });
  assert.deepEqual(checker.checked().diagnosticsOf('main.pt' as ProjectPath), []);
  const count = asked.mock.callCount();
  asked.mock.restore();
  return count;
}

test('checks a class in steps in proportion to its traits', async t => {
  const few = await questionsFor(t, classWith(100));
  const many = await questionsFor(t, classWith(400));
  assert.ok(many < 4.5 * few, `${few} for 100 traits, ${many} for 400`);
});

test('compares each trait of a class with all traits before it that have the same method', async () => {
  const traits = [1, 2, 3].map(
    index => `trait T${index} {\n    fn m(self) int { return ${index} }\n    fn n${index}(self) int\n}\n`,
  );
  const methods = [1, 2, 3].map(index => `    fn n${index}(self) int { return 0 }\n`);
  const source = `${traits.join('')}class C impl T1, T2, T3 {\n${methods.join('')}}\n`;
  const { checker } = await CheckWorld.of({ 'main.pt': source });
  const found = checker.checked().diagnosticsOf('main.pt' as ProjectPath);
  assert.deepEqual(
    found.map(({ message }) => /^traits (.*) both/.exec(message)?.[1]),
    ["'T1' and 'T2'", "'T1' and 'T3'", "'T2' and 'T3'"],
  );
});
