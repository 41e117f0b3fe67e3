/** Random well-typed functions over ints, floats, bools, strings, objects, enums, traits and lists of them, and an evaluator that shares no code with the compiler. */
import fc from 'fast-check';
import type { Expr, Ref, Scalar, Statement, Value } from './random-code-types.ts';
import {
  COLORS,
  ITEM_DECLARATIONS,
  itemExprText,
  itemRefs,
  itemRefText,
  items,
  itemText,
  matchLines,
} from './random-items.ts';
import {
  CLOSURE_DECLARATIONS,
  closureExprs,
  closureExprText,
  closureLines,
  closureStatements,
} from './random-closures.ts';
import {
  TABLE_DECLARATIONS,
  tableExprText,
  tableLines,
  TABLE_SHOWS,
  tableStatements,
  TABLE_VARIABLES,
} from './random-tables.ts';
import {
  NESTED_DECLARATIONS,
  NESTED_SHOWS,
  NESTED_VARIABLES,
  nestedBools,
  nestedExprText,
  nestedInts,
  nestedLines,
  nestedStatements,
} from './random-nested.ts';
import { mixedTexts } from './random-mixed.ts';
import { VIEW_DECLARATIONS, viewExprText, viewRefs, viewRefText, views, viewText } from './random-views.ts';

const edges = [0n, 1n, 2n, 7n, 2n ** 31n, 2n ** 32n, 2n ** 52n, 2n ** 53n, 2n ** 62n, 2n ** 63n - 1n].flatMap(edge =>
  [edge - 1n, edge, edge + 1n].filter(value => value >= 0n && value < 2n ** 63n),
);
const ints = fc.oneof(fc.constantFrom(...edges), fc.bigInt(0n, 2n ** 63n - 1n));
const floats = fc.constantFrom(0, 1, 0.5, 1.5, 3.25, 1e9, 2 ** 53, 2 ** 63, 1e300, 1e-300);
const literal = (value: fc.Arbitrary<Value>) => value.map((one): Expr => ({ kind: 'literal', value: one }));

const variables = fc.constantFrom('p' as const, 'q');
const refs = (index: fc.Arbitrary<Expr>): fc.Arbitrary<Ref> =>
  fc.oneof(
    variables,
    index.map(at => ({ at })),
  );

