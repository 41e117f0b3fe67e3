import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { ProjectPath } from '../../../../../src/base/brand.ts';
import { runToEnd } from '../../../../../src/base/time-slice.ts';
import { lowerProgram } from '../../../../../src/pluto/program/backend/lower-program.ts';
import type { FileDiagnostic } from '../../../../../src/pluto/language/check/report/answers.ts';
import { readFiles } from '../check-programs.ts';
import { CheckWorld } from '../check-world.ts';

const folder = new URL('../../../../fixtures/pluto/anchors/', import.meta.url);

/** `=== RULE: words`: the program below has a finding whose message contains these words; `…` matches any text. */
const cases = readdirSync(folder).flatMap(name =>
  readFileSync(new URL(name, folder), 'utf8')
    .split(/^=== /m)
    .slice(1)
    .map(part => {
      const [title = '', ...lines] = part.split('\n');
      const [rule = '', words = ''] = title.split(/: (.*)/);
      return { rule, words, files: readFiles(lines.join('\n')).files };
    }),
);

/** Findings that appear only when the tests of a module are compiled. */
function compiledForTests({ checker }: CheckWorld): readonly FileDiagnostic[] {
  assert.deepEqual(checker.check(), []);
  const entry = 'main.pt' as ProjectPath;
  const lowered = runToEnd(lowerProgram(checker.checked(), { entry, mode: 'test', hasExtern: () => true }));
  return lowered.kind === 'refused' ? lowered.diagnostics : [];
}

const escaped = (words: string): string => words.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

for (const { rule, words, files } of cases)
  test(`${rule}: reports '${words}'`, async () => {
    const world = await CheckWorld.of(files);
    const said = (rule === 'M15' ? compiledForTests(world) : world.checker.check()).map(({ message }) => message);
    const wanted = new RegExp(words.split('…').map(escaped).join('.*'));
    assert.ok(
      said.some(message => wanted.test(message)),
      `${JSON.stringify(files)}\n${said.join('\n')}`,
    );
  });
