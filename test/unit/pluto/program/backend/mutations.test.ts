import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileFunction } from 'node:vm';
import fc from 'fast-check';
import type { ProjectPath } from '../../../../../src/base/brand.ts';
import { runToEnd } from '../../../../../src/base/time-slice.ts';
import { lowerProgram } from '../../../../../src/pluto/program/backend/lower-program.ts';
import { CheckWorld } from '../../language/check-world.ts';
import { runPrograms } from './run-programs.ts';

const programs = runPrograms().flatMap(({ files }) => files['main.pt'] ?? []);

/** A change of one line; numbers are taken modulo the number of lines. */
interface Mutation {
  readonly kind: 'delete' | 'repeat' | 'swap' | 'branch';
  readonly line: number;
  readonly other: number;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('delete', 'repeat', 'swap', 'branch'),
  line: fc.nat(),
  other: fc.nat(),
});

function mutate(lines: string[], { kind, line, other }: Mutation): void {
  const at = line % lines.length;
  const from = other % lines.length;
  const [one = '', two = ''] = [lines[at], lines[from]];
  if (kind === 'delete') lines.splice(at, 1);
  else if (kind === 'repeat') lines.splice(at, 0, two);
  else if (kind === 'swap') [lines[at], lines[from]] = [two, one];
  else lines[at] = one.replace(/\b\w+(?:\.\w+)*\([^()]*\)/, call => `(if true { ${call} } else { ${call} })`);
}

test('compiles every mutated program that the checker accepts to valid JavaScript', async t => {
  let lowered = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: programs.length - 1 }),
      fc.array(mutation, { minLength: 1, maxLength: 2 }),
      async (index, mutations) => {
        const lines = (programs[index] ?? '').split('\n');
        for (const each of mutations) if (lines.length > 1) mutate(lines, each);
        const { checker } = await CheckWorld.of({ 'main.pt': lines.join('\n') });
        for (const mode of ['run', 'test'] as const) {
          const answer = runToEnd(
            lowerProgram(checker.checked(), {
              entry: 'main.pt' as ProjectPath,
              mode,
              hasExtern: () => true,
            }),
          );
          if (answer.kind === 'refused') continue;
          assert.equal(typeof compileFunction(answer.text, ['$rt']), 'function', lines.join('\n'));
          lowered += 1;
        }
      },
    ),
    { numRuns: 150 },
  );
  t.diagnostic(`${lowered} of 150 programs were accepted`);
  assert.ok(lowered > 5, `${lowered} were accepted`);
});