/** @param plain ints for the code of closures; `undefined` for code without closures */
const exprsWith = (plain: fc.Arbitrary<Expr> | undefined) =>
  fc.letrec<Record<Scalar | 'text', Expr>>(tie => {
    const binary = (of: Scalar, ...ops: readonly string[]) =>
      fc
        .tuple(fc.constantFrom(...ops), tie(of), tie(of))
        .map(([op, left, right]): Expr => ({ kind: 'binary', op, of, left, right }));
    const unary = (op: '-' | '!' | '~', of: Scalar) => tie(of).map((one): Expr => ({ kind: 'unary', op, of: one }));
    const cast = (from: Scalar, to: Scalar) => tie(from).map((of): Expr => ({ kind: 'cast', to, of }));
    const common = (type: Scalar) => [
      fc.constant<Expr>({ kind: 'variable', type }),
      tie('int').map((index): Expr => ({ kind: 'element', type, index })),
      refs(tie('int')).map((of): Expr => ({ kind: 'field', type, of })),
      fc
        .tuple(tie('bool'), tie(type), tie(type))
        .map(([condition, yes, otherwise]): Expr => ({ kind: 'choice', condition, yes, otherwise })),
    ];
    const all = { int: tie('int'), float: tie('float'), bool: tie('bool'), text: tie('text') };
    const depth = { depthSize: 'small', withCrossShrink: true } as const;
    return {
      int: fc.oneof(
        depth,
        literal(ints),
        fc.constant<Expr>({ kind: 'counter' }),
        fc.constantFrom<Scalar>('int', 'float', 'bool').map((type): Expr => ({ kind: 'length', type })),
        ...common('int'),
        unary('-', 'int'),
        unary('~', 'int'),
        binary('int', '+', '-', '*', '/', '%', '&', '|', '^', '<<', '>>'),
        cast('float', 'int'),
        cast('bool', 'int'),
        fc.tuple(tie('int'), tie('int')).map((args): Expr => ({ kind: 'call', args })),
        fc.tuple(refs(tie('int')), tie('int')).map(([of, by]): Expr => ({ kind: 'less', of, by })),
        ...(plain === undefined ? [] : closureExprs(tie('int'), plain)),
        tie('text').map((of): Expr => ({ kind: 'text-length', of })),
        tie('int').map((of): Expr => ({ kind: 'byte', of })),
        tie('text').map((of): Expr => ({ kind: 'part-count', of })),
        fc.constant<Expr>({ kind: 'word-count' }),
        fc.constant<Expr>({ kind: 'table', of: { kind: 'table-sizes' } }),
        fc
          .tuple(tie('int'), tie('int'))
          .map(([key, otherwise]): Expr => ({ kind: 'table', of: { kind: 'entry', key, otherwise } })),
        { arbitrary: nestedInts(all), weight: 3 },
        fc
          .tuple(fc.constantFrom('code' as const, 'twice'), viewRefs(tie('int')), tie('int'))
          .map(([method, of, by]): Expr => ({ kind: 'view-code', method, of, by })),
        fc
          .tuple(itemRefs(tie('int')), tie('int'))
          .map(([of, otherwise]): Expr => ({ kind: 'item-number', of, otherwise })),
        fc.tuple(tie('text'), tie('text')).map(([of, part]): Expr => ({ kind: 'place', of, part })),
      ),
      float: fc.oneof(
        depth,
        literal(floats),
        ...common('float'),
        unary('-', 'float'),
        binary('float', '+', '-', '*', '/', '%'),
        cast('int', 'float'),
      ),
      bool: fc.oneof(
        depth,
        literal(fc.boolean()),
        ...common('bool'),
        unary('!', 'bool'),
        binary('int', '<', '<=', '>', '>=', '==', '!='),
        binary('float', '<', '<=', '>', '>=', '==', '!='),
        binary('bool', '==', '!=', '&&', '||'),
        cast('int', 'bool'),
        fc.tuple(refs(tie('int')), refs(tie('int'))).map(([left, right]): Expr => ({ kind: 'same', left, right })),
        refs(tie('int')).map((of): Expr => ({ kind: 'linked', of })),
        tie('int').map((element): Expr => ({ kind: 'table', of: { kind: 'is-element', element } })),
        tie('text').map((key): Expr => ({ kind: 'table', of: { kind: 'has-text-key', key } })),
        { arbitrary: nestedBools(all), weight: 2 },
        fc
          .tuple(viewRefs(tie('int')), viewRefs(tie('int')))
          .map(([left, right]): Expr => ({ kind: 'same-view', left, right })),
        fc
          .tuple(itemRefs(tie('int')), itemRefs(tie('int')))
          .map(([left, right]): Expr => ({ kind: 'same-item', left, right })),
        fc
          .tuple(itemRefs(tie('int')), itemRefs(tie('int')), tie('bool'))
          .map(([left, right, isChanged]): Expr => ({ kind: 'same-copy', left, right, isChanged })),
        fc
          .tuple(fc.nat(COLORS.length - 1), itemRefs(tie('int')))
          .map(([color, of]): Expr => ({ kind: 'item-color', color, of })),
        fc
          .tuple(fc.constantFrom('same-text' as const, 'contains'), tie('text'), tie('text'))
          .map(([kind, of, part]): Expr => ({ kind, of, part })),
        fc
          .tuple(tie('int'), fc.constantFrom('s', '-', '<', '1'))
          .map(([index, byte]): Expr => ({ kind: 'starts', index, byte })),
      ),
      text: fc.oneof(
        depth,
        literal(fc.constantFrom('', 's', 'ab', 'b-1', '<')),
        fc.constant<Expr>({ kind: 'text' }),
        fc.tuple(tie('text'), tie('text')).map((parts): Expr => ({ kind: 'joined', parts })),
        fc
          .oneof(literal(ints), tie('int'), tie('float'), tie('bool'), tie('text'))
          .map((of): Expr => ({ kind: 'shown', of })),
        tie('int').map((index): Expr => ({ kind: 'character', index })),
        tie('int').map((index): Expr => ({ kind: 'word', index })),
        mixedTexts({ int: tie('int') }).map((of): Expr => ({ kind: 'nested', of: { kind: 'mixed', of } })),
        fc
          .tuple(tie('text'), tie('int'), tie('int'))
          .map(([of, start, length]): Expr => ({ kind: 'part', of, start, length })),
        refs(tie('int')).map((of): Expr => ({ kind: 'name', of })),
        fc
          .tuple(tie('bool'), tie('text'), tie('text'))
          .map(([condition, yes, otherwise]): Expr => ({ kind: 'choice', condition, yes, otherwise })),
      ),
    };
  });
