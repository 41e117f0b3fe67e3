import type { TextEdit } from '../../language/edit/text-edit.ts';
import { lineEndOf } from '../../language/edit/text-edit.ts';
import type { ImportDecl, ParsedModule } from '../../language/syntax/ast/decl.ts';

type ImportPath = Pick<ImportDecl, 'path' | 'alias'>;

/** `import a.b as c` */
export const importLine = ({ path, alias }: ImportPath): string =>
  `import ${path.map(({ text }) => text).join('.')}${alias === undefined ? '' : ` as ${alias.text}`}`;

/** Adds missing import lines below the last import, or at the top. */
export function addImports({ text, tree }: ParsedModule, lines: readonly string[]): readonly TextEdit[] {
  const existing = tree.items.filter(item => item.kind === 'ImportDecl');
  const known = new Set(existing.map(importLine));
  const missing = Array.from(new Set(lines)).filter(line => !known.has(line));
  if (missing.length === 0) return [];
  const eol = lineEndOf(text);
  const last = existing.at(-1);
  if (last !== undefined)
    return [{ span: { start: last.end, end: last.end }, text: missing.map(line => eol + line).join('') }];
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  return [{ span: { start, end: start }, text: `${missing.join(eol)}${eol}${text.length > start ? eol : ''}` }];
}
