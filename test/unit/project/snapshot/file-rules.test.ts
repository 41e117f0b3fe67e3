import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultProjectNames } from '../../../../src/project/project-file/project-names.ts';
import { initMetaNames } from '../../../../src/project/file-kinds/file-kinds.ts';
import { standardFileKinds as kinds } from '../../../../src/project/file-kinds/standard-file-kinds.ts';

type Dialect = 'rojo' | 'atlas';
const nothing = undefined;

// File name, then "kind name" in the Rojo and in the Atlas dialect.
const names: readonly (readonly [file: string, rojo: string | undefined, atlas: string | undefined])[] = [
  ['x.server.lua', 'serverScript x', 'legacyScript x'],
  ['x.server.luau', 'serverScript x', 'serverScript x'],
  ['x.client.lua', 'clientScript x', 'localScript x'],
  ['x.client.luau', 'clientScript x', 'clientScript x'],
  ['x.plugin.lua', 'pluginScript x', 'pluginScript x'],
  ['x.plugin.luau', 'pluginScript x', 'pluginScript x'],
  ['x.legacy.luau', 'moduleScript x.legacy', 'legacyScript x'],
  ['x.local.luau', 'moduleScript x.local', 'localScript x'],
  ['x.legacy.lua', 'moduleScript x.legacy', 'moduleScript x.legacy'],
  ['x.local.lua', 'moduleScript x.local', 'moduleScript x.local'],
  ['x.lua', 'moduleScript x', 'moduleScript x'],
  ['x.luau', 'moduleScript x', 'moduleScript x'],
  ['x.project.json', 'project x', 'project x'],
  ['x.project.jsonc', 'project x', nothing],
  ['x.project.json5', nothing, 'project x'],
  ['x.model.json', 'jsonModel x', 'jsonModel x'],
  ['x.model.jsonc', 'jsonModel x', nothing],
  ['x.model.json5', nothing, 'jsonModel x'],
  ['x.json', 'json x', 'json x'],
  ['x.jsonc', 'json x', nothing],
  ['x.json5', nothing, 'json x'],
  ['x.meta.json', nothing, nothing],
  ['x.meta.jsonc', nothing, nothing],
  ['x.meta.json5', nothing, nothing],
  ['x.toml', 'toml x', 'toml x'],
  ['x.csv', 'csv x', 'csv x'],
  ['x.txt', 'text x', 'text x'],
  ['x.rbxmx', 'rbxmx x', 'rbxmx x'],
  ['x.rbxm', 'rbxm x', 'rbxm x'],
  ['x.yml', 'yaml x', 'yaml x'],
  ['x.yaml', 'yaml x', 'yaml x'],
  // One base name with each suffix.
  ['a.b.luau', 'moduleScript a.b', 'moduleScript a.b'],
  ['a.meta.txt', 'text a.meta', 'text a.meta'],
  ['README.md', nothing, nothing],
  ['FOO.LUAU', nothing, nothing],
  ['.DS_Store', nothing, nothing],
  // An empty stem.
  ['.server.luau', 'serverScript ', 'serverScript '],
  ['.luau', 'moduleScript .luau', 'moduleScript .luau'],
  ['.json', 'json ', 'json '],
  ['.txt', 'text .txt', 'text .txt'],
  // Backup and temporary files of editors.
  ['foo.luau~', nothing, nothing],
  ['.foo.luau.swp', nothing, nothing],
  ['4913', nothing, nothing],
  ['foo.luau.tmp', nothing, nothing],
  ['#foo.luau#', nothing, nothing],
  // Init files describe their folder. A file with a similar name is a child with that name.
  ['init.luau', nothing, nothing],
  ['init.lua', nothing, nothing],
  ['init.server.luau', nothing, nothing],
  ['init.client.lua', nothing, nothing],
  ['init.csv', nothing, nothing],
  ['init.plugin.luau', nothing, nothing],
  ['init.plugin.lua', nothing, 'pluginScript init'],
  ['init.local.luau', 'moduleScript init.local', nothing],
  ['init.legacy.luau', 'moduleScript init.legacy', nothing],
  ['init.local.lua', 'moduleScript init.local', 'moduleScript init.local'],
  ['init.json', 'json init', 'json init'],
  ['init.toml', 'toml init', 'toml init'],
  ['init.yaml', 'yaml init', 'yaml init'],
  ['init.txt', 'text init', 'text init'],
  ['init.rbxm', 'rbxm init', 'rbxm init'],
  ['init.model.json', 'jsonModel init', 'jsonModel init'],
  ['init.project.json', 'project init', 'project init'],
  ['init.meta.json', nothing, nothing],
  // The number after the name, which the Atlas dialect removes once.
  ['Foo~2.luau', 'moduleScript Foo~2', 'moduleScript Foo'],
  ['Foo~02.luau', 'moduleScript Foo~02', 'moduleScript Foo'],
  ['Foo~+3.luau', 'moduleScript Foo~+3', 'moduleScript Foo'],
  ['Foo~0.luau', 'moduleScript Foo~0', 'moduleScript Foo~0'],
  ['Foo~.luau', 'moduleScript Foo~', 'moduleScript Foo~'],
  ['Foo~x.luau', 'moduleScript Foo~x', 'moduleScript Foo~x'],
  ['Foo~4294967295.luau', 'moduleScript Foo~4294967295', 'moduleScript Foo'],
  ['Foo~4294967296.luau', 'moduleScript Foo~4294967296', 'moduleScript Foo~4294967296'],
  ['Foo~1~2.luau', 'moduleScript Foo~1~2', 'moduleScript Foo~1'],
  ['~3.luau', 'moduleScript ~3', 'moduleScript '],
  ['Foo~2.model.json', 'jsonModel Foo~2', 'jsonModel Foo'],
  ['Foo~2.project.json', 'project Foo~2', 'project Foo'],
];
const shown = (file: string, dialect: Dialect): string | undefined => {
  const rule = kinds.ruleFor(file, dialect);
  return rule && `${rule.kind.name} ${rule.name}`;
};
for (const [file, rojo, atlas] of names)
  test(`${file} is ${rojo ?? 'nothing'} in the Rojo dialect, ${atlas ?? 'nothing'} in the Atlas dialect`, () => {
    assert.deepEqual([shown(file, 'rojo'), shown(file, 'atlas')], [rojo, atlas]);
  });

