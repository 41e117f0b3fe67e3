import type { ProjectPath } from '../../../../base/brand.ts';
import type { PausableWork } from '../../../../base/time-slice.ts';
import type { ClassType, TraitSymbol, Type } from '../../../language/check/types/type.ts';
import { stdNameOf } from '../../../language/std/std-path.ts';
import { CallGraph } from '../typed/call-graph.ts';
import {
  codeOutsideBodies,
  directTarget,
  eachChildOfStmt,
  eachChildOfValue,
  visitBody,
  visitCode,
} from '../typed/children.ts';
import type {
  TypedBody,
  TypedFunction,
  TypedMethod,
  TypedProgram,
  TypedStmt,
  TypedValue,
} from '../typed/typed-form.ts';
import { Analyses, isContainerType, type UsedType, usedTypes } from './analyses.ts';
import type { Callee, ClosableType, FunctionValues } from './callee.ts';
import { capturedTypes, functionValuesOf, typesOfCalls } from './closures.ts';
import { ClosedKinds } from './closed-kinds.ts';
import { isContainer } from '../typed/container-types.ts';
import { isPartOf, isStringList } from './kinds.ts';

/** Rounds after which all objects stay in JavaScript. Each round looks at the whole program. */
const MAX_ROUNDS = 12;

/**
 * Finds the classes and enums whose values only WebAssembly code makes, reads and compares. JavaScript may keep such a value in a variable, and
 * pass it on, but no structure, closure or task of JavaScript may get it.
 */
export function* closedTypes(program: TypedProgram): PausableWork<Analyses> {
  /** Types of lists of strings, and of containers. */
  const open = new Set<Type>();
  const isOpen = (type: Type): boolean => open.has(type);
  const functions = functionValuesOf(program);
  const callCounts = callCountsOf(program);
  const graph = yield* CallGraph.of(program);
  const all = [...program.classes.filter(({ type }) => type !== undefined), ...program.enums, ...functions];
  let closed = withSupportedFields(program, all, isOpen);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const kinds = new ClosedKinds(program.classes, closed, isOpen);
    const analyses: Analyses = yield* Analyses.of(program, kinds);
    const { escaped, opened }: Escapes = yield* new EscapeAnalysis(
      program,
      analyses,
      functions,
      callCounts,
      graph,
    ).find();
    if (escaped.size === 0 && opened.size === 0) return analyses;
    for (const type of opened) open.add(type);
    closed = withSupportedFields(
      program,
      closed.filter(one => !escaped.has(one)),
      isOpen,
    );
  }
  return yield* Analyses.of(program, new ClosedKinds(program.classes, [], () => true));
}

/** How many calls of each function a program has. */
function callCountsOf(program: TypedProgram): ReadonlyMap<TypedFunction, number> {
  const counts = new Map<TypedFunction, number>();
  const value = (one: TypedValue): void => {
    if (one.kind === 'call') counts.set(one.callee, (counts.get(one.callee) ?? 0) + 1);
  };
  for (const { body } of program.functions) visitBody(body, { value });
  for (const { methods } of program.classes) for (const { body } of methods.values()) visitBody(body, { value });
  visitCode(codeOutsideBodies(program), { value });
  return counts;
}

/** Limits of V8, which refuses the module of the whole program otherwise: of fields, and less than half of the limit of branches of a table. */
const MAX_FIELDS = 10_000;
const MAX_VARIANTS = 10_000;

function withSupportedFields(
  { classes }: TypedProgram,
  all: readonly ClosableType[],
  isOpen: (type: Type) => boolean,
): readonly ClosableType[] {
  const kinds = new ClosedKinds(classes, all, isOpen);
  const unfit = new Set<UsedType>();
  /** The types with fields of a type, and the traits of a class. */
  const users = new Map<UsedType, UsedType[]>();
  const add = (used: UsedType, user: UsedType): void => {
    const others = users.get(used) ?? [];
    users.set(used, others);
    others.push(user);
  };
  for (const one of all) {
    if (typesIn(one).length > MAX_VARIANTS) unfit.add(one);
    if ('traits' in one) for (const trait of one.traits) add(one, trait);
    for (const fields of typesIn(one)) {
      if (fields === undefined || fields.length > MAX_FIELDS) unfit.add(one);
      for (const type of fields ?? []) {
        if (kinds.kindOf(type) === undefined) unfit.add(one);
        else for (const used of usedTypes(kinds, type)) add(used, one);
      }
    }
  }
  // The set grows while it is visited.
  for (const one of unfit) for (const user of users.get(one) ?? []) unfit.add(user);
  return all.filter(one => !unfit.has(one));
}

/** The types in the values of a type, by variants or closures; `undefined` for a value that has no type. */
function typesIn(one: ClosableType): readonly (readonly Type[] | undefined)[] {
  if ('variants' in one) return one.variants;
  if ('fields' in one) return [one.fields.map(({ type }) => type)];
  return [...one.closures.map(capturedTypes), typesOfCalls(one.type)];
}

