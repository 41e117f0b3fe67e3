import { err, ok, type Result } from '../../base/result.ts';

/**
 * A glob as Rojo's projects mean it: `*` and `?` cross `/`, `**` as a whole name stands for any number of folders, classes and `{a,b}`.
 * Anchored at both ends, case-sensitive. The error completes "expected …".
 */
export function compileGlob(glob: string): Result<(path: string) => boolean, string> {
  let source = '';
  let braces = 0;
  let at = 0;
  const rest = (): string => glob.slice(at);
  while (at < glob.length) {
    // Each side of `{a,b}` begins and ends anew.
    const isFirst = at === 0 || (braces > 0 && /[{,]/.test(glob[at - 1] ?? ''));
    const char = glob[at] ?? '';
    if ((isFirst || glob[at - 1] === '/') && (braces > 0 ? /^\*\*(?:[/,}]|$)/ : /^\*\*(?:\/|$)/).test(rest())) {
      if (glob[at + 2] === '/') {
        source += isFirst ? '(?:/?|.*/)' : '(?:|.*/)';
        at += 3;
      } else {
        source += isFirst ? '.*' : '.+';
        at += 2;
      }
      continue;
    }
    at += 1;
    if (char === '*') {
      while (glob[at] === '*') at += 1;
      source += '.*';
    } else if (char === '?') source += '.';
    else if (char === '\\') {
      if (at >= glob.length) return err('a character after the last \\ of the glob');
      source += escape(glob[at] ?? '');
      at += 1;
    } else if (char === '[') {
      const end = glob.indexOf(']', at + (/^[!^]/.test(rest()) ? 2 : 1));
      if (end < 0) return err('a "]" for every "[" of the glob');
      const negated = /^[!^]/.test(rest());
      const body = glob
        .slice(negated ? at + 1 : at, end)
        .replace(/[\\\]^[-]/g, (c, i: number, all: string) => classChar(c, i, all));
      source += `[${negated ? '^' : ''}${body}]`;
      at = end + 1;
    } else if (char === '{') {
      braces += 1;
      source += '(?:';
    } else if (char === '}' && braces > 0) {
      braces -= 1;
      source += ')';
    } else if (char === ',' && braces > 0) source += '|';
    else source += escape(char);
  }
  if (braces > 0) return err('a "}" for every "{" of the glob');
  try {
    const pattern = new RegExp(`^(?:${source})$`, 'su');
    return ok(path => pattern.test(path));
  } catch {
    return err('a glob whose classes name their characters in order');
  }
}

const escape = (char: string): string => char.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** `-` between two characters makes a range; anywhere else, and every other special character, it stands for itself. */
const classChar = (char: string, index: number, all: string): string =>
  char === '-' && index > 0 && index < all.length - 1 ? '-' : `\\${char}`;
