/** The expressions and statements of the random functions of `random-code.ts`. */

export type Scalar = 'int' | 'float' | 'bool';
export type Value = bigint | number | boolean | string;

/** An object: a variable, or an element of the list of objects. */
export type Ref = 'p' | 'q' | { readonly at: Expr };

/** Each function has a variable and a list of each type. Loops count in `i0`, `i1`, … */
export type Expr =
  | { readonly kind: 'literal'; readonly value: Value }
  | { readonly kind: 'variable'; readonly type: Scalar }
  | { readonly kind: 'counter' }
  | { readonly kind: 'element'; readonly type: Scalar; readonly index: Expr }
  | { readonly kind: 'length'; readonly type: Scalar }
  | { readonly kind: 'unary'; readonly op: '-' | '!' | '~'; readonly of: Expr }
  | { readonly kind: 'binary'; readonly op: string; readonly of: Scalar; readonly left: Expr; readonly right: Expr }
  | { readonly kind: 'cast'; readonly to: Scalar; readonly of: Expr }
  | { readonly kind: 'choice'; readonly condition: Expr; readonly yes: Expr; readonly otherwise: Expr }
  | { readonly kind: 'call'; readonly args: readonly [Expr, Expr] }
  | { readonly kind: 'field'; readonly type: Scalar; readonly of: Ref }
  | { readonly kind: 'less'; readonly of: Ref; readonly by: Expr }
  | { readonly kind: 'same'; readonly left: Ref; readonly right: Ref }
  | { readonly kind: 'linked'; readonly of: Ref }
  | ItemExpr
  | ClosureExpr
  | ViewExpr
  | { readonly kind: 'table'; readonly of: TableExpr }
  | { readonly kind: 'nested'; readonly of: NestedExpr }
  | TextExpr
  | { readonly kind: 'text-length' | 'byte' | 'part-count'; readonly of: Expr }
  | { readonly kind: 'word-count' }
  | { readonly kind: 'place'; readonly of: Expr; readonly part: Expr }
  | { readonly kind: 'same-text' | 'contains'; readonly of: Expr; readonly part: Expr }
  | { readonly kind: 'starts'; readonly index: Expr; readonly byte: string };
/** The string variable holds only ASCII. */
type TextExpr =
  | { readonly kind: 'text' }
  | { readonly kind: 'joined'; readonly parts: readonly [Expr, Expr] }
  | { readonly kind: 'shown'; readonly of: Expr }
  | { readonly kind: 'character'; readonly index: Expr }
  | { readonly kind: 'part'; readonly of: Expr; readonly start: Expr; readonly length: Expr }
  | { readonly kind: 'word'; readonly index: Expr }
  | { readonly kind: 'name'; readonly of: Ref };
export type Statement =
  | { readonly kind: 'set'; readonly type: Scalar; readonly value: Expr }
  | { readonly kind: 'add'; readonly value: Expr }
  | { readonly kind: 'step'; readonly op: '++' | '--' }
  | { readonly kind: 'put'; readonly type: Scalar; readonly index: Expr; readonly value: Expr }
  | { readonly kind: 'push'; readonly type: Scalar; readonly value: Expr }
  | { readonly kind: 'pop'; readonly type: Scalar }
  | { readonly kind: 'set-field'; readonly of: 'p' | 'q'; readonly type: Scalar; readonly value: Expr }
  | { readonly kind: 'bump'; readonly of: 'p' | 'q'; readonly by: Expr }
  | { readonly kind: 'refer'; readonly to: 'p' | 'q'; readonly from: Ref }
  | {
      readonly kind: 'make';
      readonly to: 'p' | 'q';
      readonly values: readonly [Expr, Expr, Expr];
      readonly next: boolean;
    }
  | { readonly kind: 'set-text'; readonly to: 's' | 'name'; readonly value: Expr }
  | { readonly kind: 'put-word'; readonly index: Expr; readonly value: Expr }
  | { readonly kind: 'push-word'; readonly value: Expr }
  | { readonly kind: 'pop-word' }
  | { readonly kind: 'set-item'; readonly to: ItemRef; readonly item: Item | ItemRef }
  | { readonly kind: 'match'; readonly of: ItemRef; readonly arms: readonly (readonly Statement[])[] }
  | { readonly kind: 'set-view'; readonly to: ViewRef; readonly view: View }
  | { readonly kind: 'change-view'; readonly of: 'v'; readonly by: Expr }
  | ClosureStatement
  | { readonly kind: 'put-cell'; readonly index: Expr; readonly from: Ref }
  | { readonly kind: 'follow'; readonly from: Ref; readonly by: Expr }
  | {
      readonly kind: 'if';
      readonly condition: Expr;
      readonly yes: readonly Statement[];
      readonly otherwise: readonly Statement[];
    }
  | { readonly kind: 'loop'; readonly times: number; readonly isWhile: boolean; readonly body: readonly Statement[] }
  | { readonly kind: 'change-table'; readonly of: TableStatement }
  | { readonly kind: 'change-nested'; readonly of: NestedStatement }
  | { readonly kind: 'each'; readonly body: readonly Statement[] }
  | { readonly kind: 'leave'; readonly how: HowToLeave; readonly condition: Expr };

