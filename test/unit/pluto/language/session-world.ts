import { nodeHasher as hasher } from '../../../../src/adapters/node/hasher.ts';
import type { ProjectPath } from '../../../../src/base/brand.ts';
import { PlutoSession, type SessionOptions } from '../../../../src/pluto/session/pluto-session.ts';
import { qualifiedName } from '../../../../src/pluto/session/items.ts';
import type { DeclId } from '../../../../src/pluto/language/syntax/ast/node.ts';
import { eachItem } from '../../../../src/pluto/language/syntax/parts.ts';
import { MemoryFileSystem } from '../../../harness/memory-file-system.ts';
import { sequentialRandom } from '../../../harness/sequential-random.ts';

export const { signal } = new AbortController();
const tool = { name: 'test', version: '1' };

/** A project in memory with a session. */
export class SessionWorld {
  readonly disk: MemoryFileSystem;
  readonly session: PlutoSession;

  private constructor(disk: MemoryFileSystem, session: PlutoSession) {
    this.disk = disk;
    this.session = session;
  }

  static async of(
    files: Readonly<Record<string, string>> | MemoryFileSystem,
    options: Omit<SessionOptions, 'tool'> = {},
  ): Promise<SessionWorld> {
    const disk = files instanceof MemoryFileSystem ? files : new MemoryFileSystem(files);
    const ports = { files: disk, hasher, random: sequentialRandom() };
    return new SessionWorld(disk, await PlutoSession.open(ports, { tool, ...options }, signal));
  }

  /** Another session on the same disk. */
  again(): Promise<SessionWorld> {
    return SessionWorld.of(this.disk);
  }

  async text(path: string): Promise<string> {
    return (await this.session.module(path)).module.text;
  }

  /** The id of the item with this qualified name: `Point.scale`. */
  async idOf(wanted: string): Promise<DeclId> {
    for (const { module } of await this.session.modules(signal)) {
      let found: DeclId | undefined;
      eachItem(module.tree.items, (item, owners) => {
        if (qualifiedName({ item, owners }) === wanted) found ??= item.id;
      });
      if (found !== undefined) return found;
    }
    throw new Error(`there is no ${wanted}`);
  }

  /** Every id of a module with the name of its item. */
  async ids(path: string): Promise<ReadonlyMap<DeclId, string>> {
    const ids = new Map<DeclId, string>();
    eachItem((await this.session.module(path)).module.tree.items, (item, owners) => {
      if (item.id !== undefined) ids.set(item.id, qualifiedName({ item, owners }));
    });
    return ids;
  }

  async save(...paths: readonly string[]): Promise<readonly string[]> {
    const results = await this.session.save(signal, paths.length === 0 ? undefined : (paths as readonly ProjectPath[]));
    return results.map(one => (one.kind === 'saved' ? one.path : `${one.path} ${one.error.code}`));
  }
}
