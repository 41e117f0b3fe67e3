/** A word or sign of a Luau text. Comments and blanks are skipped. */
export interface LuauToken {
  /** For a string or a number, only its first character. */
  readonly text: string;
  readonly kind: 'name' | 'sign' | 'value';
  readonly start: number;
  readonly end: number;
  /** Open blocks and brackets around it; the words that open and close one are outside of it. */
  readonly depth: number;
  /** Whether it is the first on its line. */
  readonly isFirst: boolean;
}

const closing: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
const wordPattern = /[A-Za-z_][A-Za-z0-9_]*/y;
const numberPattern = /[0-9][A-Za-z0-9_.]*/y;
const blankPattern = /[^\S\n]+/y;
/** Signs of several characters come first, because their first character alone has another meaning. */
const signPattern = /\.\.\.|\.\.=|\/\/=|::|->|[=~<>]=|[-+*/%^]=|\.\.|[^]/y;

/**
 * Splits a Luau text into tokens with their depth. Knows brackets, blocks, strings and comments, and nothing else of the grammar, so a text
 * with other errors is split, too. `undefined` if something does not close.
 */
export function scanLuau(text: string): readonly LuauToken[] | undefined {
  const tokens: LuauToken[] = [];
  const nesting = new Nesting();
  let isFirst = true;
  let at = 0;
  const add = (kind: LuauToken['kind'], end: number, depth: number): void => {
    const shown = kind === 'value' ? (text[at] ?? '') : text.slice(at, end);
    tokens.push({ text: shown, kind, start: at, end, depth, isFirst });
    isFirst = false;
    at = end;
  };
  while (at < text.length) {
    const char = text[at] ?? '';
    if (char === '\n') {
      isFirst = true;
      at += 1;
      continue;
    }
    const skipped = matchAt(blankPattern, text, at) ?? commentEnd(text, at);
    if (skipped !== undefined) {
      if (skipped === UNCLOSED) return undefined;
      at = skipped;
      continue;
    }
    const value = matchAt(numberPattern, text, at) ?? stringEnd(text, at);
    if (value === UNCLOSED) return undefined;
    const word = matchAt(wordPattern, text, at);
    const end = value ?? word ?? matchAt(signPattern, text, at) ?? at + 1;
    if (value !== undefined) add('value', end, nesting.depth);
    else {
      const before = nesting.depth;
      if (!nesting.enter(text.slice(at, end), tokens.at(-1))) return undefined;
      add(word === undefined ? 'sign' : 'name', end, Math.min(before, nesting.depth));
    }
  }
  return nesting.depth === 0 ? tokens : undefined;
}

const UNCLOSED = -1;

/** The open brackets and blocks. An `if` expression has no `end`, so it is not a block. */
class Nesting {
  depth = 0;
  /** Opening brackets, `block`, and `value` for an `if` expression before its `else`. */
  readonly #open: string[] = [];
  #isElseOfValue = false;

  /** False if the word or sign closes what is not open. */
  enter(word: string, before: LuauToken | undefined): boolean {
    switch (word) {
      case '(':
      case '[':
      case '{':
        return this.#push(word);
      case ')':
      case ']':
      case '}':
        return this.#pop(closing[word] ?? '');
      case 'function':
      case 'do':
      case 'repeat':
        return this.#push('block');
      case 'end':
      case 'until':
        return this.#pop('block');
      case 'if':
        if (!this.#startsValue(before)) return this.#push('block');
        this.#open.push('value');
        return true;
      case 'else':
        this.#isElseOfValue = this.#open.at(-1) === 'value';
        if (this.#isElseOfValue) this.#open.pop();
        return true;
      default:
        return true;
    }
  }

  #push(kind: string): boolean {
    this.#open.push(kind);
    this.depth += 1;
    return true;
  }

  #pop(kind: string): boolean {
    this.depth -= 1;
    return this.#open.pop() === kind;
  }

  /** Whether `if` after this token starts an expression. */
  #startsValue(before: LuauToken | undefined): boolean {
    if (before === undefined || before.kind === 'value') return false;
    if (before.kind === 'sign') return ![')', ']', '}', ';', '>', '?', '...'].includes(before.text);
    if (before.text === 'then') return this.#open.at(-1) === 'value';
    if (before.text === 'else') return this.#isElseOfValue;
    return ['and', 'or', 'not', 'return', 'in', 'if', 'elseif', 'while', 'until'].includes(before.text);
  }
}

/** The end of what the pattern finds at `at`. */
function matchAt(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function commentEnd(text: string, at: number): number | undefined {
  if (!text.startsWith('--', at)) return undefined;
  const end = longBracketEnd(text, at + 2);
  if (end !== undefined) return end;
  const line = text.indexOf('\n', at);
  return line < 0 ? text.length : line;
}

function stringEnd(text: string, at: number): number | undefined {
  const quote = text[at];
  if (quote === '[') return longBracketEnd(text, at);
  if (quote === '`') return interpolatedEnd(text, at);
  if (quote !== '"' && quote !== "'") return undefined;
  for (let next = at + 1; next < text.length; next += 1) {
    const char = text[next];
    if (char === quote) return next + 1;
    if (char === '\n') return UNCLOSED;
    // `\z` skips the line ends that follow.
    if (char === '\\' && text[next + 1] === 'z') next = (matchAt(/\s*/y, text, next + 2) ?? next + 2) - 1;
    else if (char === '\\') next += 1;
  }
  return UNCLOSED;
}

/** The end of `[[…]]` or `[==[…]==]`. */
function longBracketEnd(text: string, at: number): number | undefined {
  if (text[at] !== '[') return undefined;
  const inner = matchAt(/=*\[/y, text, at + 1);
  if (inner === undefined) return undefined;
  const close = `]${'='.repeat(inner - at - 2)}]`;
  const end = text.indexOf(close, inner);
  return end < 0 ? UNCLOSED : end + close.length;
}

/** The end of a string in backticks, whose expressions in braces can contain strings. */
function interpolatedEnd(text: string, at: number): number {
  /** Braces that are open in the expression of each string around the current position. */
  const braces: number[] = [];
  let isText = true;
  for (let next = at + 1; next < text.length; next += 1) {
    const char = text[next];
    if (isText) {
      if (char === '\\') next += 1;
      else if (char === '{') {
        braces.push(0);
        isText = false;
      } else if (char === '`') {
        if (braces.length === 0) return next + 1;
        isText = false;
      }
    } else if (char === '{') braces.push((braces.pop() ?? 0) + 1);
    else if (char === '}') {
      const open = braces.pop() ?? 0;
      if (open === 0) isText = true;
      else braces.push(open - 1);
    } else if (char === '`') isText = true;
    else if (char === '"' || char === "'") {
      const end = stringEnd(text, next) ?? UNCLOSED;
      if (end === UNCLOSED) return UNCLOSED;
      next = end - 1;
    }
  }
  return UNCLOSED;
}
