import type { PausableWork } from '../../../../base/time-slice.ts';
import { VOID } from '../../../language/check/types/make.ts';
import type { Type } from '../../../language/check/types/type.ts';
import { CallGraph } from './call-graph.ts';
import { declaredIn, eachChildOfStmt, eachChildOfValue, visitBody } from './children.ts';
import { type CodeMapper, mapInStmt, mapInValue } from './map-code.ts';
import type {
  FieldUse,
  TypedBlock,
  TypedBody,
  TypedFunction,
  TypedMethod,
  TypedProgram,
  TypedStmt,
  TypedValue,
  Variable,
} from './typed-form.ts';

/** Declarations before a loop that may be in its function. */
const MAX_DECLARATIONS = 8;

type Code = (TypedFunction | TypedMethod) & Unfinished;

interface Unfinished {
  body: TypedBody;
}

/** A function or method, or the methods that a call through a trait may run: calls of one method of a trait have the same list. */
type Callee = Code | readonly TypedMethod[];

/**
 * Makes functions of loops that do not block, in code that only JavaScript can express: it blocks, has tasks, channels or streams, or is in an app. The statements
 * around such a loop are in the function too, if at most one of their variables is used afterwards.
 *
 * @returns the functions of the program
 */
export function* extractLoops(program: TypedProgram): PausableWork<readonly TypedFunction[]> {
  const { functions, classes } = program;
  const graph = yield* CallGraph.of(program);
  const methods = classes.flatMap(one => Array.from(one.methods.values()));
  const rewritten: Code[] = [];
  const callers = new Map<Callee, Callee[]>();
  for (const of of [...functions, ...methods]) {
    if (graph.isBlocking(of) || ('owner' in of && of.owner.type === undefined) || isJavaScript(of.body))
      rewritten.push(of);
    addCalls(callers, of);
    yield;
  }
  const javaScript = new Set<Callee>(rewritten);
  // The set grows while it is visited.
  for (const of of javaScript) for (const caller of callers.get(of) ?? []) javaScript.add(caller);
  const extracted: TypedFunction[] = [];
  for (const of of rewritten) {
    if ('self' in of && of.self !== undefined) continue;
    const extractor = new LoopExtractor({ graph, javaScript, extracted }, of);
    of.body = { ...of.body, block: extractor.block(of.body.block) };
    yield;
  }
  return extracted.length === 0 ? functions : [...functions, ...extracted];
}

function addCalls(callers: Map<Callee, Callee[]>, of: Code): void {
  const add = (callee: Callee, caller: Callee): void => {
    const others = callers.get(callee) ?? [];
    callers.set(callee, others);
    others.push(caller);
  };
  visitBody(of.body, {
    value(value) {
      if (value.kind === 'call') add(value.callee, of);
      if (value.kind !== 'call-method') return;
      const { targets } = value;
      if (!callers.has(targets)) for (const target of targets) add(target, targets);
      add(targets, of);
    },
  });
}

/** Values and statements of tasks, channels, streams and tests. */
const JAVASCRIPT_VALUES = new Set<TypedValue['kind']>(['spawn', 'expect']);
const JAVASCRIPT_STMTS = new Set<TypedStmt['kind']>(['channel', 'select', 'yield']);

/** Whether values of a type have tasks, channels or streams in them. The fields of classes and enums are not looked at. */
function isJavaScriptType(type: Type): boolean {
  switch (type.kind) {
    case 'task':
    case 'sender':
    case 'receiver':
    case 'stream':
      return true;
    case 'list':
    case 'set':
    case 'nullable':
      return isJavaScriptType(type.element);
    case 'map':
      return isJavaScriptType(type.key) || isJavaScriptType(type.value);
    case 'fn':
      return [...type.params, type.result].some(isJavaScriptType);
    default:
      return false;
  }
}

function isJavaScript(body: TypedBody): boolean {
  let isFound = [body.result, ...body.params.map(({ type }) => type)].some(isJavaScriptType);
  visitBody(body, {
    value: ({ kind, type }) => {
      isFound ||= JAVASCRIPT_VALUES.has(kind) || isJavaScriptType(type);
    },
    stmt: ({ kind }) => {
      isFound ||= JAVASCRIPT_STMTS.has(kind);
    },
  });
  return isFound;
}

const isLoop = ({ kind }: TypedStmt): boolean => kind === 'while' || kind === 'count' || kind === 'each';

/** A field of the app, which nothing assigns to while it runs. */
const isAppField = (value: TypedValue): value is FieldUse =>
  value.kind === 'field' && value.object.kind === 'self' && value.object.type.kind === 'app';

