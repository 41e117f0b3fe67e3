import type {
  CountStmt,
  EachStmt,
  IfStmt,
  TypedBlock,
  TypedFunction,
  TypedStmt,
  TypedValue,
  Variable,
  WhileStmt,
} from '../typed/typed-form.ts';
import { assignedInValues } from './assigned-in-values.ts';
import {
  type Callee,
  codeOfCallee,
  isCommon,
  isDispatch,
  isGuard,
  isHashFunction,
  isListFunction,
  isNameFunction,
  isSingleton,
  POWER,
  type Signature,
} from './callee.ts';
import { closureCalls } from './closures.ts';
import { dispatchFunction } from './dispatch.ts';
import { emitValue } from './expressions.ts';
import { FunctionCode, type FunctionContext, type Loop, type HoistedList, type WasmLocal } from './function-code.ts';
import * as enums from './enums.ts';
import { guardFunction, raise } from './errors.ts';
import { equalityFunction } from './equality.ts';
import { enumHash } from './hashes.ts';
import { tableFunction } from './map-functions.ts';
import { powerFunction } from './power.ts';
import { listOperation } from './list-operations.ts';
import * as lists from './lists.ts';
import { loopIndices, type LoopIndices, MAX_VARIABLE_BITS } from './loop-indices.ts';
import { loopLists, listsPushedEachIteration } from './loop-lists.ts';
import { elementsOf, type Kind } from './kinds.ts';
import { singletonFunction } from './singletons.ts';
import * as strings from './strings.ts';
import { unsupported } from './unsupported.ts';

/** Emits one function. @throws Unsupported */
export function emitFunction(context: FunctionContext, of: Callee, signature: Signature): FunctionCode {
  const body = functionOf(context, of, signature);
  return isTooLarge(body, signature.params.length) ? unsupported() : body;
}

function functionOf(context: FunctionContext, of: Callee, { self, params, result }: Signature): FunctionCode {
  if (isGuard(of)) return guardFunction(context, of, { self, params, result });
  if (isDispatch(of)) return dispatchFunction(context, of, { self, params, result });
  if (isHashFunction(of)) return enumHash(context, of);
  if (isNameFunction(of)) return enums.nameFunction(context, of);
  if (isListFunction(of)) return listOperation(context, of);
  if (of === POWER) return powerFunction(context);
  if (isCommon(of)) return tableFunction(context, of);
  if (isSingleton(of)) return singletonFunction(context, of, emitValue, result ?? unsupported());
  if ('closures' in of) return closureCalls(context, of, { self, params, result });
  if ('variants' in of) return equalityFunction(context, of);
  const { params: variables, checks, block, outputs = [] } = codeOfCallee(of);
  const body = new FunctionCode(context, emitValue, result, assignedInValues(block));
  body.outputs = outputs;
  if (self !== undefined) body.selfParameter(self);
  for (const [index, variable] of variables.entries()) body.parameter(variable, params[index] ?? unsupported());
  const statements = new Statements(body);
  for (const check of checks)
    if (check.kind === 'check') statements.block([check]);
    else callContract(body, check.contract, variables);
  statements.block(block);
  if (result !== undefined || outputs.length > 0) body.code.op('unreachable');
  return body;
}

/** Emits the check of a contract of a trait, which has the parameters of the method. */
function callContract(body: FunctionCode, contract: TypedFunction, variables: readonly Variable[]): void {
  const { code } = body;
  // The call has no place.
  code.mark('');
  code.at('local.get', body.self.index);
  for (const variable of variables) code.at('local.get', body.variable(variable).index);
  body.callFunction(contract);
}

/** Limits of V8, which refuses the module of the whole program otherwise. */
const MAX_PARAMS = 1000;
const MAX_VARIABLES = 50_000;
/** Half of its limit: the final indices of functions and texts take more bytes than those of the analysis. */
const MAX_BYTES = 3_800_000;

const isTooLarge = ({ locals, code }: FunctionCode, params: number): boolean =>
  params >= MAX_PARAMS || params + locals.length >= MAX_VARIABLES || code.bytes.length > MAX_BYTES;

/** Variables with the current and the last value of a loop. */
interface Counter {
  readonly variable: number;
  readonly last: number;
}

/** The statements of one function. */
class Statements {
  readonly #body: FunctionCode;
  readonly #loops: Loop[] = [];

  constructor(body: FunctionCode) {
    this.#body = body;
    body.emitStatements = stmts => this.block(stmts);
  }

