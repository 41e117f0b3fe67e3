import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ifFound } from '../../base/errno.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import { TimeSlice } from '../../base/time-slice.ts';
import { type BaseState, type BaseStore, computeChanges, asOutdated } from '../../ports/base-store.ts';
import { nodeClock } from './clock.ts';
import { withFileLock } from './lock-file.ts';
import { readStateFile, writeStateFile, stateFileOfPlace } from './state-file.ts';
import { makeStateFolder } from './make-state-folder.ts';

type States = ReadonlyMap<string, BaseState>;
const VERSION = 1;
interface StoredStates {
  readonly version: typeof VERSION;
  readonly place: string;
  readonly states: States;
}

/** Maximum places with states in memory. A session compares few places, and a large place has many megabytes of states. */
const MAX_CACHED_PLACES = 4;

const never = new AbortController().signal;

/** One file per place in a folder, replaced atomically, under a lock. Created on first use. */
export function createJsonBaseStore(folder: string): BaseStore {
  const queue = new SerialQueue();
  const cached = new Map<string, { readonly mark: string; readonly states: States }>();
  const fileOf = (place: string): string => stateFileOfPlace(folder, place);

  const cache = (place: string, mark: string | undefined, states: States): void => {
    cached.delete(place);
    if (mark !== undefined) cached.set(place, { mark, states });
    for (const oldest of cached.keys()) {
      if (cached.size <= MAX_CACHED_PLACES) break;
      cached.delete(oldest);
    }
  };

  const read = async (place: string): Promise<States> => {
    const path = fileOf(place);
    const mark = await markOf(path);
    const known = cached.get(place);
    let states = known !== undefined && known.mark === mark ? known.states : undefined;
    if (states === undefined) {
      const stored = mark === undefined ? undefined : await readStored(path);
      states = stored?.place === place ? stored.states : new Map();
    }
    cache(place, mark, states);
    return states;
  };

  const write = (path: string, place: string, states: States): Promise<void> => {
    const stored: Omit<StoredStates, 'states'> = { version: VERSION, place };
    return writeStateFile(path, VERSION, { ...stored, states });
  };

  return {
    load: place => queue.run(never, () => read(place)),
    update: (place, changed) =>
      queue.run(never, async () => {
        const path = fileOf(place);
        await makeStateFolder(folder);
        await withFileLock(`${path}.lock`, async () => {
          const known = await read(place);
          const changes = computeChanges(changed, known);
          if (changes.size === 0) return;
          const slice = new TimeSlice(nodeClock);
          const states = new Map<string, BaseState>();
          for (const [key, state] of known) {
            await slice.yieldToEventLoop();
            states.set(key, state);
          }
          for (const [key, state] of changes) {
            await slice.yieldToEventLoop();
            if (state === undefined) states.delete(key);
            else states.set(key, state);
          }
          await write(path, place, states);
          // No other program writes under the lock, so the file has these states.
          cache(place, await markOf(path), states);
        });
      }),
    outdateAll: () =>
      queue.run(never, async () => {
        await makeStateFolder(folder);
        for (const name of await readdir(folder)) {
          const path = join(folder, name);
          if (!isStates(name)) continue;
          await withFileLock(`${path}.lock`, async () => {
            const stored = await readStored(path);
            if (stored === undefined) return;
            const slice = new TimeSlice(nodeClock);
            const states = new Map<string, BaseState>();
            for (const [key, state] of stored.states) {
              await slice.yieldToEventLoop();
              states.set(key, asOutdated(state));
            }
            await write(path, stored.place, states);
          });
        }
      }),
  };
}

const isStates = (name: string): boolean => /^[0-9a-f]{32}\.json$/.test(name);

/** Identifies a version of the file. The inode distinguishes two versions of the same clock tick. */
async function markOf(path: string): Promise<string | undefined> {
  const found = await ifFound(stat(path));
  return found && `${found.ino} ${found.mtimeMs} ${found.ctimeMs} ${found.size}`;
}

/** `undefined` for a damaged file or one of another version: then nothing is known, and people decide. */
async function readStored(path: string): Promise<StoredStates | undefined> {
  const read = await readStateFile(path, VERSION);
  if (read === undefined || typeof read.value !== 'object' || read.value === null) return undefined;
  const { version, place, states } = read.value as Readonly<Record<string, unknown>>;
  if (version !== VERSION || typeof place !== 'string' || typeof states !== 'object' || states === null)
    return undefined;
  const slice = new TimeSlice(nodeClock);
  const stored = new Map<string, BaseState>();
  for (const key of Object.keys(states)) {
    await slice.yieldToEventLoop();
    const state = (states as Readonly<Record<string, unknown>>)[key];
    if (read.isChecked || isBaseState(state)) stored.set(key, state as BaseState);
  }
  return { version, place, states: stored };
}

/** Validates files without a checksum. */
function isBaseState(value: unknown): value is BaseState {
  if (typeof value !== 'object' || value === null || !('properties' in value)) return false;
  const { properties } = value;
  const source = 'source' in value ? value.source : undefined;
  return (
    (source === undefined || typeof source === 'string') &&
    typeof properties === 'object' &&
    properties !== null &&
    Object.values(properties).every(hash => typeof hash === 'string')
  );
}
