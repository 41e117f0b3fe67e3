import type { Block, Expr, ForStmt, IfStmt, Stmt, WhileStmt } from '../../../language/syntax/ast/code.ts';
import { withoutParens } from '../../../language/syntax/ast/code.ts';
import type { Contract } from '../../../language/syntax/ast/decl.ts';
import type { FunctionSymbol } from '../../../language/check/types/type.ts';
import { textOfContract } from '../contract-text.ts';
import { lowerExpr } from './expressions.ts';
import { FunctionCode, type FunctionContext, type Loop } from './function-code.ts';
import type { Kind } from './kinds.ts';
import * as lists from './lists.ts';
import { loopLists, pushedEachTurn } from './loop-lists.ts';
import { unsupported } from './unsupported.ts';

/** Lowers one function. @throws Unsupported */
export function lowerFunction(
  context: FunctionContext,
  symbol: FunctionSymbol,
  params: readonly Kind[],
  result: Kind | undefined,
): FunctionCode {
  const body = new FunctionCode(context, lowerExpr, result);
  for (const [index, { name }] of symbol.decl.params.entries())
    body.parameter(name.start, params[index] ?? unsupported());
  const statements = new Statements(body);
  for (const { condition } of symbol.decl.contracts) statements.require(condition, symbol.name);
  statements.block(symbol.decl.body);
  if (result !== undefined) body.code.op('unreachable');
  return body;
}

/** The statements of one function. */
class Statements {
  readonly #body: FunctionCode;
  readonly #loops: Loop[] = [];

  constructor(body: FunctionCode) {
    this.#body = body;
  }

