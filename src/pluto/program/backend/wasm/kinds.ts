import type { Type } from '../../../language/check/types/type.ts';
import { EXTERNREF, F64, I32, I64, refTo, type TypeCode, type TypeDefinition } from './encoder.ts';

/** The scalar values that WebAssembly code works on. */
export type Scalar = 'int' | 'float' | 'bool';
/** The types of values in WebAssembly code; lists only of scalars. */
export type Kind = Scalar | `[${Scalar}]`;

const SCALARS: readonly Scalar[] = ['int', 'float', 'bool'];
const scalarOf = ({ kind }: Type): Scalar | undefined => SCALARS.find(scalar => scalar === kind);

/** `undefined` for a type that WebAssembly code does not support. */
export function kindOf(type: Type): Kind | undefined {
  if (type.kind !== 'list') return scalarOf(type);
  const element = scalarOf(type.element);
  return element && `[${element}]`;
}

export const isScalar = (kind: Kind): kind is Scalar => !kind.startsWith('[');
export const elementOf = (kind: `[${Scalar}]`): Scalar => kind.slice(1, -1) as Scalar;

/** The index of the type of the elements of a list. */
export const arrayType = (element: Scalar): number => SCALARS.indexOf(element);
/** The index of the type of a list. */
export const listType = (element: Scalar): number => SCALARS.length + SCALARS.indexOf(element);

const CODES = { int: I64, float: F64, bool: I32 } as const;

export const codeOf = (kind: Kind): TypeCode => (isScalar(kind) ? CODES[kind] : refTo(listType(elementOf(kind))));

/** Fields of a list. The array may be longer than the list. */
export const LIST = { length: 0, items: 1, owner: 2 } as const;

/** The types that every module starts with: `arrayType`, then `listType`. A list has the list of JavaScript that stands for it, if any. */
export const LIST_TYPES: readonly TypeDefinition[] = [
  ...SCALARS.map((scalar): TypeDefinition => ({ kind: 'array', element: scalar === 'bool' ? 'byte' : CODES[scalar] })),
  ...SCALARS.map((scalar): TypeDefinition => ({ kind: 'struct', fields: [I32, refTo(arrayType(scalar)), EXTERNREF] })),
];

const unary = { params: [F64], results: [F64] };
const binary = { params: [F64, F64], results: [F64] };

/** Functions of the runtime, in the order of their indices. */
const IMPORTED = {
  print_int: { params: [I64], results: [] },
  print_float: { params: [F64], results: [] },
  print_bool: { params: [I32], results: [] },
  /** Prints a constant text. */
  print_text: { params: [I32], results: [] },
  /** Fails with a constant text. */
  fail: { params: [I32], results: [] },
  fail_index: { params: [I64, I32], results: [] },
  /** Fails if a list of this length is too long to grow. */
  check_length: { params: [I32], results: [] },
  /** Whether there is memory for a list of this length. */
  has_space: { params: [I32], results: [I32] },
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

export type Imported = keyof typeof IMPORTED;
const NAMES = Object.keys(IMPORTED) as Imported[];

export const importIndex = (name: Imported): number => NAMES.indexOf(name);
export const IMPORT_LIST: readonly { readonly name: Imported; readonly type: TypeDefinition }[] = NAMES.map(name => ({
  name,
  type: { kind: 'function', ...IMPORTED[name] },
}));
