import type {
  AssignStmt,
  Block,
  Expr,
  ForStmt,
  LetChanStmt,
  LetStmt,
  RaiseStmt,
  ReturnStmt,
  SelectStmt,
  StepStmt,
  Stmt,
  WhileStmt,
} from '../../../language/syntax/ast/code.ts';
import { withoutParens } from '../../../language/syntax/ast/code.ts';
import { INT } from '../../../language/check/types/make.ts';
import type { Type } from '../../../language/check/types/type.ts';
import type { BodyLowering } from './body.ts';
import { CHANNELS, choice, STREAMS } from './blocking.ts';
import { assignmentsIn } from './closures.ts';
import { textOfContract } from '../contract-text.ts';
import { ifInto, lowerMatchStmt } from './control.ts';
import { asCompact, asWide, compactCode, isLiteral, rangeOf, type ValueCode, wideCode } from './int-code.ts';
import { methodOfIntKeys } from './int-keys.ts';
import { byteLiteral, localName } from '../js-names.ts';
import { initsIn } from './literals.ts';
import { fieldOf, isIntField, lowerName } from './members.ts';
import { binaryValue } from './operators.ts';
import { lowerScope } from './scope-block.ts';

export function lowerStmt(body: BodyLowering, stmt: Stmt): void {
  switch (stmt.kind) {
    case 'LetStmt':
      return lowerLet(body, stmt);
    case 'LetChanStmt':
      return lowerLetChan(body, stmt);
    case 'ReturnStmt':
      return lowerReturn(body, stmt);
    case 'YieldStmt':
      return body.emit(`yield new $rt.Element(${body.expr(stmt.value)});`);
    case 'IfStmt':
      return ifInto(body, stmt, undefined);
    case 'WhileStmt':
      return lowerWhile(body, stmt);
    case 'ForStmt':
      return lowerFor(body, stmt);
    case 'MatchStmt':
      return lowerMatchStmt(body, stmt);
    case 'SelectStmt':
      return lowerSelect(body, stmt);
    case 'ScopeStmt':
      return lowerScope(body, stmt);
    case 'RaiseStmt':
      return lowerRaise(body, stmt);
    case 'AssertStmt':
      return body.emit(
        `if (!${body.expr(stmt.condition)}) $rt.fail(${byteLiteral(`assertion failed: ${textOfContract(stmt.condition)}`)});`,
      );
    case 'ServeStmt':
      return body.notSupported(stmt, 'serve');
    case 'BreakStmt':
      return body.emit('break;');
    case 'ContinueStmt':
      return body.emit('continue;');
    case 'AssignStmt':
      return lowerAssign(body, stmt);
    case 'StepStmt':
      return lowerStep(body, stmt);
    case 'ExprStmt':
      return lowerExprStmt(body, stmt.expr);
    default:
  }
}

function lowerLet(body: BodyLowering, { name, value }: LetStmt): void {
  const local = body.facts.localAt(name.start);
  const variable = localName(name.text);
  if (local?.type.kind !== 'int') return body.emit(`let ${variable} = ${body.expr(value)};`);
  body.declareCompact(name.start);
  body.emit(`let ${variable} = ${body.compact(value)};`);
}

function lowerReturn(body: BodyLowering, { value }: ReturnStmt): void {
  if (value === undefined) return body.emit('return;');
  body.emit(`return ${body.frame.returnsCompact ? body.returned(body.compact(value)) : body.expr(value)};`);
}

function lowerExprStmt(body: BodyLowering, expr: Expr): void {
  const { code } = body.value(expr);
  if (!/^\$t\d+$/.test(code)) body.emit(`${code};`);
}

function lowerLetChan(body: BodyLowering, { sender, receiver, capacity }: LetChanStmt): void {
  const size = capacity === undefined ? 'undefined' : body.expr(capacity);
  body.frame.hasSenders = true;
  body.program.blocking.block(CHANNELS);
  body.emit(
    `const [${localName(sender.text)}, ${localName(receiver.text)}] = $rt.channel(${size});`,
    `$senders.push(${localName(sender.text)});`,
  );
}

