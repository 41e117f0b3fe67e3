import type { Pattern, PatternBinding } from './ast/code.ts';
import type { Name } from './ast/node.ts';
import type { Cursor } from './cursor.ts';
import { parseLooseList } from './parse-list.ts';
import { Tok } from './token.ts';

/** Parses at most `max` names that are separated by dots on one line. `what` names the whole in messages. */
export function parsePath(cursor: Cursor, what: string, max: number): readonly Name[] {
  const path = [cursor.name(what)];
  while (cursor.kind === Tok.Dot && !cursor.newline) {
    if (path.length === max) cursor.fail('path-malformed', `expected the end of ${what}: at most ${max} names`);
    cursor.advance();
    path.push(cursor.name(what));
  }
  return path;
}

/** `Enum.Variant`, with an optional module before it and bindings after it. */
export function parsePattern(cursor: Cursor, hasBindings: boolean): Pattern {
  const start = cursor.start;
  const path = parsePath(cursor, 'a variant', 3);
  if (path.length === 1 && path[0]?.text !== '') {
    const name = path[0]?.text ?? '';
    cursor.fail(
      'path-malformed',
      `expected '.' after '${name}': a pattern names the enum and the variant, as in ${name}.Some`,
    );
  }
  let bindings: readonly PatternBinding[] | undefined;
  if (cursor.kind === Tok.LBrace && (hasBindings || opensBindings(cursor))) {
    cursor.advance();
    bindings = parseLooseList(cursor, Tok.RBrace, 'bindings', parseBinding);
  }
  return { kind: 'Pattern', start, end: cursor.lastEnd, path, bindings };
}

function parseBinding(cursor: Cursor): PatternBinding {
  const start = cursor.start;
  const field = cursor.name('a field');
  const rename = cursor.eat(Tok.Colon) ? cursor.name('a variable') : undefined;
  return { kind: 'PatternBinding', start, end: cursor.lastEnd, field, rename };
}

/** Whether the braces contain only names and are followed by the brace of a body. */
function opensBindings(cursor: Cursor): boolean {
  let at = cursor.at + 1;
  for (;;) {
    const kind = cursor.kindAt(at);
    if (kind === Tok.RBrace) return cursor.kindAt(at + 1) === Tok.LBrace;
    if (kind !== Tok.Ident && kind !== Tok.Comma && kind !== Tok.Colon) return false;
    at += 1;
  }
}
