import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runToEnd } from '../../../../src/base/time-slice.ts';
import type { StudioInstance } from '../../../../src/protocol/studio/stream.ts';
import type { WireVariant } from '../../../../src/protocol/values.ts';
import { NULL_REF } from '../../../../src/roblox/values/ref.ts';
import type { RunChange } from '../../../../src/sync/changes/run-change.ts';
import { groupByKey, verifyCreated, verifyWritten } from '../../../../src/sync/run/verify.ts';
import { openProject } from '../../../harness/project-world.ts';
import { reflection } from '../../../harness/reflection.ts';
import { runChange } from '../../../harness/run-change.ts';

const studioInstance = (
  name: string,
  className: string,
  rest: { readonly children?: StudioInstance[]; readonly properties?: Record<string, WireVariant> } = {},
): StudioInstance => ({ id: '', name, className, properties: {}, children: [], ...rest });

const openModel = (model: object) =>
  openProject({
    'default.project.json': JSON.stringify({ name: 'Kit', tree: { $path: 'src' } }),
    'src/Model.model.json': JSON.stringify(model),
  });

/** Verifies a new folder with `children`, of which its file has those with the names `inFile`. */
async function verifyNewFolder(children: StudioInstance[], inFile: readonly string[]): Promise<RunChange> {
  const own = inFile.map(name => ({ name, className: 'PointLight' }));
  using world = await openModel({ className: 'Folder', children: own });
  const { session } = world;
  const change = runChange({ id: 'Model' }, { outcome: 'written' });
  const created = runToEnd(groupByKey(world.at('').children, session));
  const studio = studioInstance('Model', 'Folder', { children });
  runToEnd(verifyCreated(change, studio, created, { session, reflection }));
  return change;
}

const lamp = studioInstance('Lamp', 'PointLight');

test('verifies a new folder in which several instances have one class and name', async () => {
  assert.equal((await verifyNewFolder([lamp, lamp], ['Lamp', 'Lamp'])).outcome, 'written');
});

test('fails a new folder when the project has only one of two instances of one class and name', async () => {
  const { outcome, reason } = await verifyNewFolder([lamp, lamp], ['Lamp', 'Light']);
  assert.deepEqual([outcome, reason?.code], ['failed', 'not_included']);
});

for (const [what, className, properties] of [
  ['a reference to nothing', 'ObjectValue', { Value: { Ref: NULL_REF } }],
  ['no attributes', 'Folder', { Attributes: { Attributes: {} } }],
] as const)
  test(`verifies a written instance whose file expresses ${what} by omitting it`, async () => {
    using world = await openModel({ className });
    const { session } = world;
    const disk = world.at('Model');
    const change = runChange({ id: disk.id, className, properties: {} }, { outcome: 'written', disk });
    const now = verifyWritten(change, studioInstance('Model', className, { properties }), { session, reflection });
    assert.deepEqual([change.outcome, now], ['written', disk]);
  });

test('fails a written instance whose file omits another value', async () => {
  using world = await openModel({ className: 'PointLight' });
  const disk = world.at('Model');
  const change = runChange({ id: disk.id, className: 'PointLight' }, { outcome: 'written', disk });
  const studio = studioInstance('Model', 'PointLight', { properties: { Range: { Float32: 9 } } });
  verifyWritten(change, studio, { session: world.session, reflection });
  assert.deepEqual([change.outcome, change.reason], ['failed', { code: 'reads_other_value', args: ['Range'] }]);
});

for (const [what, name, outcome] of [
  ['verifies', 'Model', 'written'],
  ['fails', 'Other', 'failed'],
] as const)
  test(`${what} a rename when the project reads ${outcome === 'written' ? 'the new' : 'another'} name`, async () => {
    using world = await openModel({ className: 'Folder' });
    const disk = world.at('Model');
    const properties = { Name: { current: { String: name }, incoming: { String: 'Before' } } };
    const change = runChange({ id: disk.id, className: 'Folder', properties }, { outcome: 'written', disk });
    verifyWritten(change, studioInstance(name, 'Folder'), { session: world.session, reflection });
    assert.equal(change.outcome, outcome);
  });