/** The surroundings of code of JavaScript. */
interface CodeContext {
  /** Whether it runs more than once, or may. */
  readonly isRepeated: boolean;
  /** Whether it blocks, which takes longer than a call of WebAssembly. Its loops that do not block are separate functions. */
  readonly isBlocking?: boolean;
  /** The type that it returns; `undefined` in a closure. */
  readonly result: Type | undefined;
}

/** The uses of values that must not be in WebAssembly. */
interface Escapes {
  readonly escaped: ReadonlySet<ClosableType>;
  /**
   * Types of containers on which JavaScript code works, and of lists of strings on which it works more than once. Its calls of WebAssembly
   * would take longer than they save.
   */
  readonly opened: ReadonlySet<Type>;
}

/** Variables, singletons, calls of functions of the program, and these with `?`. */
const PASSED = new Set<TypedValue['kind']>([
  'variable',
  'singleton',
  'call',
  'call-method',
  'call-closure',
  'none-exit',
]);

const isStandardPath = (path: string): boolean => stdNameOf(path as ProjectPath) !== undefined;

/** Whether a value is a field of the app, which nothing copies or compares. */
const isAppField = (value: TypedValue): boolean => value.kind === 'field' && value.object.type.kind === 'app';

/** Finds the classes whose objects get into JavaScript code that does more than pass them on. */
class EscapeAnalysis {
  readonly #program: TypedProgram;
  readonly #analyses: Analyses;
  readonly #functions: readonly FunctionValues[];
  readonly #callCounts: ReadonlyMap<TypedFunction, number>;
  readonly #graph: CallGraph;
  /** Functions that run once. */
  readonly #once = new Set<TypedFunction>();
  /** Functions that JavaScript code calls: those that only WebAssembly code calls run there. */
  readonly #called = new Set<TypedFunction>();
  readonly #escaped = new Set<ClosableType>();
  /** Types that a loop or recursion uses. */
  readonly #repeated = new Set<UsedType>();
  readonly #escapedTraits = new Set<TraitSymbol>();
  #classesOfTraits: Map<TraitSymbol, ClassType[]> | undefined;
  readonly #opened = new Set<Type>();
  #context: CodeContext = { isRepeated: true, result: undefined };

  constructor(
    program: TypedProgram,
    analyses: Analyses,
    functions: readonly FunctionValues[],
    callCounts: ReadonlyMap<TypedFunction, number>,
    graph: CallGraph,
  ) {
    this.#program = program;
    this.#analyses = analyses;
    this.#functions = functions;
    this.#callCounts = callCounts;
    this.#graph = graph;
  }

