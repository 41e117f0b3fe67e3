import type { Type } from '../../../language/check/types/type.ts';
import { type ChildVisitor, eachChildOfStmt, eachChildOfValue, visitCode } from './children.ts';
import { CodeExtractor, type ExtractedProgram, useOf } from './code-extractor.ts';
import type { HotTypes } from './hot-types.ts';
import { type Code, JAVASCRIPT_STMTS, JAVASCRIPT_VALUES } from './javascript-code.ts';
import { mapInStmt, mapInValue } from './map-code.ts';
import type { AssignStmt, BinaryOp, FieldUse, TypedBlock, TypedStmt, TypedValue, Variable } from './typed-form.ts';

/** Statements whose values may be passed on only. */
const PASSING: ReadonlySet<TypedStmt['kind']> = new Set(['let', 'return', 'value', 'assign', 'outcome', 'scope']);

/** Types that no function of WebAssembly has as its result. */
const NO_RESULTS: ReadonlySet<Type['kind']> = new Set(['none', 'never']);

/** Facts about code and all that is in it. */
interface Facts {
  /** Whether it makes, reads or changes objects of hot types. To pass them on is not meant. */
  readonly isHot: boolean;
  /** Whether it blocks, or starts tasks. */
  readonly stays: boolean;
}

/**
 * Makes functions of what the code of one body does with objects of hot types, apart from what blocks: of the statements that use them, and in
 * statements that block, of the values. The body itself only passes the objects on then.
 */
export class ObjectExtractor {
  readonly #program: ExtractedProgram;
  readonly #hot: HotTypes;
  readonly #code: CodeExtractor;
  /** Of values and statements. */
  readonly #facts = new Map<TypedValue | TypedStmt, Facts>();
  /** Types of which it has found uses that must stay in this body, so that no use needs to be elsewhere. */
  readonly left = new Set<Type>();
  /** New variables. */
  #held = 0;

  constructor(program: ExtractedProgram, hot: HotTypes, of: Code) {
    this.#program = program;
    this.#hot = hot;
    this.#code = new CodeExtractor(program, of);
  }

