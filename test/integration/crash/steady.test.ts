import assert from 'node:assert/strict';
import { test } from 'node:test';
import { growthOf, steadySyncs } from '../../../scripts/steady/steady-syncs.ts';
import { ensureRelease } from '../../../scripts/vscode/pack-extension.ts';

/** `npm run steady` syncs 10,000 times. */
const SYNCS = 40;

test(`keeps the memory of the bridge within 10 % over ${SYNCS} syncs`, async () => {
  await ensureRelease();
  const samples = await steadySyncs(SYNCS, 4);
  const found = samples.map(({ syncs, memory }) => `${syncs}: ${(memory / 1e6).toFixed(1)} MB`).join(', ');
  assert.equal(samples.at(-1)?.syncs, SYNCS);
  assert.ok(growthOf(samples, 'memory') <= 1.1, found);
});
