import type { PausableWork } from '../../../../base/time-slice.ts';
import type { Type } from '../../../language/check/types/type.ts';
import { codeOutsideBodies, directTarget, visitBody, visitCode } from './children.ts';
import { exactly, type IntRange, MAX_STEP } from './int-range.ts';
import type {
  AssignStmt,
  ClosureCall,
  ClosureValue,
  FieldUse,
  MethodCall,
  ObjectValue,
  OutcomeStmt,
  TypedBody,
  TypedMethod,
  TypedProgram,
  TypedStmt,
  TypedValue,
  Variable,
} from './typed-form.ts';
import {
  closureParam,
  closureResult,
  type KnownRange,
  isSameRange,
  type RangeLookup,
  loopRange,
  NO_VALUE,
  operationRange,
  rangeOfValue,
  steppedRange,
  unionOf,
} from './value-ranges.ts';

/** Changes after which a range that still grows is given up. */
const MAX_CHANGES = 6;

/** A source of the values of a node: an initial value, an assignment, an argument, or the ends of a loop. */
type Source = (known: RangeLookup) => KnownRange;

/** A node of the data flow: a variable, a field of a class, or the result of a function, whose values are ints. */
interface RangeNode {
  readonly sources: Source[];
  /** The steps of the assignments that increment or decrement it. */
  steps: IntRange;
  /** Without steps. */
  base: KnownRange;
  range: KnownRange;
  changeCount: number;
  /** Changes after which its range is given up. Loop variables change only with other nodes, which are given up. */
  maxChanges: number;
  /** The nodes with values that depend on it. */
  readonly users: Set<RangeNode>;
}

/** The values that calls through a trait give to the parameters of its methods, and the results of these methods. */
interface Dispatch {
  readonly params: readonly RangeNode[];
  readonly result: RangeNode;
}

/**
 * Finds the bounds of ints from everything that gives them a value: variables from initial values, assignments and ends of loops,
 * parameters from the arguments of all calls, fields from literals and assignments, results from `return`. All bounds are safe integers.
 * All closures with one number of parameters share the bounds of their parameters and results: any of them may be called.
 */
export function* findRanges(program: TypedProgram): PausableWork<void> {
  const finder = new RangeFinder(program);
  yield* finder.read();
  yield* finder.solve();
  yield* finder.apply();
}

/** Sources between two pauses. */
const SOURCES_PER_STEP = 256;

class RangeFinder {
  readonly #program: TypedProgram;
  readonly #variables = new Map<Variable, RangeNode>();
  readonly #results = new Map<TypedBody, RangeNode>();
  /** By `closureParam` and `closureResult`. */
  readonly #closures = new Map<string, RangeNode>();
  /** By the methods that a call through a trait may run: all calls of one method of a trait have the same list. */
  readonly #dispatches = new Map<readonly TypedMethod[], Dispatch>();
  /** By the id of the class type and the name. */
  readonly #fields = new Map<string, RangeNode>();
  readonly #assignments: AssignStmt[] = [];
  readonly #outcomes: OutcomeStmt[] = [];
  readonly #counters = new Set<Variable>();

  constructor(program: TypedProgram) {
    this.#program = program;
  }

