import { RE2JS } from 're2js';
import { err, ok, type Result } from '../result.ts';

/** Whether a path (names joined by `/`) matches. */
export type Glob = (path: string) => boolean;

/**
 * The meaning of `*`, `?`, `[…]` and braces:
 * - `names`: they never match `/`, as in git and ripgrep. A whole name `**` matches any number of names, or at least one at the end.
 * - `paths`: they also match `/`, as in Rojo's project files. A `}` without a `{` is a literal character.
 */
export type GlobStyle = 'names' | 'paths';

/** Maximum length of a glob, and of a path that is matched by a JavaScript regular expression. */
const MAX_LENGTH = 4096;
const MAX_DEPTH = 100;
/** With two stars, backtracking takes at most quadratic time: 20 ms for the longest path. */
const MAX_BACKTRACKING_STARS = 2;
/** Alternatives of several groups multiply, so a second group could take exponential time. */
const MAX_BACKTRACKING_GROUPS = 1;

/**
 * Compiles a glob, anchored at both ends and case-sensitive: `*`, `?`, `**`, `[a-z]`, `[!a]`, `{a,b}`, and `\` before a literal character.
 * Hostile globs stay fast: a glob with more than two stars or one `{…}` runs on RE2 in linear time. Other globs use JavaScript's `RegExp`,
 * which compiles a hundred times faster. Picomatch is not used because its expressions need lookahead, which RE2 lacks. The error completes
 * "expected …".
 */
export function compileGlob(glob: string, style: GlobStyle): Result<Glob, string> {
  if (glob.length > MAX_LENGTH) return err(`a glob of at most ${MAX_LENGTH} characters`);
  const translator = new GlobTranslator(glob, style);
  try {
    const source = translator.translate();
    let linear: RE2JS | undefined;
    const isMatch: Glob = path => (linear ??= RE2JS.compile(`(?s)${source.replaceAll('\\u{', '\\x{')}`)).test(path);
    const { starCount, groupCount } = translator;
    if (starCount > MAX_BACKTRACKING_STARS || groupCount > MAX_BACKTRACKING_GROUPS) return ok(isMatch);
    const pattern = new RegExp(source, 'su');
    return ok(path => (path.length <= MAX_LENGTH ? pattern.test(path) : isMatch(path)));
  } catch (error) {
    if (error instanceof GlobError) return err(error.message);
    throw error;
  }
}

class GlobError extends Error {}

/** Translates a glob into an RE2 regular expression. */
class GlobTranslator {
  readonly #chars: readonly string[];
  readonly #isPaths: boolean;
  #at = 0;
  #depth = 0;
  starCount = 0;
  groupCount = 0;

  constructor(glob: string, style: GlobStyle) {
    this.#chars = Array.from(glob);
    this.#isPaths = style === 'paths';
  }

  translate(): string {
    return `^(?:${this.#sequence(true).source})$`;
  }

