import { nodeHasher } from '../../src/adapters/node/hasher.ts';
import { nodeInflate } from '../../src/adapters/node/inflate.ts';
import { inProcessConverter } from '../../src/project/file-kinds/convert-data.ts';
import type { ProjectPath, Ref } from '../../src/base/brand.ts';
import { runToEnd } from '../../src/base/time-slice.ts';
import type { Instance } from '../../src/roblox/instances/instance.ts';
import type { FileKinds } from '../../src/project/file-kinds/file-kinds.ts';
import type { ProjectSession } from '../../src/project/project-session.ts';
import type { FileProjectSession } from '../../src/project/session/file-project-session.ts';
import { openProjectSession } from '../../src/project/session/open-project-session.ts';
import { renderInstances } from '../../src/project/session/read-response.ts';
import type { Logger } from '../../src/ports/logger.ts';
import type { ReadResponse } from '../../src/protocol/studio/messages.ts';
import { ManualClock } from './manual-clock.ts';
import { MemoryFileSystem } from './memory-file-system.ts';
import { reflection } from './reflection.ts';
import { sequentialRandom } from './sequential-random.ts';

export const never = new AbortController().signal;

/** Throws logged errors, so that every failure is noticed. */
export const strictLog: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: (message, cause) => {
    throw new Error(message, { cause });
  },
  child: () => strictLog,
};

/** An open project in memory. */
export interface ProjectWorld extends Disposable {
  readonly files: MemoryFileSystem;
  readonly clock: ManualClock;
  readonly session: FileProjectSession;
  /** The instance at this path of names below the root; throws unless there is exactly one. */
  at(path: string): Instance;
  /** The tree below an instance as `Name:Class`, one level deeper per two spaces. */
  outline(path?: string): string;
  refresh(): Promise<void>;
}

export async function openProject(
  files: Readonly<Record<string, string | Uint8Array>> | MemoryFileSystem,
  options: { readonly fileKinds?: FileKinds; readonly isReadOnce?: boolean } = {},
): Promise<ProjectWorld> {
  const disk = files instanceof MemoryFileSystem ? files : new MemoryFileSystem(files);
  const clock = new ManualClock();
  const session = await openProjectSession(
    {
      files: disk,
      watcher: disk,
      clock,
      random: sequentialRandom(),
      hasher: nodeHasher,
      inflate: nodeInflate,
      converter: inProcessConverter,
      reflection,
      log: strictLog,
      ...options,
    },
    never,
  );
  const find = (path: string): Instance => {
    let found = instanceOf(session, session.rootId);
    for (const name of path === '' ? [] : path.split('/')) {
      const children = found.children.map(id => instanceOf(session, id)).filter(child => child.name === name);
      if (children.length !== 1 || !children[0])
        throw new Error(`${children.length} children named ${name} in ${path}`);
      found = children[0];
    }
    return found;
  };
  return {
    files: disk,
    clock,
    session,
    at: find,
    outline: (path = '') => outlineOf(session, find(path), '').join('\n'),
    refresh: () => session.refresh(never),
    [Symbol.dispose]: () => session[Symbol.dispose](),
  };
}

function instanceOf(session: ProjectSession, id: Ref): Instance {
  const instance = session.get(id);
  if (!instance) throw new Error(`no instance ${id}`);
  return instance;
}

function outlineOf(session: ProjectSession, instance: Instance, indent: string): readonly string[] {
  const below = instance.children.flatMap(id => outlineOf(session, instanceOf(session, id), `${indent}  `));
  return [`${indent}${instance.name}:${instance.className}`, ...below];
}

/** The instances of an answer to GET /api/read. */
export const instancesOf = (session: ProjectSession, ids: readonly Ref[]): ReadResponse['instances'] =>
  Object.fromEntries(runToEnd(renderInstances(session, ids)).members);

export const projectPath = (text: string): ProjectPath => text as ProjectPath;

/** A project that maps the folder `src` to ReplicatedStorage. */
export const smallProject = (files: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
  'default.project.json': JSON.stringify({
    name: 'Game',
    tree: { $className: 'DataModel', ReplicatedStorage: { $path: 'src' } },
  }),
  'src/.keep': '',
  ...files,
});
