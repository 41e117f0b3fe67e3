import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../src/base/emitter.ts';
import { createProjectGroup } from '../../../src/app/project-group.ts';
import { loadPlutoToolset as loadPluto } from '../../harness/load-pluto.ts';
import { ManualClock } from '../../harness/manual-clock.ts';
import { MemoryFileSystem } from '../../harness/memory-file-system.ts';
import { rootHost } from '../../harness/root-host.ts';
import { startBridge } from '../../harness/start-bridge.ts';

/** Counts the listeners of an event, or of a watcher, that were not disposed. */
class ListenerCount {
  value = 0;
  of<L extends unknown[]>(listen: (...args: L) => Disposable): (...args: L) => Disposable {
    return (...args) => {
      const listening = listen(...args);
      this.value += 1;
      let isOpen = true;
      return {
        [Symbol.dispose]: () => {
          if (isOpen) this.value -= 1;
          isOpen = false;
          listening[Symbol.dispose]();
        },
      };
    };
  }
}

/** A bridge with a project, a Pluto module and other projects, and what it still holds of the objects that outlive it. */
function observedStart(port: number) {
  const files = new MemoryFileSystem({
    'default.project.json': JSON.stringify({ name: 'harbor', tree: { $className: 'DataModel' } }),
    'main.pluto': 'fn main() { print(1) }\n',
  });
  const clock = new ManualClock();
  const [watchers, syncs, projectChanges] = [new ListenerCount(), new ListenerCount(), new ListenerCount()];
  const projects = createProjectGroup();
  const host = {
    files,
    watcher: { watch: watchers.of(files.watch.bind(files)) },
    clock,
    roots: rootHost({}, { onDidSync: syncs.of(new Emitter<void>().event) }),
    loadPluto,
  };
  const group = {
    projects: { ...projects, onDidChange: projectChanges.of(projects.onDidChange) },
    file: 'default.project.json',
  };
  const starting = startBridge({}, host, { port, group });
  // The start waits for the next turn of the event loop by the clock.
  const turns = setInterval(() => clock.advance(0), 1);
  const end = (): void => clearInterval(turns);
  starting.then(end, end);
  return {
    starting,
    held: () => ({
      watchers: watchers.value,
      syncs: syncs.value,
      projectChanges: projectChanges.value,
      timers: clock.pending,
      projects: projects.labels(),
    }),
  };
}
const nothing = { watchers: 0, syncs: 0, projectChanges: 0, timers: 0, projects: [] };

test('keeps nothing of the host when the port cannot be opened', async () => {
  const { starting, held } = observedStart(-1);
  await assert.rejects(starting, { code: 'ERR_SOCKET_BAD_PORT' });
  assert.deepEqual(held(), nothing);
});

test('keeps nothing of the host when it has stopped', async () => {
  const { starting, held } = observedStart(0);
  const bridge = await starting;
  const { watchers, syncs, projectChanges, projects } = held();
  assert.deepEqual([watchers > 0, syncs, projectChanges, projects], [true, 1, 1, ['harbor']]);
  await bridge.stop();
  assert.deepEqual(held(), nothing);
});
