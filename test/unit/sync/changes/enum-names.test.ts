import assert from 'node:assert/strict';
import { test } from 'node:test';
import { syncWorld, type WorldParts } from '../../../harness/sync-world.ts';

const lamp = 'ServerScriptService/Lamp';
const differing = (onDisk: object, inStudio: NonNullable<WorldParts['place']>[string]['properties']): WorldParts => ({
  git: 'none',
  files: { 'src/Lamp.model.json': JSON.stringify({ className: 'Part', properties: onDisk }) },
  place: { [lamp]: { className: 'Part', properties: inStudio ?? {} } },
});

test('names the items of an enum beside their numbers, and no other value', async () => {
  const world = await syncWorld(
    differing({ Material: 'Wood', Transparency: 0.5 }, { Material: { Enum: 256 }, Transparency: { Float32: 0 } }),
  );
  const [change] = (await world.sync({ mode: 'dryrun' })).changes;
  assert.deepEqual(change?.properties, {
    Material: { current: { Enum: 256 }, incoming: { Enum: 512 }, currentName: 'Plastic', incomingName: 'Wood' },
    Transparency: { current: { Float32: 0 }, incoming: { Float32: 0.5 } },
  });
});

test('names no item for a number that the enum of this version does not have', async () => {
  const world = await syncWorld(differing({ Material: 'Wood' }, { Material: { Enum: 99_999 } }));
  const [unknown] = (await world.sync({ mode: 'dryrun' })).changes;
  assert.deepEqual(unknown?.properties, {
    Material: { current: { Enum: 99_999 }, incoming: { Enum: 512 }, incomingName: 'Wood' },
  });
});
