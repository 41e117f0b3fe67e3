import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { ProjectPath } from '../../../../../../src/base/brand.ts';
import { runToEnd } from '../../../../../../src/base/time-slice.ts';
import { lowerProgram } from '../../../../../../src/pluto/program/backend/lower-program.ts';
import { CheckWorld } from '../../../language/check-world.ts';
import { lowered, outputOf } from '../run-source.ts';

/** A scope block that makes the last of many scoped classes, each of which needs the one before. */
const chainOf = (count: number): string => {
  const rest = Array.from({ length: count - 1 }, (_, index) => `scoped class C${index + 1}[before: C${index}] {}\n`);
  return `
scoped class C0 { n: int }
${rest.join('')}
fn main() {
    scope(C0 { n: 7 }) |first: C0, last: C${count - 1}| {
        print(first.n)
    }
}
`;
};

/** The number of questions for signatures of classes while a program is compiled. */
async function questionsFor(t: TestContext, source: string): Promise<number> {
  const { checker } = await CheckWorld.of({ 'main.pt': source });
  const checked = checker.checked();
  const asked = t.mock.method(checked.signatures, 'class');
  const request = { entry: 'main.pt' as ProjectPath, mode: 'run', hasExtern: () => false } as const;
  assert.equal(runToEnd(lowerProgram(checked, request)).kind, 'lowered');
  return asked.mock.callCount();
}

test('compiles a scope block in steps in proportion to its classes', async t => {
  const few = await questionsFor(t, chainOf(100));
  const many = await questionsFor(t, chainOf(400));
  assert.ok(many < 4.5 * few, `${few} for 100 classes, ${many} for 400`);
});

test('runs a scope block with a chain of 8,000 classes', async () => {
  assert.equal(await outputOf(chainOf(8000)), '7\n');
});

test('runs an app whose dependency is the end of a chain of 4,000 singletons', async () => {
  const rest = Array.from({ length: 3999 }, (_, index) => `class C${index + 1}[before: C${index}] {}\n`);
  const app = 'app A[last: C3999] {\n    fn main(self) { print("done") }\n}\n';
  assert.equal(await outputOf(`class C0 {}\n${rest.join('')}${app}`), 'done\n');
});

test('runs an app whose dependency is the end of a chain of 4,000 transient classes', async () => {
  const rest = Array.from({ length: 3999 }, (_, index) => `transient class C${index + 1}[before: C${index}] {}\n`);
  const app = 'app A[last: C3999, other: C3999] {\n    fn main(self) { print(self.last == self.other) }\n}\n';
  assert.equal(await outputOf(`transient class C0 {}\n${rest.join('')}${app}`), 'false\n');
});

test('compiles transient classes that need two of each other in proportion to their number', async () => {
  const textOf = async (count: number): Promise<string> => {
    const rest = Array.from(
      { length: count - 1 },
      (_, at) => `transient class C${at + 1}[first: C${at}, second: C${at}] {}\n`,
    );
    return lowered(
      `transient class C0 {}\n${rest.join('')}app A[last: C${count - 1}] {\n    fn main(self) { print(1) }\n}\n`,
    );
  };
  const [few, many] = [await textOf(5), await textOf(10)];
  assert.ok(many.length < 2 * few.length, `${few.length} for 5 classes, ${many.length} for 10`);
});
