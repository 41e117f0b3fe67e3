import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openProject, type ProjectWorld } from '../../../harness/project-world.ts';

const R = 'ReplicatedStorage';
type Dialect = 'rojo' | 'atlas';

function open(
  rules: readonly object[],
  files: Readonly<Record<string, string>>,
  dialect: Dialect = 'rojo',
): Promise<ProjectWorld> {
  return openProject({
    [dialect === 'rojo' ? 'default.project.json' : 'default.project.json5']: JSON.stringify({
      name: 'Game',
      tree: { $className: 'DataModel', ReplicatedStorage: { $path: 'src' } },
      syncRules: rules,
    }),
    'src/.keep': '',
    ...files,
  });
}
const names = (world: ProjectWorld): readonly string[] =>
  world
    .outline(R)
    .split('\n')
    .slice(1)
    .map(line => line.trim());

// Rule, file, expected instance: name and class.
const table: readonly (readonly [object, string, string | undefined, Dialect?])[] = [
  [{ pattern: '**/*.t', use: 'text' }, 'a.b.t', 'a.b:StringValue'],
  [{ pattern: '**/*.t', use: 'text', suffix: '.b.t' }, 'a.b.t', 'a:StringValue'],
  [{ pattern: '**/*.t', use: 'text', suffix: '.x' }, 'a.b.t', 'a.b.t:StringValue'],
  [{ pattern: 'src/*.t', use: 'text' }, 'a.t', 'a:StringValue'],
  [{ pattern: '*.t', use: 'text' }, 'a.t', 'a:StringValue'],
  [{ pattern: '*.t', use: 'text', exclude: '**/a.*' }, 'a.t', undefined],
  [{ pattern: '*.luau', use: 'ignore' }, 'a.luau', undefined],
  [{ pattern: '*.luau', use: 'ignore' }, 'a.lua', 'a:ModuleScript'],
  [{ pattern: '*.s', use: 'legacyServerScript' }, 'a.s', 'a:Script'],
  [{ pattern: '*.s', use: 'legacyClientScript' }, 'a.s', 'a:LocalScript'],
  [{ pattern: '*.s', use: 'runContextServerScript' }, 'a.s', 'a:Script'],
  [{ pattern: '*.s', use: 'runContextClientScript' }, 'a.s', 'a:Script'],
  [{ pattern: '*.s', use: 'legacyScript' }, 'a.s', 'a:Script', 'atlas'],
  [{ pattern: '*.s', use: 'localScript' }, 'a~2.s', 'a:LocalScript', 'atlas'],
  [{ pattern: '*.words', use: 'csv' }, 'a.words', 'a:LocalizationTable'],
  [{ pattern: '*.d', use: 'json' }, 'a.d', 'a:ModuleScript'],
];
const contents: Readonly<Record<string, string>> = { words: 'Key,de\n', d: '{}' };
for (const [rule, file, expected, dialect] of table)
  test(`${JSON.stringify(rule)} reads ${file} as ${expected ?? 'nothing'}`, async () => {
    using world = await open([rule], { [`src/${file}`]: contents[file.split('.').at(-1) ?? ''] ?? '' }, dialect);
    assert.deepEqual(names(world), expected === undefined ? [] : [expected]);
  });

test('uses the first matching rule, and none for init files and folders', async () => {
  using world = await open(
    [
      { pattern: '**/*.x.luau', use: 'text', suffix: '.x.luau' },
      { pattern: '**/*.luau', use: 'serverScript' },
      { pattern: '**', use: 'ignore' },
    ],
    { 'src/a.x.luau': '', 'src/b.luau': '', 'src/c.txt': '', 'src/d/init.luau': '', 'src/d/e.luau': '' },
  );
  assert.deepEqual(names(world), ['a:StringValue', 'b:Script', 'd:ModuleScript', 'e:Script']);
});

test('applies a run context rule of the Rojo dialect regardless of emitLegacyScripts', async () => {
  using world = await open([{ pattern: '**/*.s', use: 'runContextClientScript' }], { 'src/a.s': '' });
  assert.deepEqual(world.at(`${R}/a`).properties.get('RunContext'), { type: 'Enum', value: 2 });
});

test('uses the rules of a nested project instead of the outer rules', async () => {
  using world = await open([{ pattern: '**/*.t', use: 'text' }], {
    'src/in/default.project.json': JSON.stringify({
      tree: { $path: 'files' },
      syncRules: [{ pattern: 'files/*.u', use: 'text' }],
    }),
    'src/in/files/a.t': '',
    'src/in/files/b.u': '',
  });
  assert.deepEqual(names(world), ['in:Folder', 'b:StringValue']);
});

test('watches a file that a rule matches', async () => {
  using world = await open([{ pattern: '**/*.t', use: 'text' }], { 'src/a.t': 'one' });
  const { id } = world.at(`${R}/a`);
  world.files.set('src/a.t', 'two');
  await world.refresh();
  assert.equal(world.at(`${R}/a`).id, id);
  assert.equal(world.at(`${R}/a`).properties.get('Value')?.value, 'two');
});
