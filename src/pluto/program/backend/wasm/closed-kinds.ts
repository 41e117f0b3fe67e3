import { runToEnd } from '../../../../base/time-slice.ts';
import type { ClassType, EnumType, FnType, TraitSymbol, Type } from '../../../language/check/types/type.ts';
import type { ClosureValue, TypedClass } from '../typed/typed-form.ts';
import type { ClosableType, ClosureCode, FunctionValues } from './callee.ts';
import { capturedTypes } from './closures.ts';
import { connectedGroups } from './connected-groups.ts';
import type { FunctionContext } from './function-code.ts';
import {
  ANY_OBJECT,
  firstVariantType,
  indexOfKind,
  isObject,
  type Kind,
  kindOf,
  type Layout,
  type ObjectKind,
  objectType,
  presentOf,
  type VariantLayout,
} from './kinds.ts';

/** The kinds of types if the values of some classes and enums are only in WebAssembly. */
export class ClosedKinds {
  readonly #closed: readonly ClosableType[];
  readonly #isOpen: (type: Type) => boolean;
  readonly #kinds = new Map<ClassType | EnumType | FnType, ObjectKind>();
  /** The traits of classes whose objects JavaScript has. */
  readonly #openTraits = new Set<TraitSymbol>();
  readonly #numbers = new Map<FunctionValues, ReadonlyMap<ClosureValue, number>>();
  #layouts: readonly Layout[] | undefined;
  #cycles: ReadonlyMap<ObjectKind, readonly ObjectKind[]> | undefined;

  /**
   * @param classes all of the program
   * @param closed the types whose values are only in WebAssembly
   * @param isOpen whether JavaScript has the lists, maps or sets of a type
   */
  constructor(classes: readonly TypedClass[], closed: readonly ClosableType[], isOpen: (type: Type) => boolean) {
    this.#closed = closed;
    this.#isOpen = isOpen;
    for (const [index, { type }] of closed.entries())
      if (type !== undefined) this.#kinds.set(type, `object ${index + 1}`);
    for (const { type, traits } of classes)
      if (type === undefined || !this.#kinds.has(type)) for (const trait of traits) this.#openTraits.add(trait);
  }

  /** `undefined` for a type that WebAssembly code does not support. */
  readonly kindOf = (type: Type): Kind | undefined =>
    kindOf(type, {
      objectOf: of => {
        if (of.kind !== 'trait') return this.#kinds.get(of);
        return this.#openTraits.has(of.symbol) ? undefined : ANY_OBJECT;
      },
      isOpen: this.#isOpen,
    });

  /** A closed type. */
  closedOf(type: Type): ClosableType | undefined {
    const isClosable = type.kind === 'class' || type.kind === 'enum' || type.kind === 'fn';
    const kind = isClosable ? this.#kinds.get(type) : undefined;
    return kind && this.#closedWith(kind);
  }

  #closedWith(kind: ObjectKind): ClosableType | undefined {
    return this.#closed[indexOfKind(kind) - 1];
  }

  readonly field: FunctionContext['field'] = (object, name) => {
    const of = this.#closedWith(object);
    if (of === undefined || !('fields' in of)) return undefined;
    const index = of.fields.findIndex(one => one.name === name);
    const type = of.fields[index]?.type;
    const kind = type && this.kindOf(type);
    return kind && { index: index + Number(hasNumber(of)), kind, type };
  };

  readonly enumOf: FunctionContext['enumOf'] = object => {
    const of = this.#closedWith(object);
    const layout = this.layouts[indexOfKind(object)];
    if (of === undefined || !('variants' in of) || layout?.kind !== 'enum') return undefined;
    return { of, variants: layout.variants, cycle: this.#cycleOf(object) };
  };

  readonly functionsOf: FunctionContext['functionsOf'] = object => {
    const of = this.#closedWith(object);
    const layout = this.layouts[indexOfKind(object)];
    if (of === undefined || !('closures' in of) || layout?.kind !== 'functions') return undefined;
    let numbers = this.#numbers.get(of);
    if (numbers === undefined)
      this.#numbers.set(of, (numbers = new Map(of.closures.map(({ closure }, number) => [closure, number]))));
    return { of, layouts: layout.variants, numberOf: closure => numbers.get(closure) };
  };

  #cycleOf(kind: ObjectKind): readonly ObjectKind[] {
    this.#cycles ??= cyclesOf(this.layouts);
    return this.#cycles.get(kind) ?? [];
  }

  /** The structures of `ANY_OBJECT` and the closed types. */
  get layouts(): readonly Layout[] {
    this.#layouts ??= this.#newLayouts();
    return this.#layouts;
  }

  #newLayouts(): readonly Layout[] {
    const kindsOf = (types: readonly Type[]): readonly Kind[] =>
      types.map(type => this.kindOf(type)).filter(kind => kind !== undefined);
    let type = firstVariantType(this.#closed.length + 1);
    let constant = 0;
    const layouts = this.#closed.map((of, index): Layout => {
      if ('fields' in of)
        return { kind: 'class', hasNumber: hasNumber(of), fields: kindsOf(of.fields.map(field => field.type)) };
      if ('closures' in of) {
        const fieldsOf = (one: ClosureCode): readonly Kind[] => kindsOf(capturedTypes(one) ?? []);
        const variants = of.closures.map(one => ({ type: type++, fields: fieldsOf(one), constant: undefined }));
        return { kind: 'functions', variants };
      }
      const variants = of.variants.map((fields): VariantLayout => {
        if (fields.length > 0) return { type: type++, fields: kindsOf(fields), constant: undefined };
        return { type: objectType(`object ${index + 1}`), fields: [], constant: constant++ };
      });
      return { kind: 'enum', variants };
    });
    return [{ kind: 'any' }, ...layouts];
  }
}

/** Whether objects of a class have its number, by which calls through traits find the method. */
const hasNumber = ({ traits }: TypedClass): boolean => traits.length > 0;

/** The enums whose values contain each other, not through objects and lists: each with all others of its cycle. */
function cyclesOf(layouts: readonly Layout[]): ReadonlyMap<ObjectKind, readonly ObjectKind[]> {
  const cycles = new Map<ObjectKind, readonly ObjectKind[]>();
  const contents = layouts.map((layout): ReadonlySet<ObjectKind> => {
    const fields = layout.kind === 'enum' ? layout.variants.flatMap(variant => variant.fields) : [];
    return new Set(fields.map(presentOf).filter(isObject));
  });
  const nextOf = (kind: ObjectKind): ReadonlySet<ObjectKind> => contents[indexOfKind(kind)] ?? new Set();
  for (const index of layouts.keys())
    runToEnd(
      connectedGroups<ObjectKind>(`object ${index}`, { nextOf, isInGroup: kind => cycles.has(kind) }, members => {
        const containsItself = members.length > 1 || members.some(member => nextOf(member).has(member));
        for (const member of members) cycles.set(member, containsItself ? members : []);
      }),
    );
  return cycles;
}
