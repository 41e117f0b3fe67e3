import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ifFound } from '../../base/errno.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import { TimeSlice } from '../../base/time-slice.ts';
import { type BaseState, type BaseStore, computeChanges, asOutdated } from '../../ports/base-store.ts';
import { nodeClock } from './clock.ts';
import { withFileLock } from './lock-file.ts';
import { appendToStateFile, readAppendedState, writeStateFile, stateFileOfPlace } from './state-file.ts';
import { makeStateFolder } from './make-state-folder.ts';

type States = ReadonlyMap<string, BaseState>;
/** A change without a state removes the key. */
type Changes = ReadonlyMap<string, BaseState | undefined>;
const VERSION = 1;
interface StoredStates {
  readonly place: string;
  readonly states: Map<string, BaseState>;
  /** Bytes of the states without the changes that were appended; 0 if nothing may be appended. */
  readonly wholeBytes: number;
}
interface FileVersion {
  /** The inode distinguishes two versions of the same clock tick. */
  readonly mark: string;
  readonly bytes: number;
}
type KnownStates = FileVersion & Omit<StoredStates, 'place'>;

/** Maximum places with states in memory. A session compares few places, and a large place has many megabytes of states. */
const MAX_CACHED_PLACES = 4;
/** Changes are appended until they have so many bytes, or as many as the states have. Then all states are written again. */
const MIN_APPENDED_BYTES = 64 * 1024;
/** An update of a larger part of the states writes all of them. */
const MAX_APPENDED_PART = 0.25;

const never = new AbortController().signal;

/**
 * One file per place in a folder, under a lock: the states, and the changes since, which are appended, because Live Sync changes few states
 * of a large place at a time. Created on first use.
 */
export function createJsonBaseStore(folder: string): BaseStore {
  const queue = new SerialQueue();
  const cached = new Map<string, KnownStates>();
  /** Maps that callers of `load` may still read, so that they must not change. */
  const loaded = new WeakSet<States>();
  const fileOf = (place: string): string => stateFileOfPlace(folder, place);

  const cache = (place: string, known: KnownStates | undefined): void => {
    cached.delete(place);
    if (known !== undefined) cached.set(place, known);
    for (const oldest of cached.keys()) {
      if (cached.size <= MAX_CACHED_PLACES) break;
      cached.delete(oldest);
    }
  };

  const read = async (place: string): Promise<KnownStates | undefined> => {
    const path = fileOf(place);
    const version = await versionOf(path);
    let known = cached.get(place);
    if (version === undefined) known = undefined;
    else if (known?.mark !== version.mark) {
      const stored = await readStored(path);
      known = stored?.place === place ? { ...version, ...stored } : undefined;
    }
    cache(place, known);
    return known;
  };

  const writeAll = (path: string, place: string, states: States): Promise<void> =>
    writeStateFile(path, VERSION, { version: VERSION, place, states });

  /** Writes the changes. `states` has them already. Resolves with the new `wholeBytes`; `undefined` if all states were written. */
  const write = async (
    path: string,
    place: string,
    known: KnownStates | undefined,
    changes: Changes,
    states: States,
  ): Promise<number | undefined> => {
    if (known === undefined || !canAppend(known, changes)) {
      await writeAll(path, place, states);
      return undefined;
    }
    await appendToStateFile(path, VERSION, { changes: await withNulls(changes) });
    return known.wholeBytes;
  };

  return {
    load: place =>
      queue.run(never, async () => {
        const states: States = (await read(place))?.states ?? new Map();
        loaded.add(states);
        return states;
      }),
    update: (place, changed) =>
      queue.run(never, async () => {
        const path = fileOf(place);
        await makeStateFolder(folder);
        await withFileLock(`${path}.lock`, async () => {
          const known = await read(place);
          const changes = computeChanges(changed, known?.states ?? new Map());
          if (changes.size === 0) return;
          // After a failure, the states are read again.
          cached.delete(place);
          const slice = new TimeSlice(nodeClock);
          const isOwn = known !== undefined && !loaded.has(known.states);
          const states = isOwn ? known.states : await copyOf(known?.states ?? new Map(), slice);
          await applyChanges(states, changes, slice);
          const wholeBytes = await write(path, place, known, changes, states);
          // No other program writes under the lock, so the file has these states.
          const version = await versionOf(path);
          cache(place, version && { ...version, states, wholeBytes: wholeBytes ?? version.bytes });
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
              if (slice.isUsedUp()) await slice.waitForNextTurn();
              states.set(key, asOutdated(state));
            }
            await writeAll(path, stored.place, states);
          });
        }
      }),
  };
}

const isStates = (name: string): boolean => /^[0-9a-f]{32}\.json$/.test(name);

const canAppend = ({ states, wholeBytes, bytes }: KnownStates, changes: Changes): boolean =>
  wholeBytes > 0 &&
  bytes - wholeBytes < Math.max(MIN_APPENDED_BYTES, wholeBytes) &&
  changes.size <= states.size * MAX_APPENDED_PART;

async function copyOf(states: States, slice: TimeSlice): Promise<Map<string, BaseState>> {
  const copy = new Map<string, BaseState>();
  for (const [key, state] of states) {
    if (slice.isUsedUp()) await slice.waitForNextTurn();
    copy.set(key, state);
  }
  return copy;
}

async function applyChanges(states: Map<string, BaseState>, changes: Changes, slice: TimeSlice): Promise<void> {
  for (const [key, state] of changes) {
    if (slice.isUsedUp()) await slice.waitForNextTurn();
    if (state === undefined) states.delete(key);
    else states.set(key, state);
  }
}

/** JSON has no `undefined`. */
async function withNulls(changes: Changes): Promise<ReadonlyMap<string, BaseState | null>> {
  const slice = new TimeSlice(nodeClock);
  const all = new Map<string, BaseState | null>();
  for (const [key, state] of changes) {
    if (slice.isUsedUp()) await slice.waitForNextTurn();
    all.set(key, state ?? null);
  }
  return all;
}

async function versionOf(path: string): Promise<FileVersion | undefined> {
  const found = await ifFound(stat(path));
  return found && { mark: `${found.ino} ${found.mtimeMs} ${found.ctimeMs} ${found.size}`, bytes: found.size };
}

/** `undefined` for a damaged file or one of another version: then nothing is known, and people decide. */
async function readStored(path: string): Promise<StoredStates | undefined> {
  const read = await readAppendedState(path, VERSION);
  const [first, ...appended] = read?.values ?? [];
  if (read === undefined || !isRecord(first)) return undefined;
  const { version, place, states } = first;
  if (version !== VERSION || typeof place !== 'string' || !isRecord(states)) return undefined;
  const slice = new TimeSlice(nodeClock);
  const stored = new Map<string, BaseState>();
  for (const [key, state] of membersOf(states)) {
    if (slice.isUsedUp()) await slice.waitForNextTurn();
    if (read.isChecked || isBaseState(state)) stored.set(key, state as BaseState);
  }
  for (const { changes } of appended as readonly { readonly changes: object }[])
    for (const [key, state] of membersOf(changes)) {
      if (slice.isUsedUp()) await slice.waitForNextTurn();
      if (state === null) stored.delete(key);
      else stored.set(key, state as BaseState);
    }
  return { place, states: stored, wholeBytes: read.isCut ? 0 : read.firstBytes };
}

/** The members of a value of `readAppendedState`. */
const membersOf = (value: object): Iterable<[string, unknown]> =>
  value instanceof Map ? (value as Map<string, unknown>) : Object.entries(value);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

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
