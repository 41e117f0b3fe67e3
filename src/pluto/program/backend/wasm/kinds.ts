import type { ClassType, EnumType, FnType, TraitType, Type } from '../../../language/check/types/type.ts';
import {
  ARRAYREF,
  EQREF,
  EXTERN,
  EXTERNREF,
  F64,
  I32,
  I64,
  refTo,
  type TypeCode,
  type TypeDefinition,
  type WasmModule,
} from './encoder.ts';

/** The scalar values that WebAssembly code works on. */
export type Scalar = 'int' | 'float' | 'bool' | 'byte';
/** An object or a value of an enum, by the index of its type among `ANY_OBJECT` and the closed types. */
export type ObjectKind = `object ${number}`;
/** The values of lists that both languages use. */
export type Shared = Scalar | 'string';
/** An object of any class with a trait, or a value of any enum. */
export const ANY_OBJECT = 'object 0';
/** A list with elements of any kind. */
export type ListKind = `[${string}]`;
/** The objects are values of enums. */
export type Key = Shared | ObjectKind;
/** A set, or a map with values of any kind. */
export type TableKind = `{${string}}`;
/** Values of JavaScript that both languages use as they are: an error is one that a handler received. */
export type Foreign = 'string' | 'range' | 'error';
/** `bytes` has the structure of a list of bytes. */
type Reference = Foreign | 'bytes' | ObjectKind | ListKind | TableKind;
/** A scalar or `none`: a structure with the scalar, or null. */
export type Boxed = `${Scalar}?`;
/** A value or `none`. */
export type Nullable = Boxed | `${Reference}?`;
/** The types of values in WebAssembly code. */
export type Kind = Scalar | Reference | Nullable;

const SCALARS: readonly Scalar[] = ['int', 'float', 'bool', 'byte'];
const SHARED: readonly Shared[] = [...SCALARS, 'string'];
const FOREIGN: readonly Foreign[] = ['string', 'range', 'error'];
export const sharedOf = ({ kind }: Type): Shared | undefined => SHARED.find(shared => shared === kind);

/** The types whose values WebAssembly code has. */
interface SupportedTypes {
  /** The kind of a closed type; `undefined` for a type that JavaScript has. */
  objectOf(type: ClassType | EnumType | FnType | TraitType): ObjectKind | undefined;
  /** Whether JavaScript has the lists, maps or sets of a type. */
  isOpen(type: Type): boolean;
}

/** @returns `undefined` for a type that WebAssembly code does not support */
export function kindOf(type: Type, types: SupportedTypes): Kind | undefined {
  if (types.isOpen(type)) return undefined;
  switch (type.kind) {
    case 'class':
    case 'enum':
    case 'fn':
    case 'trait':
      return types.objectOf(type);
    case 'list': {
      const element = kindOf(type.element, types);
      return element && `[${element}]`;
    }
    case 'nullable': {
      const element = kindOf(type.element, types);
      return element === undefined || isNullable(element) ? undefined : (`${element}?` as Nullable);
    }
    case 'map': {
      const key = keyOfType(type.key, types);
      const value = key && kindOf(type.value, types);
      return value && `{${key}:${value}}`;
    }
    case 'set': {
      const key = keyOfType(type.element, types);
      return key && `{${key}}`;
    }
    case 'bytes':
    case 'range':
    case 'error':
      return type.kind;
    case 'any-error':
      return 'error';
    default:
      return sharedOf(type);
  }
}

const keyOfType = (type: Type, types: SupportedTypes): Key | undefined =>
  type.kind === 'enum' ? types.objectOf(type) : sharedOf(type);

export const isStringList = (type: Type): boolean => type.kind === 'list' && type.element.kind === 'string';
export const isScalar = (kind: Kind): kind is Scalar => (SCALARS as readonly Kind[]).includes(kind);
export const isForeign = (kind: Kind): kind is Foreign => (FOREIGN as readonly Kind[]).includes(kind);
export const isShared = (kind: Kind): kind is Shared => (SHARED as readonly Kind[]).includes(kind);
export const isNullable = (kind: Kind): kind is Nullable => kind.endsWith('?');
export const isList = (kind: Kind): kind is ListKind => kind.startsWith('[') && !isNullable(kind);
export const isTable = (kind: Kind): kind is TableKind => kind.startsWith('{') && !isNullable(kind);
export const isObject = (kind: Kind): kind is ObjectKind => kind.startsWith('object ') && !isNullable(kind);
export const keyOf = (kind: TableKind): Key => /^\{([^:}]+)/.exec(kind)?.[1] as Key;
/** @returns `undefined` for a set */
export const valueOf = (kind: TableKind): Kind | undefined =>
  kind.includes(':') ? (kind.slice(kind.indexOf(':') + 1, -1) as Kind) : undefined;
