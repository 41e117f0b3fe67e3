import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { classIcons } from '../../../scripts/generate-class-icons.ts';
import { classFamilies, familyOf } from '../../../src/game-view/class-family.ts';
import { reflection } from '../../harness/reflection.ts';

const folder = new URL('../../../media/classes/', import.meta.url);

test('gives each class the icon of its family', () => {
  const families = {
    Script: 'script',
    LocalScript: 'local-script',
    ModuleScript: 'module-script',
    Workspace: 'workspace',
    Model: 'model',
    SpawnLocation: 'part',
    MeshPart: 'mesh',
    UnionOperation: 'mesh',
    IntValue: 'value',
    RemoteEvent: 'event',
    RemoteFunction: 'function',
    ScreenGui: 'frame',
    TextButton: 'text',
    UICorner: 'ui-layout',
    PointLight: 'light',
    WeldConstraint: 'joint',
    ReplicatedStorage: 'service',
    Folder: 'folder',
    Pants: 'character',
    ForceField: 'instance',
    NoSuchClass: 'instance',
  };
  for (const [className, family] of Object.entries(families))
    assert.equal(familyOf(className, reflection), family, className);
});

test('uses every family for a class that exists', () => {
  const used = new Set(reflection.classNames().map(className => familyOf(className, reflection)));
  assert.deepEqual(
    classFamilies.filter(family => !used.has(family)),
    [],
  );
});

test('media/classes has the icons that the script draws', () => {
  const icons = classIcons();
  assert.deepEqual(readdirSync(folder).toSorted(), Array.from(icons.keys()).toSorted());
  for (const [name, icon] of icons)
    assert.equal(readFileSync(new URL(name, folder), 'utf8'), icon, 'run node scripts/generate-class-icons.ts');
});
