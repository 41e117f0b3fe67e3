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

/**
 * Replaces one declaration with its comments in a `.pt`, using its line ends. Every other byte and the module stay the same.
 * @throws AppError PLUTO_SOURCE_INVALID if the `.pt` would no longer parse, FILE_CHANGED if it changed since the comparison
 */
export async function writeIntoView(
  session: PlutoSession,
  snapshot: ViewSnapshot,
  { id, text }: { readonly id: string; readonly text: string },
  journal: ViewJournal | undefined,
): Promise<void> {
  const { view, file, compared } = snapshot;
  const bytes = file.bytes ?? new Uint8Array();
  const raw = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  // A view adds only comment lines, so its declarations correspond to those of the parsed module one by one.
  const at = compared.module.tree.items.filter(isItem).findIndex(item => item.id === id);
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
  const after = `${raw.slice(0, start)}${lines.slice(0, code)}${hint}${lines.slice(code)}${gap}${raw.slice(own.end)}`;
  const problems = problemsOf(parseModule(after));
  if (problems.length > 0) throw new AppError('PLUTO_SOURCE_INVALID', { what: 'the merged text', problems });
  await journal?.record(snapshot, await readCurrentFile(session, snapshot.path));
  await session.ports.files.replace(view, new TextEncoder().encode(after), file.precondition);
}