export const elementOf = (kind: ListKind): Kind => kind.slice(1, -1) as Kind;
/** The kind of the elements of a list or of `bytes`. */
export const elementsOf = (kind: Kind): Kind | undefined =>
  kind === 'bytes' ? 'byte' : isList(kind) ? elementOf(kind) : undefined;
/** The kind without `none`. */
export const presentOf = (kind: Kind): Scalar | Reference =>
  isNullable(kind) ? (kind.slice(0, -1) as Scalar | Reference) : kind;
/** The scalar in a structure. */
export const scalarOf = (kind: Boxed): Scalar => presentOf(kind) as Scalar;
export const isBoxed = (kind: Kind): kind is Boxed => isNullable(kind) && isScalar(presentOf(kind));
/** A kind whose values are stored in the same way: without `none`, unless it is a structure with a scalar. */
function storedAs(kind: Kind): Scalar | Boxed | Exclude<Reference, 'range' | 'error'> {
  if (isBoxed(kind)) return kind;
  const present = presentOf(kind);
  return isForeign(present) ? 'string' : present;
}
/** The elements of a list that both languages use. */
export function sharedElement(kind: Kind): Shared | undefined {
  const present = presentOf(kind);
  if (!isList(present)) return undefined;
  const element = elementOf(present);
  return isForeign(element) ? 'string' : isShared(element) ? element : undefined;
}
/** Whether values of one kind are values of another. */
export function isPartOf(kind: Kind, other: Kind): boolean {
  if (kind === other || `${kind}?` === other) return true;
  if (other === ANY_OBJECT) return isObject(kind);
  return other === `${ANY_OBJECT}?` && isObject(presentOf(kind));
}

/** Types of a closed type: the array and the list of its values, its values, then maps and sets with them as keys. */
const TYPES_OF_CLOSED = 4;
export const indexOfKind = (kind: ObjectKind): number => Number(kind.slice('object '.length));
/** The array of the marks of a table. */
export const MARKS_TYPE = 2 * SHARED.length;
/** The array and the list of lists, maps and sets. */
const ANY_ARRAY_TYPE = MARKS_TYPE + 1;
const ANY_LIST_TYPE = MARKS_TYPE + 2;
const FIRST_TABLE_TYPE = MARKS_TYPE + 3;
const FIRST_BOX_TYPE = FIRST_TABLE_TYPE + SHARED.length;
const typeOfClosed = (index: number): number => FIRST_BOX_TYPE + SCALARS.length + TYPES_OF_CLOSED * index;

/** The index of the type of the elements of a list, or of the keys or values of a map. */
export function arrayType(element: Kind): number {
  const present = storedAs(element);
  if (isShared(present)) return SHARED.indexOf(present);
  return isObject(present) ? typeOfClosed(indexOfKind(present)) : ANY_ARRAY_TYPE;
}
/** Whether arrays of these elements hold any structures, which are cast when they are read. */
export const isInAnyArray = (element: Kind): boolean => arrayType(element) === ANY_ARRAY_TYPE;
/** The index of the type of a list. */
export function listType(element: Kind): number {
  const present = storedAs(element);
  if (isShared(present)) return SHARED.length + SHARED.indexOf(present);
  return isObject(present) ? typeOfClosed(indexOfKind(present)) + 1 : ANY_LIST_TYPE;
}
/** The index of the type of a map or set. */
export const tableType = (key: Key): number =>
  isShared(key) ? FIRST_TABLE_TYPE + SHARED.indexOf(key) : typeOfClosed(indexOfKind(key)) + 3;
