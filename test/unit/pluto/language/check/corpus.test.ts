import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { checkCodes } from '../../../../../src/pluto/language/check/report/check-codes.ts';
import { parseModule } from '../../../../../src/pluto/language/syntax/parse.ts';
import { checkedPrograms } from '../check-programs.ts';
import { CheckWorld } from '../check-world.ts';

const programs = checkedPrograms();

/** Findings in the notation of the corpus: with the column where the corpus gives one. */
function asExpected(found: readonly string[], expected: readonly string[]): readonly string[] {
  const left = [...expected];
  const take = (wanted: string): string | undefined => {
    const index = left.indexOf(wanted);
    return index < 0 ? undefined : left.splice(index, 1)[0];
  };
  const exact = found.map(finding => ({ finding, wanted: take(finding) }));
  return exact
    .map(({ finding, wanted }) => wanted ?? take(finding.replace(/^(.*:\d+):\d+: /, '$1: ')) ?? finding)
    .toSorted();
}

for (const { name, files, expected } of programs)
  test(`checked: ${name}`, async () => {
    const world = await CheckWorld.of(files);
    const found = world.findings();
    const said = world.checker.check().map(one => `${world.placeOf(one)}: ${one.code}: ${one.message}`);
    assert.deepEqual(asExpected(found, expected), expected, said.join('\n'));
    if (name.startsWith('accepted:')) assert.deepEqual(expected, []);
  });

test('covers every finding of the checker', () => {
  const seen = new Set(programs.flatMap(({ expected }) => expected.map(finding => finding.split(': ').at(-1))));
  assert.deepEqual(
    Object.keys(checkCodes).filter(code => !seen.has(code)),
    [],
  );
});

test('covers every node kind with accepted programs', () => {
  const seen = new Set<unknown>();
  for (const { name, files } of programs) {
    if (!name.startsWith('accepted:')) continue;
    for (const text of Object.values(files))
      JSON.stringify(parseModule(text).tree, (key, value: unknown) => {
        if (key === 'kind') seen.add(value);
        return value;
      });
  }
  const source = ['decl', 'type', 'code']
    .map(file =>
      readFileSync(new URL(`../../../../../src/pluto/language/syntax/ast/${file}.ts`, import.meta.url), 'utf8'),
    )
    .join('\n');
  const kinds = Array.from(source.matchAll(/NodeOf<'(\w+)'>/g), ([, kind]) => kind);
  assert.deepEqual(
    kinds.filter(kind => kind?.startsWith('Broken') !== true && !seen.has(kind)),
    [],
  );
});