/** Lowers `while`. A condition that needs statements is evaluated inside the loop. */
function lowerWhile(body: BodyLowering, { condition, body: inside }: WhileStmt): void {
  narrowAssigned(body, inside);
  let code = '';
  const lines = body.captured(() => {
    code = body.expr(condition);
  });
  if (lines.length === 0) body.emit(`while (${code}) {`);
  else body.emit('while (true) {', ...lines, `if (!${code}) break;`);
  body.block(inside);
  body.emit('}');
}

/**
 * Emits assignments that show the engine which compact ints are numbers before a loop changes them. An engine keeps a variable of a loop
 * unboxed only if it knows that every value is a number, and it does not know that of a parameter, or after it replaced running code.
 */
function narrowAssigned(body: BodyLowering, inside: Block): void {
  const names = assignmentsIn(inside)
    .filter(({ start }) => body.isCompactAt(start) && body.rangeAt(start) === undefined)
    .map(target => lowerName(body, target));
  for (const name of new Set(names))
    body.emit(`${name} = typeof ${name} === "number" ? ${name} + 0 : $$add(${name}, 0);`);
}

function lowerFor(body: BodyLowering, { name, iterable, body: inside }: ForStmt): void {
  narrowAssigned(body, inside);
  const variable = localName(name.text);
  const over = withoutParens(iterable);
  if (over.kind === 'RangeExpr') {
    const [from = NOTHING, to = NOTHING] = body.values([over.from, over.to]);
    const first = body.stable(asCompact(from));
    body.declareCompact(name.start);
    const isRanged = body.rangeAt(name.start) !== undefined;
    const last = isRanged ? rangedEnd(body, to) : body.stable(asCompact(to));
    const test = `${variable} ${over.isInclusive ? '<=' : '<'} ${last}`;
    const next = isRanged ? `${variable} + 1` : nextOf(variable);
    body.emit(`for (let ${variable} = ${first}; ${test}; ${variable} = ${next}) {`);
  } else body.emit(forHead(body, variable, body.typeOf(over), body.expr(over)));
  body.block(inside);
  body.emit('}');
}

/** The end of a loop whose variable is always a number. Adding 0 shows the engine that the end is a number too. */
function rangedEnd(body: BodyLowering, end: ValueCode): string {
  const code = body.stable(asCompact(end));
  return rangeOf(end) === undefined ? body.temp(`typeof ${code} === "number" ? ${code} + 0 : $$end(${code})`) : code;
}

/** The next value of a loop. Up to the largest int, the variable becomes larger than every int, so the loop ends. */
const nextOf = (variable: string): string =>
  `typeof ${variable} === "number" && ${variable} < ${Number.MAX_SAFE_INTEGER} ? ${variable} + 1 : $$next(${variable})`;

function forHead(body: BodyLowering, variable: string, type: Type, code: string): string {
  const plain = (value: string): string => `for (let ${variable} of $rt.elements(${value})) {`;
  const blocking = (value: string): string =>
    `for (let ${variable}; (${variable} = yield* ${value}.next()) !== $rt.END; ) {`;
  switch (type.kind) {
    case 'receiver': {
      body.blocks();
      const receiver = body.temp(code);
      return `for (let ${variable}; (${variable} = ${receiver}.$recv() ?? (yield* ${receiver}.next())) !== $rt.END; ) {`;
    }
    case 'stream': {
      const stream = body.temp(code);
      body.calls(STREAMS);
      return choice(STREAMS, blocking(stream), plain(stream));
    }
    case 'param':
    case 'unknown': {
      const over = body.temp(code);
      const cursor = body.temp(choice(CHANNELS, `$rt.cursor(${over})`, over));
      body.calls(CHANNELS);
      return choice(CHANNELS, blocking(cursor), plain(cursor));
    }
    case 'list': {
      // The length is read once. A list that has shrunk fails with an index out of bounds.
      const list = body.temp(code);
      const count = body.temp(`${list}.length`);
      const index = body.unused();
      return `for (let ${index} = 0, ${variable}; ${index} < ${count} && (${variable} = ${list}.$at(${index}), true); ${index} += 1) {`;
    }
    default:
      return plain(code);
  }
}