  readonly block = (stmts: TypedBlock): TypedBlock => stmts.flatMap(stmt => this.#rewritten(stmt));

  #rewritten(stmt: TypedStmt): readonly TypedStmt[] {
    const { isHot, stays } = this.#factsOfStmt(stmt);
    if (!isHot) return [stmt];
    const call = stays || !this.#code.canMove(stmt) ? undefined : this.#code.call([stmt]);
    if (call !== undefined) return call;
    if (stmt.kind === 'assign' && stmt.op !== undefined && this.#isOwnField(stmt.target))
      return this.#withoutOperator(stmt, stmt.op);
    return [this.#inside(stmt, this.block)];
  }

  /** Rewrites a statement that stays. */
  #inside(stmt: TypedStmt, block: (stmts: TypedBlock) => TypedBlock): TypedStmt {
    if (stmt.kind === 'assign') return this.#assigned(stmt);
    if (this.#isUse(stmt)) this.#stays(visitor => eachChildOfStmt(stmt, visitor));
    return mapInStmt(stmt, { variable: one => one, value: this.#value, block });
  }

  #assigned(stmt: AssignStmt): TypedStmt {
    const { target, op, value } = stmt;
    if (target.kind === 'variable') return { ...stmt, value: this.#value(value) };
    if (op === undefined && this.#code.canMoveOperation(target)) return this.#code.assignment(stmt, this.#value);
    this.#leave(target.type);
    this.#stays(visitor => eachChildOfValue(target, visitor));
    const object = this.#value(target.object);
    const rewritten =
      target.kind === 'index' ? { ...target, object, index: this.#value(target.index) } : { ...target, object };
    return { ...stmt, target: rewritten, value: this.#value(value) };
  }

  /** Whether it is a field of a hot object that is the same one when it is read again. */
  #isOwnField(target: AssignStmt['target']): target is FieldUse {
    if (target.kind !== 'field' || !this.#hot.has(target.object.type)) return false;
    return target.object.kind === 'variable' || target.object.kind === 'self';
  }

  /** Reads the target before the value, as an assignment with an operator does. */
  #withoutOperator(stmt: AssignStmt, op: BinaryOp): readonly TypedStmt[] {
    const { target, value, place } = stmt;
    this.#held += 1;
    const { type } = target;
    const held: Variable = { name: `$held${this.#held}`, type, isAssigned: false, range: undefined };
    const sum: TypedValue = { kind: 'binary', type, op, left: useOf(held), right: value };
    return [
      { kind: 'let', place, variable: held, value: this.#value(target) },
      ...this.#rewritten({ ...stmt, op: undefined, value: sum }),
    ];
  }

  readonly #value = (value: TypedValue): TypedValue => {
    const { isHot, stays } = this.#factsOfValue(value);
    if (!isHot) return value;
    if (!stays && !NO_RESULTS.has(value.type.kind) && this.#code.canMoveValue(value)) return this.#code.callOf(value);
    if (this.#usesObject(value)) {
      if (this.#code.canMoveOperation(value)) return this.#code.operation(value, this.#value);
      this.#leave(value.type);
      this.#stays(visitor => eachChildOfValue(value, visitor));
    }
    if (value.kind === 'closure' || value.kind === 'spawn') {
      // The code in it stays too.
      visitCode({ values: [value] }, { value: ({ type }) => this.#leave(type) });
      return value;
    }
    // The last statement of a block in a value has the value, so that it stays a statement.
    const block = (stmts: TypedBlock): TypedBlock => stmts.map(stmt => this.#inside(stmt, block));
    return mapInValue(value, { variable: one => one, value: this.#value, block });
  };

  #factsOfValue(value: TypedValue): Facts {
    const known = this.#facts.get(value);
    if (known !== undefined) return known;
    const stays = JAVASCRIPT_VALUES.has(value.kind) || this.#program.graph.mayBlock(value);
    return this.#withChildren(value, { isHot: this.#usesObject(value), stays }, visitor =>
      eachChildOfValue(value, visitor),
    );
  }

  #factsOfStmt(stmt: TypedStmt): Facts {
    const known = this.#facts.get(stmt);
    if (known !== undefined) return known;
    return this.#withChildren(stmt, { isHot: this.#isUse(stmt), stays: JAVASCRIPT_STMTS.has(stmt.kind) }, visitor =>
      eachChildOfStmt(stmt, visitor),
    );
  }

  #withChildren(of: TypedValue | TypedStmt, own: Facts, eachChild: (visitor: ChildVisitor) => void): Facts {
    let { isHot, stays } = own;
    const add = (facts: Facts): void => {
      isHot ||= facts.isHot;
      stays ||= facts.stays;
    };
    eachChild({ value: one => add(this.#factsOfValue(one)), stmt: one => add(this.#factsOfStmt(one)) });
    const facts = { isHot, stays };
    this.#facts.set(of, facts);
    return facts;
  }

  /** Whether a value uses objects of hot types, apart from the values in it. */
  #usesObject(value: TypedValue): boolean {
    switch (value.kind) {
      case 'variable':
      case 'self':
      case 'singleton':
      case 'call':
      case 'none-exit':
        return false;
      case 'field':
        return this.#hot.has(value.object.type);
      case 'call-method':
        return value.targets.length > 1 && this.#hot.has(value.receiver.type);
      case 'closure':
        return value.captured.variables.some(({ type }) => this.#hot.has(type));
      default:
        return this.#hot.has(value.type) || this.#hasHotChild(visitor => eachChildOfValue(value, visitor));
    }
  }

  /** As `#usesObject`, of a statement. */
  #isUse(stmt: TypedStmt): boolean {
    return !PASSING.has(stmt.kind) && this.#hasHotChild(visitor => eachChildOfStmt(stmt, visitor));
  }

  #hasHotChild(eachChild: (visitor: ChildVisitor) => void): boolean {
    let isHot = false;
    eachChild({
      value: ({ type }) => {
        isHot ||= this.#hot.has(type);
      },
      stmt() {},
    });
    return isHot;
  }

  #leave(type: Type): void {
    if (this.#hot.has(type)) this.left.add(type);
  }

  /** Adds the types of the values in a value or statement that stays in this body. */
  #stays(eachChild: (visitor: ChildVisitor) => void): void {
    eachChild({ value: one => this.#leave(one.type), stmt() {} });
  }
}
