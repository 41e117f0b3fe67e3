import type { TextEdit } from '../../edit/text-edit.ts';
import type { Use } from '../../refs/use.ts';
import type { Span } from '../../syntax/ast/span.ts';

/**
 * `{ size }` in a pattern names the field and a variable, and each keeps its name while the other gets a new one: `{ width: size }`. When
 * that makes the two equal again, one word is enough: so a rename there and back changes nothing.
 */
const SPELT_OUT = ': ';

/** Another name for the field of a binding; the variable stays. */
export function renamedField(text: string, { name, site }: Use, newName: string): TextEdit {
  const variable = text.slice(variableOf(text, site).start, site.end);
  if (isShort({ name, site })) return { span: name, text: `${newName}${SPELT_OUT}${variable}` };
  return isSpeltOut(text, name, site) && variable === newName
    ? { span: site, text: newName }
    : { span: name, text: newName };
}

/** Another name for the variable of a binding; the field stays. */
export function renamedVariable(text: string, { name, site }: Use, newName: string): TextEdit {
  const field = text.slice(name.start, name.end);
  if (isShort({ name, site })) return { span: name, text: `${field}${SPELT_OUT}${newName}` };
  return isSpeltOut(text, name, site) && field === newName
    ? { span: site, text: newName }
    : { span: variableOf(text, site), text: newName };
}

/** The last word of a binding: the variable that it makes. */
export const variableOf = (text: string, site: Span): Span => {
  const word = /\w*$/.exec(text.slice(site.start, site.end))?.[0] ?? '';
  return { start: site.end - word.length, end: site.end };
};

const isShort = ({ name, site }: Pick<Use, 'name' | 'site'>): boolean =>
  site.start === name.start && site.end === name.end;

const isSpeltOut = (text: string, name: Span, site: Span): boolean =>
  text.slice(name.end, variableOf(text, site).start) === SPELT_OUT;
