import type { ForStmt, LetChanStmt, LetStmt, ReturnStmt, ServeStmt, Stmt, YieldStmt } from '../../syntax/ast/code.ts';
import { withoutParens } from '../../syntax/ast/code.ts';
import type { Span } from '../../syntax/ast/span.ts';
import { kindNames, withArticle } from '../../syntax/parts.ts';
import { BOOL, BYTE, INT, NONE, STRING, UNKNOWN, wrap } from '../types/make.ts';
import { hasNone } from '../types/relate.ts';
import { showType } from '../types/show.ts';
import type { Type } from '../types/type.ts';
import type { ProgramFile } from '../program/program-file.ts';
import { checkAssign, checkStep } from './assignment.ts';
import type { Body } from './body.ts';
import { isBuiltinFunction } from './builtin-functions.ts';
import { taintOf } from './escape.ts';
import { isUnconstrained, expectType } from './operators.ts';
import { checkArms } from './patterns.ts';
import { checkRaise } from './raise.ts';
import { checkScope } from './scope-block.ts';
import { checkSelect } from './select.ts';

export function checkStmt(body: Body, stmt: Stmt): void {
  switch (stmt.kind) {
    case 'LetStmt':
      return checkLet(body, stmt);
    case 'LetChanStmt':
      return checkLetChan(body, stmt);
    case 'ReturnStmt':
      return checkReturn(body, stmt);
    case 'YieldStmt':
      return checkYield(body, stmt);
    case 'IfStmt':
      expectType(
        body,
        stmt.condition,
        body.expr(stmt.condition),
        BOOL,
        'condition-not-bool',
        'if condition must be bool',
      );
      body.block(stmt.body);
      if (stmt.otherwise?.kind === 'Block') body.block(stmt.otherwise);
      else if (stmt.otherwise !== undefined) checkStmt(body, stmt.otherwise);
      return;
    case 'WhileStmt':
      expectType(
        body,
        stmt.condition,
        body.expr(stmt.condition),
        BOOL,
        'condition-not-bool',
        'while condition must be bool',
      );
      return inLoop(body, () => body.block(stmt.body));
    case 'ForStmt':
      return checkFor(body, stmt);
    case 'MatchStmt':
      return checkArms(body, stmt, body.expr(stmt.subject), stmt.arms, arm => {
        for (const inner of arm.body.stmts) body.stmt(inner);
      });
    case 'SelectStmt':
      return checkSelect(body, stmt);
    case 'ScopeStmt':
      return checkScope(body, stmt);
    case 'RaiseStmt':
      return checkRaise(body, stmt);
    case 'AssertStmt':
      return expectType(
        body,
        stmt.condition,
        body.expr(stmt.condition),
        BOOL,
        'assert-not-bool',
        'assert expression must be bool',
      );
    case 'ServeStmt':
      return checkServe(body, stmt);
    case 'BreakStmt':
    case 'ContinueStmt':
      if (body.frame.loops === 0)
        body.report(
          'loop-control',
          stmt,
          `'${stmt.kind === 'BreakStmt' ? 'break' : 'continue'}' can only be used inside a loop`,
        );
      return;
    case 'AssignStmt':
      return checkAssign(body, stmt);
    case 'StepStmt':
      return checkStep(body, stmt);
    case 'ExprStmt': {
      const expr = withoutParens(stmt.expr);
      if (expr.kind === 'CallExpr' && expr.name.text === 'expect')
        body.report('expect-unused', expr, 'expect() must be followed by an assertion, such as .to_equal(…)');
      const type = body.expr(stmt.expr);
      if (type.kind === 'task')
        body.report('task-unused', stmt, 'Task handle must be used: assign it to a variable, or call .detach() on it');
      return;
    }
    default:
  }
}

function inLoop(body: Body, inside: () => void): void {
  body.frame.loops += 1;
  inside();
  body.frame.loops -= 1;
}

function checkLet(body: Body, stmt: LetStmt): void {
  const { name } = stmt;
  const written = stmt.type === undefined ? undefined : body.type(stmt.type);
  body.lastSpawn = undefined;
  const found = body.expr(stmt.value, written);
  const spawned = withoutParens(stmt.value).kind === 'SpawnExpr' ? body.lastSpawn : undefined;
  if (written !== undefined && !body.isCompatible(found, written))
    body.report(
      'let-type-mismatch',
      stmt.value,
      `type mismatch: expected ${showType(written)}, found ${showType(found)}`,
    );
  if (written === undefined && hasNone(found))
    body.report(
      'none-uninferable',
      stmt.value,
      `cannot infer type of \`none\`: add a type, as in let ${name.text}: int? = none`,
    );
  checkLetName(body, name.text, name);
  const type = written ?? (found === NONE || found.kind === 'never' ? UNKNOWN : found);
  const local = body.declare({ name: name.text, span: name, type, origin: 'let', isImmutable: !stmt.isMut });
  if (stmt.value.kind === 'BrokenExpr') local.isRead = true;
  local.task = spawned;
  local.taint = taintOf(body, stmt.value);
  body.noteVariable(name, local);
}