const plain = exprsWith(undefined).int;
const exprs = exprsWith(plain);

const typed = (make: (type: Scalar, value: fc.Arbitrary<Expr>) => fc.Arbitrary<Statement>) =>
  fc.oneof(make('int', exprs.int), make('float', exprs.float), make('bool', exprs.bool));

export const statements = fc.letrec<{ one: Statement; many: readonly Statement[] }>(tie => ({
  one: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    typed((type, value) => value.map(one => ({ kind: 'set', type, value: one }))),
    exprs.int.map((value): Statement => ({ kind: 'add', value })),
    fc.constantFrom('++' as const, '--').map((op): Statement => ({ kind: 'step', op })),
    typed((type, value) =>
      fc.tuple(exprs.int, value).map(([index, one]) => ({ kind: 'put', type, index, value: one })),
    ),
    typed((type, value) => value.map(one => ({ kind: 'push', type, value: one }))),
    typed(type => fc.constant({ kind: 'pop', type })),
    typed((type, value) =>
      fc.tuple(variables, value).map(([of, one]) => ({ kind: 'set-field', of, type, value: one })),
    ),
    fc.tuple(variables, exprs.int).map(([of, by]): Statement => ({ kind: 'bump', of, by })),
    fc.tuple(variables, refs(exprs.int)).map(([to, from]): Statement => ({ kind: 'refer', to, from })),
    fc
      .tuple(variables, fc.tuple(exprs.int, exprs.float, exprs.bool), fc.boolean())
      .map(([to, values, next]): Statement => ({ kind: 'make', to, values, next })),
    fc
      .tuple(fc.constantFrom('s' as const, 'name'), exprs.text)
      .map(([to, value]): Statement => ({ kind: 'set-text', to, value })),
    fc.tuple(exprs.int, exprs.text).map(([index, value]): Statement => ({ kind: 'put-word', index, value })),
    exprs.text.map((value): Statement => ({ kind: 'push-word', value })),
    fc.constant<Statement>({ kind: 'pop-word' }),
    tableStatements(exprs).map((of): Statement => ({ kind: 'change-table', of })),
    { arbitrary: nestedStatements(exprs).map((of): Statement => ({ kind: 'change-nested', of })), weight: 6 },
    fc.tuple(exprs.int, refs(exprs.int)).map(([index, from]): Statement => ({ kind: 'put-cell', index, from })),
    fc.tuple(refs(exprs.int), exprs.int).map(([from, by]): Statement => ({ kind: 'follow', from, by })),
    fc
      .tuple(exprs.bool, tie('many'), tie('many'))
      .map(([condition, yes, otherwise]): Statement => ({ kind: 'if', condition, yes, otherwise })),
    fc
      .tuple(itemRefs(exprs.int), fc.oneof(items(exprs, refs(exprs.int)), itemRefs(exprs.int)))
      .map(([to, item]): Statement => ({ kind: 'set-item', to, item })),
    fc
      .tuple(itemRefs(exprs.int), fc.array(tie('many'), { minLength: 5, maxLength: 5 }))
      .map(([of, arms]): Statement => ({ kind: 'match', of, arms })),
    fc
      .tuple(viewRefs(exprs.int), views(exprs.int, refs(exprs.int), viewRefs(exprs.int)))
      .map(([to, view]): Statement => ({ kind: 'set-view', to, view })),
    exprs.int.map((by): Statement => ({ kind: 'change-view', of: 'v', by })),
    closureStatements(exprs.int, plain),
    fc
      .tuple(fc.nat(4), fc.boolean(), tie('many'))
      .map(([times, isWhile, body]): Statement => ({ kind: 'loop', times, isWhile, body })),
    tie('many').map((body): Statement => ({ kind: 'each', body })),
    fc
      .tuple(fc.constantFrom('break' as const, 'continue', 'return a'), exprs.bool)
      .map(([how, condition]): Statement => ({ kind: 'leave', how, condition })),
  ),
  many: fc.array(tie('one'), { maxLength: 4 }),
})).many;

