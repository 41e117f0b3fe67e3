import type { Type } from '../../../language/check/types/type.ts';

/** A method of the runtime that takes compact ints. */
interface CompactMethod {
  readonly name: string;
  /** Whether an int that it returns is compact. */
  readonly isCompact: boolean;
  /** Which arguments are compact, in order. */
  readonly compactArgs: readonly boolean[];
}

/** The method for a map or set whose keys are ints; `undefined` if it is the one that the program names. */
export function methodOfIntKeys(type: Type, name: string): CompactMethod | undefined {
  const key = type.kind === 'map' ? type.key : type.kind === 'set' ? type.element : undefined;
  if (key?.kind !== 'int') return undefined;
  const hasIntValues = type.kind === 'map' && type.value.kind === 'int';
  switch (name) {
    case 'contains':
      return { name: '$has', isCompact: false, compactArgs: [true] };
    case 'insert':
      return { name: hasIntValues ? '$putInt' : '$put', isCompact: false, compactArgs: [true, hasIntValues] };
    case 'at':
      return { name: hasIntValues ? '$intAt' : '$at', isCompact: hasIntValues, compactArgs: [true] };
    default:
      return undefined;
  }
}
