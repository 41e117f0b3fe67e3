import { open, readdir, readFile, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { compareByteOrder } from '../../base/byte-order.ts';
import { ifFound } from '../../base/errno.ts';
import { parseJson } from '../../base/parse-json.ts';
import { AnnouncedBridge } from '../../protocol/announced-bridge.ts';
import { isRunning, thisProcess } from './owner.ts';
import { makeStateFolder } from './make-state-folder.ts';

/**
 * Announces a bridge of this process in a file that only this user can read; disposing removes it. The first reader removes the file of a
 * crashed process.
 *
 * @param state see `userStateFolder` in `state-folder.ts`
 */
export async function announceBridge(state: string, bridge: Omit<AnnouncedBridge, 'owner'>): Promise<AsyncDisposable> {
  const folder = join(state, 'bridges');
  await makeStateFolder(folder);
  const owner = await thisProcess();
  const file = join(folder, `${owner.pid}-${new URL(bridge.mcpUrl).port}.json`);
  await rm(file, { recursive: true, force: true });
  {
    await using handle = await open(file, 'wx', 0o600);
    await handle.writeFile(JSON.stringify({ ...bridge, owner }));
  }
  return { [Symbol.asyncDispose]: () => rm(file, { force: true }) };
}

/** Every announced bridge whose process is running, newest first. */
export async function announcedBridges(state: string): Promise<readonly AnnouncedBridge[]> {
  const folder = join(state, 'bridges');
  const names = (await ifFound(readdir(folder))) ?? [];
  const found: AnnouncedBridge[] = [];
  for (const name of names.filter(one => one.endsWith('.json'))) {
    const file = join(folder, name);
    // A file that cannot be read does not announce a bridge of this user, and stays.
    const bridge = parse(await readFile(file, 'utf8').catch(() => ''));
    if (bridge === undefined) continue;
    if (await isRunning(bridge.owner)) found.push(bridge);
    else await rm(file, { force: true });
  }
  return found.toSorted((a, b) => compareByteOrder(b.startedAt, a.startedAt));
}

/**
 * The bridge for an agent in `folder`: that of the folder or of the nearest folder above it, or the only one below it.
 *
 * @param folder absolute, links followed
 */
export function bridgeFor(folder: string, bridges: readonly AnnouncedBridge[]): AnnouncedBridge | undefined {
  const above = bridges.filter(bridge => isWithin(folder, bridge.folder));
  const nearest = above.toSorted((a, b) => b.folder.length - a.folder.length)[0];
  if (nearest !== undefined) return nearest;
  const below = bridges.filter(bridge => isWithin(bridge.folder, folder));
  return new Set(below.map(bridge => bridge.folder)).size === 1 ? below[0] : undefined;
}

/** On Windows, the relative path to another drive is absolute. */
const isWithin = (path: string, folder: string): boolean => {
  const steps = relative(folder, path);
  return steps !== '..' && !steps.startsWith(`..${sep}`) && !/^[A-Za-z]:/.test(steps);
};

/** `undefined` for a file that is being written, or that another version wrote. */
const parse = (text: string): AnnouncedBridge | undefined => AnnouncedBridge.safeParse(parseJson(text)).data;
