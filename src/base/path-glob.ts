import { err, ok, type Result } from './result.ts';

type Token =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'one' | 'many' }
  | { readonly kind: 'class'; readonly isNegated: boolean; readonly ranges: readonly (readonly [string, string])[] };
type Segment = readonly Token[] | '**';

/** Whether a path (names joined by `/`) fits. */
export type PathGlob = (path: string) => boolean;

const MAX_LENGTH = 4096;
const MAX_ALTERNATIVES = 256;

/**
 * A glob over whole paths: `*` and `?` stay inside a name, `**` as a whole name stands for any number of names (at the end for at
 * least one), `[a-z]`, `[!a]`, `{a,b}`, and `\` takes the next character as it is. Case counts. Matching takes time proportional to
 * pattern times path at most, whoever wrote the pattern. The error says what cannot be read.
 */
export function compilePathGlob(glob: string): Result<PathGlob, string> {
  if (glob.length > MAX_LENGTH) return err(`it is longer than ${MAX_LENGTH} characters`);
  const alternatives = expandBraces(glob);
  if (!alternatives.ok) return alternatives;
  const compiled: (readonly Segment[])[] = [];
  for (const alternative of alternatives.value) {
    const segments: Segment[] = [];
    for (const name of splitNames(alternative)) {
      const tokens = name === '**' ? ok('**' as const) : readTokens(name);
      if (!tokens.ok) return tokens;
      if (tokens.value !== '**' || segments.at(-1) !== '**') segments.push(tokens.value);
    }
    compiled.push(segments);
  }
  return ok(path => {
    const names = path.split('/').map(name => Array.from(name));
    return compiled.some(segments => matchesNames(segments, names));
  });
}

/** Greedy with one place to come back to, once over the names and once inside each: never exponential. */
function matchesNames(segments: readonly Segment[], names: readonly (readonly string[])[]): boolean {
  let at = 0;
  let segmentAt = 0;
  let back: { readonly segment: number; at: number } | undefined;
  while (at < names.length) {
    const segment = segments[segmentAt];
    const name = names[at] ?? [];
    if (segment === '**') {
      if (segmentAt === segments.length - 1) return true;
      back = { segment: segmentAt + 1, at };
      segmentAt += 1;
    } else if (segment !== undefined && matchesName(segment, name)) {
      at += 1;
      segmentAt += 1;
    } else if (back === undefined) return false;
    else {
      back.at += 1;
      at = back.at;
      segmentAt = back.segment;
    }
  }
  return segmentAt === segments.length;
}

function matchesName(tokens: readonly Token[], name: readonly string[]): boolean {
  let at = 0;
  let tokenAt = 0;
  let back: { readonly token: number; at: number } | undefined;
  while (at < name.length) {
    const token = tokens[tokenAt];
    const char = name[at] ?? '';
    if (token?.kind === 'many') {
      back = { token: tokenAt + 1, at };
      tokenAt += 1;
    } else if (token !== undefined && matchesChar(token, char)) {
      at += 1;
      tokenAt += 1;
    } else if (back === undefined) return false;
    else {
      back.at += 1;
      at = back.at;
      tokenAt = back.token;
    }
  }
  while (tokens[tokenAt]?.kind === 'many') tokenAt += 1;
  return tokenAt === tokens.length;
}

function matchesChar(token: Token, char: string): boolean {
  switch (token.kind) {
    case 'one':
      return true;
    case 'many':
      return false;
    case 'char':
      return token.char === char;
    case 'class': {
      const code = char.codePointAt(0) ?? 0;
      const isIn = token.ranges.some(
        ([from, to]) => (from.codePointAt(0) ?? 0) <= code && code <= (to.codePointAt(0) ?? 0),
      );
      return isIn !== token.isNegated;
    }
  }
}

