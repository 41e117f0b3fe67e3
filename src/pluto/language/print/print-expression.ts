import type { BinaryExpr, Block, CatchExpr, Expr, FieldInit, IfExpr, Param, Pattern } from '../syntax/ast/code.ts';
import { concat, concatAll, type Doc, group, hardLine, line, nest, render } from './doc.ts';
import { body, braces, entriesOf, Layout, list, parens, square } from './layout.ts';
import { endsWithType, Level, levelOf, levelOfOp, startsWithParen } from './precedence.ts';
import { printPath, printType, printTypeArgs } from './print-type.ts';

/** The context of an expression. */
export interface PrintContext {
  /** Braces after a name would start a body. */
  readonly isBeforeBody: boolean;
  /** At the start of a statement, where some operators would continue the previous line, and `if` and `match` would be statements. */
  readonly isStatementStart: boolean;
}

export const noContext: PrintContext = { isBeforeBody: false, isStatementStart: false };
export const condition: PrintContext = { isBeforeBody: true, isStatementStart: false };
export const statementStart: PrintContext = { isBeforeBody: false, isStatementStart: true };

export function printExpr(layout: Layout, expr: Expr, context: PrintContext, least: number = Level.Any): Doc {
  if (levelOf(expr) < least || needsParens(layout, expr, context))
    return concat('(', printBare(layout, expr, noContext), ')');
  return printBare(layout, expr, context);
}

function needsParens(layout: Layout, expr: Expr, { isBeforeBody, isStatementStart }: PrintContext): boolean {
  switch (expr.kind) {
    case 'RecordExpr':
    case 'MapExpr':
    case 'SetExpr':
      return isBeforeBody;
    case 'IfExpr':
    case 'MatchExpr':
    case 'ListExpr':
      return isStatementStart;
    case 'UnaryExpr':
      return isStatementStart && expr.op === '-';
    // `f(a < b, c > (d))` would be a call with type arguments.
    case 'BinaryExpr':
      return expr.op === '>' && layout.isSynthetic && startsWithParen(expr.right);
    default:
      return false;
  }
}

function printBare(layout: Layout, expr: Expr, context: PrintContext): Doc {
  const inside = { ...context, isStatementStart: false };
  switch (expr.kind) {
    case 'IntExpr':
    case 'FloatExpr':
    case 'StringExpr':
      return expr.raw;
    case 'BoolExpr':
      return String(expr.value);
    case 'NoneExpr':
      return 'none';
    case 'SelfExpr':
      return 'self';
    case 'IdentExpr':
      return expr.name;
    case 'FStringExpr':
      return printFString(layout, expr);
    case 'ListExpr':
      return printList(layout, square, expr.elements, expr.end);
    case 'MapExpr': {
      const type = `Map${printTypeArgs([expr.key, expr.value])} `;
      const entries = list(layout, braces, expr.entries, expr.end, ({ key, value }) =>
        concat(
          printExpr(layout, key, noContext, key.kind === 'CatchExpr' ? Level.Postfix : Level.Any),
          ': ',
          printExpr(layout, value, noContext),
        ),
      );
      return concat(type, entries);
    }
    case 'SetExpr':
      return concat(`Set${printTypeArgs([expr.element])} `, printList(layout, braces, expr.elements, expr.end));
    case 'RecordExpr': {
      const { path, typeArgs, typeArgsAfter } = expr;
      const rest = path.length > typeArgsAfter ? `.${printPath(path.slice(typeArgsAfter))}` : '';
      const name = printPath(path.slice(0, typeArgsAfter)) + printTypeArgs(typeArgs) + rest;
      return concat(name, ' ', printFields(layout, expr.fields, expr.end));
    }
    case 'VariantExpr':
      return `${printPath(expr.enumPath)}${printTypeArgs(expr.typeArgs)}.${expr.variant.text}`;
    case 'ParenExpr':
      return concat('(', printExpr(layout, expr.inner, noContext), ')');
    case 'ClosureExpr': {
      const result = expr.result === undefined ? '' : ` ${printType(expr.result)}`;
      const code =
        expr.body.kind === 'Block' ? layout.printBlock(layout, expr.body) : printExpr(layout, expr.body, inside);
      return concat(printParams(layout, expr.params, expr.body.start), result, ' => ', code);
    }
    case 'IfExpr':
      return printIf(layout, expr);
    case 'MatchExpr':
      return printMatch(layout, expr);
    case 'SpawnExpr':
      return concat('spawn ', printExpr(layout, expr.call, inside));
    case 'CallExpr':
      return concat(expr.name.text, printTypeArgs(expr.typeArgs), printList(layout, parens, expr.args, expr.end));
    case 'StaticCallExpr': {
      const name = `${expr.trait.text}::${expr.method.text}${printTypeArgs(expr.typeArgs)}`;
      return concat(name, printList(layout, parens, expr.args, expr.end));
    }
    case 'BinaryExpr':
      return printBinary(layout, expr, context);
    case 'RangeExpr': {
      const from = printExpr(layout, expr.from, context, Level.Binary);
      return concat(from, expr.isInclusive ? '..=' : '..', printExpr(layout, expr.to, inside, Level.Binary));
    }
    case 'UnaryExpr': {
      const isDouble = expr.op === '-' && expr.operand.kind === 'UnaryExpr' && expr.operand.op === '-';
      return concat(expr.op, printExpr(layout, expr.operand, inside, isDouble ? Level.Postfix : Level.Prefix));
    }
    case 'CastExpr':
      return concat(printExpr(layout, expr.operand, context, Level.Cast), ' as ', printType(expr.type));
    case 'BrokenExpr':
      return layout.slice(expr);
    default:
      return printPostfix(layout, expr, context);
  }
}

