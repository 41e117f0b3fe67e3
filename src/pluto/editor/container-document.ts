import { err, ok, type Result } from '../../base/result.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { Random } from '../../ports/random.ts';
import { isContainer, type Section, withoutDerived } from '../language/container/byte-sections.ts';
import { type Container, type ContainerMeta, readContainer, writeContainer } from '../language/container/container.ts';
import { readTombstones, withTombstones } from '../language/container/tombstone-section.ts';
import { freshIds } from '../language/identity/ids.ts';
import { tombstonesAfter } from '../language/identity/tombstones.ts';
import { compareView } from '../language/pt/compare-view.ts';
import { writeView } from '../language/pt/view.ts';
import type { ParsedModule } from '../language/syntax/ast/decl.ts';
import { linesOf } from '../language/syntax/line-map.ts';
import { parseModule } from '../language/syntax/parse.ts';

/** The text under which an editor shows a container. The error completes a sentence that starts with the file. */
export function viewOfContainer(bytes: Uint8Array, hasher: Pick<Hasher, 'sha256'>): Result<string, string> {
  const read = readContainer(bytes, hasher);
  return read.ok ? ok(writeView(read.value.module)) : err(read.error.reason);
}

export interface SaveView {
  readonly view: string;
  /** The container on disk; undefined if it was deleted. */
  readonly before: Uint8Array | undefined;
  /** For a new container. */
  readonly module: string;
  readonly tool: ContainerMeta['tool'];
}

export interface SavedView {
  readonly bytes: Uint8Array;
  /** The view of these bytes: the saved one, with hints for new declarations. */
  readonly view: string;
}

export interface SavePorts {
  readonly hasher: Pick<Hasher, 'sha256'>;
  readonly random: Pick<Random, 'uuid'>;
}

/**
 * Creates the container of a view from the previous container: unchanged items keep their ids, unknown sections stay, the revision
 * increases. A view that does not parse creates none; the error has the position.
 */
export function saveView(
  { view, before, module: name, tool }: SaveView,
  { hasher, random }: SavePorts,
): Result<SavedView, string> {
  const parsed = parseModule(view);
  const [problem] = parsed.diagnostics.filter(({ severity }) => severity === 'error');
  if (problem !== undefined) {
    const { line, column } = linesOf(parsed).position(problem.span.start);
    return err(`line ${line}, column ${column}: ${problem.message}`);
  }
  const read = before === undefined || !isContainer(before) ? undefined : readContainer(before, hasher);
  if (read !== undefined && !read.ok) return err(`the container on disk cannot be read: ${read.error.reason}`);
  const old = read?.value;
  const makeId = freshIds(random);
  const { module } = compareView({ view, container: old?.module, containerHash: undefined, makeId });
  // The only difference is what the editor added, so even the revision stays.
  if (before !== undefined && old?.module.text === module.text)
    return ok({ bytes: before, view: writeView(old.module) });
  const meta: ContainerMeta = { module: old?.meta.module ?? name, tool, revision: (old?.meta.revision ?? 0) + 1 };
  const bytes = writeContainer({ meta, module, optional: optionalAfter(old, module, hasher) }, hasher);
  return ok({ bytes, view: writeView(module) });
}

/** Deleted items leave tombstones. Derived facts about the old text are dropped. */
function optionalAfter(
  old: Container | undefined,
  module: ParsedModule,
  hasher: SavePorts['hasher'],
): readonly Section[] {
  if (old === undefined) return [];
  const hash = (text: string): string => hasher.sha256(text);
  const optional = withoutDerived(old.optional);
  const known = readTombstones(optional);
  return withTombstones(optional, tombstonesAfter(known, old.module, module, { hash, isElsewhere: () => false }));
}