  /** @returns `startsName`: whether a name starts right after the sequence */
  #sequence(startsName: boolean): { readonly source: string; readonly startsName: boolean } {
    const isTop = this.#depth === 0;
    let source = '';
    let isNameStart = startsName;
    let isAtStart = startsName;
    while (this.#at < this.#chars.length) {
      const char = this.#chars[this.#at] ?? '';
      if (!isTop && (char === ',' || char === '}')) break;
      if (isNameStart && this.#isWholeName()) {
        source += this.#anyNames(isAtStart);
        // A name starts after `**/`.
        isNameStart = this.#chars[this.#at - 1] === '/';
        isAtStart = false;
        continue;
      }
      const wasNameStart = isNameStart;
      this.#at += 1;
      isNameStart = char === '/';
      if (char === '*') {
        while (this.#chars[this.#at] === '*') this.#at += 1;
        this.starCount += 1;
        source += this.#isPaths ? '.*' : '[^/]*';
      } else if (char === '?') source += this.#isPaths ? '.' : '[^/]';
      else if (char === '\\') source += this.#escaped();
      else if (char === '[') source += this.#class();
      else if (char === '{') {
        const group = this.#group(wasNameStart || this.#isPaths);
        source += group.source;
        isNameStart = group.startsName;
      } else if (char === '}' && !this.#isPaths) throw new GlobError('a "{" for every "}" in the glob');
      else source += literal(char);
      isAtStart = false;
    }
    return { source, startsName: isNameStart };
  }

  /** Parses the alternatives of `{a,b}` after the `{`. Each alternative is a glob. */
  #group(startsName: boolean): { readonly source: string; readonly startsName: boolean } {
    this.#depth += 1;
    this.groupCount += 1;
    if (this.#depth > MAX_DEPTH) throw new GlobError('fewer nested braces in the glob');
    const alternatives: string[] = [];
    let endsAtNameStart = true;
    for (;;) {
      const alternative = this.#sequence(startsName);
      alternatives.push(alternative.source);
      endsAtNameStart &&= alternative.startsName;
      const end = this.#chars[this.#at];
      if (end === undefined) throw new GlobError('a "}" for every "{" in the glob');
      this.#at += 1;
      if (end === '}') break;
    }
    this.#depth -= 1;
    return { source: `(?:${alternatives.join('|')})`, startsName: endsAtNameStart && !this.#isPaths };
  }

  /** Whether the name at the current position is exactly `**`. */
  #isWholeName(): boolean {
    if (this.#chars[this.#at] !== '*' || this.#chars[this.#at + 1] !== '*') return false;
    const next = this.#chars[this.#at + 2];
    return next === undefined || next === '/' || (this.#depth > 0 && (next === ',' || next === '}'));
  }

  /** Matches any number of names. At the end it matches at least one name, unless the whole glob is `**`. */
  #anyNames(isAtStart: boolean): string {
    const isFollowed = this.#chars[this.#at + 2] === '/';
    this.#at += isFollowed ? 3 : 2;
    this.starCount += 1;
    if (isFollowed) return isAtStart && this.#isPaths ? '(?:/?|.*/)' : '(?:.*/)?';
    return isAtStart ? '.*' : '.+';
  }

  #escaped(): string {
    const char = this.#chars[this.#at];
    if (char === undefined) throw new GlobError('a character after the last "\\" in the glob');
    this.#at += 1;
    return literal(char);
  }

  #class(): string {
    const isNegated = this.#chars[this.#at] === '!' || this.#chars[this.#at] === '^';
    if (isNegated) this.#at += 1;
    const start = this.#at;
    // A `]` at the start is a member of the class.
    const end = this.#chars.indexOf(']', start + 1);
    if (end < 0) throw new GlobError('a "]" for every "[" in the glob');
    this.#at = end + 1;
    const ranges: string[] = [];
    for (let at = start; at < end;) {
      const from = codeOf(this.#chars[at]);
      const isRange = this.#chars[at + 1] === '-' && at + 2 < end;
      const to = isRange ? codeOf(this.#chars[at + 2]) : from;
      if (from > to) throw new GlobError('character ranges in ascending order in the glob');
      ranges.push(...this.#classRange(from, to, isNegated));
      at += isRange ? 3 : 1;
    }
    if (isNegated) return `[^${ranges.join('')}${this.#isPaths ? '' : '/'}]`;
    // To RE2, `[]` is an unclosed class.
    return ranges.length === 0 ? '[^\\u{0}-\\u{10FFFF}]' : `[${ranges.join('')}]`;
  }

  /** The ranges of a class, without `/` in the `names` style. */
  #classRange(from: number, to: number, isNegated: boolean): readonly string[] {
    const slash = codeOf('/');
    if (this.#isPaths || isNegated || slash < from || slash > to) return [range(from, to)];
    return [...(from < slash ? [range(from, slash - 1)] : []), ...(slash < to ? [range(slash + 1, to)] : [])];
  }
}

const codeOf = (char: string | undefined): number => char?.codePointAt(0) ?? 0;
const hex = (code: number): string => `\\u{${code.toString(16)}}`;
const range = (from: number, to: number): string => `${hex(from)}-${hex(to)}`;
const literal = (char: string): string => (/^[\w/]$/.test(char) ? char : hex(codeOf(char)));
