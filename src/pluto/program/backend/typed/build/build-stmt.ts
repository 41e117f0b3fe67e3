import { appField, classSubstitution } from '../../../../language/check/body/members.ts';
import { BYTE, UNKNOWN, wrap } from '../../../../language/check/types/make.ts';
import { substitute } from '../../../../language/check/types/substitute.ts';
import type { Type } from '../../../../language/check/types/type.ts';
import type {
  ArithmeticOp,
  Expr,
  IfStmt as IfStmtNode,
  ForStmt,
  SelectStmt,
  Stmt,
} from '../../../../language/syntax/ast/code.ts';
import { operatorIn, withoutParens } from '../../../../language/syntax/ast/code.ts';
import type { AssignStmt, IfStmt, Place, SelectArm, TypedStmt, TypedValue } from '../typed-form.ts';
import type { BodyBuilder } from './body-builder.ts';
import { fieldOf, initsOf, ONE, patternOf } from './members.ts';
import { textOfContract } from './contract-text.ts';
import { buildScope } from './injection.ts';

/** @returns `undefined` for a statement that cannot run, which is reported */
export function buildStmt(body: BodyBuilder, stmt: Stmt): TypedStmt | undefined {
  const place = body.placeOf(stmt);
  switch (stmt.kind) {
    case 'LetStmt':
      return { kind: 'let', place, value: body.value(stmt.value), variable: body.declare(stmt.name) };
    case 'LetChanStmt': {
      const element = body.type(stmt.element);
      const capacity = stmt.capacity && body.value(stmt.capacity);
      const sender = body.declare(stmt.sender, wrap('sender', element));
      return {
        kind: 'channel',
        place,
        sender,
        receiver: body.declare(stmt.receiver, wrap('receiver', element)),
        capacity,
      };
    }
    case 'ReturnStmt':
      return { kind: 'return', place, value: stmt.value && body.value(stmt.value) };
    case 'YieldStmt':
      return { kind: 'yield', place, value: body.value(stmt.value) };
    case 'IfStmt':
      return ifStmt(body, stmt);
    case 'WhileStmt':
      return { kind: 'while', place, condition: body.value(stmt.condition), body: body.block(stmt.body) };
    case 'ForStmt':
      return forStmt(body, stmt, place);
    case 'MatchStmt': {
      const subject = body.value(stmt.subject);
      const arms = stmt.arms.map(arm => ({ ...patternOf(body, arm.pattern), body: body.block(arm.body) }));
      return { kind: 'match', place, subject, arms };
    }
    case 'SelectStmt':
      return { kind: 'select', place, arms: stmt.arms.map(arm => selectArm(body, arm)) };
    case 'ScopeStmt':
      return { kind: 'scope', place, body: buildScope(body, stmt, place) };
    case 'RaiseStmt': {
      const path = stmt.error.map(({ text }) => text);
      const symbol = body.program.errorNamed(body.file, path);
      if (symbol === undefined) return undefined;
      const error = body.program.error(symbol);
      const names = error.fields.map(({ name }) => name);
      return { kind: 'raise', place, error, fields: initsOf(body, names, stmt.fields) };
    }
    case 'AssertStmt': {
      const message = `assertion failed: ${textOfContract(stmt.condition)}`;
      return { kind: 'check', place, condition: body.value(stmt.condition), message };
    }
    case 'ServeStmt':
      body.notSupported(stmt, 'serve');
      return undefined;
    case 'BreakStmt':
      return { kind: 'break', place };
    case 'ContinueStmt':
      return { kind: 'continue', place };
    case 'AssignStmt':
      return assignment(body, stmt.target, operatorIn(stmt.op), () => body.value(stmt.value), place);
    case 'StepStmt':
      return assignment(body, stmt.target, stmt.op === '++' ? '+' : '-', () => ONE, place);
    case 'ExprStmt':
      return { kind: 'value', place, value: body.value(stmt.expr) };
    default:
      return undefined;
  }
}

function ifStmt(body: BodyBuilder, stmt: IfStmtNode): IfStmt {
  const condition = body.value(stmt.condition);
  const inside = body.block(stmt.body);
  const otherwise =
    stmt.otherwise?.kind === 'IfStmt' ? ifStmt(body, stmt.otherwise) : stmt.otherwise && body.block(stmt.otherwise);
  return { kind: 'if', place: body.placeOf(stmt), condition, body: inside, otherwise };
}

function forStmt(body: BodyBuilder, stmt: ForStmt, place: Place | undefined): TypedStmt {
  const over = withoutParens(stmt.iterable);
  if (over.kind === 'RangeExpr') {
    const [from, to] = [body.value(over.from), body.value(over.to)];
    const variable = body.declare(stmt.name);
    return { kind: 'count', place, variable, from, to, isInclusive: over.isInclusive, body: body.block(stmt.body) };
  }
  const iterable = body.value(over);
  return { kind: 'each', place, variable: body.declare(stmt.name), iterable, body: body.block(stmt.body) };
}

function selectArm(body: BodyBuilder, arm: SelectStmt['arms'][number]): SelectArm {
  if (arm.kind === 'DefaultArm')
    return { channel: undefined, sent: undefined, received: undefined, body: body.block(arm.body) };
  const call = withoutParens(arm.kind === 'RecvArm' ? arm.receive : arm.send);
  const [object, argument] = call.kind === 'MethodCallExpr' ? [call.object, call.args[0]] : [call, undefined];
  const channel = body.value(object);
  const sent = argument && body.value(argument);
  const received = arm.kind === 'RecvArm' ? body.declare(arm.name) : undefined;
  return { channel, sent, received, body: body.block(arm.body) };
}

function assignment(
  body: BodyBuilder,
  node: Expr,
  op: ArithmeticOp | undefined,
  build: () => TypedValue,
  place: Place | undefined,
): TypedStmt | undefined {
  const target = targetOf(body, withoutParens(node));
  return target && { kind: 'assign', place, target, op, value: build() };
}

/** The checker has types of places only where they are read. */
function targetOf(body: BodyBuilder, target: Expr): AssignStmt['target'] | undefined {
  switch (target.kind) {
    case 'IdentExpr': {
      const variable = body.variableAt(target.start);
      if (variable !== undefined) {
        variable.isAssigned = true;
        return { kind: 'variable', type: variable.type, variable };
      }
      const built = body.value(target);
      return built.kind === 'field' ? built : undefined;
    }
    case 'MemberExpr': {
      const object = body.value(target.object);
      const built = fieldOf(body, object, target.name.text, fieldTypeOf(body, object.type, target.name.text));
      return built.kind === 'error-message' ? undefined : built;
    }
    case 'IndexExpr': {
      const object = body.value(target.object);
      return { kind: 'index', type: elementOf(object.type), object, index: body.value(target.index) };
    }
    default:
      return undefined;
  }
}

function fieldTypeOf({ signatures }: BodyBuilder, object: Type, name: string): Type {
  if (object.kind === 'class') {
    const field = signatures.class(object.symbol).fields.get(name);
    return field === undefined ? UNKNOWN : substitute(field.type, classSubstitution(signatures, object));
  }
  if (object.kind === 'app') return appField(signatures, object.symbol, name)?.type ?? UNKNOWN;
  return object.kind === 'error' ? (signatures.error(object.symbol).fields.get(name)?.type ?? UNKNOWN) : UNKNOWN;
}

function elementOf(type: Type): Type {
  if (type.kind === 'list') return type.element;
  return type.kind === 'map' ? type.value : BYTE;
}
