import type { Name } from './ast/node.ts';
import type { NamedType, Type } from './ast/type.ts';
import type { Cursor } from './cursor.ts';
import { parseList } from './parse-list.ts';
import { Tok } from './token.ts';

export function parseType(cursor: Cursor): Type {
  cursor.enter();
  const start = cursor.start;
  let type = parseBase(cursor, start);
  if (cursor.kind === Tok.Question && !cursor.newline) {
    cursor.advance();
    type = { kind: 'NullableType', start, end: cursor.lastEnd, inner: type };
    if (cursor.kind === Tok.Question && !cursor.newline) {
      cursor.fail('nullable-twice', "expected the end of the type, found '?': the type is already nullable");
      cursor.advance();
    }
  }
  cursor.leave();
  return type;
}

function parseBase(cursor: Cursor, start: number): Type {
  switch (cursor.kind) {
    case Tok.Ident:
      return parseNamed(cursor, start);
    case Tok.Stream: {
      cursor.advance();
      const element = parseType(cursor);
      return { kind: 'StreamType', start, end: cursor.lastEnd, element };
    }
    case Tok.LBracket: {
      cursor.advance();
      const element = parseType(cursor);
      cursor.expect(Tok.RBracket, 'after the element type');
      return { kind: 'ListType', start, end: cursor.lastEnd, element };
    }
    case Tok.Fn: {
      cursor.advance();
      const params = cursor.expect(Tok.LParen, "after 'fn' of a function type")
        ? parseList(cursor, Tok.RParen, 'function type', parseType)
        : [];
      const result = cursor.newline || !startsType(cursor.kind) ? undefined : parseType(cursor);
      return { kind: 'FnType', start, end: cursor.lastEnd, params, result };
    }
    default:
      cursor.fail(
        cursor.kind === Tok.End ? 'end-of-file' : 'type-expected',
        `${cursor.kind === Tok.End ? 'unexpected end of file: ' : ''}expected a type, found ${cursor.describe()}`,
      );
      return { kind: 'BrokenType', start: cursor.lastEnd, end: cursor.lastEnd };
  }
}

const startsType = (kind: number): boolean =>
  kind === Tok.Ident || kind === Tok.Stream || kind === Tok.LBracket || kind === Tok.Fn;

function parseNamed(cursor: Cursor, start: number): NamedType {
  const path: Name[] = [cursor.name('a type')];
  while (cursor.kind === Tok.Dot && !cursor.newline) {
    if (path.length === 2)
      cursor.fail('path-malformed', 'expected the end of the type: a type has at most a module and a name');
    cursor.advance();
    path.push(cursor.name('a type of the module'));
  }
  const args = cursor.kind === Tok.Lt ? parseTypeArgs(cursor) : [];
  return { kind: 'NamedType', start, end: cursor.lastEnd, path, args };
}

/** From `<` to its `>`. */
export function parseTypeArgs(cursor: Cursor): readonly Type[] {
  cursor.advance();
  const args: Type[] = [];
  while (cursor.kind !== Tok.End) {
    if (cursor.kind === Tok.Gt || cursor.kind === Tok.GtEq) break;
    const at = cursor.at;
    args.push(parseType(cursor));
    if (cursor.kind !== Tok.Comma || cursor.at === at) break;
    cursor.advance();
  }
  if (args.length === 0) cursor.fail('type-expected', "expected a type between '<' and '>'");
  closeAngle(cursor);
  return args;
}

/** Consumes `>`, or the first half of `>=`, so that `let x: Box<int>= y` parses as written. */
function closeAngle(cursor: Cursor): void {
  if (cursor.kind !== Tok.GtEq) {
    cursor.expect(Tok.Gt, 'after the type arguments');
    return;
  }
  const { tokens, at } = cursor;
  const start = cursor.start;
  // The `>` joins the previous token, which then ends with the type; `=` remains.
  tokens.kinds[at] = Tok.Assign;
  tokens.starts[at] = start + 1;
  tokens.ends[at - 1] = start + 1;
  cursor.goTo(at);
}

/** The maximum number of tokens that are read to distinguish `f<T>(x)` from two comparisons. */
const LOOK_AHEAD = 512;

/** The index after the `>` that closes the `<` at `index`, if everything in between can be types; otherwise -1. */
export function afterTypeArgs(cursor: Cursor, index: number): number {
  let angles = 0;
  let brackets = 0;
  for (let at = index; at < index + LOOK_AHEAD; at += 1) {
    switch (cursor.kindAt(at)) {
      case Tok.Lt:
        angles += 1;
        break;
      case Tok.Gt:
        angles -= 1;
        if (angles === 0) return brackets === 0 && at > index + 1 ? at + 1 : -1;
        break;
      case Tok.LBracket:
      case Tok.LParen:
        brackets += 1;
        break;
      case Tok.RBracket:
      case Tok.RParen:
        brackets -= 1;
        if (brackets < 0) return -1;
        break;
      case Tok.Ident:
      case Tok.Dot:
      case Tok.Comma:
      case Tok.Question:
      case Tok.Fn:
      case Tok.Stream:
        break;
      default:
        return -1;
    }
  }
  return -1;
}
