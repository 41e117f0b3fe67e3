import type { DeclId } from '../syntax/ast/node.ts';
import type { Span } from '../syntax/ast/span.ts';

/**
 * The kind of a use. Tools report the first six; they report `catch` as `type_ref`, and `binding`, the name of a field in a pattern, as
 * `field`, like one in a literal or after a dot.
 */
export type UseKind =
  | 'call'
  | 'construct'
  | 'enum_variant'
  | 'raise'
  | 'impl'
  | 'type_ref'
  | 'catch'
  | 'field'
  | 'binding';

/** One reference to an item. */
export interface Use {
  readonly kind: UseKind;
  readonly target: DeclId;
  /** The span of the name, which a rename replaces. */
  readonly name: Span;
  /** The smallest expression, type or clause around the name, for display. */
  readonly site: Span;
  /** The innermost enclosing function, method, test or other item. */
  readonly from: DeclId | undefined;
}
