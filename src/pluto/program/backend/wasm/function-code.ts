import type { Type } from '../../../language/check/types/type.ts';
import type {
  ClosureValue,
  IndexValue,
  Place,
  TypedBlock,
  TypedEnum,
  TypedError,
  TypedExtern,
  TypedSingleton,
  TypedValue,
  Variable,
} from '../typed/typed-form.ts';
import { type TypeCode, WasmCode } from './encoder.ts';
import { box } from './boxes.ts';
import type { Callee, FunctionValues, Guard } from './callee.ts';
import {
  arrayType,
  codeOf,
  type Imported,
  importIndex,
  isBoxed,
  isForeign,
  isInAnyArray,
  isNullable,
  isPacked,
  isPartOf,
  isShared,
  type Kind,
  type ObjectKind,
  presentOf,
  type Shared,
  structureType,
  type VariantLayout,
} from './kinds.ts';
import { unsupported } from './unsupported.ts';

/** The part of a module that one of its functions uses. */
export interface FunctionContext {
  /** The index of a function. @throws Unsupported */
  functionIndex(callee: Callee): number;
  /** The index of the import of an extern. */
  externIndex(extern: TypedExtern): number;
  /** The global with the instance of a singleton. */
  singletonGlobal(of: TypedSingleton): number;
  /** The index of the type of a function that is called by the table of all functions. */
  typeOf(callee: Callee): number;
  /** The function that catches the errors of other code. */
  guardOf(guarded: Callee): Guard;
  /** `undefined` for a type that WebAssembly code does not support. */
  kindOf(type: Type): Kind | undefined;
  /** A field of an object. */
  field(
    kind: ObjectKind,
    name: string,
  ): { readonly index: number; readonly kind: Kind; readonly type: Type } | undefined;
  /** A closed enum. */
  enumOf(kind: ObjectKind): ClosedEnum | undefined;
  /** Closed function values. */
  functionsOf(kind: ObjectKind): ClosedFunctions | undefined;
  /** The index of a constant text. */
  text(text: string): number;
  /** The index of the type of an error. */
  error(error: TypedError): number;
  /** Notes that JavaScript gets lists with these elements, or gives them. */
  sharesLists(of: Shared): void;
  /** Notes that the runtime may raise errors in the code. */
  raisesErrors(): void;
  /** Notes that the module reads bytes of strings. */
  readsBytes(): void;
}

export interface ClosedEnum {
  readonly of: TypedEnum;
  /** By their tags. */
  readonly variants: readonly VariantLayout[];
  /** The enums whose values may contain values of this one and be contained in them; the same array for all of them. Empty if there are none. */
  readonly cycle: readonly ObjectKind[];
}

export interface ClosedFunctions {
  readonly of: FunctionValues;
  /** By the numbers of the closures. */
  readonly layouts: readonly VariantLayout[];
  numberOf(closure: ClosureValue): number | undefined;
}

/** A variable of WebAssembly code. */
export interface WasmLocal {
  readonly index: number;
  readonly kind: Kind;
  /** Whether it is the variable of a loop, which nothing else changes. */
  readonly isCounter?: boolean;
  readonly hoisted?: HoistedList;
}

/** Variables with the length of a list, an int, and its array, which are read before a loop that changes neither. */
export interface HoistedList {
  readonly length: number;
  readonly items: number;
}

/** The labels of a loop. */
export interface Loop {
  readonly exit: number;
  readonly again: number;
}

/** How the call in a value is emitted. */
export interface Calls {
  call(callee: Callee): void;
  /** Emits code that runs after a call unless it raised an error. */
  after(emit: () => void): void;
}

export type EmitValue = (body: FunctionCode, value: TypedValue, wanted: Kind | undefined) => Kind | undefined;

/** The WebAssembly of one function while it is emitted. */
export class FunctionCode {
  readonly context: FunctionContext;
  readonly code = new WasmCode();
  /** The types of all variables except parameters. */
  readonly locals: TypeCode[] = [];
  readonly result: Kind | undefined;
  readonly #emitValue: EmitValue;
  readonly #assignedInValues: ReadonlySet<Variable>;
  readonly #variables = new Map<Variable, WasmLocal>();
  /** Emits statements inside of a value; `undefined` in code that has none. */
  emitStatements: ((stmts: TypedBlock) => void) | undefined;
  /** Variables whose values it returns after its result. */
  outputs: readonly Variable[] = [];
  readonly #hoisted = new Set<Variable>();
  /** Reads and writes of lists whose indices are known to be inside. */
  #proven: ReadonlySet<IndexValue> = new Set();
  #count = 0;
  /** Number of open blocks. */
  #depth = 0;
  #place: Place | undefined;
  #self: WasmLocal | undefined;

  /** @param assignedInValues the variables that statements inside of values assign to */
  constructor(
    context: FunctionContext,
    emitValue: EmitValue,
    result: Kind | undefined,
    assignedInValues: ReadonlySet<Variable> = new Set(),
  ) {
    this.context = context;
    this.result = result;
    this.#emitValue = emitValue;
    this.#assignedInValues = assignedInValues;
  }

  parameter(variable: Variable, kind: Kind): void {
    this.#variables.set(variable, { index: this.#count, kind });
    this.#count += 1;
  }

  /** A parameter without a variable. @returns its index */
  argument(): number {
    this.#count += 1;
    return this.#count - 1;
  }

  /** The object of a method, which is its first parameter. */
  selfParameter(kind: ObjectKind): void {
    this.#self = { index: this.#count, kind };
    this.#count += 1;
  }

  /** @throws Unsupported */
  get self(): WasmLocal {
    return this.#self ?? unsupported();
  }

