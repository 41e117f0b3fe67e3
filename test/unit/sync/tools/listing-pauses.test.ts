import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../../src/base/emitter.ts';
import type { SyncEngine } from '../../../../src/sync/sync-engine.ts';
import { createSyncCompleter } from '../../../../src/sync/tools/sync-completions.ts';
import { createSyncResources } from '../../../../src/sync/tools/sync-resources.ts';
import { openProject, smallProject } from '../../../harness/project-world.ts';
import { WorkingClock } from '../../../harness/working-clock.ts';

const COUNT = 300;
const files = Object.fromEntries(Array.from({ length: COUNT }, (_, at) => [`src/S${at}.luau`, 'return 1']));

test('pauses while it lists the scripts and paths of a game', async () => {
  using world = await openProject(smallProject(files));
  let turns = 0;
  const clock = new (class extends WorkingClock {
    override after(ms: number, fn: () => void): () => void {
      turns += 1;
      return super.after(ms, fn);
    }
  })();
  const engine = { onDidChange: new Emitter<void>().event, current: () => undefined } as unknown as SyncEngine;
  const session = () => world.session;
  const complete = createSyncCompleter({ engine, session, clock });
  const onDidOpenSession = new Emitter<never>().event;
  const resources = createSyncResources({ engine, session, onDidOpenSession, clock, card: undefined });
  const lists: Readonly<Record<string, () => Promise<unknown>>> = {
    'completions of scripts': async () => complete('atlas://scripts/{+fsPath}', 'fsPath'),
    'completions of paths': async () => complete('resolve-conflicts', 'path'),
    'list of scripts': () => resources.read('atlas://scripts', new AbortController().signal),
  };
  for (const [name, list] of Object.entries(lists)) {
    turns = 0;
    assert.ok(await list(), name);
    // The clock advances so fast that every second instance ends a slice.
    assert.ok(turns >= COUNT / 2, `${name}: ${turns} turns`);
  }
});
