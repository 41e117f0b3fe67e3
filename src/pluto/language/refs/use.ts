import type { DeclId } from '../syntax/ast/node.ts';
import type { Span } from '../syntax/ast/span.ts';

/**
 * How something is used. The first six are those that tools report; `catch` is reported as `type_ref` there, and `binding`, a name of a
 * field in a pattern, as `field`: one in a literal or behind a dot.
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

/** One place that names an item. */
export interface Use {
  readonly kind: UseKind;
  readonly target: DeclId;
  /** The name alone: what a rename replaces. */
  readonly name: Span;
  /** The smallest expression, type or clause around the name: what is shown. */
  readonly site: Span;
  /** The innermost function, method, test or other item around it. */
  readonly from: DeclId | undefined;
}
