import type { Cursor } from './cursor.ts';
import { skipLine, startsDeclaration } from './skip.ts';
import { nameOfToken, Tok } from './token.ts';

/** Elements separated by commas, with an optional one at the end, including the closing token. */
export function parseList<T>(cursor: Cursor, close: number, what: string, parseOne: (cursor: Cursor) => T): T[] {
  return parseElements(cursor, close, what, parseOne, false);
}

/** Elements with optional commas. */
export function parseLooseList<T>(cursor: Cursor, close: number, what: string, parseOne: (cursor: Cursor) => T): T[] {
  return parseElements(cursor, close, what, parseOne, true);
}

function parseElements<T>(
  cursor: Cursor,
  close: number,
  what: string,
  parseOne: (cursor: Cursor) => T,
  isLoose: boolean,
): T[] {
  // Inside brackets, a brace after a name can only start a literal.
  const noRecord = cursor.noRecord;
  cursor.noRecord = false;
  const elements: T[] = [];
  while (cursor.kind !== close && cursor.kind !== Tok.End) {
    const at = cursor.at;
    elements.push(parseOne(cursor));
    if (cursor.kind === Tok.Comma) {
      if (cursor.at === at) cursor.fail('token-expected', `expected an element of the ${what}, found ','`);
      cursor.advance();
      continue;
    }
    if (cursor.kind === close) break;
    if (cursor.hasFailedHere || cursor.at === at) {
      if (!resume(cursor, close, at)) break;
      continue;
    }
    if (isLoose) continue;
    cursor.failExpected(`',' or ${nameOfToken(close)}`, `in the ${what}`);
    if (!resume(cursor, close, at)) break;
  }
  cursor.expect(close, `to close the ${what}`);
  cursor.noRecord = noRecord;
  return elements;
}

/** Recovers from an error: continues after the next comma, or stops before the token that closes or follows the list. */
function resume(cursor: Cursor, close: number, from: number): boolean {
  // A brace instead of an element is the body after the list.
  if (close === Tok.RParen && cursor.is(Tok.LBrace) && cursor.hasFailedHere) return false;
  let depth = 0;
  while (cursor.kind !== Tok.End) {
    if (depth === 0) {
      if (cursor.kind === close) return false;
      if (cursor.kind === Tok.Comma) {
        cursor.advance();
        return true;
      }
      if (cursor.kind === Tok.RBrace || cursor.kind === Tok.RParen || cursor.kind === Tok.RBracket) return false;
      if (cursor.newline && cursor.at > from && (close !== Tok.RBrace || startsDeclaration(cursor.kind))) return false;
    }
    if (cursor.kind === Tok.LBrace || cursor.kind === Tok.LParen || cursor.kind === Tok.LBracket) depth += 1;
    else if (cursor.kind === Tok.RBrace || cursor.kind === Tok.RParen || cursor.kind === Tok.RBracket) depth -= 1;
    if (depth === 0 && close === Tok.RBrace && cursor.newline && cursor.at > from) return true;
    cursor.advance();
  }
  return false;
}

/** A simple statement or item must end with its line, `}` or the file. */
export function endLine(cursor: Cursor, what: string): void {
  if (cursor.atLineEnd) return;
  cursor.fail('newline-expected', `expected newline after ${what}, found ${cursor.describe()}`);
  skipLine(cursor);
}
