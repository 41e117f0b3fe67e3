import { test } from 'node:test';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { variantToWire } from '../../../../src/roblox/values/variant-wire.ts';
import { EMPTY_QUIET_MS } from '../../../../src/project/session/emptied-files.ts';
import type { ProjectSession } from '../../../../src/project/project-session.ts';
import { planPull } from '../../../harness/pulls.ts';
import { openProject, type ProjectWorld } from '../../../harness/project-world.ts';
import { settle } from '../../../harness/settle.ts';

/** A tree without its ids. */
function plain(session: ProjectSession): unknown {
  const depths = new Map<string, number>();
  return Array.from(session.descendants(session.rootId), instance => {
    const depth = (depths.get(instance.parent) ?? -1) + 1;
    depths.set(instance.id, depth);
    return {
      depth,
      name: instance.name,
      className: instance.className,
      properties: Array.from(instance.properties, ([name, value]) => [name, variantToWire(value)]).sort(([a], [b]) =>
        a! < b! ? -1 : 1,
      ),
      metadata: instance.metadata,
    };
  });
}

const project = (tree: object, more: object = {}): string =>
  JSON.stringify({ name: 'Game', tree: { $className: 'DataModel', ...tree }, ...more });
const projects = [
  project({ ReplicatedStorage: { $path: 'src' } }),
  project({
    ReplicatedStorage: { $path: 'src', Extra: { $path: { optional: 'src/d' } } },
    Workspace: { $path: 'src/d' },
  }),
  project(
    { ReplicatedStorage: { $path: 'src', $properties: { Archivable: false } } },
    { globIgnorePaths: ['**/b.luau'] },
  ),
  project({ ReplicatedStorage: { $path: 'src' } }, { syncScriptsOnly: true }),
];
const contents: Readonly<Record<string, readonly string[]>> = {
  'default.project.json': projects,
  'src/a.luau': ['1', '2'],
  'src/a.server.luau': ['1', ''],
  'src/a.meta.json': ['{"attributes": {"A": 1}}', '{"ignoreUnknownInstances": true, "name": "other"}', '{}'],
  'src/d/init.luau': ['3', '4'],
  'src/d/init.client.lua': ['c'],
  'src/d/init.meta.json': ['{"properties": {"Tags": ["x"]}}', '{}'],
  'src/d/b.luau': ['5', '6'],
  'src/d/e/f.json': ['{"x": 1}', '[]'],
  'src/d/e/init.meta.json': ['{"className": "Model"}', '{"className": "Configuration"}'],
  'src/m.model.json': [
    '{"className": "Model", "children": [{"className": "Part"}, {"className": "Part", "properties": {"Anchored": true}}]}',
    '{"className": "Part"}',
    ' ',
  ],
  'src/p/default.project.json': [
    '{"tree": {"$className": "Folder", "In": {"$path": "in"}}}',
    '{"tree": {"$path": "in"}}',
  ],
  'src/p/in/x.luau': ['x', 'y'],
  'src/notes.txt': ['n', 'm'],
};
const removable = [
  ...Object.keys(contents).filter(path => path !== 'default.project.json'),
  'src/d',
  'src/d/e',
  'src/p/in',
];

type Step =
  | { readonly kind: 'set'; readonly path: string; readonly pick: number }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'look'; readonly whole: boolean };
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('set' as const),
      path: fc.constantFrom(...Object.keys(contents)),
      pick: fc.nat(5),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('delete' as const), path: fc.constantFrom(...removable) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('look' as const), whole: fc.boolean() }) },
);

/** Reads the whole project. That waits for the clock if a file was just emptied. */
async function refreshed(world: ProjectWorld): Promise<void> {
  let isDone = false;
  const refreshing = world.refresh().finally(() => (isDone = true));
  while (!isDone) {
    await settle();
    world.clock.advance(EMPTY_QUIET_MS);
  }
  await refreshing;
}

test('any sequence of file changes gives the same tree as a new load', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30, size: 'large' }), async steps => {
      using world = await openProject({
        'default.project.json': projects[0] ?? '',
        'src/p/in/.keep': '',
        'src/.keep': '',
      });
      for (const action of steps) {
        if (action.kind === 'set') {
          const choices = contents[action.path] ?? [];
          world.files.set(action.path, choices[action.pick % choices.length] ?? '');
          // The paths of a nested project must exist: an invalid one keeps its last valid state, which a new load does not have.
          world.files.set('src/p/in/.keep');
        } else if (action.kind === 'delete') {
          world.files.delete(action.path);
          world.files.set('src/p/in/.keep');
        } else if (action.whole) await refreshed(world);
        else {
          world.clock.advance(1_000);
          await planPull(world, { kind: 'delete', id: 'none' as never });
        }
        const revision = world.session.revision();
        if (action.kind === 'look' && action.whole) {
          await refreshed(world);
          assert.equal(world.session.revision(), revision, 'looking again changes nothing');
        }
      }
      // A file that was emptied is looked at a second time.
      for (let look = 0; look < 2; look += 1) {
        world.clock.advance(EMPTY_QUIET_MS + 100);
        await planPull(world, { kind: 'delete', id: 'none' as never });
      }
      using fresh = await openProject(world.files.copy());
      assert.deepEqual(plain(world.session), plain(fresh.session));
      const { session } = world;
      assert.equal(session.instanceCount(), Array.from(session.descendants(session.rootId)).length);
      assert.deepEqual(world.session.diagnostics(), fresh.session.diagnostics());
    }),
    { numRuns: 150 },
  );
});
