import type { PausableWork } from '../../../../base/time-slice.ts';
import { VOID } from '../../../language/check/types/make.ts';
import type { Type } from '../../../language/check/types/type.ts';
import { CalledClosures, canBeFunction } from './called-closures.ts';
import { codeOutsideBodies, visitBody, visitCode } from './children.ts';
import { type CodeMapper, mapInStmt, mapInValue } from './map-code.ts';
import type {
  ClosureValue,
  FunctionCall,
  TypedBlock,
  TypedBody,
  TypedFunction,
  TypedMethod,
  TypedProgram,
  TypedStmt,
  TypedValue,
  Variable,
} from './typed-form.ts';

/** Values and statements that copies of functions may have even in a small program. */
const MIN_BUDGET = 10_000;

/**
 * Makes functions of closures, and copies of the functions that they are passed to, in which calls of the closure are calls of its function. What the
 * closure captured is passed as arguments. Closures that code does anything else with stay values.
 *
 * @returns the functions of the program; functions that only known closures are passed to are left out
 */
export function* specializeClosures(program: TypedProgram): PausableWork<readonly TypedFunction[]> {
  const called = new CalledClosures();
  const methods = program.classes.flatMap(one => Array.from(one.methods.values()));
  for (const { body, self } of program.functions) {
    called.read(body, self === undefined);
    yield;
  }
  for (const { body } of methods) {
    called.read(body, false);
    yield;
  }
  called.finish();
  if (![...program.functions, ...methods].some(({ body }) => called.hasLiterals(body))) return program.functions;
  const specializer = new Specializer(program, called);
  return yield* specializer.run(methods);
}

interface Unfinished {
  body: TypedBody;
}

/** A closure that code calls without a function value. */
interface KnownClosure {
  readonly literal: ClosureValue;
  /** Variables with what it captured, in the order of the literal. */
  readonly captured: readonly Variable[];
}

type Place = Pick<TypedFunction, 'path' | 'line'>;

class Specializer {
  readonly called: CalledClosures;
  readonly #program: TypedProgram;
  readonly #reached = new Set<TypedFunction>();
  readonly #waiting: (() => void)[] = [];
  readonly #made: TypedFunction[] = [];
  readonly #bodies = new Map<TypedFunction, TypedBody>();
  readonly #lifted = new Map<ClosureValue, TypedFunction>();
  readonly #numbers = new Map<ClosureValue, number>();
  readonly #copies = new Map<TypedFunction, Map<string, TypedFunction>>();
  #hidden = 0;
  #budget: number;

  constructor(program: TypedProgram, called: CalledClosures) {
    this.#program = program;
    this.called = called;
    this.#budget = MIN_BUDGET + called.size;
    for (const one of program.functions) this.#bodies.set(one, one.body);
  }

