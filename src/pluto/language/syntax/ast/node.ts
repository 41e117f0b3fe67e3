import type { Brand } from '../../../../base/brand.ts';
import type { Span } from './span.ts';

// The tree of the whole grammar, as written: nothing is desugared, resolved or reordered. Broken* nodes stand where the text did
// not parse; a missing name is a `Name` with empty text and width. Readers must expect both in a tree that has error diagnostics.

/** A UUID, lower case with hyphens. */
export type DeclId = Brand<string, 'DeclId'>;

/**
 * Whatever can be addressed from outside. The parser leaves `id` undefined; `identity/` sets it once, before the tree is shown to
 * any other stage, and nothing changes it after that.
 */
export interface Identified {
  id: DeclId | undefined;
}

export interface NodeOf<Kind extends string> extends Span {
  readonly kind: Kind;
}

export interface Name extends Span {
  readonly text: string;
}
