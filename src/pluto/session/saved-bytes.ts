import { plainText } from '../../base/line-ends.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { Random } from '../../ports/random.ts';
import { type ContainerMeta, writeContainer } from '../language/container/container.ts';
import { readTombstones, withTombstones } from '../language/container/tombstone-section.ts';
import { carryIds } from '../language/identity/carry-ids.ts';
import { tombstonesAfter } from '../language/identity/tombstones.ts';
import { freshIds } from '../language/identity/ids.ts';
import { moduleName } from '../language/modules/module-name.ts';
import type { LoadedModule } from '../language/modules/load-module.ts';
import type { DeclId } from '../language/syntax/ast/node.ts';
import { parseModule } from '../language/syntax/parse.ts';

export interface SaveContext {
  readonly hasher: Hasher;
  readonly random: Pick<Random, 'uuid'>;
  /** The program that writes; recorded in every container. */
  readonly tool: ContainerMeta['tool'];
  /** Whether another module declares the id. */
  readonly isElsewhere: (id: DeclId) => boolean;
}

/** A module as written: its bytes, and the state that reading them gives. */
export interface SavedModule {
  readonly bytes: Uint8Array;
  readonly state: LoadedModule;
}

/**
 * Serializes a module: a `.pluto` as a container, even if it was text before; a standalone `.pt` as its text. Deleted items leave
 * tombstones in the container.
 */
export function savedModule(state: LoadedModule, before: LoadedModule | undefined, context: SaveContext): SavedModule {
  const { hasher, tool } = context;
  if (state.path.endsWith('.pt')) {
    const bytes = new TextEncoder().encode(state.module.text);
    return { bytes, state: { ...state, gitBlob: hasher.gitBlob(bytes) } };
  }
  const text = plainText(state.module.text);
  let { module } = state;
  if (text !== module.text) {
    const after = parseModule(text);
    carryIds({ before: module, after, makeId: freshIds(context.random) });
    module = after;
  }
  const revision = before?.container?.meta.revision ?? 0;
  const meta: ContainerMeta = { module: moduleName(state.path), revision: revision + 1, tool };
  const optional = state.container?.optional ?? [];
  const known = readTombstones(optional);
  const hash = (one: string): string => hasher.sha256(one);
  const { isElsewhere } = context;
  const tombstones = tombstonesAfter(known, before?.module, module, { hash, isElsewhere });
  const container = { meta, optional: withTombstones(optional, tombstones) };
  const bytes = writeContainer({ ...container, module }, hasher);
  return { bytes, state: { ...state, module, container, gitBlob: hasher.gitBlob(bytes) } };
}