  /** Reads the sources of all nodes. */
  *read(): PausableWork<void> {
    const { functions, classes } = this.#program;
    const visitor = { value: (one: TypedValue) => this.#value(one), stmt: (one: TypedStmt) => this.#stmt(one) };
    const bodies = [
      // The contract of a trait is called by checks.
      ...functions.map(({ body, self }) => ({ body, hasCalls: self === undefined })),
      ...classes.flatMap(({ methods }) => Array.from(methods.values(), ({ body }) => ({ body, hasCalls: true }))),
    ];
    // Calls before a declaration find its parameters.
    for (const { body, hasCalls } of bodies) {
      this.#declare(body, hasCalls);
      yield;
    }
    for (const { body } of bodies) {
      visitBody(body, visitor);
      yield;
    }
    visitCode(codeOutsideBodies(this.#program), visitor);
    for (const assignment of this.#assignments) this.#assign(assignment);
    for (const outcome of this.#outcomes) this.#outcome(outcome);
    yield;
  }

  #declare(body: TypedBody, hasCalls: boolean): void {
    for (const param of body.params) if (hasCalls && isInt(param)) this.#variables.set(param, newNode());
    if (body.result.kind !== 'int') return;
    const result = newNode();
    this.#results.set(body, result);
    for (const { value } of returnsOf(body)) if (value !== undefined) result.sources.push(valueSource(value));
  }

  #value(value: TypedValue): void {
    if (value.kind === 'object') this.#object(value);
    else if (value.kind === 'closure') this.#closure(value);
    else if (value.kind === 'call-closure') this.#closureArguments(value);
    else if (value.kind === 'call') this.#arguments(value.callee.body, value.args);
    else if (value.kind === 'call-method') this.#methodArguments(value);
  }

  #object({ type, of, fields }: ObjectValue): void {
    for (const { index, value } of fields) {
      const field = of.fields[index];
      if (field === undefined || !isInt(field)) continue;
      const key = fieldKey(type, field.name);
      if (key === undefined) continue;
      let node = this.#fields.get(key);
      if (node === undefined) this.#fields.set(key, (node = newNode()));
      node.sources.push(valueSource(value));
    }
  }

  #closureNode(key: string): RangeNode {
    let node = this.#closures.get(key);
    if (node === undefined) this.#closures.set(key, (node = newNode()));
    return node;
  }

  #closure({ params, result, body }: ClosureValue): void {
    // Not the shared node: the code of one closure may assign to its parameter.
    for (const [index, param] of params.entries())
      if (isInt(param))
        this.#variables.set(
          param,
          newNode(known => known.closure(closureParam(params.length, index))),
        );
    if (result.kind !== 'int') return;
    const { sources } = this.#closureNode(closureResult(params.length));
    for (const { value } of returnsOf({ checks: [], block: body }))
      if (value !== undefined) sources.push(valueSource(value));
  }

  #closureArguments({ variable: { type }, args }: ClosureCall): void {
    if (type.kind !== 'fn') return;
    for (const [index, arg] of args.entries()) {
      const param = type.params[index];
      // A function that takes an int may be called where it takes an int or `none`.
      if ((param?.kind === 'nullable' ? param.element : param)?.kind !== 'int') continue;
      this.#closureNode(closureParam(args.length, index)).sources.push(
        param?.kind === 'int' ? valueSource(arg) : () => undefined,
      );
    }
  }

  #methodArguments(call: MethodCall): void {
    const { targets, args } = call;
    const target = directTarget(call);
    if (target !== undefined) return this.#arguments(target.body, args);
    if (targets.length === 0) return;
    const { params } = this.#dispatchOf(targets);
    for (const [index, arg] of args.entries()) params[index]?.sources.push(valueSource(arg));
  }

  /** Shared nodes, so that each call, and each of the methods that it may run, is visited once. */
  #dispatchOf(targets: readonly TypedMethod[]): Dispatch {
    const known = this.#dispatches.get(targets);
    if (known !== undefined) return known;
    const result = newNode(known => targets.map(({ body }) => known.result(body)).reduce(unionOf, NO_VALUE));
    const made = { params: (targets[0]?.body.params ?? []).map(() => newNode()), result };
    this.#dispatches.set(targets, made);
    for (const { body } of targets)
      for (const [index, param] of body.params.entries())
        this.#variables.get(param)?.sources.push(known => known.dispatchedParam(targets, index));
    return made;
  }

  #arguments({ params }: TypedBody, args: readonly TypedValue[]): void {
    for (const [index, param] of params.entries()) {
      const arg = args[index];
      this.#variables.get(param)?.sources.push(arg === undefined ? () => undefined : valueSource(arg));
    }
  }

  #stmt(stmt: TypedStmt): void {
    if (stmt.kind === 'assign') this.#assignments.push(stmt);
    else if (stmt.kind === 'outcome') {
      this.#outcomes.push(stmt);
      for (const variable of stmt.declared) if (isInt(variable)) this.#variables.set(variable, newNode());
    } else if (stmt.kind === 'let' && isInt(stmt.variable))
      this.#variables.set(stmt.variable, newNode(valueSource(stmt.value)));
    else if (stmt.kind === 'count' && isInt(stmt.variable)) {
      const { variable, from, to, isInclusive } = stmt;
      this.#counters.add(variable);
      const source: Source = known => loopRange(rangeOfValue(known, from), rangeOfValue(known, to), isInclusive);
      this.#variables.set(variable, { ...newNode(source), maxChanges: Number.POSITIVE_INFINITY });
    }
  }

  #outcome({ call, result, outputs }: OutcomeStmt): void {
    if (result !== undefined) this.#variables.get(result)?.sources.push(valueSource(call));
    for (const [index, variable] of outputs.entries()) {
      const output = call.callee.body.outputs?.[index];
      const isKnown = output !== undefined && !this.#counters.has(variable);
      this.#variables.get(variable)?.sources.push(known => (isKnown ? known.variable(output) : undefined));
    }
  }

  #assign(stmt: AssignStmt): void {
    const { target } = stmt;
    if (target.kind === 'variable') {
      const node = this.#variables.get(target.variable);
      // The next value of a loop follows from an assigned one.
      if (this.#counters.has(target.variable)) node?.sources.push(() => undefined);
      else if (node !== undefined) addAssignment(node, stmt);
    } else if (target.kind === 'field' && target.type.kind === 'int') {
      const node = this.#fieldOf(target);
      if (node !== undefined) addAssignment(node, stmt);
      // It may be a field of any class.
      else
        for (const [key, other] of this.#fields) if (nameIn(key) === target.name) other.sources.push(() => undefined);
    }
  }

  #fieldOf({ object, name }: FieldUse): RangeNode | undefined {
    const key = fieldKey(object.type, name);
    return key === undefined ? undefined : this.#fields.get(key);
  }

  *solve(): PausableWork<void> {
    const waiting = new Set([
      ...this.#variables.values(),
      ...this.#fields.values(),
      ...this.#results.values(),
      ...this.#closures.values(),
      ...Array.from(this.#dispatches.values()).flatMap(({ params, result }) => [...params, result]),
    ]);
    let count = 0;
    for (const node of waiting) {
      waiting.delete(node);
      count += node.sources.length;
      if (count >= SOURCES_PER_STEP) {
        count = 0;
        yield;
      }
      const known = this.#knownFor(node);
      node.base = node.sources.map(source => source(known)).reduce(unionOf, node.base);
      const found = node.base === undefined ? undefined : steppedRange(node.base, node.steps);
      if (isSameRange(found, node.range)) continue;
      node.changeCount += 1;
      node.range = node.changeCount > node.maxChanges ? undefined : found;
      if (node.range === undefined) node.base = undefined;
      for (const user of node.users) waiting.add(user);
    }
  }

  /** Looks up ranges for the sources of a node, which then depends on the nodes with these ranges. */
  #knownFor(user: RangeNode | undefined): RangeLookup {
    const read = (node: RangeNode | undefined): KnownRange => {
      if (user !== undefined) node?.users.add(user);
      return node?.range;
    };
    return {
      variable: variable => read(this.#variables.get(variable)),
      field: use => read(this.#fieldOf(use)),
      result: body => read(this.#results.get(body)),
      closure: key => read(this.#closures.get(key)),
      dispatchedParam: (targets, index) => read(this.#dispatches.get(targets)?.params[index]),
      dispatchedResult: targets => read(this.#dispatches.get(targets)?.result),
    };
  }

  /** Stores the ranges in the program. */
  *apply(): PausableWork<void> {
    for (const [variable, { range }] of this.#variables) variable.range = rangeIn(range);
    const known = this.#knownFor(undefined);
    const visitor = {
      value(value: TypedValue): void {
        switch (value.kind) {
          case 'field':
          case 'call':
          case 'call-method':
          case 'call-closure':
            value.range = rangeIn(rangeOfValue(known, value));
            return;
          default:
        }
      },
    };
    const { functions, classes } = this.#program;
    for (const { body } of [...functions, ...classes.flatMap(({ methods }) => Array.from(methods.values()))]) {
      visitBody(body, visitor);
      yield;
    }
    visitCode(codeOutsideBodies(this.#program), visitor);
  }
}

const isInt = ({ type }: { readonly type: Type }): boolean => type.kind === 'int';
const rangeIn = (range: KnownRange): IntRange | undefined => (range === NO_VALUE ? undefined : range);

const newNode = (...sources: Source[]): RangeNode => ({
  sources,
  steps: exactly(0),
  base: NO_VALUE,
  range: NO_VALUE,
  changeCount: 0,
  maxChanges: MAX_CHANGES,
  users: new Set(),
});

const valueSource =
  (value: TypedValue): Source =>
  known =>
    rangeOfValue(known, value);

/** Identifies a field of a class; `undefined` for another type. */
const fieldKey = (type: Type, name: string): string | undefined =>
  type.kind === 'class' ? `${type.id} ${name}` : undefined;
const nameIn = (key: string): string => key.slice(key.indexOf(' ') + 1);

function addAssignment(node: RangeNode, { target, op, value }: AssignStmt): void {
  const step = stepOf(target, op, value);
  if (step === undefined)
    node.sources.push(known => {
      const assigned = rangeOfValue(known, value);
      return op === undefined ? assigned : operationRange(op, rangeOfValue(known, target), assigned);
    });
  else node.steps = { min: Math.min(node.steps.min, step), max: Math.max(node.steps.max, step) };
}

/** The step of an assignment that increments or decrements its target: `n += 1`, `n = n - 2`. */
function stepOf(target: AssignStmt['target'], op: AssignStmt['op'], value: TypedValue): number | undefined {
  if (op === undefined) {
    if (value.kind !== 'binary' || (value.op !== '+' && value.op !== '-') || !isSameTarget(target, value.left))
      return undefined;
    return stepOf(target, value.op, value.right);
  }
  if ((op !== '+' && op !== '-') || value.kind !== 'int') return undefined;
  const by = Number(op === '+' ? value.value : -value.value);
  return Math.abs(by) <= MAX_STEP ? by : undefined;
}

const isSameTarget = (a: TypedValue, b: TypedValue): boolean =>
  (a.kind === 'variable' && b.kind === 'variable' && a.variable === b.variable) ||
  (a.kind === 'self' && b.kind === 'self') ||
  (a.kind === 'field' && b.kind === 'field' && a.name === b.name && isSameTarget(a.object, b.object));

/** The statements that return from a body, without those of closures in it. */
function returnsOf(
  body: Pick<TypedBody, 'checks' | 'block'>,
): readonly Extract<TypedStmt, { readonly kind: 'return' }>[] {
  const inner = new Set<TypedStmt>();
  const found: Extract<TypedStmt, { readonly kind: 'return' }>[] = [];
  visitBody(body, {
    value(value) {
      if (value.kind === 'closure') visitCode({ block: value.body }, { stmt: stmt => void inner.add(stmt) });
    },
    stmt(stmt) {
      if (stmt.kind === 'return' && !inner.has(stmt)) found.push(stmt);
    },
  });
  return found;
}