const useOf = (variable: Variable): TypedValue => ({ kind: 'variable', type: variable.type, variable });

/** How often code uses each variable. */
function usesIn(code: Pick<TypedBody, 'block'> & Partial<Pick<TypedBody, 'checks'>>): Map<Variable, number> {
  const uses = new Map<Variable, number>();
  const add = (variable: Variable): void => void uses.set(variable, (uses.get(variable) ?? 0) + 1);
  visitBody(
    { checks: [], ...code },
    {
      value(value) {
        if (value.kind === 'variable' || value.kind === 'call-closure') add(value.variable);
        if (value.kind === 'closure' || value.kind === 'spawn') value.captured.variables.forEach(add);
      },
    },
  );
  return uses;
}

interface ExtractedProgram {
  readonly graph: CallGraph;
  /** Code that only JavaScript can express, or that calls such code. */
  readonly javaScript: ReadonlySet<Callee>;
  /** The functions of loops. */
  readonly extracted: TypedFunction[];
}

/** Rewrites one body. */
class LoopExtractor {
  readonly #program: ExtractedProgram;
  readonly #of: Code;
  readonly #uses: ReadonlyMap<Variable, number>;

  constructor(program: ExtractedProgram, of: Code) {
    this.#program = program;
    this.#of = of;
    this.#uses = usesIn(of.body);
  }

  readonly block = (stmts: TypedBlock): TypedBlock => {
    const rewritten: TypedStmt[] = [];
    let run: TypedStmt[] = [];
    for (const stmt of stmts) {
      if (this.#canMove(stmt)) {
        run.push(stmt);
        continue;
      }
      rewritten.push(...this.#run(run), this.#inside(stmt));
      run = [];
    }
    return [...rewritten, ...this.#run(run)];
  };

  /** Rewrites the blocks of a statement that stays. */
  #inside(stmt: TypedStmt): TypedStmt {
    return mapInStmt(stmt, { variable: one => one, value: one => one, block: this.block });
  }

  /** Whether a statement can be in another function: it does not block, and neither leaves the function nor a loop around it. */
  #canMove(stmt: TypedStmt): boolean {
    let canMove = true;
    const visitor = (isInLoop: boolean, isInClosure: boolean) => ({
      value: (one: TypedValue): void => {
        if (!canMove || isAppField(one)) return;
        if (
          one.kind === 'self' ||
          (one.kind === 'none-exit' && !isInClosure) ||
          (one.kind === 'closure' && one.captured.hasSelf) ||
          JAVASCRIPT_VALUES.has(one.kind) ||
          isJavaScriptType(one.type) ||
          this.#program.graph.mayBlock(one) ||
          this.#callsJavaScript(one)
        )
          canMove = false;
        else eachChildOfValue(one, visitor(isInLoop && one.kind !== 'closure', isInClosure || one.kind === 'closure'));
      },
      stmt: (one: TypedStmt): void => {
        const { kind } = one;
        const leaves = kind === 'return' ? !isInClosure : (kind === 'break' || kind === 'continue') && !isInLoop;
        if (leaves || JAVASCRIPT_STMTS.has(kind)) canMove = false;
        if (canMove) eachChildOfStmt(one, visitor(isInLoop || isLoop(one), isInClosure));
      },
    });
    visitor(false, false).stmt(stmt);
    return canMove;
  }