/** The class of the objects, and functions that all functions call. */
export const DECLARATIONS = `
class Cell impl View {
    a: int
    b: float
    c: bool
    next: Cell?
    name: string
    fn code(self, by: int) int { return self.a + by }
    fn change(mut self, by: int) int { return self.bump(by) }
    fn less(self, by: int) int { return self.a - by }
    fn bump(mut self, by: int) int {
        self.a += by
        self.c = !self.c
        return self.a
    }
}
fn follow(cell: Cell?, by: int) {
    let mut found = cell?
    found.bump(by)
}
fn pick(x: int, y: int) int {
    if x < y { return x - y }
    return x + 3
}${ITEM_DECLARATIONS}${VIEW_DECLARATIONS}${TABLE_DECLARATIONS}${NESTED_DECLARATIONS}${CLOSURE_DECLARATIONS}`;

const NAMES = { int: 'a', float: 'b', bool: 'c' } as const;
const LISTS = { int: 'xs', float: 'ys', bool: 'zs' } as const;

const refText = (of: Ref, depth: number): string =>
  typeof of === 'string' ? of : `cells[${textOf(of.at, depth)} & 1]`;

/** The text of an expression. `depth` is the number of loops around it. */
function textOf(expr: Expr, depth: number): string {
  const text = (one: Expr): string => textOf(one, depth);
  switch (expr.kind) {
    case 'literal': {
      if (typeof expr.value === 'string') return JSON.stringify(expr.value);
      if (typeof expr.value !== 'number') return String(expr.value);
      return /^\d+$/.test(String(expr.value)) ? `${expr.value}.0` : String(expr.value).replace(/^(\d+)e\+?/, '$1.0e');
    }
    case 'variable':
      return NAMES[expr.type];
    case 'counter':
      return depth === 0 ? '5' : `i${depth - 1}`;
    case 'element':
      return `${LISTS[expr.type]}[${text(expr.index)} & 1]`;
    case 'length':
      return `${LISTS[expr.type]}.len()`;
    case 'unary':
      return `(${expr.op}${text(expr.of)})`;
    case 'binary': {
      const right = text(expr.right);
      const isGuarded = expr.of === 'int' && '/%'.includes(expr.op);
      return `(${text(expr.left)} ${expr.op} ${isGuarded ? `((${right} & 1023) + 1)` : right})`;
    }
    case 'cast':
      return `(${text(expr.of)} as ${expr.to})`;
    case 'choice':
      return `(if ${text(expr.condition)} { ${text(expr.yes)} } else { ${text(expr.otherwise)} })`;
    case 'call':
      return `pick(${expr.args.map(text).join(', ')})`;
    case 'field':
      return `${refText(expr.of, depth)}.${NAMES[expr.type]}`;
    case 'less':
      return `${refText(expr.of, depth)}.less(${text(expr.by)})`;
    case 'item-number':
    case 'item-color':
    case 'same-item':
    case 'same-copy':
      return itemExprText(expr, text);
    case 'call-value':
    case 'call-known':
      return closureExprText(expr, text);
    case 'view-code':
    case 'same-view':
      return viewExprText(expr, text);
    case 'table':
      return tableExprText(expr.of, text);
    case 'nested':
      return nestedExprText(expr.of, text);
    case 'same':
      return `(${refText(expr.left, depth)} == ${refText(expr.right, depth)})`;
    case 'linked':
      return `(${refText(expr.of, depth)}.next != none)`;
    case 'text':
      return 's';
    case 'joined':
      return `(${expr.parts.map(text).join(' + ')})`;
    case 'shown':
      return `f"<{${text(expr.of).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}}"`;
    case 'character':
      return `s[${text(expr.index)} & 1]`;
    case 'part':
      return `${text(expr.of)}.substring(${text(expr.start)}, ${text(expr.length)})`;
    case 'name':
      return `${refText(expr.of, depth)}.name`;
    case 'word':
      return `ws[${text(expr.index)} & 1]`;
    case 'word-count':
      return 'ws.len()';
    case 'part-count':
      return `${text(expr.of)}.split("-").len()`;
    case 'text-length':
      return `${text(expr.of)}.len()`;
    case 'byte':
      return `s.byte_at(${text(expr.of)} & 1)`;
    case 'place':
      return `${text(expr.of)}.index_of(${text(expr.part)})`;
    case 'same-text':
      return `(${text(expr.of)} == ${text(expr.part)})`;
    case 'contains':
      return `${text(expr.of)}.contains(${text(expr.part)})`;
    case 'starts':
      return `(s[${text(expr.index)} & 1] == "${expr.byte}")`;
  }
}

