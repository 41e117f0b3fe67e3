import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import type { Ref } from '../../../../src/base/brand.ts';
import type { Instance } from '../../../../src/roblox/instances/instance.ts';
import type { Variant } from '../../../../src/roblox/values/variant.ts';
import { NULL_REF } from '../../../../src/roblox/values/ref.ts';
import { BaseStates, isSameState } from '../../../../src/sync/base/base-state.ts';

const instance = (className: string, properties: Readonly<Record<string, Variant>>): Instance => ({
  id: 'a'.repeat(32) as Ref,
  parent: NULL_REF,
  name: 'It',
  className,
  properties: new Map(Object.entries(properties)),
  children: [],
  metadata: { ignoreUnknownInstances: true, globIgnoredChildren: false, source: undefined, relevantPaths: [] },
});
const text = (value: string): Variant => ({ type: 'String', value });

test('knows which Studio was up to date with a place, and never one without an id', () => {
  const states = new BaseStates(nodeHasher);
  states.useStudio('place', 'one');
  assert.equal(states.isSameStudio('place', 'one'), true);
  assert.equal(states.isSameStudio('place', 'two'), false);
  assert.equal(states.isSameStudio('elsewhere', 'one'), false);
  states.useStudio('place', undefined);
  assert.equal(states.isSameStudio('place', undefined), false);
});

test('has the text of a script apart from its properties, and other sources among them', () => {
  const states = new BaseStates(nodeHasher);
  const script = states.of(
    instance('Script', { Source: text('print(1)\r\n'), Archivable: { type: 'Bool', value: true } }),
  );
  assert.equal(script.source, nodeHasher.gitBlob('print(1)\n'), 'with LF line ends');
  assert.deepEqual(Object.keys(script.properties), ['Archivable']);
  const value = states.of(instance('StringValue', { Source: text('print(1)') }));
  assert.deepEqual([Object.keys(value), Object.keys(value.properties)], [['properties'], ['Source']]);
});

test('leaves out values that no plugin can receive, because Studio never confirms them', () => {
  const state = new BaseStates(nodeHasher).of(
    instance('Part', {
      Locked: { type: 'Bool', value: true },
      Data: { type: 'SharedString', value: new Uint8Array() },
    }),
  );
  assert.deepEqual(Object.keys(state.properties), ['Locked']);
});

test('identifies the target of a reference by its present key, and computes other states once', () => {
  const states = new BaseStates(nodeHasher);
  const target = 'b'.repeat(32) as Ref;
  const pointer = instance('ObjectValue', { Value: { type: 'Ref', value: target } });
  const plain = instance('Part', { Locked: { type: 'Bool', value: true } });
  states.useKeys(new Map([[target, 'Workspace/Old']]));
  const [before, same] = [states.of(pointer).properties['Value'], states.of(plain)];
  states.useKeys(new Map([[target, 'Workspace/New']]));
  const after = states.of(pointer).properties['Value'];
  assert.notEqual(after, before);
  states.useKeys(new Map([['c'.repeat(32) as Ref, 'Workspace/Old']]));
  assert.equal(
    states.of(instance('ObjectValue', { Value: { type: 'Ref', value: 'c'.repeat(32) as Ref } })).properties['Value'],
    before,
    'another session has another id for the same target',
  );
  assert.equal(states.of(plain), same);
});

test('compares states by text, properties, validity, and whether their entries are known', () => {
  const state = { source: 'a', properties: { Locked: '1' }, entries: { Tags: { x: '' } } };
  assert.ok(isSameState(state, { ...state }));
  assert.ok(isSameState(undefined, undefined));
  const others = [
    undefined,
    { ...state, source: 'b' },
    { ...state, properties: { Locked: '2' } },
    { ...state, properties: { Locked: '1', Size: '1' } },
    { ...state, isOutdated: true as const },
    { source: 'a', properties: { Locked: '1' } },
  ];
  for (const other of others) {
    assert.ok(!isSameState(state, other));
    assert.ok(!isSameState(other, state));
  }
});