  #expectTrue(condition: TypedValue, message: string): void {
    this.#body.as(condition, 'bool');
    this.#body.code.op('i32.eqz').open('if');
    this.#body.fail(message);
    this.#body.code.op('end');
  }

  block(stmts: TypedBlock): void {
    for (const stmt of stmts) this.#body.at(stmt.place, () => this.#stmt(stmt));
  }

  #stmt(stmt: TypedStmt): void {
    const { code } = this.#body;
    switch (stmt.kind) {
      case 'let': {
        const kind = this.#body.kindOfType(stmt.variable.type);
        this.#body.as(stmt.value, kind);
        code.at('local.set', this.#body.declare(stmt.variable, kind));
        return;
      }
      case 'return':
        if (stmt.value !== undefined) this.#body.as(stmt.value, this.#body.result ?? unsupported());
        for (const output of this.#body.outputs) code.at('local.get', this.#body.variable(output).index);
        code.op('return');
        return;
      case 'if':
        return this.#if(stmt);
      case 'while':
        return this.#withHoistedLists([stmt.condition], stmt.body, () => this.#while(stmt));
      case 'count':
        return this.#withHoistedLists([stmt.from, stmt.to], stmt.body, () => this.#count(stmt));
      case 'each':
        return this.#withHoistedLists([stmt.iterable], stmt.body, isHoisted => this.#each(stmt, isHoisted));
      case 'match':
        return enums.match(this.#body, stmt.subject, stmt.arms, undefined, arm => this.block(arm.body));
      case 'scope':
        return this.block(stmt.body);
      case 'raise':
        return raise(this.#body, stmt);
      case 'check':
        return this.#expectTrue(stmt.condition, stmt.message);
      case 'break':
        return this.#body.branch('br', this.#loops.at(-1)?.exit ?? unsupported());
      case 'continue':
        return this.#body.branch('br', this.#loops.at(-1)?.again ?? unsupported());
      case 'assign':
        return lists.assign(this.#body, stmt);
      case 'value':
        if (emitValue(this.#body, stmt.value, undefined) !== undefined) code.op('drop');
        return;
      default:
        return unsupported(stmt.kind);
    }
  }

  #if({ condition, body, otherwise }: IfStmt): void {
    this.#body.as(condition, 'bool');
    this.#body.open('if');
    this.block(body);
    if (otherwise !== undefined) {
      this.#body.code.op('else');
      // Without a mark: the lines of a chain of conditions belong to its start.
      if ('kind' in otherwise) this.#if(otherwise);
      else this.block(otherwise);
    }
    this.#body.end();
  }

  /** Emits a loop. Reads of the lengths and arrays of lists that it cannot change are hoisted out of it. */
  #withHoistedLists(values: readonly TypedValue[], block: TypedBlock, loop: (isHoisted: boolean) => void): void {
    const { used, changesLengths } = loopLists(values, block);
    const hoist = (list: WasmLocal): HoistedList => lists.hoist(this.#body, list);
    this.#body.withHoistedLists(changesLengths ? [] : used, hoist, () => loop(!changesLengths));
  }

  #while({ condition, body }: WhileStmt): void {
    const exit = this.#body.open('block');
    const again = this.#body.open('loop');
    this.#body.as(condition, 'bool');
    this.#body.code.op('i32.eqz');
    this.#body.branch('br_if', exit);
    this.#inLoop({ exit, again }, body);
    this.#body.branch('br', again);
    this.#body.end();
    this.#body.end();
  }

  #inLoop(loop: Loop, body: TypedBlock): void {
    this.#loops.push(loop);
    this.block(body);
    this.#loops.pop();
  }

  #count(stmt: CountStmt): void {
    const { code } = this.#body;
    this.#body.as(stmt.from, 'int');
    const variable = this.#body.declare(stmt.variable, 'int', true);
    code.at('local.set', variable);
    this.#body.as(stmt.to, 'int');
    const last = this.#body.local('int');
    code.at('local.set', last);
    for (const list of listsPushedEachIteration(stmt.body)) {
      code.at('local.get', last).at('local.get', variable).op('i64.sub');
      lists.reserve(this.#body, this.#body.variable(list));
    }
    const range = { variable, last };
    const proof = loopIndices(stmt, this.#body.hoistedLists);
    if (proof === undefined) return this.#iterations(stmt, range);
    this.#prove(stmt, range, proof);
    this.#body.open('if');
    this.#body.withProven(proof.uses, () => this.#iterations(stmt, range));
    code.op('else');
    this.#iterations(stmt, range);
    this.#body.end();
  }

  /** Leaves whether indices are inside of their lists in all iterations of a loop. */
  #prove(stmt: CountStmt, { variable, last }: Counter, { indices, constants }: LoopIndices): void {
    const { code } = this.#body;
    code.at('local.get', variable).at('local.get', last).op('i64.or');
    for (const constant of constants) code.at('local.get', this.#body.variable(constant).index).op('i64.or');
    code.i64(MAX_VARIABLE_BITS).op('i64.shr_u', 'i64.eqz');
    const expectInside = (): void => {
      for (const { list, index } of indices) {
        this.#body.as(index, 'int');
        code.at('local.get', this.#body.variable(list).hoisted?.length ?? unsupported()).op('i64.lt_u', 'i32.and');
      }
    };
    expectInside();
    const first = this.#body.local('int');
    code.at('local.get', variable).at('local.set', first).at('local.get', last);
    if (!stmt.isInclusive) code.i64(1n).op('i64.sub');
    code.at('local.set', variable);
    expectInside();
    code.at('local.get', first).at('local.set', variable);
  }

  /** Emits the iterations of a loop whose variable has its first value. */
  #iterations(stmt: Pick<CountStmt, 'isInclusive' | 'body'>, { variable, last }: Counter): void {
    const { code } = this.#body;
    const isPast = stmt.isInclusive ? 'i64.gt_s' : 'i64.ge_s';
    const exit = this.#body.open('block');
    code.at('local.get', variable).at('local.get', last).op(isPast);
    this.#body.branch('br_if', exit);
    const top = this.#body.open('loop');
    const again = this.#body.open('block');
    this.#inLoop({ exit, again }, stmt.body);
    this.#body.end();
    // The last value is compared before the step, which could overflow.
    code.at('local.get', variable);
    if (stmt.isInclusive) code.at('local.get', last).op('i64.ge_s');
    else code.i64(1n).op('i64.add').at('local.tee', variable).at('local.get', last).op('i64.ge_s');
    this.#body.branch('br_if', exit);
    if (stmt.isInclusive) code.at('local.get', variable).i64(1n).op('i64.add').at('local.set', variable);
    this.#body.branch('br', top);
    this.#body.end();
    this.#body.end();
  }

  /** The length of a list is read at the start, its elements during the loop. */
  #each(stmt: EachStmt, isHoisted: boolean): void {
    const { code } = this.#body;
    const kind = this.#body.value(stmt.iterable);
    if (kind === 'string') return this.#eachCharacter(stmt);
    if (kind === 'range') return this.#eachInt(stmt);
    const element = elementsOf(kind) ?? unsupported();
    const held = { index: this.#body.local(kind), kind };
    const at = { index: this.#body.local('int'), kind: 'int' as const };
    code.at('local.set', held.index);
    const list = isHoisted ? { ...held, hoisted: lists.hoist(this.#body, held) } : held;
    lists.length(this.#body, list, element);
    this.#elements(stmt, element, at.index, () => lists.element(this.#body, list, at, element, isHoisted));
  }

  /** Emits a loop over the range on the stack. */
  #eachInt(stmt: EachStmt): void {
    const { code } = this.#body;
    const range = this.#body.local('range');
    const [variable, last] = [this.#body.declare(stmt.variable, 'int', true), this.#body.local('int')];
    code.at('local.tee', range);
    this.#body.call('range_first');
    code.at('local.set', variable).at('local.get', range);
    this.#body.call('range_last');
    code.at('local.set', last);
    this.#iterations({ isInclusive: true, body: stmt.body }, { variable, last });
  }

  /** Emits a loop over the string on the stack. */
  #eachCharacter(stmt: EachStmt): void {
    const { code } = this.#body;
    const [text, at] = [this.#body.local('string'), this.#body.local('int')];
    code.at('local.tee', text);
    this.#body.call('length');
    code.op('i64.extend_i32_u');
    this.#elements(stmt, 'string', at, () => {
      code.at('local.get', text).at('local.get', at).op('i32.wrap_i64');
      strings.characterAt(this.#body);
    });
  }

  /** Emits a loop over as many elements as the int on the stack says. @param at variable with the index @param read leaves an element */
  #elements(stmt: EachStmt, element: Kind, at: number, read: () => void): void {
    const { code } = this.#body;
    const length = this.#body.local('int');
    const variable = this.#body.declare(stmt.variable, element, true);
    code.at('local.set', length).i64(0n).at('local.set', at);
    const exit = this.#body.open('block');
    const top = this.#body.open('loop');
    const again = this.#body.open('block');
    code.at('local.get', at).at('local.get', length).op('i64.ge_s');
    this.#body.branch('br_if', exit);
    read();
    code.at('local.set', variable);
    this.#inLoop({ exit, again }, stmt.body);
    this.#body.end();
    code.at('local.get', at).i64(1n).op('i64.add').at('local.set', at);
    this.#body.branch('br', top);
    this.#body.end();
    this.#body.end();
  }
}