/** Calls of an element of the list of function values, and of a literal. */
export type ClosureExpr =
  | { readonly kind: 'call-value'; readonly index: Expr; readonly of: Expr }
  | { readonly kind: 'call-known'; readonly plus: Expr; readonly of: Expr };

export type ClosureStatement =
  /** With `assigns`, the closure changes its copy of the int variable. */
  | { readonly kind: 'set-function'; readonly index: Expr; readonly plus: Expr; readonly assigns: boolean }
  | { readonly kind: 'call-kept'; readonly plus: Expr; readonly of: Expr };

/** The variable of an enum, or an element of the list of its values. */
export type ItemRef = 't' | { readonly at: Expr };

export type Item =
  | { readonly variant: 'Empty' }
  | { readonly variant: 'Num'; readonly n: Expr; readonly on: Expr }
  | { readonly variant: 'Text'; readonly text: Expr; readonly size: Expr }
  | { readonly variant: 'Both'; readonly color: number; readonly cell: Ref; readonly inner: Expr }
  | { readonly variant: 'Linked'; readonly n: Expr; readonly inner: ItemRef | undefined };

export type ItemExpr =
  | { readonly kind: 'item-number'; readonly of: ItemRef; readonly otherwise: Expr }
  | { readonly kind: 'item-color'; readonly color: number; readonly of: ItemRef }
  | { readonly kind: 'same-item'; readonly left: ItemRef; readonly right: ItemRef }
  /** Compares with a copy, whose links may be different. */
  | { readonly kind: 'same-copy'; readonly left: ItemRef; readonly right: ItemRef; readonly isChanged: Expr };

/** The variable of a trait, or an element of the list of its objects. */
export type ViewRef = 'v' | { readonly at: Expr };

export type View =
  | { readonly kind: 'cell'; readonly cell: Ref }
  | { readonly kind: 'pair'; readonly n: Expr; readonly cell: Ref }
  | { readonly kind: 'wrap'; readonly inner: ViewRef }
  | { readonly kind: 'other'; readonly of: ViewRef };

export type ViewExpr =
  | { readonly kind: 'view-code'; readonly method: 'code' | 'twice'; readonly of: ViewRef; readonly by: Expr }
  | { readonly kind: 'same-view'; readonly left: ViewRef; readonly right: ViewRef };

/** Of the map with int keys `m`, the map with string keys `w`, and the set `u`. */
export type TableExpr =
  | { readonly kind: 'entry'; readonly key: Expr; readonly otherwise: Expr }
  | { readonly kind: 'table-sizes' }
  | { readonly kind: 'is-element'; readonly element: Expr }
  | { readonly kind: 'has-text-key'; readonly key: Expr };

export type TableStatement =
  | { readonly kind: 'put-int-key' | 'add-at-int-key'; readonly key: Expr; readonly value: Expr }
  | { readonly kind: 'put-text-key'; readonly key: Expr; readonly value: Expr }
  | { readonly kind: 'remove-int-key' | 'remove-text-key'; readonly key: Expr }
  | { readonly kind: 'insert' | 'remove'; readonly element: Expr };

/** A value of the enum that is a key. */
export interface MarkExpr {
  readonly n: Expr;
  readonly x: Expr;
  readonly text: Expr;
}

/** Of the maps `marks`, `sizes` and `flags`, the set `seen`, the lists `grid` and `maps`, and `held` and `label`, which may be `none`; and errors. */
export type NestedExpr =
  | { readonly kind: 'mark-entry'; readonly mark: MarkExpr; readonly otherwise: Expr }
  | { readonly kind: 'in-grid'; readonly row: Expr; readonly column: Expr }
  | { readonly kind: 'nested-sizes' }
  | { readonly kind: 'has-size'; readonly size: Expr }
  | { readonly kind: 'is-held'; readonly row: Expr }
  | { readonly kind: 'is-label'; readonly text: Expr }
  | { readonly kind: 'option'; readonly of: OptionExpr }
  | { readonly kind: 'mixed'; readonly of: MixedExpr }
  /** A call that may raise errors, with a handler for each, or one for all. */
  | { readonly kind: 'attempt'; readonly of: Expr; readonly otherwise: Expr; readonly isTyped: boolean };

