import { type LuauToken, scanLuau } from './scan-luau.ts';

/** A part of a text. The parts of a text together are the text. */
export interface NamedPart {
  /** Identifies the part among those of its text. */
  readonly key: string;
  readonly text: string;
  /** Whether the key is the name of something. Otherwise it is the text, and the order of such parts has a meaning. */
  readonly isNamed: boolean;
}

/** A statement cannot end after these words and signs. */
const unfinished: ReadonlySet<string> = new Set(
  '= , . : and or not return in + - * / // % ^ .. == ~= < > <= >= += -= *= /= //= %= ^= ..= -> | & :: ?'.split(' '),
);

/**
 * Splits a Luau text into its declarations on the top level: functions, local functions, types, assignments, and other statements. Comments
 * and empty lines belong to the declaration after them. `undefined` if the text cannot be split, or two parts have one key.
 */
export function splitDeclarations(text: string): readonly NamedPart[] | undefined {
  const parts = listDeclarations(text);
  return parts !== undefined && hasUniqueKeys(parts) ? parts : undefined;
}

/** As `splitDeclarations`, but several parts may have one key. */
export function listDeclarations(text: string): readonly NamedPart[] | undefined {
  const tokens = scanLuau(text);
  if (tokens === undefined) return undefined;
  const starts: number[] = [];
  let isAttribute = false;
  for (const [index, token] of tokens.entries()) {
    if (token.depth > 0 || !token.isFirst || token.kind === 'value') continue;
    if (token.kind === 'sign' && token.text !== '@') continue;
    // These words continue the statement that they are in.
    if (['end', 'until', 'else', 'elseif', 'then', 'do', 'and', 'or'].includes(token.text)) continue;
    if (unfinished.has(tokens[index - 1]?.text ?? ';') && index > 0) continue;
    // An attribute belongs to the function after it.
    if (!isAttribute) starts.push(index);
    isAttribute = token.text === '@';
  }
  return toParts(text, tokens, starts);
}

function toParts(text: string, tokens: readonly LuauToken[], starts: readonly number[]): readonly NamedPart[] {
  const parts: NamedPart[] = [];
  let from = 0;
  for (const [index, start] of starts.entries()) {
    const next = starts[index + 1] ?? tokens.length;
    const last = tokens[next - 1];
    const line = text.indexOf('\n', last?.end ?? 0);
    const end = line < 0 ? text.length : line + 1;
    const part = text.slice(from, end);
    const key = keyOf(tokens.slice(start, next));
    parts.push({ key: key ?? `text ${part.trim()}`, text: part, isNamed: key !== undefined });
    from = end;
  }
  const rest = text.slice(from);
  if (rest !== '') parts.push({ key: 'end of text', text: rest, isNamed: true });
  return parts;
}

export const hasUniqueKeys = (parts: readonly NamedPart[]): boolean =>
  new Set(parts.map(part => part.key)).size === parts.length;

/** The name that the statement declares; `undefined` for other statements. */
function keyOf(statement: readonly LuauToken[]): string | undefined {
  const first = statement.findIndex((token, index) => token.text !== '@' && statement[index - 1]?.text !== '@');
  const words = statement.slice(first);
  const [word, second, third] = words.map(token => token.text);
  if (word === 'function') return `function ${nameAt(words, 1)}`;
  if (word === 'return') return 'return';
  if (word === 'local' && second === 'function') return `function ${third ?? ''}`;
  if (word === 'local') return `local ${second ?? ''}`;
  if (word === 'type' && words[1]?.kind === 'name') return `type ${second === 'function' ? third : second}`;
  if (word === 'export' && second === 'type') return `type ${third === 'function' ? words[3]?.text : third}`;
  const name = nameAt(words, 0);
  const assign = words.find(token => token.depth === 0 && token.text === '=');
  return assign !== undefined && name !== '' && words[tokenCountOf(words)]?.text === '=' ? `set ${name}` : undefined;
}

/** Number of tokens of the dotted name at the start. */
function tokenCountOf(words: readonly LuauToken[]): number {
  let count = 0;
  for (; words[count]?.kind === 'name' || ['.', ':'].includes(words[count]?.text ?? ''); count += 1);
  return count;
}

/** `a.b:c` */
function nameAt(words: readonly LuauToken[], from: number): string {
  const rest = words.slice(from);
  return rest
    .slice(0, tokenCountOf(rest))
    .map(token => token.text)
    .join('');
}