  *run(methods: readonly TypedMethod[]): PausableWork<readonly TypedFunction[]> {
    const { functions, entry, tests } = this.#program;
    if (entry?.kind === 'function') this.reach(entry.function);
    for (const { body } of tests) this.reach(body);
    visitCode(codeOutsideBodies(this.#program), { value: one => this.#reachFrom(one) });
    for (const method of methods) {
      this.#rewrite(method, method.body, method.owner);
      yield;
    }
    for (let work = this.#waiting.pop(); work !== undefined; work = this.#waiting.pop()) {
      work();
      yield;
    }
    const isUsed = (one: TypedFunction): boolean => this.#reached.has(one) || !this.#copies.has(one);
    return [...functions.filter(isUsed), ...this.#made];
  }

  /** Notes that code calls a function. */
  reach(of: TypedFunction): void {
    const body = this.#bodies.get(of);
    if (body === undefined || this.#reached.has(of)) return;
    this.#reached.add(of);
    this.#waiting.push(() => this.#rewrite(of, body, of));
  }

  #reachFrom(value: TypedValue): void {
    if (value.kind === 'call') this.reach(value.callee);
  }

  #rewrite(of: Unfinished, body: TypedBody, place: Place): void {
    for (const check of body.checks) if (check.kind === 'contract') this.reach(check.contract);
    if (this.called.hasLiterals(body)) of.body = new Rewriter(this, place, false).body(body, body.params);
    else visitBody(body, { value: one => this.#reachFrom(one) });
  }

  /** A variable that the source does not have. */
  hidden(type: Type): Variable {
    this.#hidden += 1;
    return { name: `$c${this.#hidden}`, type, isAssigned: false, range: undefined };
  }

  /** The function of a closure. Its first parameters are what the closure captured. */
  lifted(literal: ClosureValue, place: Place): TypedFunction {
    const known = this.#lifted.get(literal);
    if (known !== undefined) return known;
    const { params, captured, result, body: block } = literal;
    const rewriter = new Rewriter(this, place, true);
    const all = [...captured.variables, ...params].map(rewriter.variable);
    const of = this.#make('closure', place, () => rewriter.body({ params, result, checks: [], block }, all));
    this.#lifted.set(literal, of);
    return of;
  }

  /** The copy of a function for closures that are its arguments; `undefined` if there are too many copies. */
  copyFor(of: TypedFunction, closures: readonly (KnownClosure | undefined)[]): TypedFunction | undefined {
    const body = this.#bodies.get(of);
    if (body === undefined) return undefined;
    const key = closures.map(one => (one === undefined ? '' : this.#numberOf(one.literal))).join();
    let copies = this.#copies.get(of);
    if (copies === undefined) this.#copies.set(of, (copies = new Map()));
    const known = copies.get(key);
    if (known !== undefined) return known;
    const size = this.called.sizeOf(body);
    if (size > this.#budget) return undefined;
    this.#budget -= size;
    const rewriter = new Rewriter(this, of, true);
    const params = body.params.flatMap((param, index) => {
      const literal = closures[index]?.literal;
      return literal === undefined ? [rewriter.variable(param)] : rewriter.know(param, literal);
    });
    const copy = this.#make(of.name, of, () => rewriter.body(body, params));
    copies.set(key, copy);
    return copy;
  }

  #numberOf(literal: ClosureValue): number {
    const number = this.#numbers.get(literal) ?? this.#numbers.size;
    this.#numbers.set(literal, number);
    return number;
  }

  #make(name: string, { path, line }: Place, bodyOf: () => TypedBody): TypedFunction {
    const body: TypedBody = { params: [], result: VOID, checks: [], block: [] };
    const made = { name, path, line, self: undefined, body };
    this.#made.push(made);
    this.#waiting.push(() => {
      made.body = bodyOf();
    });
    return made;
  }
}

const useOf = (variable: Variable): TypedValue => ({ kind: 'variable', type: variable.type, variable });

/** Rewrites one body. */
class Rewriter implements CodeMapper {
  readonly #specializer: Specializer;
  readonly #place: Place;
  readonly #isCopy: boolean;
  readonly #variables = new Map<Variable, Variable>();
  readonly #known = new Map<Variable, KnownClosure>();

  /** @param isCopy whether it gets separate variables */
  constructor(specializer: Specializer, place: Place, isCopy: boolean) {
    this.#specializer = specializer;
    this.#place = place;
    this.#isCopy = isCopy;
  }

  /** Makes calls of a parameter call a closure. @returns the parameters with what it captured */
  know(param: Variable, literal: ClosureValue): readonly Variable[] {
    const captured = literal.captured.variables.map(({ type }) => this.#specializer.hidden(type));
    this.#known.set(param, { literal, captured });
    return captured;
  }

  body({ result, checks, block }: TypedBody, params: readonly Variable[]): TypedBody {
    return {
      params,
      result,
      checks: checks.map(check =>
        check.kind === 'check' ? { ...check, condition: this.value(check.condition) } : check,
      ),
      block: this.block(block),
    };
  }

  readonly variable = (variable: Variable): Variable => {
    if (!this.#isCopy) return variable;
    let copy = this.#variables.get(variable);
    if (copy === undefined) this.#variables.set(variable, (copy = { ...variable }));
    return copy;
  };

  readonly block = (block: TypedBlock): TypedBlock => block.flatMap(stmt => this.#stmt(stmt));

  #stmt(stmt: TypedStmt): readonly TypedStmt[] {
    if (stmt.kind !== 'let' || stmt.value.kind !== 'closure') return [mapInStmt(stmt, this)];
    const { variable, value: literal, place } = stmt;
    if (!this.#specializer.called.isOnlyCalled(variable) || !canBeFunction(literal) || literal.type !== variable.type)
      return [mapInStmt(stmt, this)];
    const copies: TypedStmt[] = [];
    const captured = literal.captured.variables.map(one => {
      const current = this.variable(one);
      if (!one.isAssigned) return current;
      const copy = this.#specializer.hidden(one.type);
      copies.push({ kind: 'let', place, variable: copy, value: useOf(current) });
      return copy;
    });
    this.#known.set(variable, { literal, captured });
    return copies;
  }

  readonly value = (value: TypedValue): TypedValue => {
    switch (value.kind) {
      case 'call':
        return this.#call(value);
      case 'call-closure': {
        const known = this.#known.get(value.variable);
        if (known === undefined) return mapInValue(value, this);
        return {
          kind: 'call',
          type: value.type,
          callee: this.#specializer.lifted(known.literal, this.#place),
          args: [...known.captured.map(useOf), ...value.args.map(this.value)],
          range: undefined,
        };
      }
      case 'variable': {
        const known = this.#known.get(value.variable);
        return known === undefined ? mapInValue(value, this) : this.#valueOf(known);
      }
      default:
        return mapInValue(value, this);
    }
  };

  #call(call: FunctionCall): TypedValue {
    const { callee, args } = call;
    const closures = args.map((arg, index) => this.#knownArg(callee, index, arg));
    const copy = closures.every(one => one === undefined) ? undefined : this.#specializer.copyFor(callee, closures);
    if (copy === undefined) {
      this.#specializer.reach(callee);
      return mapInValue(call, this);
    }
    const values = args.flatMap((arg, index) => closures[index]?.captured.map(useOf) ?? [this.value(arg)]);
    return { ...call, callee: copy, args: values };
  }

  /** An argument that the function only calls. */
  #knownArg(callee: TypedFunction, index: number, arg: TypedValue): KnownClosure | undefined {
    if (!this.#specializer.called.callsOnly(callee, index)) return undefined;
    const known =
      arg.kind === 'closure' && canBeFunction(arg)
        ? { literal: arg, captured: arg.captured.variables.map(this.variable) }
        : arg.kind === 'variable'
          ? this.#known.get(arg.variable)
          : undefined;
    return known?.literal.type === callee.body.params[index]?.type ? known : undefined;
  }

  /** The value of a closure where it is needed after all. */
  #valueOf({ literal, captured }: KnownClosure): TypedValue {
    const rewriter = new Rewriter(this.#specializer, this.#place, true);
    for (const [index, one] of literal.captured.variables.entries())
      rewriter.#variables.set(one, captured[index] ?? one);
    return rewriter.value(literal);
  }
}
