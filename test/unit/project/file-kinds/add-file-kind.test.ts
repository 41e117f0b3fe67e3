import { reasonText } from '../../../../src/protocol/reason.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ok } from '../../../../src/base/result.ts';
import { type FileKind, takeText } from '../../../../src/project/file-kinds/file-kind.ts';
import { FileKinds } from '../../../../src/project/file-kinds/file-kinds.ts';
import { standardKinds } from '../../../../src/project/file-kinds/standard-file-kinds.ts';
import { contentFile } from '../../../../src/project/file-kinds/file-snapshot.ts';
import { readText } from '../../../../src/project/snapshot/pass.ts';
import type { StudioInstance } from '../../../../src/protocol/studio/stream.ts';
import { type PullPlan, planPull } from '../../../harness/pulls.ts';
import { never, openProject, type ProjectWorld } from '../../../harness/project-world.ts';

/** The descriptor file that a new kind needs; its line in the list of kinds is `[markdown, ...standardKinds]`. */
const markdown: FileKind = {
  name: 'markdown',
  syncRuleNames: ['markdown'],
  suffixes: [{ suffix: '.md' }],
  content: 'text',
  read: contentFile(async (pass, path) => {
    const read = await readText(pass, path);
    if (read === undefined || read === 'broken') return read;
    return {
      className: 'StringValue',
      properties: new Map([['Value', { type: 'String', value: read.text }]]),
      text: { property: 'Value', write: ok },
    };
  }),
  create: instance => {
    const taken =
      instance.className === 'StringValue' && !instance.hasChildren ? takeText(instance, 'Value') : undefined;
    return taken && { suffix: '.md', ...taken };
  },
};
const fileKinds = new FileKinds([markdown, ...standardKinds]);

const R = 'ReplicatedStorage';
const open = (files: Readonly<Record<string, string>>, project: object = {}): Promise<ProjectWorld> =>
  openProject(
    {
      'default.project.json5': JSON.stringify({
        name: 'Game',
        tree: { $className: 'DataModel', ReplicatedStorage: { $path: 'src' } },
        ...project,
      }),
      ...files,
    },
    { fileKinds },
  );
const stringValue = (name: string, value: string, children: readonly StudioInstance[] = []): StudioInstance => ({
  id: 'f'.repeat(32),
  name,
  className: 'StringValue',
  properties: { Value: { String: value } },
  children: Array.from(children),
});

async function applyPlan(world: ProjectWorld, plan: PullPlan): Promise<void> {
  assert.ok(plan.ok, plan.ok ? '' : reasonText(plan.reason));
  for (const edit of plan.edits) {
    if (edit.kind === 'write') await world.files.replace(edit.path, edit.bytes, edit.precondition);
    else await world.files.remove(edit.path, edit.precondition);
  }
  await world.refresh();
}

test('reads a file of an added kind, with its meta file and by a sync rule', async () => {
  using world = await open(
    { 'src/Readme.md': '# Hello', 'src/Readme.meta.json5': '{ attributes: { Lang: "en" } }', 'src/Notes.note': 'n' },
    { syncRules: [{ pattern: '**/*.note', use: 'markdown' }] },
  );
  assert.equal(world.outline(R), 'ReplicatedStorage:ReplicatedStorage\n  Notes:StringValue\n  Readme:StringValue');
  const readme = world.at(`${R}/Readme`);
  assert.equal(readme.properties.get('Value')?.value, '# Hello');
  assert.ok(readme.properties.has('Attributes'));
});

test('pulls an edit into a file of an added kind', async () => {
  using world = await open({ 'src/Readme.md': 'old' });
  const { id } = world.at(`${R}/Readme`);
  await applyPlan(world, await planPull(world, { kind: 'edit', id, studio: stringValue('Readme', 'new') }));
  assert.equal(world.files.text('src/Readme.md'), 'new');
});

test('names new files of an added kind, numbered when the name is taken', async () => {
  using world = await open({ 'src/Readme.md': 'one', 'src/Other.luau': '' });
  const parentId = world.at(R).id;
  const requests = [stringValue('Readme', 'two'), stringValue('Readme', 'three'), stringValue('a/b', 'four')];
  const plan = await world.session.planPulls(
    requests.map((studio, index) => ({ kind: 'create', parentId, studio: { ...studio, id: `${index}` } })),
    never,
  );
  await applyPlan(world, { ok: true, edits: plan.edits });
  assert.equal(world.files.text('src/Readme~2.md'), 'two');
  assert.equal(world.files.text('src/Readme~3.md'), 'three');
  assert.equal(world.files.text('src/a_b.md'), 'four');
  assert.equal(world.outline(R).match(/Readme:StringValue/g)?.length, 3);
  assert.match(world.outline(R), /a\/b:StringValue/);
});

test('converts a file of an added kind to a folder when its instance gets a child', async () => {
  using world = await open({ 'src/Readme.md': 'one' });
  const parentId = world.at(`${R}/Readme`).id;
  await applyPlan(world, await planPull(world, { kind: 'create', parentId, studio: stringValue('Child', 'two') }));
  assert.equal(world.files.text('src/Readme/Child.md'), 'two');
  assert.equal(world.at(`${R}/Readme`).properties.get('Value')?.value, 'one');
});

test('requires a separate meta file when an added kind shares its base name', async () => {
  using world = await open({ 'src/Same.md': 'one' });
  const studio = {
    ...stringValue('Same', 'two'),
    properties: { Value: { String: 'two' }, Archivable: { Bool: false } },
  };
  const plan = await planPull(world, { kind: 'create', parentId: world.at(R).id, studio });
  assert.ok(plan.ok);
  assert.deepEqual(
    plan.edits.map(({ path }) => path),
    ['src/Same~2.md', 'src/Same~2.meta.json5'],
  );
});
