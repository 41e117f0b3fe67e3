import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { Ref } from '../../../../src/base/brand.ts';
import { rbxmx } from '../../../../src/project/file-kinds/model-file.ts';
import type { Variant } from '../../../../src/roblox/values/variant.ts';
import { reflection } from '../../../harness/reflection.ts';
import { TimeSlice } from '../../../../src/base/time-slice.ts';
import { openProject, projectPath, smallProject } from '../../../harness/project-world.ts';

const signal = new AbortController().signal;
const COUNT = 2_000;

/** Runs the work and returns the number of calls that may pause. */
async function pausesDuring(work: () => Promise<unknown>, onPause: () => void = () => undefined): Promise<number> {
  let count = 0;
  const slices = mock.method(TimeSlice.prototype, 'isUsedUp', () => {
    count += 1;
    onPause();
    return false;
  });
  try {
    await work();
    return count;
  } finally {
    slices.mock.restore();
  }
}

test('may pause at each instance while a large model from Studio is planned, written and read', async () => {
  using world = await openProject(smallProject({ 'src/A.luau': '0' }));
  const parentId = world.session.idsAtPath(projectPath('src'))[0];
  assert.ok(parentId !== undefined);
  const child = (index: number) => ({
    id: `c${index}`,
    name: `Part${index}`,
    className: 'Part',
    properties: { Transparency: { Float32: 0.5 } },
    children: [],
  });
  const children = Array.from({ length: COUNT }, (_, index) => child(index));
  const studio = { id: 'm', name: 'Large', className: 'Model', properties: {}, children };
  let edits: Awaited<ReturnType<typeof world.session.planPulls>>['edits'] = [];
  const planning = await pausesDuring(async () => {
    ({ edits } = await world.session.planPulls([{ kind: 'create', parentId, studio }], signal));
  });
  const [edit] = edits;
  assert.ok(edits.length === 1 && edit?.kind === 'write', JSON.stringify(edits.map(({ path }) => path)));
  // Values, references, model and locations pause at each instance, and the text, which can have many levels, after 32 KB.
  assert.ok(planning > 4 * COUNT, `${planning} pauses`);
  world.files.set(edit.path, new TextDecoder().decode(edit.bytes));
  const reading = await pausesDuring(() => world.refresh());
  // Parsing and reading pause after some instances, which take less than a millisecond; the tree and its checks pause at each.
  assert.ok(reading > 2 * COUNT, `${reading} pauses`);
  const [made] = world.session.idsAtPath(edit.path);
  assert.equal(made !== undefined && world.session.get(made)?.children.length, COUNT);
});

test('may pause at each 64 KB while the text of a model file is written', async () => {
  const id = 'r' as Ref;
  const properties = new Map<string, Variant>([['Value', { type: 'String', value: 'x'.repeat(2_000_000) }]]);
  const root = { referent: id, className: 'StringValue', name: 'Long', properties, children: [] };
  const slice = new TimeSlice({ now: () => 0, after: () => () => undefined });
  let bytes: Uint8Array | undefined;
  const pauses = await pausesDuring(async () => {
    const written = await rbxmx.writeModel?.({ roots: [root], metadata: new Map() }, reflection, slice);
    bytes = written?.ok === true ? written.value : undefined;
  });
  assert.ok(bytes !== undefined && bytes.length > 2_000_000);
  // One for the instance, the rest while the text is encoded.
  assert.ok(pauses >= bytes.length / 65_536, `${pauses} pauses`);
});

test('ignores properties and attributes of one instance beyond those that one step can read', async () => {
  const many = (count: number): object =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`A${at}`, true]));
  const model = (count: number) => ({ className: 'Part', attributes: many(count) });
  using world = await openProject(
    smallProject({
      'src/B.model.json': JSON.stringify(model(6_000)),
      'src/C.model.json': JSON.stringify(model(5_000)),
    }),
  );
  const [problem, ...others] = world.session.diagnostics();
  assert.deepEqual([problem?.file, others.length], ['src/B.model.json', 0]);
  assert.match(problem?.message ?? '', /at most 5000 attributes of one instance/);
  const attributesOf = (file: string) => {
    const [id] = world.session.idsAtPath(projectPath(file));
    return id === undefined ? undefined : world.session.get(id)?.properties.get('Attributes');
  };
  assert.equal(attributesOf('src/B.model.json'), undefined);
  assert.ok(attributesOf('src/C.model.json') !== undefined);
});

test('finds instances by path only while they are in the tree', async () => {
  using world = await openProject(smallProject({ 'src/A.luau': '0' }));
  const path = projectPath('src/D/init.luau');
  const found: (readonly string[])[] = [];
  const look = (): void =>
    void found.push(world.session.idsAtPath(path).filter(id => world.session.get(id) === undefined));
  world.files.set('src/D/init.luau', '1');
  await pausesDuring(() => world.refresh(), look);
  assert.equal(world.session.idsAtPath(path).length, 1);
  world.files.delete('src/D/init.luau');
  await pausesDuring(() => world.refresh(), look);
  assert.deepEqual(world.session.idsAtPath(path), []);
  assert.ok(found.length > 10);
  assert.deepEqual(found.flat(), []);
});
