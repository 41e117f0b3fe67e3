/** Values of enums in the random functions of `random-code.ts`. */
import fc from 'fast-check';
import type { Expr, Item, ItemExpr, ItemRef, Ref } from './random-code-types.ts';

export const COLORS = ['Red', 'Green', 'Blue', 'Gray', 'White', 'Black'];

export const ITEM_DECLARATIONS = `
enum Color {
${COLORS.map(color => `    ${color}\n`).join('')}}
enum Size {
    Unknown
    Known { size: int }
}
enum Item {
    Empty
    Num { n: int, on: bool }
    Text { text: string, size: float }
    Both { color: Color, cell: Cell, inner: Size }
    Linked { link: Link, n: int }
}
enum Link {
    End
    To { other: Item, inner: Item?, count: int }
}
fn link_to(inner: Item?, n: int) Link {
    if inner == none { return Link.End }
    return Link.To { other: Item.Num { n: n, on: true }, inner: inner, count: n }
}
fn is_linked(link: Link, item: Item?) bool {
    match link {
        Link.To { count, inner, other } { return inner == item }
        Link.End { return false }
    }
}
fn copy_of(item: Item, by: int) Item {
    return match item {
        Item.Linked { n, link } => Item.Linked { n: n, link: copy_of_link(link, by) },
        Item.Num { n, on } => item,
        Item.Empty => item,
        Item.Text { text, size } => item,
        Item.Both { color, cell, inner } => Item.Both { inner: copy_of_size(inner), color: color, cell: cell }
    }
}
fn copy_of_size(of: Size) Size {
    return match of {
        Size.Unknown => Size.Unknown,
        Size.Known { size } => Size.Known { size: size }
    }
}
fn copy_of_link(link: Link, by: int) Link {
    return match link {
        Link.End => Link.End,
        Link.To { inner, other, count } => Link.To {
            count: count,
            inner: copy_of_inner(inner, by),
            other: Item.Num { on: true, n: count + by }
        }
    }
}
fn copy_of_inner(inner: Item?, by: int) Item? {
    let item = inner?
    return copy_of(item, by)
}
fn code(color: Color) int {
    match color {
${COLORS.map((color, index) => `        Color.${color} { return ${index * index} }\n`).join('')}    }
}
fn code_of(item: Item, otherwise: int) int {
    return match item {
        Item.Both { color, cell, inner } => code(color),
        Item.Empty => otherwise,
        Item.Num { n, on } => -1,
        Item.Linked { n, link } => n & 15,
        Item.Text { text, size } => text.len()
    }
}`;

export const itemRefs = (index: fc.Arbitrary<Expr>): fc.Arbitrary<ItemRef> =>
  fc.oneof(
    fc.constant('t' as const),
    index.map(at => ({ at })),
  );

export const items = (
  { int, float, bool, text }: Readonly<Record<'int' | 'float' | 'bool' | 'text', fc.Arbitrary<Expr>>>,
  cells: fc.Arbitrary<Ref>,
): fc.Arbitrary<Item> =>
  fc.oneof(
    fc.constant<Item>({ variant: 'Empty' }),
    fc.tuple(int, bool).map(([n, on]): Item => ({ variant: 'Num', n, on })),
    fc.tuple(text, float).map(([one, size]): Item => ({ variant: 'Text', text: one, size })),
    fc
      .tuple(fc.nat(COLORS.length - 1), cells, int)
      .map(([color, cell, inner]): Item => ({ variant: 'Both', color, cell, inner })),
    fc
      .tuple(int, fc.option(itemRefs(int), { nil: undefined }))
      .map(([n, inner]): Item => ({ variant: 'Linked', n, inner })),
  );

/** The text of a value. */
export function itemText(item: Item, text: (one: Expr) => string, cell: (ref: Ref) => string): string {
  switch (item.variant) {
    case 'Empty':
      return 'Item.Empty';
    case 'Num':
      return `Item.Num { on: ${text(item.on)}, n: ${text(item.n)} }`;
    case 'Text':
      return `Item.Text { text: ${text(item.text)}.substring(0, 40), size: ${text(item.size)} }`;
    case 'Linked': {
      const inner = item.inner === undefined ? 'none' : itemRefText(item.inner, text);
      return `Item.Linked { n: ${text(item.n)}, link: link_to(${inner}, a) }`;
    }
    case 'Both': {
      const inner = `if ${text(item.inner)} > 9 { Size.Known { size: ${text(item.inner)} } } else { Size.Unknown }`;
      return `Item.Both { color: Color.${COLORS[item.color]}, cell: ${cell(item.cell)}, inner: ${inner} }`;
    }
  }
}

export const itemRefText = (of: ItemRef, text: (one: Expr) => string): string =>
  of === 't' ? 't' : `items[${text(of.at)} & 1]`;

export function itemExprText(expr: ItemExpr, text: (one: Expr) => string): string {
  const ref = (of: ItemRef): string => itemRefText(of, text);
  switch (expr.kind) {
    case 'item-number':
      return `code_of(${ref(expr.of)}, ${text(expr.otherwise)})`;
    case 'item-color':
      return `(code_of(${ref(expr.of)}, 7) == code(Color.${COLORS[expr.color]}))`;
    case 'same-item':
      return `(${ref(expr.left)} == ${ref(expr.right)})`;
    case 'same-copy':
      return `(copy_of(${ref(expr.left)}, if ${text(expr.isChanged)} { 1 } else { 0 }) == ${ref(expr.right)})`;
  }
}

let bindings = 0;

/** The lines of a `match`, whose arms store what they bind and run other lines. */
export function matchLines(of: string, arms: readonly (readonly string[])[]): readonly string[] {
  bindings += 1;
  const name = (field: string): string => `${field}_${bindings}`;
  const [empty = [], num = [], text = [], both = [], linked = []] = arms;
  return [
    `match ${of} {`,
    `Item.Num { n: ${name('n')}, on: ${name('on')} } {`,
    `a = ${name('n')}`,
    `c = ${name('on')}`,
    ...num,
    '}',
    `Item.Both { inner: ${name('inner')}, cell: ${name('cell')}, color: ${name('color')} } {`,
    `p = ${name('cell')}`,
    `match ${name('inner')} {`,
    'Size.Unknown { a += 1 }',
    `Size.Known { size: ${name('size')} } { a -= ${name('size')} }`,
    '}',
    ...both,
    '}',
    `Item.Linked { link: ${name('link')}, n: ${name('n')} } {`,
    `if is_linked(${name('link')}, t) { a = ${name('n')} } else { a -= 1 }`,
    ...linked,
    '}',
    'Item.Empty {',
    ...empty,
    '}',
    `Item.Text { text: ${name('text')}, size: ${name('float')} } {`,
    `s = "s-" + ${name('text')}`,
    `b = ${name('float')}`,
    ...text,
    '}',
    '}',
  ];
}
