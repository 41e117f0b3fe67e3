import type { Hasher } from '../../../ports/hasher.ts';
import type { Random } from '../../../ports/random.ts';
import { type ContainerMeta, containerText, writeContainer } from '../container/container.ts';
import { carryIds } from '../identity/carry-ids.ts';
import { freshIds } from '../identity/ids.ts';
import { moduleName } from '../project/module-name.ts';
import type { LoadedModule } from '../project/load-module.ts';
import { parseModule } from '../syntax/parse.ts';

export interface SaveContext {
  readonly hasher: Hasher;
  readonly random: Pick<Random, 'uuid'>;
  /** Who writes: stands in every container. */
  readonly tool: ContainerMeta['tool'];
}

/** A module as it is written: its bytes, and the state that a reader of them has. */
export interface SavedModule {
  readonly bytes: Uint8Array;
  readonly state: LoadedModule;
}

/**
 * A `.pluto` is written as a container, whatever it was before; a `.pt` that is a module of its own stays text, to the letter.
 * @param revision of the container on disk; 0 where there is none
 */
export function savedModule(state: LoadedModule, revision: number, context: SaveContext): SavedModule {
  const { hasher, tool } = context;
  if (state.path.endsWith('.pt')) {
    const bytes = new TextEncoder().encode(state.module.text);
    return { bytes, state: { ...state, gitBlob: hasher.gitBlob(bytes) } };
  }
  const text = containerText(state.module.text);
  let { module } = state;
  if (text !== module.text) {
    const after = parseModule(text);
    carryIds({ before: module, after, makeId: freshIds(context.random) });
    module = after;
  }
  const meta: ContainerMeta = { module: moduleName(state.path), revision: revision + 1, tool };
  const container = { meta, optional: state.container?.optional ?? [] };
  const bytes = writeContainer({ ...container, module }, hasher);
  return { bytes, state: { ...state, module, container, gitBlob: hasher.gitBlob(bytes) } };
}
