import type { Decl, Module, ParsedModule } from './ast/decl.ts';
import type { Type } from './ast/type.ts';
import { checkContracts } from './contract-fragment.ts';
import { Cursor, NestingError } from './cursor.ts';
import type { Diagnostic } from './ast/diagnostic.ts';
import { checkFile } from './file-rules.ts';
import { lex, release } from './lexer.ts';
import { parseDeclaration } from './parse-declaration.ts';
import { parseBlock } from './parse-statement.ts';
import { parseType } from './parse-type.ts';
import { SyntaxReport } from './report.ts';
import { skipToDeclaration } from './skip.ts';
import type { SyntaxCode } from './syntax-codes.ts';
import { tidySpans } from './tidy-spans.ts';
import { Tok } from './token.ts';

/** Parses any text to a tree with all errors. Takes linear time, and never throws. */
export function parseModule(text: string): ParsedModule {
  const report = new SyntaxReport();
  const tokens = lex(text, report);
  const cursor = new Cursor(text, tokens, report, parseBlock);
  const items: Decl[] = [];
  let hasDecl = false;
  while (cursor.kind !== Tok.End) {
    const item = parseItem(cursor);
    if (item.kind === 'ImportDecl' && hasDecl)
      report.error(
        'import-misplaced',
        item,
        "expected declaration, found keyword 'import': imports must come before all declarations",
      );
    hasDecl ||= item.kind !== 'ImportDecl' && item.kind !== 'BrokenDecl';
    items.push(item);
  }
  const tree: Module = { kind: 'Module', start: 0, end: text.length, items };
  checkFile(tree, report);
  checkContracts(tree, report);
  if (!report.isEmpty) tidySpans(tree);
  const { comments } = tokens;
  release(tokens);
  return { text, tree, comments, diagnostics: report.sorted() };
}

function parseItem(cursor: Cursor): Decl {
  const { at, start } = cursor;
  let item: Decl;
  try {
    item = parseDeclaration(cursor);
  } catch (error) {
    if (!(error instanceof NestingError)) throw error;
    cursor.depth = 0;
    cursor.noRecord = false;
    skipToDeclaration(cursor);
    item = { kind: 'BrokenDecl', start, end: cursor.lastEnd };
  }
  cursor.height = 0;
  if (cursor.at === at) cursor.advance();
  return item;
}

export interface ParsedType {
  readonly node: Type;
  readonly diagnostics: readonly Diagnostic<SyntaxCode>[];
}

/** Parses a type with nothing after it: `[string]`, `Map<string, int>`. */
export function parseTypeText(text: string): ParsedType {
  const report = new SyntaxReport();
  const cursor = new Cursor(text, lex(text, report), report, parseBlock);
  let node: Type;
  try {
    node = parseType(cursor);
  } catch (error) {
    if (!(error instanceof NestingError)) throw error;
    node = { kind: 'BrokenType', start: 0, end: text.length };
  }
  if (cursor.kind !== Tok.End && !cursor.hasFailedHere)
    cursor.fail('token-expected', `expected the end of the type, found ${cursor.describe()}`);
  return { node, diagnostics: report.sorted() };
}
