import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Dice } from '../../../scripts/fuzz/mutate.ts';
import { targets } from '../../../scripts/fuzz/targets.ts';

const folder = new URL('../../fixtures/fuzz/', import.meta.url);
const names = existsSync(folder) ? readdirSync(folder) : [];

for (const { name, run, seeds, mutate } of targets) {
  test(`${name} reads its seeds, mutated inputs and inputs that failed before`, async () => {
    for (const seed of seeds) await run(seed);
    const dice = new Dice(1);
    for (let count = 0; count < 50; count++) await run(mutate(dice, dice.pick(seeds), dice.pick(seeds)));
    for (const file of names.filter(one => one.slice(0, one.lastIndexOf('-')) === name))
      await run(readFileSync(new URL(file, folder)));
  });
}

test('every fixture belongs to a target', () => {
  const known = new Set(targets.map(({ name }) => name));
  assert.deepEqual(
    names.filter(file => !known.has(file.slice(0, file.lastIndexOf('-')))),
    [],
  );
});
