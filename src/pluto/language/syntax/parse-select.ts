import type { Block, DefaultArm, Expr, RecvArm, SelectStmt, SendArm } from './ast/code.ts';
import { withoutParens } from './ast/code.ts';
import type { Cursor } from './cursor.ts';
import { isAtOuterDeclaration, skipLine } from './skip.ts';
import { Tok } from './token.ts';

type Arm = RecvArm | SendArm | DefaultArm;

export function parseSelect(
  cursor: Cursor,
  parseCondition: (cursor: Cursor) => Expr,
  parseBlock: (cursor: Cursor) => Block,
): SelectStmt {
  const start = cursor.start;
  cursor.advance();
  const arms: Arm[] = [];
  if (!cursor.expect(Tok.LBrace, "after 'select'")) return { kind: 'SelectStmt', start, end: cursor.lastEnd, arms };
  if (cursor.kind === Tok.RBrace) cursor.fail('select-malformed', 'a select needs at least one arm');
  while (cursor.kind !== Tok.RBrace && cursor.kind !== Tok.End && !isAtOuterDeclaration(cursor)) {
    const at = cursor.at;
    const arm = parseArm(cursor, parseCondition, parseBlock);
    if (arm.kind === 'DefaultArm' && arms.some(({ kind }) => kind === 'DefaultArm'))
      cursor.report.error('select-malformed', arm, 'duplicate default in a select');
    arms.push(arm);
    if (cursor.at === at) {
      cursor.advance();
      skipLine(cursor);
    }
  }
  cursor.expect(Tok.RBrace, 'to close the select');
  return { kind: 'SelectStmt', start, end: cursor.lastEnd, arms };
}

function parseArm(
  cursor: Cursor,
  parseCondition: (cursor: Cursor) => Expr,
  parseBlock: (cursor: Cursor) => Block,
): Arm {
  const start = cursor.start;
  if (cursor.eat(Tok.Default)) {
    const body = parseBlock(cursor);
    return { kind: 'DefaultArm', start, end: cursor.lastEnd, body };
  }
  if (cursor.kind === Tok.Ident && cursor.kindAt(cursor.at + 1) === Tok.Assign) {
    const name = cursor.name('a variable');
    cursor.advance();
    const receive = parseCondition(cursor);
    checkCall(cursor, receive, 'recv', 0, 'recv arm must be name = channel.recv()');
    const body = parseBlock(cursor);
    return { kind: 'RecvArm', start, end: cursor.lastEnd, name, receive, body };
  }
  const send = parseCondition(cursor);
  checkCall(cursor, send, 'send', 1, 'send arm must be channel.send(value)');
  const body = parseBlock(cursor);
  return { kind: 'SendArm', start, end: cursor.lastEnd, send, body };
}

function checkCall(cursor: Cursor, expr: Expr, method: string, args: number, message: string): void {
  const call = withoutParens(expr);
  if (call.kind === 'BrokenExpr') return;
  if (call.kind === 'MethodCallExpr' && call.name.text === method && call.args.length === args) return;
  cursor.report.error('select-malformed', call, message);
}