function linesOf(body: readonly Statement[], depth: number): readonly string[] {
  const text = (one: Expr): string => textOf(one, depth);
  return body.flatMap((one): readonly string[] => {
    switch (one.kind) {
      case 'set':
        return [`${NAMES[one.type]} = ${text(one.value)}`];
      case 'add':
        return [`a += ${text(one.value)}`];
      case 'step':
        return [`a${one.op}`];
      case 'put':
        return [`${LISTS[one.type]}[${text(one.index)} & 1] = ${text(one.value)}`];
      case 'push':
        return [`if ${LISTS[one.type]}.len() < 50 {`, `${LISTS[one.type]}.push(${text(one.value)})`, '}'];
      case 'pop':
        return [`if ${LISTS[one.type]}.len() > 2 {`, `${NAMES[one.type]} = ${LISTS[one.type]}.pop()`, '}'];
      case 'set-field':
        return [`${one.of}.${NAMES[one.type]} = ${text(one.value)}`];
      case 'bump':
        return [`a = ${one.of}.bump(${text(one.by)})`];
      case 'refer':
        return [`${one.to} = ${refText(one.from, depth)}`];
      case 'make': {
        const [a, b, c] = one.values.map(text);
        return [`${one.to} = Cell { c: ${c}, a: ${a}, next: ${one.next ? 'q' : 'none'}, name: s, b: ${b} }`];
      }
      case 'set-text':
        return [`${one.to === 's' ? 's' : 'p.name'} = "s-" + ${text(one.value)}.substring(0, 40)`];
      case 'put-word':
        return [`ws[${text(one.index)} & 1] = ${text(one.value)}.substring(0, 40)`];
      case 'push-word':
        return ['if ws.len() < 50 {', `ws.push(${text(one.value)}.substring(0, 40))`, '}'];
      case 'pop-word':
        return ['if ws.len() > 2 {', 's = "s-" + ws.pop()', '}'];
      case 'set-item': {
        const { item } = one;
        const set =
          typeof item === 'object' && 'variant' in item
            ? itemText(item, text, cell => refText(cell, depth))
            : itemRefText(item, text);
        return [`${itemRefText(one.to, text)} = ${set}`];
      }
      case 'match':
        return matchLines(
          itemRefText(one.of, text),
          one.arms.map(arm => linesOf(arm, depth)),
        );
      case 'change-table':
        return tableLines(one.of, text);
      case 'change-nested':
        return nestedLines(one.of, text);
      case 'set-view': {
        const set = viewText(one.view, text, cell => refText(cell, depth));
        return [`${viewRefText(one.to, text)} = ${set}`];
      }
      case 'change-view':
        return [`a = ${one.of}.change(${text(one.by)})`];
      case 'set-function':
      case 'call-kept':
        return closureLines(one, text);
      case 'put-cell':
        return [`cells[${text(one.index)} & 1] = ${refText(one.from, depth)}`];
      case 'follow':
        return [`follow(${refText(one.from, depth)}.next, ${text(one.by)})`];
      case 'if':
        return [
          `if ${text(one.condition)} {`,
          ...linesOf(one.yes, depth),
          '} else {',
          ...linesOf(one.otherwise, depth),
          '}',
        ];
      case 'loop': {
        const inner = linesOf(one.body, depth + 1);
        if (!one.isWhile) return [`for i${depth} in 0..${one.times} {`, ...inner, '}'];
        return [
          `let mut n${depth} = 0`,
          `while n${depth} < ${one.times} {`,
          `let i${depth} = n${depth}`,
          `n${depth}++`,
          ...inner,
          '}',
        ];
      }
      case 'each':
        return [`for i${depth} in [3, a, 9] {`, ...linesOf(one.body, depth + 1), '}'];
      case 'leave':
        return depth === 0 ? [] : [`if ${text(one.condition)} { ${one.how} }`];
    }
  });
}

