import { elementOf, type Kind, type ListKind } from './kinds.ts';

/** The operations on lists that are separate functions. */
export type ListOperation = 'index_of' | 'reverse' | 'slice' | 'insert_at' | 'remove_at';

/** The types of an operation, without the list, which is the first parameter. */
export function signatureOf(
  operation: ListOperation,
  kind: ListKind,
): { readonly params: readonly Kind[]; readonly result: Kind | undefined } {
  const element = elementOf(kind);
  switch (operation) {
    case 'index_of':
      return { params: [element], result: 'int' };
    case 'reverse':
      return { params: [], result: undefined };
    case 'slice':
      return { params: ['int', 'int'], result: kind };
    case 'insert_at':
      return { params: ['int', element], result: undefined };
    case 'remove_at':
      return { params: ['int'], result: element };
  }
}
