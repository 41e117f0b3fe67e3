import { RE2JS } from 're2js';
import { messageOf } from '../../base/describe-cause.ts';
import { AppError } from '../../base/errors.ts';
import type { LinePattern } from '../ports/search-backend.ts';

/** Index of the first match in a line (UTF-16 code units), or -1. */
export type LineMatcher = (line: string) => number;

const wordChars = String.raw`\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}`;

/**
 * Creates a matcher whose time is linear in the length of the line for every pattern. Plain texts skip the engine.
 *
 * @throws AppError REGEX_INVALID, REGEX_TOO_COMPLEX
 */
export function createLineMatcher(pattern: LinePattern): LineMatcher {
  if (!pattern.isRegex && !pattern.ignoreCase && !pattern.wholeWord) {
    return line => first(pattern.texts.map(text => line.indexOf(text)));
  }
  const engines = pattern.texts.map(text => compile(text, pattern));
  return line =>
    first(
      engines.map(engine => {
        const matcher = engine.matcher(line);
        return matcher.find() ? matcher.start(pattern.wholeWord ? 'found' : 0) : -1;
      }),
    );
}

const first = (indexes: readonly number[]): number =>
  indexes.reduce((best, index) => (index >= 0 && (best < 0 || index < best) ? index : best), -1);

function compile(text: string, pattern: LinePattern): RE2JS {
  const body = pattern.isRegex ? unicodeClasses(text) : RE2JS.quote(text);
  const whole = pattern.wholeWord ? `(?:^|[^${wordChars}])(?P<found>(?:${body}))(?:$|[^${wordChars}])` : body;
  try {
    // Compile the body alone first, so that our parentheses do not close an unclosed one.
    if (pattern.wholeWord) RE2JS.compile(body);
    return RE2JS.compile(whole, pattern.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  } catch (error) {
    const reason = messageOf(error).replace(/^error parsing regexp: /, '');
    if (/repeat count|too large|too deep/.test(reason)) throw new AppError('REGEX_TOO_COMPLEX', { reason });
    throw new AppError('REGEX_INVALID', { reason });
  }
}

/** Replaces `\w`, `\d` and `\s` with their Unicode classes, as ripgrep does. */
function unicodeClasses(text: string): string {
  let isInClass = false;
  let changed = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '\\') {
      const next = text.charAt((at += 1));
      const members = { w: wordChars, d: String.raw`\p{Nd}`, s: String.raw`\s\p{Z}\x{85}` }[next];
      const others = { W: wordChars, D: String.raw`\p{Nd}`, S: String.raw`\s\p{Z}\x{85}` }[next];
      if (members !== undefined) changed += isInClass ? members : `[${members}]`;
      else if (others !== undefined && !isInClass) changed += `[^${others}]`;
      else changed += char + next;
      continue;
    }
    if (char === '[' && !isInClass) {
      isInClass = true;
      changed += char;
      if (text.charAt(at + 1) === '^') changed += text.charAt((at += 1));
      if (text.charAt(at + 1) === ']') changed += text.charAt((at += 1));
      continue;
    }
    if (char === ']') isInClass = false;
    changed += char;
  }
  return changed;
}