/** The index of the type of a structure. */
export function structureType(kind: Boxed | 'bytes' | ObjectKind | ListKind | TableKind): number {
  if (kind === 'bytes') return listType('byte');
  if (isBoxed(kind)) return FIRST_BOX_TYPE + SCALARS.indexOf(scalarOf(kind));
  if (isObject(kind)) return objectType(kind);
  return isList(kind) ? listType(elementOf(kind)) : tableType(keyOf(kind));
}
/** The index of the type of an object. */
export const objectType = (kind: ObjectKind): number => typeOfClosed(indexOfKind(kind)) + 2;
/** The index of the first type after those of all closed types. */
export const firstVariantType = (closedCount: number): number => typeOfClosed(closedCount);

const CODES = { int: I64, float: F64, bool: I32, byte: I32 } as const;

/** Whether arrays have these values in 8 bits. */
export const isPacked = (kind: Kind): boolean => kind === 'bool' || kind === 'byte';

export function codeOf(kind: Kind): TypeCode {
  const present = storedAs(kind);
  if (isScalar(present)) return CODES[present];
  return present === 'string' ? EXTERNREF : refTo(structureType(present));
}

/** Fields of a list. The array may be longer than the list. */
export const LIST = { length: 0, items: 1, owner: 2 } as const;

/** Fields of a map or set: arrays with one element per slot. A mark is 0 for an empty slot, else the hash of the key with its highest bit set. */
export const TABLE = { size: 0, marks: 1, keys: 2, values: 3 } as const;

const tableOf = (key: Key): TypeDefinition => ({
  kind: 'struct',
  fields: [I32, refTo(MARKS_TYPE), refTo(arrayType(key)), ARRAYREF],
});

const arrayOf = (element: Kind): TypeDefinition => ({
  kind: 'array',
  element: isPacked(element) ? 'byte' : codeOf(element),
});
const listOf = (element: Kind): TypeDefinition => ({
  kind: 'struct',
  fields: [I32, refTo(arrayType(element)), EXTERNREF],
});

/** A value of an enum has the tag of its variant before the fields, an object with a number the index of its kind. */
export const TAG = 0;

/** A variant of a closed enum. */
export interface VariantLayout {
  /** The index of the type of its values. */
  readonly type: number;
  readonly fields: readonly Kind[];
  /** The index of its only value if it has no fields. */
  readonly constant: number | undefined;
}

/** The structure of `ANY_OBJECT` or a closed type: the kinds of the fields of a class, or the variants of an enum. */
export type Layout =
  | { readonly kind: 'any' }
  /** Objects with a number have the index of their kind before the fields. */
  | { readonly kind: 'class'; readonly hasNumber: boolean; readonly fields: readonly Kind[] }
  | { readonly kind: 'enum' | 'functions'; readonly variants: readonly VariantLayout[] };

/** The types that every module starts with, by `arrayType`, `listType`, `tableType` and `objectType`, then variants with fields. A list has a reference to the list of JavaScript that wraps it, if any. */
export const structuredTypes = (layouts: readonly Layout[]): readonly TypeDefinition[] => [
  ...SHARED.map(arrayOf),
  ...SHARED.map(listOf),
  { kind: 'array', element: I32 },
  { kind: 'array', element: EQREF },
  { kind: 'struct', fields: [I32, refTo(ANY_ARRAY_TYPE), EXTERNREF] },
  ...SHARED.map(tableOf),
  ...SCALARS.map((scalar): TypeDefinition => ({ kind: 'struct', fields: [codeOf(scalar)] })),
  ...layouts.flatMap((layout, index): readonly TypeDefinition[] => {
    const kind = `object ${index}` as const;
    return [arrayOf(kind), listOf(kind), valuesOf(layout), tableOf(kind)];
  }),
  ...layouts.flatMap((layout, index) => {
    const supertype = objectType(`object ${index}`);
    const variants = 'variants' in layout ? layout.variants.filter(({ constant }) => constant === undefined) : [];
    return variants.map(({ fields }): TypeDefinition => ({
      kind: 'struct',
      fields: [I32, ...fields.map(codeOf)],
      supertype,
    }));
  }),
];