  *find(): PausableWork<Escapes> {
    const { functions, classes, enums, singletons, entry, tests } = this.#program;
    for (const { body } of tests) this.#once.add(body);
    if (entry?.kind === 'function') this.#once.add(entry.function);
    const used = new Set<UsedType>();
    const worth = new Set<UsedType>();
    /** Code of the program with loops or recursion, and all that it calls. */
    const repeated = new Set<Callee>();
    const methods = classes.flatMap(one => Array.from(one.methods.values()));
    for (const of of [...functions, ...methods]) {
      yield;
      if (!this.#analyses.isWasm(of)) continue;
      for (const one of this.#analyses.analyze(of)?.closed ?? []) used.add(one);
      if (this.#analyses.isWorthCalling(of) && !this.#isStandard(of)) repeated.add(of);
    }
    // The set grows while it is visited.
    for (const of of repeated) {
      yield;
      const { closed = [], callees = [] } = this.#analyses.analyze(of) ?? {};
      for (const one of closed) worth.add(one);
      for (const one of callees) repeated.add(one);
    }
    for (const one of methods) {
      yield;
      const isMain = entry?.kind === 'app' && entry.main === one;
      if (!this.#analyses.isWasm(one)) this.#body(one, !isMain);
    }
    for (const one of worth) this.#repeated.add(one);
    yield* this.#addConnected(worth);
    this.#context = { isRepeated: true, result: undefined };
    for (const one of classes) {
      const isClosed = one.type !== undefined && this.#analyses.kinds.closedOf(one.type) !== undefined;
      if (isClosed) {
        // Objects that are not connected with any that a loop or recursion uses are as fast in JavaScript.
        const isWorth = worth.has(one) || one.traits.some(trait => worth.has(trait));
        if (!isWorth || !this.#analyses.isSupported(one)) this.#escaped.add(one);
      } else for (const check of one.invariants) this.#stmt(check);
    }
    for (const one of enums)
      if (this.#analyses.kinds.closedOf(one.type) !== undefined && !worth.has(one)) this.#escaped.add(one);
    for (const one of this.#functions)
      if (this.#analyses.kinds.closedOf(one.type) !== undefined && !(worth.has(one) && this.#analyses.isSupported(one)))
        this.#escaped.add(one);
    for (const one of used) if (isContainerType(one) && !worth.has(one)) this.#open(one);
    this.#context = { isRepeated: false, result: undefined };
    for (const one of singletons) if (!this.#analyses.isWasm(one)) this.#value(one.value, undefined);
    if (entry?.kind === 'app') this.#value(entry.app, undefined);
    for (const one of this.#once) this.#called.add(one);
    // The set grows while it is visited.
    for (const one of this.#called) {
      yield;
      if (!this.#analyses.isWasm(one)) this.#body(one, !this.#once.has(one));
    }
    return { escaped: this.#escaped, opened: this.#opened };
  }

  /**
   * Whether code is of the standard library, and uses no values of the program. Programs often call such code once, and compiling its WebAssembly takes longer
   * then: 40 ms for `std.json`.
   */
  #isStandard(of: TypedFunction | TypedMethod): boolean {
    if (!isStandardPath('owner' in of ? of.owner.path : of.path)) return false;
    const closed = Array.from(this.#analyses.analyze(of)?.closed ?? []);
    return closed.every(one => isContainerType(one) || 'serial' in one || ('path' in one && isStandardPath(one.path)));
  }

  /**
   * Adds the types in the values of types, and those whose values have such values in them, or that code uses together with them: without them, the
   * values would not be in WebAssembly.
   */
  *#addConnected(types: Set<UsedType>): PausableWork<void> {
    const { kinds } = this.#analyses;
    const { functions, classes, enums, singletons } = this.#program;
    /** Types of which each needs the others. */
    const groups = new Map<UsedType, Iterable<UsedType>[]>();
    const connect = (all: Iterable<UsedType>): void => {
      for (const one of all) {
        const others = groups.get(one) ?? [];
        groups.set(one, others);
        others.push(all);
      }
    };
    for (const one of [...classes, ...enums, ...this.#functions]) {
      if (one.type === undefined || kinds.closedOf(one.type) === undefined) continue;
      for (const type of typesIn(one).flat())
        if (type !== undefined) connect(new Set([one, ...usedTypes(kinds, type)]));
    }
    const methods = classes.flatMap(one => Array.from(one.methods.values()));
    const closures = this.#functions.flatMap(one => one.closures);
    for (const of of [...functions, ...methods, ...classes, ...singletons, ...closures]) {
      yield;
      if (this.#analyses.isSupported(of)) connect(this.#analyses.analyze(of)?.closed ?? []);
    }
    const added = new Set<Iterable<UsedType>>();
    // The set grows while it is visited.
    for (const one of types)
      for (const group of groups.get(one) ?? []) {
        if (added.has(group)) continue;
        added.add(group);
        for (const other of group) types.add(other);
      }
  }

  #body(of: TypedFunction | TypedMethod, isRepeated: boolean): void {
    const { checks, block, result } = of.body;
    this.#context = { isRepeated, isBlocking: this.#graph.isBlocking(of), result };
    for (const check of checks)
      if (check.kind === 'check') this.#stmt(check);
      else {
        this.#called.add(check.contract);
        this.#call(check.contract);
      }
    for (const stmt of block) this.#stmt(stmt);
  }

  /** Leaves lists of strings, or containers, to JavaScript. */
  #open(type: Type): void {
    if (this.#analyses.kinds.kindOf(type) !== undefined) this.#opened.add(type);
  }

  #escape(type: Type): void {
    if (isContainer(type)) this.#open(type);
    switch (type.kind) {
      case 'class':
      case 'enum': {
        const found = this.#analyses.kinds.closedOf(type);
        if (found !== undefined) this.#escaped.add(found);
        return;
      }
      case 'trait':
        return this.#escapeTrait(type.symbol);
      case 'list':
      case 'task':
      case 'sender':
      case 'receiver':
      case 'stream':
      case 'nullable':
      case 'set':
        return this.#escape(type.element);
      case 'map':
        this.#escape(type.key);
        return this.#escape(type.value);
      case 'fn': {
        const found = this.#analyses.kinds.closedOf(type);
        if (found !== undefined) this.#escaped.add(found);
        type.params.forEach(param => this.#escape(param));
        return this.#escape(type.result);
      }
      default:
    }
  }

  /** All objects with a trait get into JavaScript code. */
  #escapeTrait(trait: TraitSymbol): void {
    if (this.#escapedTraits.has(trait)) return;
    this.#escapedTraits.add(trait);
    for (const type of this.#classesWith(trait)) this.#escape(type);
  }

  #classesWith(trait: TraitSymbol): readonly ClassType[] {
    if (this.#classesOfTraits === undefined) {
      this.#classesOfTraits = new Map();
      for (const { type, traits } of this.#program.classes)
        for (const one of traits) {
          if (type === undefined) continue;
          const others = this.#classesOfTraits.get(one) ?? [];
          this.#classesOfTraits.set(one, others);
          others.push(type);
        }
    }
    return this.#classesOfTraits.get(trait) ?? [];
  }

  /** @param place the type of the variable, parameter or result that gets the value; `undefined` for any other use */
  #value(value: TypedValue, place: Type | undefined): void {
    // Closures and tasks keep `self`.
    const isOwnSelf = value.kind === 'self' && this.#context.result !== undefined;
    const isPassed = PASSED.has(value.kind) || isOwnSelf || isAppField(value);
    if (!isPassed || !this.#fits(value.type, place)) {
      this.#escape(value.type);
      if (place !== undefined) this.#escape(place);
    }
    switch (value.kind) {
      case 'call':
        this.#called.add(value.callee);
        if (!this.#context.isRepeated && this.#callCounts.get(value.callee) === 1) this.#once.add(value.callee);
        this.#call(value.callee);
        return this.#args(value.callee.body, value.args);
      case 'call-method': {
        const target = directTarget(value);
        if (target !== undefined) this.#call(target);
        this.#value(value.receiver, target?.owner.type);
        return target === undefined
          ? value.args.forEach(arg => this.#value(arg, undefined))
          : this.#args(target.body, value.args);
      }
      case 'none-exit':
        return this.#value(value.operand, value.operand.type);
      case 'call-closure':
        this.#escape(value.variable.type);
        return this.#children(value);
      case 'closure':
      case 'spawn': {
        for (const { type } of value.captured.variables) this.#escape(type);
        const outer = this.#context;
        this.#context = { isRepeated: true, result: undefined };
        this.#children(value);
        this.#context = outer;
        return;
      }
      case 'object':
        // Only the app has no type.
        for (const field of value.fields)
          this.#value(field.value, value.of.type === undefined ? value.of.fields[field.index]?.type : undefined);
        return;
      case 'list':
        this.#useList(value.type);
        return this.#children(value);
      case 'index':
        this.#useList(value.object.type);
        return this.#children(value);
      case 'call-builtin-method':
        this.#useList(value.receiver.type);
        return this.#children(value);
      default:
        return this.#children(value);
    }
  }

  #useList(type: Type): void {
    if (this.#context.isRepeated && isStringList(type)) this.#open(type);
  }

  #children(value: TypedValue): void {
    eachChildOfValue(value, { value: one => this.#value(one, undefined), stmt: one => this.#stmt(one) });
  }

  #fits(type: Type, place: Type | undefined): boolean {
    const kind = this.#analyses.kinds.kindOf(type);
    const other = place && this.#analyses.kinds.kindOf(place);
    return kind !== undefined && other !== undefined && isPartOf(kind, other);
  }

  #args({ params }: TypedBody, args: readonly TypedValue[]): void {
    for (const [index, arg] of args.entries()) this.#value(arg, params[index]?.type);
  }

  /** A call of short code takes longer from JavaScript. */
  #call(callee: Callee): void {
    const { isRepeated, isBlocking = false } = this.#context;
    if (!isRepeated || isBlocking || !this.#analyses.isWasm(callee) || this.#analyses.isWorthCalling(callee)) return;
    const all = Array.from(this.#analyses.analyze(callee)?.closed ?? []);
    // Without the types that are only connected with others, the code stays in JavaScript.
    const connected = all.filter(one => !this.#repeated.has(one));
    for (const one of connected.length > 0 ? connected : all)
      if (isContainerType(one)) this.#open(one);
      else if ('serial' in one) this.#escapeTrait(one);
      else this.#escaped.add(one);
  }

  #stmt(stmt: TypedStmt): void {
    switch (stmt.kind) {
      case 'let':
        return this.#value(stmt.value, stmt.variable.type);
      case 'return':
        if (stmt.value !== undefined) this.#value(stmt.value, this.#context.result);
        return;
      case 'outcome':
        return this.#value(stmt.call, stmt.call.type);
      case 'assign':
        if ((stmt.target.kind === 'variable' || isAppField(stmt.target)) && stmt.op === undefined)
          return this.#value(stmt.value, stmt.target.type);
        break;
      case 'while':
      case 'count':
      case 'each': {
        const outer = this.#context;
        this.#context = { ...outer, isRepeated: true };
        if (stmt.kind === 'each') this.#useList(stmt.iterable.type);
        eachChildOfStmt(stmt, { value: one => this.#value(one, undefined), stmt: one => this.#stmt(one) });
        this.#context = outer;
        return;
      }
      default:
    }
    eachChildOfStmt(stmt, { value: one => this.#value(one, undefined), stmt: one => this.#stmt(one) });
  }
}
