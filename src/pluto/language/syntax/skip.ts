import type { Cursor } from './cursor.ts';
import { Tok } from './token.ts';

/** Keywords that can only start a declaration. */
export function startsDeclaration(kind: number): boolean {
  switch (kind) {
    case Tok.Fn:
    case Tok.Class:
    case Tok.Trait:
    case Tok.Enum:
    case Tok.Error:
    case Tok.Extern:
    case Tok.App:
    case Tok.Stage:
    case Tok.System:
    case Tok.Test:
    case Tok.Tests:
    case Tok.Pub:
    case Tok.Import:
      return true;
    default:
      return false;
  }
}

const opens = (kind: number): boolean => kind === Tok.LBrace || kind === Tok.LParen || kind === Tok.LBracket;
const closes = (kind: number): boolean => kind === Tok.RBrace || kind === Tok.RParen || kind === Tok.RBracket;

/** Whether a declaration starts here that cannot belong to the enclosing function, because its line starts no further right. */
export function isAtOuterDeclaration(cursor: Cursor): boolean {
  return cursor.newline && startsDeclaration(cursor.kind) && cursor.columnOf(cursor.at) <= cursor.ownerColumn;
}

/** Skips to the end of the statement or item: a line end outside brackets, or the enclosing closing brace. */
export function skipLine(cursor: Cursor): void {
  let depth = 0;
  let isFirst = true;
  while (cursor.kind !== Tok.End) {
    if (!isFirst && cursor.newline && (depth <= 0 || isAtOuterDeclaration(cursor))) return;
    if (opens(cursor.kind)) depth += 1;
    else if (closes(cursor.kind)) {
      if (depth === 0 && cursor.kind === Tok.RBrace) return;
      depth = Math.max(0, depth - 1);
    }
    isFirst = false;
    cursor.advance();
  }
}

/** Skips to the next token that can start a declaration of the file. */
export function skipToDeclaration(cursor: Cursor): void {
  let depth = 0;
  let isFirst = true;
  while (cursor.kind !== Tok.End) {
    if (!isFirst && startsDeclaration(cursor.kind) && (depth <= 0 ? cursor.newline : startsLineAtZero(cursor))) return;
    if (cursor.kind === Tok.LBrace) depth += 1;
    else if (cursor.kind === Tok.RBrace) depth -= 1;
    isFirst = false;
    cursor.advance();
  }
}

const startsLineAtZero = (cursor: Cursor): boolean => cursor.newline && cursor.columnOf(cursor.at) === 0;