function valuesOf(layout: Layout): TypeDefinition {
  if (layout.kind === 'any') return { kind: 'struct', fields: [I32], isOpen: true };
  if ('variants' in layout) return { kind: 'struct', fields: [I32], isOpen: true, supertype: objectType(ANY_OBJECT) };
  const fields = layout.fields.map(codeOf);
  return layout.hasNumber
    ? { kind: 'struct', fields: [I32, ...fields], supertype: objectType(ANY_OBJECT) }
    : { kind: 'struct', fields };
}

/** The only values of variants without fields, by their indices. */
export const constantsOf = (layouts: readonly Layout[]): WasmModule['constants'] =>
  layouts.flatMap((layout, index) =>
    !('variants' in layout)
      ? []
      : layout.variants.flatMap(({ constant }, tag) =>
          constant === undefined ? [] : [{ type: objectType(`object ${index}`), tag }],
        ),
  );

const unary = { params: [F64], results: [F64] };
const binary = { params: [F64, F64], results: [F64] };

/** Functions of the runtime, in the order of their indices. */
const IMPORTED = {
  time_ns: { params: [], results: [I64] },
  gc_heap_size: { params: [], results: [I64] },
  print_int: { params: [I64], results: [] },
  print_float: { params: [F64], results: [] },
  print_bool: { params: [I32], results: [] },
  /** Prints a constant text. */
  print_text: { params: [I32], results: [] },
  /** Fails with a constant text. */
  fail: { params: [I32], results: [] },
  /** Fails for an index and a length, with the constant text that says of what. */
  fail_index: { params: [I64, I32, I32], results: [] },
  print_string: { params: [EXTERNREF], results: [] },
  text_int: { params: [I64], results: [EXTERNREF] },
  /** The text of an int that is a safe number. */
  text_safe_int: { params: [F64], results: [EXTERNREF] },
  text_float: { params: [F64], results: [EXTERNREF] },
  /** Adds a byte to the string that `take_text` returns. */
  add_to_text: { params: [I32], results: [] },
  take_text: { params: [], results: [EXTERNREF] },
  /** The parts of a string, an array of JavaScript. */
  split: { params: [EXTERNREF, EXTERNREF], results: [EXTERNREF] },
  array_length: { params: [EXTERNREF], results: [I32] },
  array_item: { params: [EXTERNREF, I32], results: [EXTERNREF] },
  /** Whether a text is an int, which `parsed_int` returns then. */
  parse_int: { params: [EXTERNREF], results: [I32] },
  parsed_int: { params: [], results: [I64] },
  parse_float: { params: [EXTERNREF], results: [I32] },
  parsed_float: { params: [], results: [F64] },
  /** Fails if a list of this length is too long to grow. */
  check_length: { params: [I32], results: [] },
  /** Whether there is memory for a list of this length. */
  has_space: { params: [I32], results: [I32] },
  /** Fails if a map or set with this number of slots is too large to grow. */
  check_slots: { params: [I32], results: [] },
  hash_text: { params: [EXTERNREF], results: [I32] },
  /** Adds a field to the error that is raised next. */
  error_int: { params: [I64], results: [] },
  error_float: { params: [F64], results: [] },
  error_bool: { params: [I32], results: [] },
  error_byte: { params: [I32], results: [] },
  /** The value may be `none`, also instead of a scalar. */
  error_string: { params: [EXTERNREF], results: [] },
  /** Adds a list whose elements have the type with this name. */
  error_list: { params: [EQREF, I32], results: [] },
  /** Adds a value that only WebAssembly code works on, with its text for messages. */
  error_value: { params: [EQREF, EXTERNREF], results: [] },
  /** Takes the value that was added last as a field of an error. */
  error_set_field: { params: [EXTERNREF, I32], results: [] },
  /** Raises an error of the type with an index. */
  raise: { params: [I32], results: [] },
  raise_negative_exponent: { params: [], results: [] },
  /** The error that a handler receives. */
  caught: { params: [EXTERNREF], results: [EXTERNREF] },
  /** Whether a handler for errors of the type with an index handles an error. */
  error_has_type: { params: [EXTERNREF, I32], results: [I32] },
  error_message: { params: [EXTERNREF], results: [EXTERNREF] },
  error_field_int: { params: [EXTERNREF, I32], results: [I64] },
  error_field_float: { params: [EXTERNREF, I32], results: [F64] },
  error_field_bool: { params: [EXTERNREF, I32], results: [I32] },
  error_field_byte: { params: [EXTERNREF, I32], results: [I32] },
  error_field_string: { params: [EXTERNREF, I32], results: [EXTERNREF] },
  error_field_list: { params: [EXTERNREF, I32, I32], results: [EQREF] },
  error_field_value: { params: [EXTERNREF, I32], results: [EQREF] },
  /** `a..b` and `a..=b` */
  range: { params: [I64, I64, I32], results: [EXTERNREF] },
  /** The first int of a range, and the last one, which is smaller for an empty range. */
  range_first: { params: [EXTERNREF], results: [I64] },
  range_last: { params: [EXTERNREF], results: [I64] },
  /** Whether two values of JavaScript are one object. */
  is_same: { params: [EXTERNREF, EXTERNREF], results: [I32] },
  rem: binary,
  pow: binary,
  round: unary,
  sin: unary,
  cos: unary,
  tan: unary,
  log: unary,
} as const satisfies Readonly<
  Record<string, { readonly params: readonly TypeCode[]; readonly results: readonly TypeCode[] }>
