import type { ProjectPath } from '../../../base/brand.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import type { FileSystem } from '../../../ports/file-system.ts';
import type { Hasher } from '../../../ports/hasher.ts';
import type { Section } from '../container/byte-sections.ts';
import { isContainer } from '../container/byte-sections.ts';
import { type ContainerMeta, readContainer } from '../container/container.ts';
import type { ContainerProblem } from '../container/container-problem.ts';
import { carryIds } from '../identity/carry-ids.ts';
import { hintsOf } from '../identity/hints.ts';
import { derivedIds, type IdsOfModule } from '../identity/ids.ts';
import type { ParsedModule } from '../syntax/ast/decl.ts';
import { parseModule } from '../syntax/parse.ts';

/** A module file that was read. Its items have ids. */
export interface LoadedModule {
  readonly kind: 'loaded';
  readonly path: ProjectPath;
  readonly module: ParsedModule;
  /** The other content of a container; undefined for a text module. */
  readonly container: { readonly meta: ContainerMeta; readonly optional: readonly Section[] } | undefined;
  /** The blob id of the bytes, which is the precondition of a later write. */
  readonly gitBlob: string;
}

/** A module file that cannot be used. It stays on disk unchanged. */
export interface UnreadableModule {
  readonly kind: 'unreadable';
  readonly path: ProjectPath;
  readonly problem: ContainerProblem;
  readonly gitBlob: string;
}

export type ModuleState = LoadedModule | UnreadableModule;

export interface LoadPorts {
  readonly files: Pick<FileSystem, 'read'>;
  readonly hasher: Hasher;
  /** Ids of text modules. Default: `derivedIds`. */
  readonly idsOf?: IdsOfModule | undefined;
}

/**
 * Reads and parses a module file, and gives its items ids.
 *
 * @param before the previous module: a text module keeps its ids, and equal bytes return `before` itself
 */
export async function loadModule(
  { files, hasher, idsOf = one => derivedIds(hasher, one) }: LoadPorts,
  path: ProjectPath,
  before: ModuleState | undefined,
): Promise<ModuleState> {
  const bytes = await files.read(path);
  const gitBlob = hasher.gitBlob(bytes);
  if (before?.gitBlob === gitBlob) return before;
  if (isContainer(bytes)) {
    const read = readContainer(bytes, hasher);
    if (!read.ok) return { kind: 'unreadable', path, problem: read.error, gitBlob };
    const { module, meta, optional } = read.value;
    return { kind: 'loaded', path, module, container: { meta, optional }, gitBlob };
  }
  const text = decodeTextModule(bytes);
  if (!text.ok) return { kind: 'unreadable', path, problem: text.error, gitBlob };
  const module = parseModule(text.value);
  const was = before?.kind === 'loaded' ? before.module : undefined;
  carryIds({ before: was, after: module, makeId: idsOf(path), hints: hintsOf(module) });
  return { kind: 'loaded', path, module, container: undefined, gitBlob };
}

/** Decodes the source of a text module. A source with replaced bytes must not be written back. */
export function decodeTextModule(bytes: Uint8Array): Result<string, ContainerProblem> {
  try {
    return ok(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return err({ code: 'text_malformed', reason: 'the file is neither a container nor UTF-8 text' });
  }
}