type Postfix = Extract<
  Expr,
  { kind: 'MemberExpr' | 'MethodCallExpr' | 'IndexExpr' | 'PropagateExpr' | 'NullPropagateExpr' | 'CatchExpr' }
>;

function printPostfix(layout: Layout, expr: Postfix, context: PrintContext): Doc {
  switch (expr.kind) {
    case 'MemberExpr':
      return concat(printObject(layout, expr.object, context), '.', expr.name.text);
    case 'MethodCallExpr': {
      const object = printObject(layout, expr.object, context);
      return concat(object, '.', expr.name.text, printList(layout, parens, expr.args, expr.end));
    }
    case 'IndexExpr':
      return concat(printObject(layout, expr.object, context), '[', printExpr(layout, expr.index, noContext), ']');
    case 'PropagateExpr':
      return concat(printObject(layout, expr.operand, context), '!');
    case 'NullPropagateExpr':
      return concat(printObject(layout, expr.operand, context), '?');
    case 'CatchExpr':
      return printCatch(layout, expr, context);
  }
}

/** A float followed by a dot would be a different number. */
function printObject(layout: Layout, object: Expr, context: PrintContext): Doc {
  const doc = printExpr(layout, object, context, Level.Postfix);
  return object.kind === 'FloatExpr' ? concat('(', doc, ')') : doc;
}

const printList = (layout: Layout, brackets: typeof parens, items: readonly Expr[], end: number): Doc =>
  list(layout, brackets, items, end, item => printExpr(layout, item, noContext));

export const printFields = (layout: Layout, fields: readonly FieldInit[], end: number): Doc =>
  list(layout, braces, fields, end, ({ name, value }) => concat(name.text, ': ', printExpr(layout, value, noContext)));

/** `end`: the end of the list in the text. */
export const printParams = (layout: Layout, params: readonly Param[], end: number): Doc =>
  list(layout, parens, params, params.length === 0 ? 0 : end, ({ name, type }) => `${name.text}: ${printType(type)}`);

/** Operators of one level are on one line, or each is at the start of a line. */
function printBinary(layout: Layout, expr: BinaryExpr, context: PrintContext): Doc {
  const level = levelOfOp(expr.op);
  const tail: BinaryExpr[] = [];
  let first: Expr = expr;
  while (first.kind === 'BinaryExpr' && levelOfOp(first.op) === level && !isAmbiguous(layout, first, expr)) {
    tail.unshift(first);
    first = first.left;
  }
  const inside = { ...context, isStatementStart: false };
  const isOpen = tail[0]?.op === '<' && endsWithType(first);
  const parts: Doc[] = [printExpr(layout, first, context, isOpen ? Level.Postfix : level)];
  const rest: Doc[] = [];
  for (const [index, { op, right }] of tail.entries()) {
    const takesType = tail[index + 1]?.op === '<' && endsWithType(right);
    rest.push(line, op, ' ', printExpr(layout, right, inside, takesType ? Level.Postfix : level + 1));
  }
  return group(concat(concatAll(parts), nest(concatAll(rest))));
}

/** A comparison of a comparison could be read as type arguments, so it gets parentheses. */
const isAmbiguous = (layout: Layout, inner: BinaryExpr, outer: BinaryExpr): boolean =>
  layout.isSynthetic && inner !== outer && (inner.op === '<' || inner.op === '>');

