import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProjectPath } from '../../../../src/base/brand.ts';
import { DiagnosticStore } from '../../../../src/project/session/diagnostic-store.ts';
import type { ProjectDiagnostic } from '../../../../src/project/project-session.ts';

const COUNT = 10_000;
/** Diagnostics that may be sorted in one turn of the event loop. */
const MAX_PER_TURN = 256;

test('[P6] sorts thousands of diagnostics in many turns, without duplicates', () => {
  const store = new DiagnosticStore();
  const diagnostic = (index: number): ProjectDiagnostic => ({
    file: `src/${String((index * 7_919) % COUNT).padStart(5, '0')}.json` as ProjectPath,
    line: 1,
    column: 1,
    severity: 'error',
    message: 'expected a value',
  });
  const reported = new Map([['root', Array.from({ length: COUNT }, (_, index) => diagnostic(index))]]);
  reported.set('copy', [diagnostic(1)]);
  const pauses = Array.from(store.accept([{ reported, children: new Map() }])).length;
  assert.ok(pauses > COUNT / MAX_PER_TURN, `${pauses}`);
  assert.equal(store.list().length, COUNT);
  assert.deepEqual([store.list()[0]?.file, store.list().at(-1)?.file], ['src/00000.json', 'src/09999.json']);
});
