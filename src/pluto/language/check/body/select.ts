import type { Expr, RecvArm, SelectStmt, SendArm } from '../../syntax/ast/code.ts';
import { withoutParens } from '../../syntax/ast/code.ts';
import { UNKNOWN } from '../types/make.ts';
import { showType } from '../types/show.ts';
import type { Type } from '../types/type.ts';
import type { Body } from './body.ts';
import { builtinError } from './builtin-errors.ts';
import { isUnconstrained } from './operators.ts';

export function checkSelect(body: Body, { arms }: SelectStmt): void {
  for (const arm of arms) {
    if (arm.kind === 'RecvArm') checkRecv(body, arm);
    else if (arm.kind === 'SendArm') checkSend(body, arm);
    else body.block(arm.body);
  }
  if (arms.some(({ kind }) => kind === 'DefaultArm')) return;
  const closed = builtinError(body, 'ChannelClosed');
  if (closed !== undefined) body.raises.push(closed);
}

function checkRecv(body: Body, arm: RecvArm): void {
  const type = endpoint(body, arm.receive);
  let element: Type = UNKNOWN;
  if (type?.kind === 'receiver') element = type.element;
  else if (type !== undefined && !isUnconstrained(type))
    body.report('channel-type', arm.receive, `select recv requires a Receiver, found ${showType(type)}`);
  body.scoped(() => {
    const { name } = arm;
    body.declare({ name: name.text, span: name, type: element, origin: 'bound', isImmutable: false });
    for (const stmt of arm.body.stmts) body.stmt(stmt);
  });
}

function checkSend(body: Body, arm: SendArm): void {
  const call = withoutParens(arm.send);
  const type = endpoint(body, arm.send);
  const value = call.kind === 'MethodCallExpr' ? call.args[0] : undefined;
  if (type?.kind === 'sender' && value !== undefined)
    body.checkExpr(
      value,
      type.element,
      'channel-type',
      (wanted, found) => `select send: expected ${wanted}, found ${found}`,
    );
  else {
    if (value !== undefined) body.expr(value);
    if (type !== undefined && type.kind !== 'sender' && !isUnconstrained(type))
      body.report('channel-type', arm.send, `select send requires a Sender, found ${showType(type)}`);
  }
  body.block(arm.body);
}

/** The type of the channel end in `tx.send(…)` or `rx.recv()`; undefined if there is no call, which the parser has reported. */
function endpoint(body: Body, expr: Expr): Type | undefined {
  const call = withoutParens(expr);
  if (call.kind === 'MethodCallExpr') return body.expr(call.object);
  body.expr(call);
  return undefined;
}
