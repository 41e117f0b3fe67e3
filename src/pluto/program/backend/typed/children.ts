import type {
  MatchPattern,
  MethodCall,
  TypedBlock,
  TypedBody,
  TypedMethod,
  TypedProgram,
  TypedStmt,
  TypedValue,
  Variable,
} from './typed-form.ts';

/** Visits the direct children of a value or a statement in the order of evaluation. */
export interface ChildVisitor {
  value(value: TypedValue): void;
  stmt(stmt: TypedStmt): void;
}

// Compiling a program visits each value dozens of times, so that visits create no functions and no lists.
function eachValue(values: readonly TypedValue[], visit: ChildVisitor): void {
  for (const one of values) visit.value(one);
}
function eachStmt(stmts: TypedBlock, visit: ChildVisitor): void {
  for (const stmt of stmts) visit.stmt(stmt);
}

export function eachChildOfValue(value: TypedValue, visit: ChildVisitor): void {
  switch (value.kind) {
    case 'interpolation':
      for (const piece of value.pieces) if (typeof piece !== 'string') visit.value(piece);
      return;
    case 'field':
    case 'error-field':
    case 'error-message':
      return visit.value(value.object);
    case 'list':
    case 'set':
      return eachValue(value.elements, visit);
    case 'map':
      for (const entry of value.entries) eachValue(entry, visit);
      return;
    case 'object':
    case 'variant':
      for (const field of value.fields) visit.value(field.value);
      return;
    case 'closure':
      return eachStmt(value.body, visit);
    case 'spawn':
      return visit.value(value.call);
    case 'if-value':
      visit.value(value.condition);
      eachStmt(value.body, visit);
      if ('kind' in value.otherwise) visit.value(value.otherwise);
      else eachStmt(value.otherwise, visit);
      return;
    case 'match-value':
      visit.value(value.subject);
      for (const arm of value.arms) visit.value(arm.value);
      return;
    case 'catch':
      visit.value(value.operand);
      for (const handler of value.handlers) eachStmt(handler.body, visit);
      return;
    case 'none-exit':
    case 'cast':
    case 'unary':
      return visit.value(value.operand);
    case 'binary':
      visit.value(value.left);
      return visit.value(value.right);
    case 'range':
      visit.value(value.from);
      return visit.value(value.to);
    case 'index':
      visit.value(value.object);
      return visit.value(value.index);
    case 'call':
    case 'call-extern':
    case 'call-builtin':
    case 'call-closure':
    case 'expect':
      return eachValue(value.args, visit);
    case 'call-method':
    case 'call-builtin-method':
      visit.value(value.receiver);
      return eachValue(value.args, visit);
    default:
  }
}

export function eachChildOfStmt(stmt: TypedStmt, visit: ChildVisitor): void {
  switch (stmt.kind) {
    case 'let':
    case 'yield':
    case 'value':
      return visit.value(stmt.value);
    case 'channel':
      if (stmt.capacity !== undefined) visit.value(stmt.capacity);
      return;
    case 'return':
      if (stmt.value !== undefined) visit.value(stmt.value);
      return;
    case 'if':
      visit.value(stmt.condition);
      eachStmt(stmt.body, visit);
      if (stmt.otherwise === undefined) return;
      if ('kind' in stmt.otherwise) visit.stmt(stmt.otherwise);
      else eachStmt(stmt.otherwise, visit);
      return;
    case 'while':
      visit.value(stmt.condition);
      return eachStmt(stmt.body, visit);
    case 'count':
      visit.value(stmt.from);
      visit.value(stmt.to);
      return eachStmt(stmt.body, visit);
    case 'each':
      visit.value(stmt.iterable);
      return eachStmt(stmt.body, visit);
    case 'match':
      visit.value(stmt.subject);
      for (const arm of stmt.arms) eachStmt(arm.body, visit);
      return;
    case 'select':
      for (const { channel, sent, body } of stmt.arms) {
        if (channel !== undefined) visit.value(channel);
        if (sent !== undefined) visit.value(sent);
        eachStmt(body, visit);
      }
      return;
    case 'scope':
      return eachStmt(stmt.body, visit);
    case 'raise':
      for (const { value } of stmt.fields) visit.value(value);
      return;
    case 'check':
      return visit.value(stmt.condition);
    case 'assign':
      visit.value(stmt.target);
      return visit.value(stmt.value);
    case 'outcome':
      return visit.value(stmt.call);
    default:
  }
}

interface Code {
  readonly values?: readonly TypedValue[];
  readonly block?: TypedBlock;
}

interface CodeVisitor {
  value?(value: TypedValue): void;
  stmt?(stmt: TypedStmt): void;
}

/** Visits values and statements with everything inside of them, outer ones first. */
export function visitCode(code: Code, visitor: CodeVisitor): void {
  const children: ChildVisitor = {
    value(value) {
      visitor.value?.(value);
      eachChildOfValue(value, children);
    },
    stmt(stmt) {
      visitor.stmt?.(stmt);
      eachChildOfStmt(stmt, children);
    },
  };
  for (const value of code.values ?? []) children.value(value);
  for (const stmt of code.block ?? []) children.stmt(stmt);
}

/** The variables that a block declares, at any depth. */
export function declaredIn(block: TypedBlock): ReadonlySet<Variable> {
  const declared = new Set<Variable>();
  const bind = ({ bindings }: MatchPattern): void => bindings.forEach(({ variable }) => declared.add(variable));
  visitCode(
    { block },
    {
      value(value) {
        if (value.kind === 'closure') value.params.forEach(param => declared.add(param));
        if (value.kind === 'match-value') value.arms.forEach(bind);
        if (value.kind !== 'catch') return;
        for (const { variable } of value.handlers) if (variable !== undefined) declared.add(variable);
      },
      stmt(stmt) {
        if (stmt.kind === 'let' || stmt.kind === 'count' || stmt.kind === 'each') declared.add(stmt.variable);
        if (stmt.kind === 'outcome') stmt.declared.forEach(one => declared.add(one));
        if (stmt.kind === 'channel') declared.add(stmt.sender).add(stmt.receiver);
        if (stmt.kind === 'match') stmt.arms.forEach(bind);
        if (stmt.kind !== 'select') return;
        for (const { received } of stmt.arms) if (received !== undefined) declared.add(received);
      },
    },
  );
  return declared;
}

/** Visits the code of a function: its checks, then its statements. */
export function visitBody({ checks, block }: Pick<TypedBody, 'checks' | 'block'>, visitor: CodeVisitor): void {
  const stmts = checks.filter(check => check.kind === 'check');
  visitCode({ block: [...stmts, ...block] }, visitor);
}

/** The code of a program that is in no function or method: invariants, singletons, and the app. */
export const codeOutsideBodies = ({ classes, singletons, entry }: TypedProgram): Code => ({
  values: [...singletons.map(({ value }) => value), ...(entry?.kind === 'app' ? [entry.app] : [])],
  block: classes.flatMap(({ invariants }) => invariants),
});

/** The method that a call runs, if there is only one. */
export const directTarget = ({ targets }: MethodCall): TypedMethod | undefined =>
  targets.length === 1 ? targets[0] : undefined;

/** Whether the invariants of the object are checked after a call. */
export const mayBreakInvariants = ({ isMut, targets }: MethodCall): boolean =>
  isMut && targets.some(({ owner }) => owner.invariants.length > 0);
