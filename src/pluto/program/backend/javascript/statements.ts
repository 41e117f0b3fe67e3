import type {
  AssignStmt,
  ChannelStmt,
  CountStmt,
  EachStmt,
  OutcomeStmt,
  ReturnStmt,
  SelectStmt,
  TypedBlock,
  TypedStmt,
  TypedValue,
  Variable,
  WhileStmt,
} from '../typed/typed-form.ts';
import { declaredIn, visitCode } from '../typed/children.ts';
import type { BodyEmitter } from './body.ts';
import { STREAMS } from '../typed/call-graph.ts';
import { emitMatch, ifInto } from './control.ts';
import { isLiteral, rangeOf, type ValueCode } from './int-code.ts';
import { byteLiteral, fieldName, localName } from './js-names.ts';
import { operatorCode } from './operators.ts';
import { hasIntKeys, initCodes } from './literals.ts';

export function emitStmt(body: BodyEmitter, stmt: TypedStmt): void {
  switch (stmt.kind) {
    case 'let':
      return body.emit(`let ${body.name(stmt.variable)} = ${body.code(stmt.value)};`);
    case 'channel':
      return emitChannel(body, stmt);
    case 'return':
      return emitReturn(body, stmt);
    case 'yield':
      return body.emit(`yield new $rt.Element(${body.code(stmt.value)});`);
    case 'if':
      return ifInto(body, stmt, undefined);
    case 'while':
      return emitWhile(body, stmt);
    case 'count':
      return emitCount(body, stmt);
    case 'each':
      return emitEach(body, stmt);
    case 'match':
      return emitMatch(body, stmt);
    case 'select':
      return emitSelect(body, stmt);
    case 'scope':
      body.emit('{');
      body.block(stmt.body);
      return body.emit('}');
    case 'raise': {
      const fields = initCodes(body, stmt.error.fields.length, stmt.fields).join(', ');
      return body.emit(`throw $rt.raise(${body.program.error(stmt.error)}, [${fields}]);`);
    }
    case 'check':
      return body.emit(`if (!${body.code(stmt.condition)}) $rt.fail(${byteLiteral(stmt.message)});`);
    case 'break':
      return body.emit('break;');
    case 'continue':
      return body.emit('continue;');
    case 'assign':
      return emitAssign(body, stmt);
    case 'outcome':
      return emitOutcome(body, stmt);
    case 'value':
      return emitValue(body, stmt.value);
  }
}

function emitReturn(body: BodyEmitter, { value }: ReturnStmt): void {
  const { outputs } = body.frame;
  const code = value === undefined ? '' : body.code(value);
  if (outputs !== undefined) body.emit(`return [${[code, ...outputs.map(one => body.name(one))].join(', ')}];`);
  else body.emit(code === '' ? 'return;' : `return ${code};`);
}

function emitOutcome(body: BodyEmitter, { call, result, outputs, declared }: OutcomeStmt): void {
  if (declared.length > 0) body.emit(`let ${declared.map(one => body.name(one)).join(', ')};`);
  const names = [result, ...outputs].map(one => (one === undefined ? '' : body.name(one)));
  body.emit(`[${names.join(', ')}] = ${body.code(call)};`);
}

function emitValue(body: BodyEmitter, value: TypedValue): void {
  const code = body.code(value);
  if (!/^\$t\d+$/.test(code)) body.emit(`${code};`);
}

function emitChannel(body: BodyEmitter, { sender, receiver, capacity }: ChannelStmt): void {
  const size = capacity === undefined ? 'undefined' : body.code(capacity);
  body.frame.hasSenders = true;
  body.emit(
    `const [${body.name(sender)}, ${body.name(receiver)}] = $rt.channel(${size});`,
    `$senders.push(${body.name(sender)});`,
  );
}

/** Emits `while`. A condition that needs statements is evaluated inside the loop. */
function emitWhile(body: BodyEmitter, { condition, body: inside }: WhileStmt): void {
  narrowAssigned(body, inside);
  let code = '';
  const lines = body.captured(() => {
    code = body.code(condition);
  });
  if (lines.length === 0) body.emit(`while (${code}) {`);
  else body.emit('while (true) {', lines, `if (!${code}) break;`);
  body.block(inside);
  body.emit('}');
}

/**
 * Emits assignments that show the engine which ints are numbers before a loop changes them. An engine keeps a variable of a loop unboxed
 * only if it knows that every value is a number, and it does not know that of a parameter, or after it replaced running code.
 */
function narrowAssigned(body: BodyEmitter, inside: TypedBlock, counter?: Variable): void {
  const assigned = new Set<Variable>();
  visitCode(
    { block: inside },
    {
      stmt(stmt) {
        if (stmt.kind === 'assign' && stmt.target.kind === 'variable') assigned.add(stmt.target.variable);
      },
    },
  );
  for (const variable of declaredIn(inside)) assigned.delete(variable);
  for (const variable of assigned) {
    if (variable.type.kind !== 'int' || variable.range !== undefined || variable === counter) continue;
    const name = body.name(variable);
    body.emit(`${name} = typeof ${name} === "number" ? ${name} + 0 : $$add(${name}, 0);`);
  }
}

