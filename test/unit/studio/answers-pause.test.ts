import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProjectPath } from '../../../src/base/brand.ts';
import type { PausableWork } from '../../../src/base/time-slice.ts';
import { renderInstances } from '../../../src/project/session/read-response.ts';
import { gitMetadata } from '../../../src/studio/git-metadata.ts';
import { findAll, referencesTo, serializeInstances } from '../../../src/studio/serialize.ts';
import { openProject, projectPath, smallProject } from '../../harness/project-world.ts';
import { reflection } from '../../harness/reflection.ts';

const COUNT = 300;
const none: ReadonlySet<ProjectPath> = new Set();
const files = Object.fromEntries(Array.from({ length: COUNT }, (_, at) => [`src/S${at}.luau`, 'return 1']));

/** Number of pauses. */
function pausesOf(work: PausableWork<unknown>): number {
  return Array.from(work).length;
}

test('pauses at each instance of an answer to Studio', async () => {
  for (const syncScriptsOnly of [false, true]) {
    using world = await openProject({
      ...smallProject(files),
      ...(syncScriptsOnly && {
        'default.project.json': JSON.stringify({
          syncScriptsOnly,
          tree: { $className: 'DataModel', ReplicatedStorage: { $path: 'src' } },
        }),
      }),
    });
    const { session } = world;
    const all = Array.from(session.descendants(session.rootId), ({ id }) => id);
    assert.ok(all.length >= COUNT);
    const instances = findAll(session, all);
    assert.ok(instances.ok);
    assert.ok(pausesOf(renderInstances(session, [session.rootId])) >= COUNT);
    assert.ok(pausesOf(serializeInstances(instances.value, reflection)) >= COUNT);
    assert.ok(pausesOf(referencesTo(session, new Set(all))) >= COUNT);
    const status = { changed: none, untracked: none, ignored: new Set([projectPath('src')]), blobs: new Map() };
    assert.ok(pausesOf(gitMetadata(session, status)) >= COUNT);
  }
});