test('orders init files and project files by precedence', () => {
  assert.deepEqual(
    kinds.initFiles('rojo').map(init => init.name),
    [
      'init.luau',
      'init.lua',
      'init.server.luau',
      'init.server.lua',
      'init.client.luau',
      'init.client.lua',
      'init.plugin.lua',
      'init.plugin.luau',
      'init.csv',
    ],
  );
  assert.deepEqual(
    kinds.initFiles('atlas').map(init => `${init.name} ${init.kind.name}`),
    [
      'init.luau moduleScript',
      'init.server.luau serverScript',
      'init.client.luau clientScript',
      'init.plugin.luau pluginScript',
      'init.local.luau localScript',
      'init.legacy.luau legacyScript',
      'init.csv csv',
      'init.lua moduleScript',
      'init.server.lua legacyScript',
      'init.client.lua localScript',
    ],
  );
  assert.deepEqual(defaultProjectNames('rojo'), ['default.project.json', 'default.project.jsonc']);
  assert.deepEqual(defaultProjectNames('atlas'), ['default.project.json5', 'default.project.json']);
  assert.deepEqual(initMetaNames('rojo'), ['init.meta.json', 'init.meta.jsonc']);
  assert.deepEqual(initMetaNames('atlas'), ['init.meta.json5', 'init.meta.json']);
});

// File, the name of its instance, then the first meta file to look for in each dialect.
const metas: readonly (readonly [file: string, instance: string, rojo: string, atlas: string])[] = [
  ['Door.server.luau', 'Door', 'Door.meta.json', 'Door.meta.json5'],
  ['Words.csv', 'Words', 'Words.meta.json', 'Words.meta.json5'],
  ['a.b.luau', 'a.b', 'a.b.meta.json', 'a.b.meta.json5'],
  ['x.special', 'x', 'x.meta.json', 'x.meta.json5'],
  ['x.a.special', 'x', 'x.meta.json', 'x.a.meta.json5'],
  ['Foo~2.luau', 'Foo~2', 'Foo~2.meta.json', 'Foo~2.meta.json5'],
  ['Door.local.luau', 'Door', 'Door.meta.json', 'Door.meta.json5'],
];
for (const [file, instance, rojo, atlas] of metas)
  test(`the meta file of ${file} is ${rojo} or ${atlas}`, () => {
    assert.deepEqual(kinds.metaNames(file, instance, 'rojo'), [rojo, `${rojo}c`]);
    assert.deepEqual(kinds.metaNames(file, instance, 'atlas'), [atlas, atlas.slice(0, -1)]);
  });
