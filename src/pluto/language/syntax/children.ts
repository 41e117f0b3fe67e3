import type { Block, Expr, FStringText, Stmt } from './ast/code.ts';
import type { Type } from './ast/type.ts';

/** Receives the direct children of a statement or expression in source order, including types. */
export interface ChildVisitor {
  expr(expr: Expr): void;
  block(block: Block): void;
  type(type: Type): void;
}

export function eachChildOfExpr(expr: Expr, visit: ChildVisitor): void {
  const exprs = (list: readonly Expr[]): void => list.forEach(one => visit.expr(one));
  const types = (list: readonly Type[]): void => list.forEach(one => visit.type(one));
  switch (expr.kind) {
    case 'FStringExpr':
      for (const piece of expr.pieces) if (isHole(piece)) visit.expr(piece);
      return;
    case 'ListExpr':
      return exprs(expr.elements);
    case 'MapExpr':
      types([expr.key, expr.value]);
      for (const { key, value } of expr.entries) exprs([key, value]);
      return;
    case 'SetExpr':
      visit.type(expr.element);
      return exprs(expr.elements);
    case 'RecordExpr':
      types(expr.typeArgs);
      for (const { value } of expr.fields) visit.expr(value);
      return;
    case 'VariantExpr':
      return types(expr.typeArgs);
    case 'ParenExpr':
      return visit.expr(expr.inner);
    case 'ClosureExpr':
      types(expr.params.map(({ type }) => type));
      if (expr.result !== undefined) visit.type(expr.result);
      return expr.body.kind === 'Block' ? visit.block(expr.body) : visit.expr(expr.body);
    case 'IfExpr':
      visit.expr(expr.condition);
      visit.block(expr.body);
      return expr.otherwise.kind === 'Block' ? visit.block(expr.otherwise) : visit.expr(expr.otherwise);
    case 'MatchExpr':
      visit.expr(expr.subject);
      for (const { value } of expr.arms) visit.expr(value);
      return;
    case 'SpawnExpr':
      return visit.expr(expr.call);
    case 'CallExpr':
    case 'StaticCallExpr':
      types(expr.typeArgs);
      return exprs(expr.args);
    case 'MemberExpr':
      return visit.expr(expr.object);
    case 'MethodCallExpr':
      return exprs([expr.object, ...expr.args]);
    case 'IndexExpr':
      return exprs([expr.object, expr.index]);
    case 'PropagateExpr':
    case 'NullPropagateExpr':
    case 'UnaryExpr':
      return visit.expr(expr.operand);
    case 'CatchExpr':
      visit.expr(expr.operand);
      for (const handler of expr.handlers)
        if (handler.kind === 'ValueHandler') visit.expr(handler.value);
        else visit.block(handler.body);
      return;
    case 'CastExpr':
      visit.expr(expr.operand);
      return visit.type(expr.type);
    case 'BinaryExpr':
      return exprs([expr.left, expr.right]);
    case 'RangeExpr':
      return exprs([expr.from, expr.to]);
    default:
  }
}

const isHole = (piece: FStringText | Expr): piece is Expr => piece.kind !== 'FStringText';

/** @param nested receives the `if` of an `else if`, the one direct child that is a statement */
export function eachChildOfStmt(stmt: Stmt, visit: ChildVisitor, nested: (stmt: Stmt) => void): void {
  switch (stmt.kind) {
    case 'LetStmt':
      if (stmt.type !== undefined) visit.type(stmt.type);
      return visit.expr(stmt.value);
    case 'LetChanStmt':
      visit.type(stmt.element);
      if (stmt.capacity !== undefined) visit.expr(stmt.capacity);
      return;
    case 'ReturnStmt':
      if (stmt.value !== undefined) visit.expr(stmt.value);
      return;
    case 'YieldStmt':
      return visit.expr(stmt.value);
    case 'IfStmt':
      visit.expr(stmt.condition);
      visit.block(stmt.body);
      if (stmt.otherwise?.kind === 'IfStmt') nested(stmt.otherwise);
      else if (stmt.otherwise !== undefined) visit.block(stmt.otherwise);
      return;
    case 'WhileStmt':
      visit.expr(stmt.condition);
      return visit.block(stmt.body);
    case 'ForStmt':
      visit.expr(stmt.iterable);
      return visit.block(stmt.body);
    case 'MatchStmt':
      visit.expr(stmt.subject);
      for (const { body } of stmt.arms) visit.block(body);
      return;
    case 'SelectStmt':
      for (const arm of stmt.arms) {
        if (arm.kind === 'RecvArm') visit.expr(arm.receive);
        if (arm.kind === 'SendArm') visit.expr(arm.send);
        visit.block(arm.body);
      }
      return;
    case 'ScopeStmt':
      for (const seed of stmt.seeds) visit.expr(seed);
      for (const { type } of stmt.bindings) visit.type(type);
      return visit.block(stmt.body);
    case 'RaiseStmt':
      for (const { value } of stmt.fields) visit.expr(value);
      return;
    case 'AssertStmt':
      return visit.expr(stmt.condition);
    case 'ServeStmt':
      visit.expr(stmt.service);
      return visit.expr(stmt.port);
    case 'AssignStmt':
      visit.expr(stmt.target);
      return visit.expr(stmt.value);
    case 'StepStmt':
      return visit.expr(stmt.target);
    case 'ExprStmt':
      return visit.expr(stmt.expr);
    default:
  }
}
