import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNodeFileSystem } from '../../../src/adapters/fs/node-file-system.ts';
import { readOpenSync } from '../../../src/adapters/fs/read-open.ts';
import { nodeClock as clock } from '../../../src/adapters/node/clock.ts';
import { nodeHasher as hasher } from '../../../src/adapters/node/hasher.ts';
import { nodeInflate as inflate } from '../../../src/adapters/node/inflate.ts';
import { inProcessConverter } from '../../../src/project/file-kinds/convert-data.ts';
import { nodeRandom as random } from '../../../src/adapters/node/random.ts';
import { readReflectionFile } from '../../../src/adapters/node/reflection-file.ts';
import type { ProjectPath } from '../../../src/base/brand.ts';
import { createReflection } from '../../../src/roblox/instances/reflection.ts';
import type { FileProjectSession } from '../../../src/project/session/file-project-session.ts';
import { openProjectSession } from '../../../src/project/session/open-project-session.ts';
import type { Logger } from '../../../src/ports/logger.ts';

export const log: Logger = { debug() {}, info() {}, warn() {}, error: console.error, child: () => log };
export const never = new AbortController().signal;
export const reflection = createReflection(await readReflectionFile());

/** Creates a project of scripts in folders of 50, in a temporary folder that is removed on disposal. */
export interface GeneratedProject extends Disposable {
  readonly folder: string;
  readonly paths: readonly ProjectPath[];
  /** Size of all scripts together. */
  readonly bytes: number;
  /** Changes the first `count` scripts. */
  change(count: number, mark: string): readonly ProjectPath[];
  /** Loads the project without a watcher. */
  open(): Promise<FileProjectSession>;
}

/** @param lines lines of each script; by default 20 to 80 */
export function generateProject(scripts: number, lines?: number): GeneratedProject {
  const folder = mkdtempSync(join(tmpdir(), 'atlas-bench-'));
  const paths = Array.from(
    { length: scripts },
    (_, index) =>
      `src/part${Math.floor(index / 1000)}/module${Math.floor(index / 50)}/Script${index}.luau` as ProjectPath,
  );
  const write = (path: string, mark: string): number => {
    const text = `-- ${mark} of ${path}\n${line.repeat(lines ?? 20 + (path.length % 7) * 10)}`;
    writeFileSync(join(folder, path), text);
    return text.length;
  };
  let bytes = 0;
  for (const path of paths) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    bytes += write(path, 'first text');
  }
  const tree = { $className: 'DataModel', ReplicatedStorage: { $path: 'src' } };
  writeFileSync(join(folder, 'default.project.json'), JSON.stringify({ name: 'bench', tree }));
  return {
    folder,
    paths,
    bytes,
    change(count, mark) {
      const changed = paths.slice(0, count);
      for (const path of changed) write(path, mark);
      return changed;
    },
    open: () => openSession(folder),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Loads the project of a folder without a watcher; `isReadOnce` as the command `build` does. */
export const openSession = (folder: string, isReadOnce = false): Promise<FileProjectSession> =>
  openProjectSession(
    {
      files: createNodeFileSystem(folder, hasher, isReadOnce ? readOpenSync : undefined),
      watcher: { watch: () => ({ [Symbol.dispose]() {} }) },
      clock,
      random,
      hasher,
      inflate,
      converter: inProcessConverter,
      reflection,
      log,
      isReadOnce,
    },
    never,
  );

const line = 'local position = origin + direction * distance -- where the ray ends\n';
