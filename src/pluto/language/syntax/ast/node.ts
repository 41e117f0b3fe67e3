import type { Brand } from '../../../../base/brand.ts';
import type { Span } from './span.ts';

// The tree of the whole grammar, as written: nothing is desugared, resolved or reordered. Broken* nodes replace text that did not parse; a
// missing name is a `Name` with empty text and width. Readers must expect both in a tree with error diagnostics.

/** A UUID, lower case with hyphens. */
export type DeclId = Brand<string, 'DeclId'>;

/**
 * A node that can be addressed from outside. The parser leaves `id` undefined; `identity/` sets it once, before any other stage gets the
 * tree, and it never changes afterwards.
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