/** Lowers an assignment. A compound assignment is expanded, so parts of its target are evaluated twice. */
function lowerAssign(body: BodyLowering, { op, target, value }: AssignStmt): void {
  assign(body, withoutParens(target), () => {
    if (op === '=') return body.value(value);
    const operator = op.slice(0, 1) as '+' | '-' | '*' | '/' | '%';
    const [left = NOTHING, right = NOTHING] = body.values([withoutParens(target), value]);
    const type = body.typeOf(value);
    // A variable that other variables are added to often becomes large.
    return binaryValue(body, operator, type, type, left, right, !isLiteral(right));
  });
}

function lowerStep(body: BodyLowering, { op, target }: StepStmt): void {
  const place = withoutParens(target);
  assign(body, place, () => binaryValue(body, op === '++' ? '+' : '-', INT, INT, body.value(place), compactCode('1')));
}

const NOTHING = wideCode('');

function assign(body: BodyLowering, target: Expr, lower: () => ValueCode): void {
  const value = (): string => asWide(lower());
  switch (target.kind) {
    case 'MemberExpr': {
      const type = body.typeOf(target.object);
      const isCompact = isIntField(body, type, target.name.text);
      const [object = '', code = ''] = body.sequence([
        () => body.expr(target.object),
        () => (isCompact ? asCompact(lower()) : value()),
      ]);
      return body.emit(`${fieldOf(body, object, type, target.name.text)} = ${code};`);
    }
    case 'IndexExpr': {
      const indexed = body.typeOf(withoutParens(target.object));
      const ofInts = methodOfIntKeys(indexed, 'insert');
      if (ofInts !== undefined) {
        const parts = [() => body.expr(target.object), () => body.compact(target.index)];
        const stored = (): string => (ofInts.compactArgs[1] === true ? asCompact(lower()) : value());
        const [map = '', ...args] = body.sequence([...parts, stored]);
        return body.emit(`${map}.${ofInts.name}(${args.join(', ')});`);
      }
      const type = indexed.kind;
      let isCompact = false;
      const lowerIndex = (): string => {
        const lowered = body.value(target.index);
        isCompact = type === 'list' && lowered.isCompact;
        return isCompact ? lowered.code : asWide(lowered);
      };
      const codes = body.sequence([() => body.expr(target.object), lowerIndex, value]);
      const [object = '', index = '', code = ''] = codes;
      if (isCompact) return body.emit(`${object}.$put(${index}, ${code});`);
      return body.emit(
        type === 'list' || type === 'map' || type === 'bytes'
          ? `${object}.setAt(${index}, ${code});`
          : `$rt.setAt(${object}, ${index}, ${code});`,
      );
    }
    case 'IdentExpr': {
      const code = body.isCompactAt(target.start) ? asCompact(lower()) : value();
      return body.emit(`${lowerName(body, target)} = ${code};`);
    }
    default:
  }
}

function lowerRaise(body: BodyLowering, { error, fields }: RaiseStmt): void {
  const symbol = body.program.errorNamed(
    body.file,
    error.map(({ text }) => text),
  );
  if (symbol === undefined) return;
  const order = Array.from(body.program.checked.signatures.error(symbol).fields.keys());
  const values = initsIn(body, order, fields);
  body.emit(`throw $rt.raise(${body.program.error(symbol)}, [${values.join(', ')}]);`);
}

function lowerSelect(body: BodyLowering, { arms }: SelectStmt): void {
  const channels = arms.filter(arm => arm.kind !== 'DefaultArm');
  const codes = body.sequence(
    channels.map(arm => () => {
      const call = withoutParens(arm.kind === 'RecvArm' ? arm.receive : arm.send);
      if (call.kind !== 'MethodCallExpr') return '';
      const [end = '', value = ''] = body.exprs([call.object, ...call.args]);
      return arm.kind === 'RecvArm' ? `{ from: ${end} }` : `{ to: ${end}, value: ${value} }`;
    }),
  );
  body.blocks();
  const chosen = body.temp(`yield* $rt.select([${codes.join(', ')}], ${channels.length < arms.length})`);
  for (const [index, arm] of arms.entries()) {
    const at = channels.findIndex(channel => channel === arm);
    body.emit(`${index === 0 ? '' : '} else '}if (${chosen}.arm === ${at}) {`);
    if (arm.kind === 'RecvArm') body.emit(`let ${localName(arm.name.text)} = ${chosen}.value;`);
    body.block(arm.body);
  }
  if (arms.length > 0) body.emit('}');
}