/** At every `/` that is neither escaped nor in a class. */
function splitNames(glob: string): readonly string[] {
  const names: string[] = [''];
  let isInClass = false;
  for (let at = 0; at < glob.length; at += 1) {
    const char = glob.charAt(at);
    if (char === '/' && !isInClass) {
      names.push('');
      continue;
    }
    const last = names.length - 1;
    names[last] += char;
    if (char === '\\') names[last] += glob.charAt((at += 1));
    else if (isInClass) isInClass = char !== ']';
    else if (char === '[') {
      isInClass = true;
      // A `]` right at the beginning is a member.
      while (/[!^\]]/.test(glob.charAt(at + 1))) {
        const next = glob.charAt((at += 1));
        names[last] += next;
        if (next === ']') break;
      }
    }
  }
  return names;
}

function readTokens(name: string): Result<readonly Token[], string> {
  const chars = Array.from(name);
  const tokens: Token[] = [];
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at] ?? '';
    if (char === '*') {
      if (tokens.at(-1)?.kind !== 'many') tokens.push({ kind: 'many' });
    } else if (char === '?') tokens.push({ kind: 'one' });
    else if (char === '\\') {
      const next = chars[(at += 1)];
      if (next === undefined) return err('nothing stands behind the last \\');
      tokens.push({ kind: 'char', char: next });
    } else if (char === '[') {
      const found = readClass(chars, at + 1);
      if (!found.ok) return found;
      tokens.push(found.value.token);
      at = found.value.end;
    } else tokens.push({ kind: 'char', char });
  }
  return ok(tokens);
}

function readClass(
  chars: readonly string[],
  start: number,
): Result<{ readonly token: Token; readonly end: number }, string> {
  let at = start;
  const isNegated = chars[at] === '!' || chars[at] === '^';
  if (isNegated) at += 1;
  const ranges: (readonly [string, string])[] = [];
  for (let isFirst = true; isFirst || chars[at] !== ']'; isFirst = false) {
    const from = chars[at];
    const to = chars[at + 1] === '-' && chars[at + 2] !== ']' ? chars[at + 2] : from;
    if (from === undefined || to === undefined) return err('a [ is never closed');
    if ((from.codePointAt(0) ?? 0) > (to.codePointAt(0) ?? 0)) return err(`${from}-${to} runs backwards`);
    ranges.push([from, to]);
    at += to === from && chars[at + 1] !== '-' ? 1 : to === from && chars[at + 2] === ']' ? 1 : 3;
  }
  return ok({ token: { kind: 'class', isNegated, ranges }, end: at });
}

function expandBraces(glob: string): Result<readonly string[], string> {
  const open = indexOutsideClass(glob, '{', 0);
  if (open < 0) return indexOutsideClass(glob, '}', 0) < 0 ? ok([glob]) : err('a } has no {');
  let depth = 1;
  const cuts = [open];
  let at = open + 1;
  for (; depth > 0; at += 1) {
    const next = ['{', '}', ','].map(char => indexOutsideClass(glob, char, at)).filter(index => index >= 0);
    if (next.length === 0) return err('a { is never closed');
    at = Math.min(...next);
    const char = glob.charAt(at);
    if (char === '{') depth += 1;
    else if (char === '}') depth -= 1;
    if (depth === 0 || (depth === 1 && char === ',')) cuts.push(at);
  }
  const expanded: string[] = [];
  for (const [index, cut] of cuts.slice(0, -1).entries()) {
    const inner = expandBraces(glob.slice(0, open) + glob.slice(cut + 1, cuts[index + 1]) + glob.slice(at));
    if (!inner.ok) return inner;
    expanded.push(...inner.value);
    if (expanded.length > MAX_ALTERNATIVES) return err(`its braces stand for more than ${MAX_ALTERNATIVES} globs`);
  }
  return ok(expanded);
}

/** Escaped ones and those in a class do not count. */
function indexOutsideClass(glob: string, wanted: string, from: number): number {
  let isInClass = false;
  for (let at = 0; at < glob.length; at += 1) {
    const char = glob.charAt(at);
    if (char === '\\') at += 1;
    else if (isInClass) isInClass = char !== ']';
    else if (char === wanted && at >= from) return at;
    else if (char === '[' && glob.indexOf(']', at + 2) > 0) {
      isInClass = true;
      if (/[!^]/.test(glob.charAt(at + 1))) at += 1;
      if (glob.charAt(at + 1) === ']') at += 1;
    }
  }
  return -1;
}
