import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runToEnd } from '../../../../../../src/base/time-slice.ts';
import { closedTypes } from '../../../../../../src/pluto/program/backend/wasm/closed-types.ts';
import { runPrograms } from '../run-programs.ts';
import { built, builtFrom } from '../typed/build-source.ts';

/** The reason why `main`, or the method `main` of an app, stays in JavaScript. */
async function reasonIn(source: string): Promise<string | undefined> {
  const program = await built(source);
  const analyses = runToEnd(closedTypes(program));
  const all = [...program.functions, ...program.classes.flatMap(({ methods }) => Array.from(methods.values()))];
  const main = all.find(({ name }) => name === 'main');
  return main && analyses.reasonFor(main);
}

const REASONS: Readonly<Record<string, readonly [reason: string | undefined, source: string]>> = {
  'of a function that becomes WebAssembly': [undefined, 'fn main() { for i in 0..3 { print(i) } }'],
  'of a channel': ['channel', 'fn main() { let (tx, rx) = chan<int>(1) }'],
  'of a task': ['type task', 'fn main() { let task = spawn other()\nprint(task.get()) }\nfn other() int { return 1 }'],
  'of an app': ['type app', 'app Main { fn main(self) { print(1) } }'],
  'of an object that no loop uses': ['type class', 'class A { n: int }\nfn main() { let a = A { n: 1 }\nprint(a.n) }'],
};

for (const [what, [reason, source]] of Object.entries(REASONS))
  test(`knows the reason ${what}`, async () => {
    assert.equal(await reasonIn(source), reason);
  });

/** Reasons in the corpus besides types. */
const CODE = ['channel', 'expect', 'outcome', 'a value of JavaScript'];

test('knows why functions of the corpus stay in JavaScript', async t => {
  const counts = new Map<string, number>();
  for (const { name, files, expected } of runPrograms()) {
    if (expected.refused !== '') continue;
    const program = await builtFrom(files, expected.tests === undefined ? 'run' : 'test');
    const analyses = runToEnd(closedTypes(program));
    const all = [...program.functions, ...program.classes.flatMap(({ methods }) => Array.from(methods.values()))];
    for (const of of all) {
      const reason = analyses.reasonFor(of);
      if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
      const { callees = [] } = analyses.analyze(of) ?? {};
      const isExplained = reason !== undefined || Array.from(callees).some(callee => !analyses.isSupported(callee));
      assert.equal(analyses.isSupported(of), !isExplained, `${name}: ${of.name}`);
    }
  }
  const sorted = Array.from(counts).toSorted(([, a], [, b]) => b - a);
  t.diagnostic(sorted.map(([reason, count]) => `${reason}: ${count}`).join(', '));
  assert.deepEqual(
    sorted
      .map(([reason]) => reason)
      .filter(reason => !reason.startsWith('type '))
      .toSorted(),
    CODE.toSorted(),
  );
});