/** Blocks, because a variable name is unique in its function. */
const scoped = (lines: readonly string[]): string => lines.join('\n');

/** A function that runs the statements and prints its variables and lists. */
export function functionText(name: string, body: readonly Statement[]): string {
  const shows = Object.values(LISTS).map(list => `for one_${list} in ${list} { print(one_${list}) }`);
  return [
    `fn ${name}(start: int, xs: [int], ws: [string]) int {`,
    'let mut a = start',
    'let mut b = 0.5',
    'let mut c = true',
    'let mut ys = [1.5, -2.0]',
    'let mut zs = [true, false]',
    'let mut p = Cell { a: 1, b: 0.25, c: false, next: none, name: "p" }',
    'let mut q = Cell { a: -1, b: 4.0, c: true, next: p, name: "q" }',
    'let mut s = "start"',
    'let mut cells = [q, p]',
    'let mut v: View = q',
    'let mut views: [View] = [v, Pair { cell: p, n: 3 }]',
    'let mut t = Item.Num { n: a, on: true }',
    'let mut items = [Item.Linked { n: 1, link: link_to(t, 2) }, Item.Empty]',
    'let mut fs: [fn(int) int] = [(x: int) => x * 3 + start, (x: int) => x * 3 + a]',
    ...TABLE_VARIABLES,
    ...NESTED_VARIABLES,
    scoped(renamed(linesOf(body, 0))),
    'print(a)',
    'print(b)',
    'print(c)',
    ...shows,
    'for word in ws { print(word) }',
    'for cell in cells { print(cell.a)\nprint(cell.b)\nprint(cell.c)\nprint(cell.name) }',
    'for item in items { print(code_of(item, 5)) }',
    'for by in 0..2 { print(copy_of(t, by) == t) }',
    'for view in views { print(view.twice(1)) }',
    'for f in fs { print(f(2)) }',
    ...TABLE_SHOWS,
    ...NESTED_SHOWS,
    'print(p.a)\nprint(q.a)\nprint(p == q)\nprint(s)',
    'return a',
    '}',
  ].join('\n');
}

/** Gives the variables of each loop, and of closures, unique names. */
function renamed(lines: readonly string[]): readonly string[] {
  let count = 0;
  let kept = 0;
  const names: string[] = [];
  const suffix = new Map<string, number>();
  return lines.map(line => {
    const declared = /^(?:let mut (n\d+)|for (i\d+) )/.exec(line);
    const depth = (declared?.[1] ?? declared?.[2])?.slice(1);
    if (depth !== undefined) {
      count += 1;
      suffix.set(depth, count);
      names.push(depth);
    }
    if (line.startsWith('let kept = ')) kept += 1;
    const named = line.replaceAll(/\bkept\b/g, `kept${kept}`);
    return named.replaceAll(/\b([in])(\d+)\b/g, (_, letter: string, at: string) => `${letter}${at}_${suffix.get(at)}`);
  });
}