>;

/** Functions that engines have themselves, and optimize. */
const JS_STRING = {
  /** Whether the engine has these functions. The substitute of the runtime returns 0, also for a string. */
  test: { params: [EXTERNREF], results: [I32] },
  length: { params: [EXTERNREF], results: [I32] },
  charCodeAt: { params: [EXTERNREF, I32], results: [I32] },
  fromCharCode: { params: [I32], results: [EXTERN] },
  concat: { params: [EXTERNREF, EXTERNREF], results: [EXTERN] },
  substring: { params: [EXTERNREF, I32, I32], results: [EXTERN] },
  equals: { params: [EXTERNREF, EXTERNREF], results: [I32] },
} as const;

const stringTo = (result: TypeCode) => ({ params: [EXTERNREF], results: [result] });
const stringsTo = (result: TypeCode) => ({ params: [EXTERNREF, EXTERNREF], results: [result] });

/** Methods of strings, which are functions of the runtime. Lengths and indices are `I32`. */
const STRING_METHODS = {
  is_whitespace: stringTo(I32),
  trim: stringTo(EXTERNREF),
  trim_start: stringTo(EXTERNREF),
  trim_end: stringTo(EXTERNREF),
  to_upper: stringTo(EXTERNREF),
  to_lower: stringTo(EXTERNREF),
  contains: stringsTo(I32),
  starts_with: stringsTo(I32),
  ends_with: stringsTo(I32),
  index_of: stringsTo(I32),
  last_index_of: stringsTo(I32),
  count: stringsTo(I32),
  replace: { params: [EXTERNREF, EXTERNREF, EXTERNREF], results: [EXTERNREF] },
  repeat: { params: [EXTERNREF, I64], results: [EXTERNREF] },
} as const;

export type StringMethod = keyof typeof STRING_METHODS;
export const isStringMethod = (name: string): name is StringMethod => Object.hasOwn(STRING_METHODS, name);

export type Imported = keyof typeof IMPORTED | keyof typeof JS_STRING | `string_${StringMethod}`;

type FunctionTypes = Readonly<
  Record<string, { readonly params: readonly TypeCode[]; readonly results: readonly TypeCode[] }>
>;
const importsFrom = (module: string, types: FunctionTypes, prefix = ''): readonly ImportedFunction[] =>
  Object.entries(types).map(([name, type]) => ({ module, name: `${prefix}${name}`, ...type }));

interface ImportedFunction {
  readonly module: string;
  readonly name: string;
  readonly params: readonly TypeCode[];
  readonly results: readonly TypeCode[];
}

export const IMPORT_LIST: readonly ImportedFunction[] = [
  ...importsFrom('rt', IMPORTED),
  ...importsFrom('wasm:js-string', JS_STRING),
  ...importsFrom('rt', STRING_METHODS, 'string_'),
];
const INDICES = new Map(IMPORT_LIST.map(({ name }, index) => [name, index]));

export const importIndex = (name: Imported): number => INDICES.get(name) ?? 0;
