import type { LoadedModule } from '../language/modules/load-module.ts';
import { startOfLine } from '../language/edit/extent.ts';
import { idInComment } from '../language/identity/hints.ts';
import { kindNames, nameOfItem } from '../language/syntax/parts.ts';
import type { HoverAnswer } from './answers.ts';
import type { EditorModules } from './editor-modules.ts';
import { headOf } from './outline.ts';
import { rangeOf } from './places.ts';
import { findItem, type FoundItem, targetAt } from './targets.ts';

/** Types and error sets at a position. */
export function hoverAt(modules: EditorModules, module: LoadedModule, offset: number): HoverAnswer | undefined {
  const target = targetAt(modules, module, offset);
  const type = modules.checker.typeAt(module.path, offset);
  if (target?.kind === 'item') {
    const found = findItem(modules, target.id);
    return found && { range: rangeOf(module.module, target.name), ...aboutItem(modules, found) };
  }
  if (target?.kind === 'variable') {
    const { start, end } = target.name;
    const name = module.module.text.slice(start, end);
    const own = target.places[0];
    const known = type?.type ?? (own && modules.checker.typeAt(module.path, (target.places[1] ?? own).start)?.type);
    const code = known === undefined || known === '' ? name : `${name}: ${known}`;
    return { range: rangeOf(module.module, target.name), code, lines: [] };
  }
  if (target?.kind === 'module') return { range: rangeOf(module.module, target.name), code: '', lines: target.files };
  if (type === undefined || type.type === '') return undefined;
  const text = module.module.text.slice(type.span.start, type.span.end);
  // People point at a name or a literal, not at longer expressions.
  return /^[\w".]+$/.test(text) ? { range: rangeOf(module.module, type.span), code: type.type, lines: [] } : undefined;
}

const MAX_LINES = 12;

function aboutItem(
  { checker }: EditorModules,
  { module, item, owners }: FoundItem,
): Pick<HoverAnswer, 'code' | 'lines'> {
  const { text } = module.module;
  const head = headOf(text, item);
  const rows = head.split('\n');
  const margin = /^[ \t]*/.exec(text.slice(startOfLine(text, item.start), item.start))?.[0] ?? '';
  const code = rows.slice(0, MAX_LINES).map(row => (row.startsWith(margin) ? row.slice(margin.length) : row));
  if (rows.length > MAX_LINES) code.push('…');
  const lines: string[] = [];
  const owner = owners.at(-1);
  if (owner !== undefined)
    lines.push(`${kindNames[item.kind].replace('_', ' ')} of ${kindNames[owner.kind]} ${nameOfItem(owner)}`);
  const comment = commentAbove(text, item.start);
  if (comment !== '') lines.push(comment);
  const errors = item.id === undefined ? undefined : checker.errorSetOf(item.id);
  if (errors !== undefined)
    lines.push(errors.isFallible ? `Raises ${errors.errors.map(({ name }) => name).join(', ')}` : 'Raises nothing');
  return { code: code.join('\n'), lines };
}

/** The comment lines right above a declaration, as one text. */
function commentAbove(text: string, start: number): string {
  const above = text.slice(0, startOfLine(text, start)).split('\n').slice(0, -1);
  const found: string[] = [];
  for (let row = above.pop(); row !== undefined; row = above.pop()) {
    const comment = /^[ \t]*(\/\/.*?)\r?$/.exec(row)?.[1];
    if (comment === undefined) break;
    if (idInComment(comment) === undefined && !comment.startsWith('// @')) found.unshift(comment.slice(2).trim());
  }
  return found.join('\n');
}