export type NestedStatement =
  | { readonly kind: 'put-mark'; readonly mark: MarkExpr; readonly value: Expr }
  | { readonly kind: 'remove-mark'; readonly mark: MarkExpr }
  | { readonly kind: 'put-size'; readonly size: Expr; readonly value: Expr }
  | { readonly kind: 'remove-size'; readonly size: Expr }
  | { readonly kind: 'put-flag'; readonly flag: Expr; readonly value: Expr }
  | { readonly kind: 'put-in-grid'; readonly row: Expr; readonly column: Expr; readonly value: Expr }
  | { readonly kind: 'put-row'; readonly row: Expr; readonly from: Expr }
  | { readonly kind: 'put-in-map'; readonly index: Expr; readonly key: Expr; readonly value: Expr }
  | { readonly kind: 'put-map'; readonly index: Expr; readonly from: Expr }
  | { readonly kind: 'keep'; readonly row: Expr; readonly isNone: Expr }
  | { readonly kind: 'set-label'; readonly value: Expr; readonly isNone: Expr }
  | { readonly kind: 'change-option'; readonly of: OptionStatement }
  | { readonly kind: 'change-mixed'; readonly of: MixedStatement };

/** Lists of ints that may be `none`, of floats, and of bytes. */
export type OptionList = 'maybes' | 'reals' | 'raw';

/** Of the variables `maybe`, `share`, `chance` (which may be `none`) and `low`, three lists, `buffer`, and the maps `guesses` and `counts`. */
export type OptionExpr =
  | { readonly kind: 'maybe-or'; readonly index: Expr; readonly otherwise: Expr }
  | { readonly kind: 'parsed'; readonly number: Expr; readonly text: Expr; readonly otherwise: Expr }
  | { readonly kind: 'unsure' | 'option-sizes' | 'has-none' }
  | { readonly kind: 'power'; readonly base: Expr; readonly exponent: Expr }
  | { readonly kind: 'byte-of'; readonly of: Expr }
  | { readonly kind: 'buffer-byte'; readonly index: Expr }
  | { readonly kind: 'find' | 'has-element'; readonly list: OptionList }
  | { readonly kind: 'slice'; readonly list: OptionList; readonly from: Expr; readonly to: Expr }
  | { readonly kind: 'repeat'; readonly text: Expr; readonly times: Expr }
  | { readonly kind: 'bytes-in'; readonly text: Expr }
  | { readonly kind: 'place-backwards'; readonly text: Expr; readonly part: Expr }
  | { readonly kind: 'is-maybe' | 'is-size' | 'is-chance'; readonly value: Expr }
  | { readonly kind: 'byte-less'; readonly left: Expr; readonly right: Expr };

export type OptionStatement =
  | { readonly kind: 'set-maybe' | 'set-size' | 'set-chance'; readonly value: Expr; readonly isNone: Expr }
  | { readonly kind: 'set-low' | 'guess' | 'count' | 'push-byte'; readonly value: Expr }
  | { readonly kind: 'put-next'; readonly index: Expr }
  | { readonly kind: 'put-byte'; readonly index: Expr; readonly value: Expr }
  | { readonly kind: 'insert' | 'remove'; readonly list: OptionList; readonly index: Expr }
  | { readonly kind: 'reverse'; readonly list: OptionList };

/** Of the range `span` and the list `spans`, the objects `limits` with contracts, and the lists in `boxes`; and errors. */
export type MixedExpr =
  | { readonly kind: 'total' }
  | { readonly kind: 'is-span'; readonly index: Expr }
  | { readonly kind: 'limited'; readonly index: Expr; readonly low: Expr; readonly size: Expr }
  | { readonly kind: 'scaled'; readonly index: Expr; readonly by: Expr }
  | { readonly kind: 'lost'; readonly of: Expr; readonly index: Expr; readonly limit: Expr }
  | { readonly kind: 'lost-text' | 'caught-loss'; readonly of: Expr; readonly index: Expr };

export type MixedStatement =
  | { readonly kind: 'set-span'; readonly from: Expr; readonly to: Expr; readonly isInclusive: boolean }
  | { readonly kind: 'set-last-span'; readonly from: Expr; readonly isInclusive: boolean }
  | { readonly kind: 'put-span' | 'take-span' | 'add-span'; readonly index: Expr }
  | { readonly kind: 'put-box'; readonly index: Expr; readonly value: Expr }
  | { readonly kind: 'take-box'; readonly index: Expr; readonly from: Expr };

/** How code leaves a loop. */
export type HowToLeave = 'break' | 'continue' | 'return a';

/** Leaves a loop of a function that an evaluator runs. */
export class Leave extends Error {
  readonly how: HowToLeave;
  constructor(how: HowToLeave) {
    super(how);
    this.how = how;
  }
}