  #callsJavaScript(value: TypedValue): boolean {
    const { javaScript } = this.#program;
    if (value.kind === 'call-method') return javaScript.has(value.targets);
    return value.kind === 'call' && javaScript.has(value.callee);
  }

  /** Rewrites statements that can be in another function. */
  #run(stmts: readonly TypedStmt[]): readonly TypedStmt[] {
    const loops = stmts.map(hasLoop);
    if (!loops.includes(true)) return stmts;
    const whole = this.#call(stmts);
    if (whole !== undefined) return [whole];
    const rewritten: TypedStmt[] = [];
    for (const [index, stmt] of stmts.entries()) {
      if (loops[index] === true) rewritten.push(...this.#loop(rewritten, stmt));
      else rewritten.push(stmt);
    }
    return rewritten;
  }

  /** Rewrites a statement with a loop. @param before the statements before it, of which its function takes declarations away */
  #loop(before: TypedStmt[], stmt: TypedStmt): readonly TypedStmt[] {
    let count = 0;
    while (count < MAX_DECLARATIONS && before.at(-1 - count)?.kind === 'let') count += 1;
    for (; count >= 0; count -= 1) {
      const declarations = before.slice(before.length - count);
      const call = this.#call([...declarations, stmt]);
      if (call === undefined) continue;
      before.length -= count;
      return [call];
    }
    return [this.#inside(stmt)];
  }

  /** The call of a function with these statements; `undefined` if more than one of their variables is used afterwards. */
  #call(stmts: readonly TypedStmt[]): TypedStmt | undefined {
    const declared = declaredIn(stmts);
    const uses = usesIn({ block: stmts });
    const assigned = assignedIn(stmts);
    const isUsedLater = (variable: Variable): boolean => (this.#uses.get(variable) ?? 0) > (uses.get(variable) ?? 0);
    const leaving = [
      ...Array.from(assigned).filter(variable => !declared.has(variable)),
      ...Array.from(declared).filter(isUsedLater),
    ];
    if (leaving.length > 1) return undefined;
    const [left] = leaving;
    const params = Array.from(uses.keys()).filter(variable => !declared.has(variable));
    if (left !== undefined && !declared.has(left) && !params.includes(left)) params.push(left);
    const copier = new Copier();
    const block = copier.block(stmts);
    const fields = Array.from(copier.fields.values());
    const { name } = this.#of;
    const { path, line } = 'owner' in this.#of ? this.#of.owner : this.#of;
    const result = left?.type ?? VOID;
    const end: TypedBlock =
      left === undefined ? [] : [{ kind: 'return', place: undefined, value: useOf(copier.variable(left)) }];
    const callee: TypedFunction = {
      name,
      path,
      line,
      self: undefined,
      body: {
        params: [...params.map(copier.variable), ...fields.map(({ variable }) => variable)],
        result,
        checks: [],
        block: [...block, ...end],
      },
    };
    this.#program.extracted.push(callee);
    const args = [...params.map(useOf), ...fields.map(({ use }) => use)];
    // Without a place, which the trace of a failure would show besides the one of the statement that failed.
    const call = { kind: 'call', type: result, callee, args, range: undefined } as const;
    if (left === undefined) return { kind: 'value', place: undefined, value: call };
    if (declared.has(left)) return { kind: 'let', place: undefined, variable: left, value: call };
    return {
      kind: 'assign',
      place: undefined,
      target: { kind: 'variable', type: left.type, variable: left },
      op: undefined,
      value: call,
    };
  }
}

/** Whether a statement is a loop or contains one that is not in a closure. */
function hasLoop(stmt: TypedStmt): boolean {
  let isFound = false;
  const visitor = {
    value: (one: TypedValue): void => {
      if (!isFound && one.kind !== 'closure') eachChildOfValue(one, visitor);
    },
    stmt: (one: TypedStmt): void => {
      isFound ||= isLoop(one);
      if (!isFound) eachChildOfStmt(one, visitor);
    },
  };
  visitor.stmt(stmt);
  return isFound;
}

/** The variables that statements assign to. A closure assigns to copies. */
function assignedIn(stmts: TypedBlock): ReadonlySet<Variable> {
  const assigned = new Set<Variable>();
  const visitor = {
    value: (one: TypedValue): void => {
      if (one.kind !== 'closure') eachChildOfValue(one, visitor);
    },
    stmt: (one: TypedStmt): void => {
      if (one.kind === 'assign' && one.target.kind === 'variable') assigned.add(one.target.variable);
      eachChildOfStmt(one, visitor);
    },
  };
  for (const stmt of stmts) visitor.stmt(stmt);
  return assigned;
}

/** Copies code, with separate variables and parameters instead of the fields of the app. */
class Copier implements CodeMapper {
  readonly #variables = new Map<Variable, Variable>();
  /** The fields of the app, by name, and the parameters that take their place. */
  readonly fields = new Map<string, { readonly use: FieldUse; readonly variable: Variable }>();

  readonly variable = (variable: Variable): Variable => {
    let copy = this.#variables.get(variable);
    if (copy === undefined) this.#variables.set(variable, (copy = { ...variable }));
    return copy;
  };

  readonly block = (block: TypedBlock): TypedBlock => block.map(stmt => mapInStmt(stmt, this));

  readonly value = (value: TypedValue): TypedValue => {
    if (!isAppField(value)) return mapInValue(value, this);
    const { name, type } = value;
    let field = this.fields.get(name);
    if (field === undefined) {
      field = {
        use: value,
        variable: { name: `$f${this.fields.size + 1}`, type, isAssigned: false, range: undefined },
      };
      this.fields.set(name, field);
    }
    return useOf(field.variable);
  };
}
