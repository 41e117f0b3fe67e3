import type { PausableWork } from '../../../../base/time-slice.ts';
import type { ClassType, EnumType, TraitSymbol, Type } from '../../../language/check/types/type.ts';
import { visitBody } from './children.ts';
import { hasLoop } from './code-extractor.ts';
import { isContainer } from './container-types.ts';
import { isJavaScriptType, type JavaScriptCode } from './javascript-code.ts';
import type { TypedFunction, TypedMethod, TypedProgram } from './typed-form.ts';

/** A class, an enum, or a trait, whose values are objects of any class with it. */
type HotType = ClassType | EnumType | TraitSymbol;

/** Calls `visit` with the classes, enums and traits that a type consists of. */
function eachNamedType(type: Type, visit: (type: HotType) => void): void {
  switch (type.kind) {
    case 'class':
    case 'enum':
      return visit(type);
    case 'trait':
      return visit(type.symbol);
    case 'list':
    case 'set':
    case 'nullable':
    case 'task':
    case 'sender':
    case 'receiver':
    case 'stream':
      return eachNamedType(type.element, visit);
    case 'map':
      eachNamedType(type.key, visit);
      return eachNamedType(type.value, visit);
    default:
  }
}

/** Calls `visit` with the types of maps, sets, bytes, and lists of such values that a type consists of. */
function eachContainer(type: Type, visit: (type: Type) => void): void {
  if (isContainer(type)) visit(type);
  switch (type.kind) {
    case 'list':
    case 'set':
    case 'nullable':
      return eachContainer(type.element, visit);
    case 'map':
      return eachContainer(type.value, visit);
    default:
  }
}

/**
 * The classes and enums whose values loops use that WebAssembly can express, and those whose values have such values in them. Without those
 * that tasks, channels and streams have, which copy them, or closures of JavaScript.
 */
export class HotTypes {
  readonly #hot = new Set<HotType>();
  readonly #cold = new Set<HotType>();
  /** The types of the values in those of each type, and the types whose values have such values in them. */
  readonly #inside = new Map<HotType, HotType[]>();
  readonly #around = new Map<HotType, HotType[]>();

  /** The types whose values have maps, lists of lists and so on in them, by the types of these. */
  readonly #holders = new Map<Type, HotType[]>();

  private constructor({ classes, enums }: TypedProgram) {
    for (const { type, fields, traits } of classes) {
      if (type === undefined) continue;
      for (const field of fields) this.#addContent(type, field.type);
      for (const trait of traits) this.#connect(trait, type);
    }
    for (const { type, variants } of enums) for (const field of variants.flat()) this.#addContent(type, field);
  }

  /** @param extracted the functions of loops */
  static *of(
    program: TypedProgram,
    javaScript: JavaScriptCode,
    extracted: readonly TypedFunction[],
  ): PausableWork<HotTypes> {
    const types = new HotTypes(program);
    const own = new Set<object>(javaScript.own);
    const methods = program.classes.flatMap(one => Array.from(one.methods.values()));
    for (const of of [...program.functions, ...methods, ...extracted]) {
      yield;
      types.#addCode(of, !javaScript.all.has(of) && of.body.block.some(hasLoop), own.has(of));
    }
    for (const { type, traits } of program.classes)
      if (type !== undefined && traits.some(trait => types.#hot.has(trait))) types.#hot.add(type);
    grow(types.#hot, types.#around);
    types.#removeCold();
    return types;
  }

  get isEmpty(): boolean {
    return this.#hot.size === 0;
  }

  /** Whether values of a type are, or have in them, values of a hot type, or maps and lists of lists as these have. */
  has(type: Type): boolean {
    let isHot = false;
    eachNamedType(type, one => {
      isHot ||= this.#hot.has(one);
    });
    eachContainer(type, one => {
      isHot ||= this.#holders.get(one)?.some(holder => this.#hot.has(holder)) ?? false;
    });
    return isHot;
  }

  /** Removes types, and those that are connected with them by their values. */
  remove(types: Iterable<Type>): void {
    for (const type of types) {
      eachNamedType(type, one => void this.#cold.add(one));
      eachContainer(type, one => this.#holders.get(one)?.forEach(holder => this.#cold.add(holder)));
    }
    this.#removeCold();
  }

  #addCode(of: TypedFunction | TypedMethod, isHot: boolean, isJavaScript: boolean): void {
    const addHot = (type: Type): void => eachNamedType(type, one => void this.#hot.add(one));
    const addCold = (type: Type): void => eachNamedType(type, one => void this.#cold.add(one));
    if (isHot && 'owner' in of && of.owner.type !== undefined) addHot(of.owner.type);
    for (const { type } of isHot ? of.body.params : []) addHot(type);
    visitBody(of.body, {
      value(value) {
        const { kind, type } = value;
        if (isHot) addHot(type);
        if (kind === 'spawn' || (kind === 'closure' && isJavaScript))
          for (const variable of value.captured.variables) addCold(variable.type);
        if (type.kind === 'task' || type.kind === 'sender' || type.kind === 'receiver' || type.kind === 'stream')
          addCold(type.element);
      },
    });
  }

  #addContent(outer: HotType, type: Type): void {
    eachNamedType(type, one => this.#connect(outer, one));
    eachContainer(type, one => add(this.#holders, one, outer));
    if (isJavaScriptType(type)) this.#cold.add(outer);
  }

  #connect(outer: HotType, inner: HotType): void {
    add(this.#inside, outer, inner);
    add(this.#around, inner, outer);
  }

  #removeCold(): void {
    grow(this.#cold, this.#inside);
    grow(this.#cold, this.#around);
    for (const one of this.#cold) this.#hot.delete(one);
  }
}

function add<K>(to: Map<K, HotType[]>, key: K, value: HotType): void {
  const others = to.get(key);
  if (others === undefined) to.set(key, [value]);
  else others.push(value);
}

/** The set grows while it is visited. */
function grow(types: Set<HotType>, next: ReadonlyMap<HotType, readonly HotType[]>): void {
  for (const one of types) for (const other of next.get(one) ?? []) types.add(other);
}