  require(condition: Contract['condition'], name: string): void {
    this.#body.at(condition, () => {
      this.#expectTrue(condition, `requires violation in ${name}: ${textOfContract(condition)}`);
    });
  }

  #expectTrue(condition: Expr, message: string): void {
    this.#body.scalar(condition, 'bool');
    this.#body.code.op('i32.eqz').open('if');
    this.#body.fail(message);
    this.#body.code.op('end');
  }

  block({ stmts }: Block): void {
    for (const stmt of stmts) this.#stmt(stmt);
  }

  #stmt(stmt: Stmt): void {
    this.#body.at(stmt, () => this.#inStmt(stmt));
  }

  #inStmt(stmt: Stmt): void {
    const { code } = this.#body;
    switch (stmt.kind) {
      case 'LetStmt': {
        const declared = this.#body.context.facts.localAt(stmt.name.start) ?? unsupported();
        const kind = this.#body.kindOfType(declared.type);
        if (this.#body.value(stmt.value, kind) !== kind) unsupported();
        code.at('local.set', this.#body.declare(stmt.name.start, kind));
        return;
      }
      case 'ReturnStmt':
        if (stmt.value !== undefined && this.#body.value(stmt.value, this.#body.result) !== this.#body.result)
          unsupported();
        code.op('return');
        return;
      case 'IfStmt':
        return this.#if(stmt);
      case 'WhileStmt':
        return this.#withSteady([stmt.condition, stmt.body], () => this.#while(stmt));
      case 'ForStmt':
        return this.#withSteady([stmt.iterable, stmt.body], () => this.#for(stmt));
      case 'AssertStmt':
        return this.#expectTrue(stmt.condition, `assertion failed: ${textOfContract(stmt.condition)}`);
      case 'BreakStmt':
        return this.#body.branch('br', this.#loops.at(-1)?.exit ?? unsupported());
      case 'ContinueStmt':
        return this.#body.branch('br', this.#loops.at(-1)?.again ?? unsupported());
      case 'AssignStmt':
        return lists.assign(this.#body, withoutParens(stmt.target), stmt.op, stmt.value);
      case 'StepStmt':
        return lists.assign(this.#body, withoutParens(stmt.target), stmt.op === '++' ? '+=' : '-=', undefined);
      case 'ExprStmt':
        if (lowerExpr(this.#body, withoutParens(stmt.expr), undefined) !== undefined) code.op('drop');
        return;
      default:
        return unsupported();
    }
  }

  #if({ condition, body, otherwise }: IfStmt): void {
    this.#body.scalar(condition, 'bool');
    this.#body.open('if');
    this.block(body);
    if (otherwise !== undefined) {
      this.#body.code.op('else');
      // Without a mark: the lines of a chain of conditions belong to its start.
      if (otherwise.kind === 'Block') this.block(otherwise);
      else this.#if(otherwise);
    }
    this.#body.end();
  }

  /** Lowers a loop. Lengths and arrays of lists that it cannot change are read before it. */
  #withSteady(parts: readonly (Expr | Block)[], loop: () => void): void {
    const { used, changesLengths } = loopLists(this.#body.context, parts);
    this.#body.withSteady(changesLengths ? [] : used, list => lists.read(this.#body, list), loop);
  }

  #while({ condition, body }: WhileStmt): void {
    const exit = this.#body.open('block');
    const again = this.#body.open('loop');
    this.#body.scalar(condition, 'bool');
    this.#body.code.op('i32.eqz');
    this.#body.branch('br_if', exit);
    this.#inLoop({ exit, again }, body);
    this.#body.branch('br', again);
    this.#body.end();
    this.#body.end();
  }

  #inLoop(loop: Loop, body: Block): void {
    this.#loops.push(loop);
    this.block(body);
    this.#loops.pop();
  }

  #for(stmt: ForStmt): void {
    const over = withoutParens(stmt.iterable);
    if (over.kind !== 'RangeExpr') return this.#forElements(stmt, over);
    const { code } = this.#body;
    this.#body.scalar(over.from, 'int');
    const variable = this.#body.declare(stmt.name.start, 'int', true);
    code.at('local.set', variable);
    this.#body.scalar(over.to, 'int');
    const last = this.#body.local('int');
    code.at('local.set', last);
    for (const list of pushedEachTurn(this.#body.context, stmt.body)) {
      code.at('local.get', last).at('local.get', variable).op('i64.sub');
      lists.reserve(this.#body, this.#body.variable(list));
    }
    const isPast = over.isInclusive ? 'i64.gt_s' : 'i64.ge_s';
    const exit = this.#body.open('block');
    code.at('local.get', variable).at('local.get', last).op(isPast);
    this.#body.branch('br_if', exit);
    const top = this.#body.open('loop');
    const again = this.#body.open('block');
    this.#inLoop({ exit, again }, stmt.body);
    this.#body.end();
    // The last value is compared before the step, which could overflow.
    code.at('local.get', variable);
    if (over.isInclusive) code.at('local.get', last).op('i64.ge_s');
    else code.i64(1n).op('i64.add').at('local.tee', variable).at('local.get', last).op('i64.ge_s');
    this.#body.branch('br_if', exit);
    if (over.isInclusive) code.at('local.get', variable).i64(1n).op('i64.add').at('local.set', variable);
    this.#body.branch('br', top);
    this.#body.end();
    this.#body.end();
  }

  /** The length of a list is read at the start, its elements during the loop. */
  #forElements(stmt: ForStmt, over: Expr): void {
    const { code } = this.#body;
    const element = this.#body.list(over);
    const list = { index: this.#body.local(`[${element}]`), kind: `[${element}]` as const };
    const at = { index: this.#body.local('int'), kind: 'int' as const };
    const length = this.#body.local('int');
    const variable = this.#body.declare(stmt.name.start, element, true);
    code.at('local.set', list.index);
    lists.length(this.#body, list, element);
    code.at('local.set', length).i64(0n).at('local.set', at.index);
    const exit = this.#body.open('block');
    const top = this.#body.open('loop');
    const again = this.#body.open('block');
    code.at('local.get', at.index).at('local.get', length).op('i64.ge_s');
    this.#body.branch('br_if', exit);
    lists.element(this.#body, list, at, element);
    code.at('local.set', variable);
    this.#inLoop({ exit, again }, stmt.body);
    this.#body.end();
    code.at('local.get', at.index).i64(1n).op('i64.add').at('local.set', at.index);
    this.#body.branch('br', top);
    this.#body.end();
    this.#body.end();
  }
}