function printCatch(layout: Layout, expr: CatchExpr, context: PrintContext): Doc {
  // A handler after a handler would belong to the same operand.
  const operand =
    expr.operand.kind === 'CatchExpr' ? printExpr(layout, expr.operand, context, Level.Postfix + 1) : undefined;
  const parts: Doc[] = [operand ?? printObject(layout, expr.operand, context)];
  const inside = { ...context, isStatementStart: false };
  for (const [index, handler] of expr.handlers.entries()) {
    // A handler after a value on the same line would belong to the value.
    const before = expr.handlers[index - 1]?.kind === 'ValueHandler' ? nest(hardLine) : ' ';
    if (handler.kind === 'ValueHandler') {
      const { value } = handler;
      // Handlers after a value that ends with handlers would belong to the value.
      const isGreedy = index < expr.handlers.length - 1 && endsWithHandler(value);
      const isMistaken = isGreedy || (value.kind === 'IdentExpr' && context.isBeforeBody) || startsWithName(value);
      const doc = printExpr(layout, value, inside);
      parts.push(before, 'catch ', isMistaken ? concat('(', doc, ')') : doc);
    } else {
      const error = handler.kind === 'TypedHandler' ? `: ${printPath(handler.error)}` : '';
      parts.push(before, `catch ${handler.name.text}${error} `, layout.printBlock(layout, handler.body));
    }
  }
  return concat(...parts);
}

/** Whether the text may end with a handler. */
const endsWithHandler = ({ kind }: Expr): boolean =>
  kind === 'CatchExpr' ||
  kind === 'BinaryExpr' ||
  kind === 'UnaryExpr' ||
  kind === 'ClosureExpr' ||
  kind === 'RangeExpr';

/** `catch Name {` binds an error to that name. */
function startsWithName(expr: Expr): boolean {
  switch (expr.kind) {
    case 'RecordExpr':
      return expr.path.length === 1 && expr.typeArgs.length === 0;
    case 'BinaryExpr':
      return startsWithName(expr.left);
    case 'RangeExpr':
      return startsWithName(expr.from);
    case 'CastExpr':
    case 'PropagateExpr':
    case 'NullPropagateExpr':
    case 'CatchExpr':
      return startsWithName(expr.operand);
    case 'MemberExpr':
    case 'MethodCallExpr':
    case 'IndexExpr':
      return startsWithName(expr.object);
    default:
      return false;
  }
}

function printFString(layout: Layout, expr: Extract<Expr, { kind: 'FStringExpr' }>): Doc {
  const pieces = expr.pieces.map(piece => {
    if (piece.kind === 'FStringText') return piece.raw;
    // An interpolation is source inside a string: it has no comments, and its quotes are escaped.
    const inner = new Layout(layout.text, [], layout.printBlock);
    const text = render(printExpr(inner, piece, noContext), Infinity);
    return `{${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}}`;
  });
  return `f"${pieces.join('')}"`;
}

function printIf(layout: Layout, expr: IfExpr): Doc {
  const parts: Doc[] = [];
  const canBeFlat = isShort(layout, expr);
  let at: IfExpr | Block = expr;
  while (at.kind === 'IfExpr') {
    parts.push(
      'if ',
      printExpr(layout, at.condition, condition),
      ' ',
      printBranch(layout, at.body, canBeFlat),
      ' else ',
    );
    at = at.otherwise;
  }
  parts.push(printBranch(layout, at, canBeFlat));
  return canBeFlat ? group(concat(...parts)) : concat(...parts);
}

/** Whether every branch is one expression without comments. */
function isShort(layout: Layout, expr: IfExpr): boolean {
  if (layout.hasCommentBefore(expr.end)) return false;
  let at: IfExpr | Block = expr;
  for (; at.kind === 'IfExpr'; at = at.otherwise) if (!isOneExpr(at.body)) return false;
  return isOneExpr(at);
}

const isOneExpr = ({ stmts }: Block): boolean => stmts.length === 1 && stmts[0]?.kind === 'ExprStmt';

function printBranch(layout: Layout, block: Block, canBeFlat: boolean): Doc {
  const [first] = block.stmts;
  if (!canBeFlat || first?.kind !== 'ExprStmt') return layout.printBlock(layout, block);
  return concat('{', nest(concat(line, printExpr(layout, first.expr, statementStart))), line, '}');
}

function printMatch(layout: Layout, expr: Extract<Expr, { kind: 'MatchExpr' }>): Doc {
  const subject = printExpr(layout, expr.subject, condition);
  const arms = entriesOf(layout, expr.arms, expr.end, arm =>
    concat(printPattern(arm.pattern), ' => ', printExpr(layout, arm.value, noContext), ','),
  );
  return concat('match ', subject, ' ', body(arms));
}

export function printPattern({ path, bindings }: Pattern): string {
  if (bindings === undefined) return printPath(path);
  if (bindings.length === 0) return `${printPath(path)} {}`;
  const names = bindings.map(({ field, rename }) => field.text + (rename === undefined ? '' : `: ${rename.text}`));
  return `${printPath(path)} { ${names.join(', ')} }`;
}