function emitCount(body: BodyEmitter, { variable, from, to, isInclusive, body: inside }: CountStmt): void {
  narrowAssigned(body, inside, variable);
  const name = body.name(variable);
  const [start, end] = body.values([from, to]);
  if (start === undefined || end === undefined) return;
  const first = body.stable(start.code);
  const isRanged = variable.range !== undefined;
  const last = isRanged ? rangedEnd(body, end) : body.stable(end.code);
  const test = `${name} ${isInclusive ? '<=' : '<'} ${last}`;
  const next = isRanged ? `${name} + 1` : nextOf(name);
  body.emit(`for (let ${name} = ${first}; ${test}; ${name} = ${next}) {`);
  body.block(inside);
  body.emit('}');
}

/** The end of a loop whose variable is always a number. Adding 0 shows the engine that the end is a number too. */
function rangedEnd(body: BodyEmitter, end: ValueCode): string {
  const code = body.stable(end.code);
  return rangeOf(end) === undefined ? body.temp(`typeof ${code} === "number" ? ${code} + 0 : $$end(${code})`) : code;
}

/** The next value of a loop. Up to the largest int, the variable becomes larger than every int, so the loop ends. */
const nextOf = (name: string): string =>
  `typeof ${name} === "number" && ${name} < ${Number.MAX_SAFE_INTEGER} ? ${name} + 1 : $$next(${name})`;

function emitEach(body: BodyEmitter, { variable, iterable, body: inside }: EachStmt): void {
  narrowAssigned(body, inside, variable);
  body.emit(eachHead(body, body.name(variable), iterable));
  body.block(inside);
  body.emit('}');
}

function eachHead(body: BodyEmitter, name: string, iterable: TypedValue): string {
  const code = body.code(iterable);
  switch (iterable.type.kind) {
    case 'receiver': {
      const receiver = body.temp(code);
      return `for (let ${name}; (${name} = ${receiver}.$recv() ?? (yield* ${receiver}.next())) !== $rt.END; ) {`;
    }
    case 'stream': {
      if (!body.isBlocking(STREAMS)) break;
      const stream = body.temp(code);
      return `for (let ${name}; (${name} = yield* ${stream}.next()) !== $rt.END; ) {`;
    }
    case 'list': {
      // The length is read once. A list that has shrunk fails with an index out of bounds.
      const list = body.temp(code);
      const count = body.temp(`${list}.length`);
      const index = body.unused();
      return `for (let ${index} = 0, ${name}; ${index} < ${count} && (${name} = ${list}.getAt(${index}), true); ${index} += 1) {`;
    }
    default:
  }
  return `for (let ${name} of $rt.elements(${code})) {`;
}

/** Emits an assignment. A compound assignment is expanded, so parts of its target are evaluated twice. */
function emitAssign(body: BodyEmitter, { target, op, value }: AssignStmt): void {
  const assigned = (): string => {
    if (op === undefined) return body.code(value);
    const [left, right] = body.values([target, value]);
    if (left === undefined || right === undefined) return '';
    // A variable that other variables are added to often becomes large.
    return operatorCode(body, op, value.type, value.type, left, right, !isLiteral(right)).code;
  };
  switch (target.kind) {
    case 'variable':
      return body.emit(`${localName(target.variable.name)} = ${assigned()};`);
    case 'field': {
      const [object = '', code = ''] = body.sequence([() => body.code(target.object), assigned]);
      return body.emit(`${object}.${fieldName(target.name)} = ${code};`);
    }
    case 'error-field': {
      const [object = '', code = ''] = body.sequence([() => body.code(target.object), assigned]);
      return body.emit(`${object}.fields[${target.index}] = ${code};`);
    }
    case 'index': {
      const parts = [() => body.code(target.object), () => body.code(target.index), assigned];
      const [object = '', index = '', code = ''] = body.sequence(parts);
      return body.emit(`${object}.${hasIntKeys(target.object) ? '$put' : 'setAt'}(${index}, ${code});`);
    }
  }
}

function emitSelect(body: BodyEmitter, { arms }: SelectStmt): void {
  const channels = arms.filter(arm => arm.channel !== undefined);
  const codes = body.sequence(
    channels.map(({ channel, sent }) => () => {
      const [end = '', value] = body.codes([channel, sent].filter(one => one !== undefined));
      return value === undefined ? `{ from: ${end} }` : `{ to: ${end}, value: ${value} }`;
    }),
  );
  const chosen = body.temp(`yield* $rt.select([${codes.join(', ')}], ${channels.length < arms.length})`);
  for (const [index, arm] of arms.entries()) {
    const at = channels.findIndex(channel => channel === arm);
    body.emit(`${index === 0 ? '' : '} else '}if (${chosen}.arm === ${at}) {`);
    if (arm.received !== undefined) body.emit(`let ${body.name(arm.received)} = ${chosen}.value;`);
    body.block(arm.body);
  }
  if (arms.length > 0) body.emit('}');
}
