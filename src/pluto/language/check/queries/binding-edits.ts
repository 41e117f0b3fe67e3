import type { TextEdit } from '../../edit/text-edit.ts';
import type { Use } from '../../refs/use.ts';
import type { Span } from '../../syntax/ast/span.ts';

/**
 * The pattern `{ size }` names both a field and a variable. Renaming one of them writes out both: `{ width: size }`. If a rename
 * makes both names equal again, the short form returns, so renaming back and forth changes nothing.
 */
const SPELLED_OUT = ': ';

/** The edit that renames the field of a binding and keeps its variable. */
export function renamedField(text: string, { name, site }: Use, newName: string): TextEdit {
  const variable = text.slice(variableOf(text, site).start, site.end);
  if (isShort({ name, site })) return { span: name, text: `${newName}${SPELLED_OUT}${variable}` };
  return isSpelledOut(text, name, site) && variable === newName
    ? { span: site, text: newName }
    : { span: name, text: newName };
}

/** The edit that renames the variable of a binding and keeps its field. */
export function renamedVariable(text: string, { name, site }: Use, newName: string): TextEdit {
  const field = text.slice(name.start, name.end);
  if (isShort({ name, site })) return { span: name, text: `${field}${SPELLED_OUT}${newName}` };
  return isSpelledOut(text, name, site) && field === newName
    ? { span: site, text: newName }
    : { span: variableOf(text, site), text: newName };
}

/** The span of the variable that a binding declares: its last word. */
export const variableOf = (text: string, site: Span): Span => {
  const word = /\w*$/.exec(text.slice(site.start, site.end))?.[0] ?? '';
  return { start: site.end - word.length, end: site.end };
};

const isShort = ({ name, site }: Pick<Use, 'name' | 'site'>): boolean =>
  site.start === name.start && site.end === name.end;

const isSpelledOut = (text: string, name: Span, site: Span): boolean =>
  text.slice(name.end, variableOf(text, site).start) === SPELLED_OUT;