  /** A new variable. @returns its index */
  declare(variable: Variable, kind: Kind, isCounter = false): number {
    const index = this.local(kind);
    this.#variables.set(variable, { index, kind, isCounter });
    return index;
  }

  statements(stmts: TypedBlock): void {
    (this.emitStatements ?? unsupported())(stmts);
  }

  /** @throws Unsupported */
  kindOfType(type: Type): Kind {
    return this.context.kindOf(type) ?? unsupported(`type ${type.kind}`);
  }

  /** A new variable for a value of this kind. */
  local(kind: Kind | TypeCode): number {
    this.locals.push(typeof kind === 'string' ? codeOf(kind) : kind);
    this.#count += 1;
    return this.#count - 1;
  }

  variable(variable: Variable): WasmLocal {
    return this.#variables.get(variable) ?? unsupported();
  }

  /**
   * Emits a loop that changes neither the variables of some lists nor the lengths of lists, and hoists reads of these lists out of it.
   *
   * @param lists those that are not emitted yet are inside the loop
   * @param hoist reads the length of a list, and its array, into variables
   */
  withHoistedLists(lists: Iterable<Variable>, hoist: (list: WasmLocal) => HoistedList, loop: () => void): void {
    const before = new Map<Variable, WasmLocal>();
    for (const variable of lists) {
      const list = this.#variables.get(variable);
      if (list === undefined || list.hoisted !== undefined) continue;
      before.set(variable, list);
      this.#variables.set(variable, { ...list, hoisted: hoist(list) });
      this.#hoisted.add(variable);
    }
    loop();
    for (const [variable, list] of before) {
      this.#variables.set(variable, list);
      this.#hoisted.delete(variable);
    }
  }

  /** The list variables whose lengths and arrays the loops around the code do not change. */
  get hoistedLists(): ReadonlySet<Variable> {
    return this.#hoisted;
  }

  /** Emits code in which the indices of these reads and writes are inside of their lists. */
  withProven(uses: Iterable<IndexValue>, inside: () => void): void {
    this.#proven = new Set(uses);
    inside();
    this.#proven = new Set();
  }

  isProven(use: IndexValue): boolean {
    return this.#proven.has(use);
  }

  /** Emits a value and leaves it on the stack. @param wanted for a list without elements */
  value(value: TypedValue, wanted?: Kind): Kind {
    return this.#emitValue(this, value, wanted) ?? unsupported();
  }

  /** Emits a value that must be of a kind. */
  as(value: TypedValue, wanted: Kind): void {
    this.convert(this.value(value, wanted), wanted);
  }

  /** Makes the value on the stack one of another kind. */
  convert(kind: Kind, wanted: Kind): void {
    if (!isPartOf(kind, wanted)) unsupported();
    if (isBoxed(wanted) && kind !== wanted) box(this.code, wanted);
  }

  /** Emits a value into a variable, unless it is one already that no other value changes. */
  toLocal(value: TypedValue): WasmLocal {
    if (value.kind === 'variable' && !this.#assignedInValues.has(value.variable)) return this.variable(value.variable);
    if (value.kind === 'self') return this.self;
    const kind = this.value(value);
    const index = this.local(kind);
    this.code.at('local.set', index);
    return { index, kind };
  }

  call(name: Imported): void {
    this.code.at('call', importIndex(name));
  }

  callFunction(callee: Callee): void {
    this.code.at('call', this.context.functionIndex(callee));
  }

  /** Emits a call that V8 does not inline. */
  callByTable(callee: Callee): void {
    this.code.i32(this.context.functionIndex(callee)).callByTable(this.context.typeOf(callee));
  }

  /** Calls in code that catches no errors. */
  readonly calls: Calls = {
    call: callee => this.callFunction(callee),
    after: emit => emit(),
  };

  /** Leaves a constant text. */
  text(text: string): void {
    this.code.at('global.get', this.context.text(text));
  }

  /** Leaves the element of a kind, from its array and its index. */
  element(kind: Kind): void {
    this.code.gc(isPacked(kind) ? 'array.get_u' : 'array.get', arrayType(kind));
    if (!isInAnyArray(kind)) return;
    const present = isBoxed(kind) ? kind : presentOf(kind);
    if (!isShared(present) && !isForeign(present)) this.code.cast(structureType(present), isNullable(kind));
  }

  /** Leaves what arrays have instead of a value that is not there, and `none`. */
  null(kind: Kind): void {
    if (isForeign(presentOf(kind))) this.code.nullExtern();
    else this.code.nullCollected();
  }

  fail(message: string): void {
    this.code.i32(this.context.text(message));
    this.call('fail');
    this.code.op('unreachable');
  }

  /** Marks the code that `inside` emits with a source place. */
  at(place: Place | undefined, inside: () => void): void {
    const outer = this.#place;
    this.#setPlace(place);
    inside();
    this.#setPlace(outer);
  }

  #setPlace(place: Place | undefined): void {
    if (place?.file === this.#place?.file && place?.line === this.#place?.line) return;
    this.#place = place;
    this.code.mark(place === undefined ? '' : `${place.file}:${place.line}`);
  }

  /** Opens a block. @returns its label */
  open(what: 'block' | 'loop' | 'if' | 'try', type?: TypeCode): number {
    this.code.open(what, type);
    this.#depth += 1;
    return this.#depth;
  }

  end(): void {
    this.code.op('end');
    this.#depth -= 1;
  }

  branch(how: 'br' | 'br_if', label: number): void {
    this.code.at(how, this.#depth - label);
  }

  /** Branches to the label at the int on the stack. */
  branchTable(labels: readonly number[], otherwise: number): void {
    this.code.branchTable(
      labels.map(label => this.#depth - label),
      this.#depth - otherwise,
    );
  }
}
