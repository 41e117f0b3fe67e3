import type { Expr } from './ast/code.ts';
import type { Decl, Module } from './ast/decl.ts';
import type { SyntaxReport } from './report.ts';

/** Nodes that contracts must not contain, with their names in messages; all other kinds are searched. */
const banned: Partial<Record<Expr['kind'], string>> = {
  StringExpr: 'a string literal',
  FStringExpr: 'string interpolation',
  CallExpr: 'a function call',
  StaticCallExpr: 'a static trait call',
  RecordExpr: 'a struct or enum literal',
  VariantExpr: 'an enum literal',
  ListExpr: 'an array literal',
  MapExpr: 'a map literal',
  SetExpr: 'a set literal',
  ClosureExpr: 'a closure',
  SpawnExpr: 'spawn',
  CastExpr: 'a cast',
  IndexExpr: 'an index',
  RangeExpr: 'a range',
  PropagateExpr: "'!'",
  NullPropagateExpr: "'?'",
  CatchExpr: 'catch',
  IfExpr: 'an if expression',
  MatchExpr: 'a match expression',
};

/** Checks that `requires` and `invariant` use only the decidable fragment: literals, names, fields, operators and `len()`. */
export function checkContracts({ items }: Module, report: SyntaxReport): void {
  for (const item of items) for (const condition of conditionsOf(item)) checkCondition(condition, report);
}

function conditionsOf(item: Decl): readonly Expr[] {
  switch (item.kind) {
    case 'FunctionDecl':
      return item.contracts.map(({ condition }) => condition);
    case 'ClassDecl':
    case 'TraitDecl':
    case 'AppDecl':
    case 'StageDecl':
      return item.members.flatMap(member => {
        if (member.kind === 'Invariant') return member.condition;
        return member.kind === 'MethodDecl' ? member.contracts.map(({ condition }) => condition) : [];
      });
    default:
      return [];
  }
}

function checkCondition(expr: Expr, report: SyntaxReport): void {
  switch (expr.kind) {
    case 'ParenExpr':
      return checkCondition(expr.inner, report);
    case 'UnaryExpr':
      return checkCondition(expr.operand, report);
    case 'BinaryExpr':
      checkCondition(expr.left, report);
      return checkCondition(expr.right, report);
    case 'MemberExpr':
      return checkCondition(expr.object, report);
    case 'MethodCallExpr':
      if (expr.name.text === 'len' && expr.args.length === 0) return checkCondition(expr.object, report);
      report.error('contract-fragment', expr, `a call of '${expr.name.text}' is not allowed in contract expressions`);
      return;
    default: {
      const what = banned[expr.kind];
      if (what !== undefined) report.error('contract-fragment', expr, `${what} is not allowed in contract expressions`);
    }
  }
}
