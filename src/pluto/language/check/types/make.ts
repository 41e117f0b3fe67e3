import type {
  AppSymbol,
  AppType,
  StageSymbol,
  ClassSymbol,
  ClassType,
  EnumSymbol,
  EnumType,
  ErrorSymbol,
  ErrorType,
  FnType,
  ListType,
  MapType,
  ParamType,
  SimpleKind,
  SimpleType,
  TraitSymbol,
  TraitType,
  Type,
  WrapType,
} from './type.ts';

let lastId = 0;
const simple = (kind: SimpleKind): SimpleType => ({
  kind,
  id: (lastId += 1),
  isOpen: kind === 'unknown',
  depth: 0,
});

export const INT = simple('int');
export const FLOAT = simple('float');
export const BOOL = simple('bool');
export const STRING = simple('string');
export const BYTE = simple('byte');
export const BYTES = simple('bytes');
export const VOID = simple('void');
export const RANGE = simple('range');
export const NONE = simple('none');
export const NEVER = simple('never');
export const UNKNOWN = simple('unknown');
export const ANY_ERROR = simple('any-error');

/** Primitive types by name. */
export const primitives: ReadonlyMap<string, SimpleType> = new Map(
  [INT, FLOAT, BOOL, STRING, BYTE, BYTES, VOID].map(type => [type.kind, type]),
);

// Types are interned globally: a type with the same parts is the same object in every checker. Types of a declaration
// are cached by its symbol, and collected with the program.
const lists = new WeakMap<Type, ListType>();
const wraps = new WeakMap<Type, Map<WrapType['kind'], WrapType>>();
const maps = new WeakMap<Type, WeakMap<Type, MapType>>();
const named = new WeakMap<object, Map<string, Type>>();

export function listOf(element: Type): ListType {
  let type = lists.get(element);
  if (type === undefined) {
    type = { kind: 'list', id: (lastId += 1), isOpen: element.isOpen, depth: element.depth + 1, element };
    lists.set(element, type);
  }
  return type;
}

export function wrap(kind: WrapType['kind'], element: Type): WrapType {
  let known = wraps.get(element);
  if (known === undefined) wraps.set(element, (known = new Map()));
  let type = known.get(kind);
  if (type === undefined)
    known.set(kind, (type = { kind, id: (lastId += 1), isOpen: element.isOpen, depth: element.depth + 1, element }));
  return type;
}

/** `T?`; a nullable type stays as it is. */
export const nullableOf = (inner: Type): Type =>
  inner.kind === 'nullable' || inner.kind === 'unknown' || inner.kind === 'none' ? inner : wrap('nullable', inner);

export function mapOf(key: Type, value: Type): MapType {
  let known = maps.get(key);
  if (known === undefined) maps.set(key, (known = new WeakMap()));
  let type = known.get(value);
  if (type === undefined)
    known.set(
      value,
      (type = {
        kind: 'map',
        id: (lastId += 1),
        isOpen: key.isOpen || value.isOpen,
        depth: depthAround([key, value]),
        key,
        value,
      }),
    );
  return type;
}

const idsOf = (types: readonly Type[]): string => {
  let ids = '';
  for (const { id } of types) ids += `${id},`;
  return ids;
};
/** The depth of a type with these parts. */
const depthAround = (parts: readonly Type[]): number => 1 + parts.reduce((most, { depth }) => Math.max(most, depth), 0);
const isAnyOpen = (types: readonly Type[]): boolean => types.some(({ isOpen }) => isOpen);

/** A trie over result and parameter types, so that a function type is collected with its parts. */
interface FnNode {
  readonly next: WeakMap<Type, FnNode>;
  type: FnType | undefined;
}
const functions = new WeakMap<Type, FnNode>();

export function fnOf(params: readonly Type[], result: Type): FnType {
  let node = nodeOf(functions, result);
  for (const param of params) node = nodeOf(node.next, param);
  node.type ??= {
    kind: 'fn',
    id: (lastId += 1),
    isOpen: result.isOpen || isAnyOpen(params),
    depth: depthAround([...params, result]),
    params,
    result,
  };
  return node.type;
}

function nodeOf(nodes: WeakMap<Type, FnNode>, type: Type): FnNode {
  let node = nodes.get(type);
  if (node === undefined) nodes.set(type, (node = { next: new WeakMap(), type: undefined }));
  return node;
}

function namedType<T extends Type>(owner: object, key: string, make: () => T): T {
  let known = named.get(owner);
  if (known === undefined) named.set(owner, (known = new Map()));
  const found = known.get(key);
  // A key always maps to the same kind of type.
  if (found !== undefined) return found as T;
  const type = make();
  known.set(key, type);
  return type;
}

export const classOf = (symbol: ClassSymbol, args: readonly Type[]): ClassType =>
  namedType(symbol, idsOf(args), () => ({
    kind: 'class',
    id: (lastId += 1),
    isOpen: isAnyOpen(args),
    depth: depthAround(args),
    symbol,
    args,
  }));

export const enumOf = (symbol: EnumSymbol, args: readonly Type[]): EnumType =>
  namedType(symbol, idsOf(args), () => ({
    kind: 'enum',
    id: (lastId += 1),
    isOpen: isAnyOpen(args),
    depth: depthAround(args),
    symbol,
    args,
  }));

export const traitOf = (symbol: TraitSymbol): TraitType =>
  namedType(symbol, 'trait', () => ({ kind: 'trait', id: (lastId += 1), isOpen: false, depth: 0, symbol }));

export const errorOf = (symbol: ErrorSymbol): ErrorType =>
  namedType(symbol, 'error', () => ({ kind: 'error', id: (lastId += 1), isOpen: false, depth: 0, symbol }));

export const paramOf = (owner: object, name: string): ParamType =>
  namedType(owner, `param ${name}`, () => ({ kind: 'param', id: (lastId += 1), isOpen: true, depth: 0, name, owner }));

export const appOf = (symbol: AppSymbol | StageSymbol): AppType =>
  namedType(symbol, 'app', () => ({ kind: 'app', id: (lastId += 1), isOpen: false, depth: 0, symbol }));
