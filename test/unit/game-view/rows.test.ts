import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SyncState } from '../../../src/game-view/differences.ts';
import type { InstanceNode } from '../../../src/game-view/game-node.ts';
import { propertyRows } from '../../../src/game-view/property-rows.ts';
import { propertyText, rowText } from '../../../src/game-view/vscode/game-rows.ts';
import type { Inspected } from '../../../src/protocol/studio/explorer.ts';
import { reflection } from '../../harness/reflection.ts';

const l10n = {
  t: (text: string, ...values: readonly (string | number | boolean)[]) =>
    text.replaceAll(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)])),
};
const node = (name: string, className: string): InstanceNode => ({
  kind: 'instance',
  id: name,
  name,
  className,
  childCount: 0,
  side: 'studio',
  parent: undefined,
});
const tree = (state: SyncState, count = 0) => ({ stateOf: () => state, countBelow: () => count });

test('says the class and the state of a row in words', () => {
  const row = rowText(node('Main', 'Script'), tree('differs', 2), 'src/Main.server.luau', l10n);
  assert.deepEqual(row, {
    label: 'Main',
    description: 'Script · differs · 2 differences',
    spoken: 'Script, differs, 2 differences inside',
    tooltip: [
      'Main (Script)',
      'Different on disk and in Studio.',
      '2 differences inside',
      'File: src/Main.server.luau',
    ],
  });
});

test('leaves out a class that equals the name, and a state that is unknown', () => {
  const row = rowText(node('Workspace', 'Workspace'), tree('unknown', 1), undefined, l10n);
  assert.deepEqual([row.description, row.spoken], ['1 difference', 'Workspace, 1 difference inside']);
});

test('names the first and the last child of a range', () => {
  const children = [node('A', 'Part'), node('Z', 'Part')];
  const range = {
    kind: 'range' as const,
    id: 'w:1',
    from: 1,
    to: 250,
    instances: children,
    children,
    parent: undefined,
  };
  assert.deepEqual(rowText(range, tree('unknown'), undefined, l10n), {
    label: '1 to 250',
    description: 'A … Z',
    spoken: 'from A to Z',
  });
});

const inspected: Inspected = {
  type: 'inspected',
  requestId: '',
  instance: { id: 'p', name: 'Floor', className: 'Part', childCount: 0 },
  names: ['Workspace', 'Floor'],
  properties: {
    Transparency: { Float32: 0.5 },
    Material: { Enum: 256 },
    Anchored: { Bool: true },
    PivotTarget: { Ref: 'abc' },
  },
  references: { PivotTarget: 'Workspace/Other' },
  omitted: ['Blob'],
};

test('lists properties by name with enum items, paths of references and differences first', () => {
  const change = {
    id: 'p',
    path: 'Workspace/Floor',
    className: 'Part',
    patchType: 'Edit' as const,
    fsPath: null,
    choice: null,
    defaultReason: 'no_git' as const,
    reason: null,
    agent: null,
    hasSource: false,
    properties: { Transparency: { current: { Float32: 0.5 }, incoming: { Float32: 0.25 } } },
  };
  const rows = propertyRows(inspected, 'studio', change, reflection);
  assert.deepEqual(
    rows.map(({ name, value, onDisk }) => [name, value, ...(onDisk === undefined ? [] : [onDisk])]),
    [
      ['Name', 'Floor'],
      ['ClassName', 'Part'],
      ['Transparency', '0.5', '0.25'],
      ['Anchored', 'true'],
      ['Blob', undefined],
      ['Material', 'Plastic'],
      ['PivotTarget', 'Workspace/Other'],
    ],
  );
});

test('says both values of a property that differs', () => {
  const text = propertyText({ name: 'Transparency', value: '0.5', type: 'Float32', onDisk: '0.25' }, l10n);
  assert.equal(text.description, '0.5 in Studio · 0.25 on disk');
  assert.equal(text.spoken, 'differs, 0.5 in Studio, 0.25 on disk');
  const long = propertyText({ name: 'Blob', value: undefined, type: '' }, l10n);
  assert.deepEqual([long.description, long.tooltip], ['too long to show', ['Blob', 'too long to show']]);
});

test('lists a text that differs before the properties, and opens differing ones as a diff', () => {
  const script = { ...node('Main', 'Script'), id: 'p' };
  const inspected: Inspected = {
    type: 'inspected',
    requestId: '',
    instance: script,
    names: ['Main'],
    properties: { Disabled: { Bool: true }, Enabled: { Bool: false } },
    references: {},
    omitted: [],
  };
  const change = {
    id: 'change',
    path: 'Main',
    className: 'Script',
    patchType: 'Edit' as const,
    fsPath: null,
    choice: null,
    defaultReason: 'no_git' as const,
    reason: null,
    agent: null,
    hasSource: true,
    properties: { Disabled: { current: { Bool: true }, incoming: { Bool: false } } },
  };
  const namesOf = (side: 'studio' | 'disk') =>
    propertyRows(inspected, side, change, reflection).map(({ name, changeId }) => [name, changeId]);
  assert.deepEqual(namesOf('studio'), [
    ['Name', undefined],
    ['ClassName', undefined],
    ['Source', 'change'],
    ['Disabled', 'change'],
    ['Enabled', undefined],
  ]);
  assert.ok(!namesOf('disk').some(([, id]) => id !== undefined));
  const [, , source] = propertyRows(inspected, 'studio', change, reflection);
  assert.ok(source);
  assert.equal(propertyText(source, l10n).description, 'differs from the file');
});