function checkLetName(body: Body, name: string, span: Span): void {
  if (name === '') return;
  const { program, file } = body.context;
  const other = program.find(
    file,
    name,
    'FunctionDecl',
    'ExternDecl',
    'ClassDecl',
    'EnumDecl',
    'TraitDecl',
    'ErrorDecl',
    'AppDecl',
  );
  const kind =
    other?.kind === 'ExternDecl' || (other === undefined && isBuiltinFunction(name)) ? 'FunctionDecl' : other?.kind;
  const word = kind === undefined ? undefined : kindNames[kind];
  if (word === undefined || other?.file.isEmbedded === true) return;
  // Declarations of an imported module are qualified with its name, so variables cannot shadow them.
  program.tracker.see(file.importsVersion);
  if (!file.isImported && (other === undefined || isInProgram(body, program.fileOf(other))))
    body.report(
      'variable-like-declaration',
      span,
      `variable '${name}' shadows ${withArticle(word)} of this name: rename the variable`,
    );
}

/** Whether two files can be in one program: each file with an entry point is a separate program. */
function isInProgram({ context: { program, file } }: Body, other: ProgramFile): boolean {
  program.tracker.see(other.importsVersion);
  return file.mayRunWith(other);
}

function checkLetChan(body: Body, stmt: LetChanStmt): void {
  const element = body.type(stmt.element);
  if (stmt.capacity !== undefined)
    expectType(body, stmt.capacity, body.expr(stmt.capacity), INT, 'channel-type', 'channel capacity must be int');
  for (const [name, kind] of [
    [stmt.sender, 'sender'],
    [stmt.receiver, 'receiver'],
  ] as const) {
    checkLetName(body, name.text, name);
    body.declare({ name: name.text, span: name, type: wrap(kind, element), origin: 'channel', isImmutable: false });
  }
}

function checkReturn(body: Body, stmt: ReturnStmt): void {
  const { frame } = body;
  if (frame.yields !== undefined) {
    if (stmt.value === undefined) return;
    body.expr(stmt.value);
    return body.report(
      'return-in-generator',
      stmt,
      'return with a value is not allowed in a generator: use yield for values, and a bare return to end',
    );
  }
  if (stmt.value === undefined) {
    const { result } = frame;
    if (result !== undefined && result.kind !== 'void' && !isUnconstrained(result))
      body.report('return-type-mismatch', stmt, `return type mismatch: expected ${showType(result)}, found void`);
    return;
  }
  const found = body.expr(stmt.value, frame.result);
  checkEscape(body, stmt, taintOf(body, stmt.value));
  if (frame.result === undefined) {
    if (found.kind !== 'never') frame.result = found;
    return;
  }
  if (body.isCompatible(found, frame.result)) return;
  const hint =
    frame.isClosure && frame.result.kind === 'void' ? ': write the result type of the closure before =>' : '';
  body.report(
    'return-type-mismatch',
    stmt.value,
    `return type mismatch: expected ${showType(frame.result)}, found ${showType(found)}${hint}`,
  );
}

function checkEscape(body: Body, site: Span, taint: number): void {
  if (taint > 0 && !body.frame.isClosure)
    body.report('scope-escape', site, 'closure that uses a binding of a scope block cannot escape scope block');
}

function checkYield(body: Body, stmt: YieldStmt): void {
  const { yields } = body.frame;
  if (yields === undefined) {
    body.expr(stmt.value);
    return body.report(
      'yield-misplaced',
      stmt,
      "yield can only be used inside a generator: a function with a 'stream' result",
    );
  }
  body.checkExpr(
    stmt.value,
    yields,
    'yield-type-mismatch',
    (wanted, found) => `yield type mismatch: expected ${wanted}, found ${found}`,
  );
}

function checkFor(body: Body, stmt: ForStmt): void {
  const type = elementOf(body, body.expr(stmt.iterable), stmt.iterable);
  body.scoped(() => {
    const { name } = stmt;
    const local = body.declare({ name: name.text, span: name, type, origin: 'bound', isImmutable: false });
    body.noteVariable(name, local);
    inLoop(body, () => {
      for (const inner of stmt.body.stmts) body.stmt(inner);
    });
  });
}

function elementOf(body: Body, iterable: Type, site: Span): Type {
  switch (iterable.kind) {
    case 'list':
    case 'receiver':
    case 'stream':
      return iterable.element;
    case 'range':
      return INT;
    case 'string':
      return STRING;
    case 'bytes':
      return BYTE;
    default:
      if (!isUnconstrained(iterable))
        body.report(
          'for-iterable',
          site,
          `for loop requires array, range, string, bytes, receiver, or stream, found ${showType(iterable)}`,
        );
      return UNKNOWN;
  }
}

function checkServe(body: Body, stmt: ServeStmt): void {
  const service = body.expr(stmt.service);
  if (service.kind === 'class') body.serves.push(service.symbol);
  else if (!isUnconstrained(service))
    body.report('serve-type', stmt.service, `serve expects a class instance, found ${showType(service)}`);
  expectType(body, stmt.port, body.expr(stmt.port), INT, 'serve-type', 'serve port must be int');
}
