import { AppError } from '../../../base/errors.ts';
import { endOfLine, isBlank, withComments } from '../../language/edit/extent.ts';
import { parseModule } from '../../language/syntax/parse.ts';
import { isItem } from '../../language/syntax/parts.ts';
import { problemsOf } from '../edits/snippet.ts';
import type { PlutoSession } from '../pluto-session.ts';
import type { ViewSnapshot } from './compare-with-module.ts';
import { readCurrentFile } from './view-files.ts';
import type { ViewJournal } from './view-journal.ts';

/** Lines that a view adds: the first line, and the line above each declaration. */
const ORIGIN = /^\uFEFF?\/\/ @generated-from: [^\n]*\n/m;
const HINT = /^[ \t]*\/\/ @uuid: [^\n]*\n/m;

export interface MergedDeclaration {
  readonly id: string;
  readonly text: string;
}

/**
 * Replaces declarations with their comments in a `.pt`, using its line ends. Every other byte and the module stay the same.
 * @throws AppError PLUTO_SOURCE_INVALID if the `.pt` would no longer parse, FILE_CHANGED if it changed since the comparison
 */
export async function writeIntoView(
  session: PlutoSession,
  snapshot: ViewSnapshot,
  merged: readonly MergedDeclaration[],
  journal: ViewJournal | undefined,
): Promise<void> {
  const after = mergeIntoView(snapshot, merged);
  // The `.pt` gets the merged texts, like those of the module.
  const changes = merged.flatMap(({ id, text }) =>
    snapshot.changes
      .filter(change => change.id === id)
      .map(change => ({ ...change, take: 'pluto' as const, before: text })),
  );
  const before = new TextDecoder().decode(snapshot.file.bytes ?? new Uint8Array());
  const recorded = { ...snapshot, changes, whole: { before, after } };
  await journal?.record(recorded, await readCurrentFile(session, snapshot.path));
  await session.ports.files.replace(snapshot.view, new TextEncoder().encode(after), snapshot.file.precondition);
}

/** The `.pt` with the merged declarations. @throws AppError PLUTO_SOURCE_INVALID if it would not parse, PLUTO_UNKNOWN_ID */
export function mergeIntoView({ file, compared }: ViewSnapshot, merged: readonly MergedDeclaration[]): string {
  const raw = new TextDecoder('utf-8', { ignoreBOM: true }).decode(file.bytes ?? new Uint8Array());
  const items = compared.module.tree.items.filter(isItem);
  // From the end, so that a text with more than one declaration does not move those that are still to be replaced.
  const inOrder = merged
    .map(one => ({ ...one, at: items.findIndex(item => item.id === one.id) }))
    .toSorted((a, b) => b.at - a.at);
  const after = inOrder.reduce((text, { at, ...one }) => replaceAt(text, at, one), raw);
  const problems = problemsOf(parseModule(after));
  if (problems.length > 0) throw new AppError('PLUTO_SOURCE_INVALID', { what: 'the merged text', problems });
  return after;
}

/** @param at the index of the declaration; a view adds only comment lines, so it is the same as in the parsed module */
function replaceAt(raw: string, at: number, { id, text }: MergedDeclaration): string {
  const module = parseModule(raw);
  const item = module.tree.items.filter(isItem)[at];
  if (item === undefined) throw new AppError('PLUTO_UNKNOWN_ID', { id });
  const own = withComments(module)(item);
  const origin = ORIGIN.exec(raw.slice(0, item.start));
  const start = Math.max(own.start, origin === null ? 0 : origin.index + origin[0].length);
  const hint = HINT.exec(raw.slice(start, item.start))?.[0] ?? '';
  const eol = raw.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.replaceAll('\n', eol);
  const code = parseModule(lines).tree.items.find(isItem)?.start ?? 0;
  // Without a line end, a trailing comment would swallow the code behind it.
  const gap = isBlank(raw.slice(own.end, endOfLine(raw, own.end))) ? '' : eol;
  return `${raw.slice(0, start)}${lines.slice(0, code)}${hint}${lines.slice(code)}${gap}${raw.slice(own.end)}`;
}
