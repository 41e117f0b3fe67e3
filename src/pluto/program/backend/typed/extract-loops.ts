import type { PausableWork } from '../../../../base/time-slice.ts';
import { BOOL, VOID } from '../../../language/check/types/make.ts';
import type { Type } from '../../../language/check/types/type.ts';
import { CallGraph } from './call-graph.ts';
import { declaredIn, eachChildOfStmt, eachChildOfValue, visitBody } from './children.ts';
import { type CodeMapper, mapInStmt, mapInValue } from './map-code.ts';
import type {
  FieldUse,
  FunctionCall,
  SelfUse,
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
/** Variables that statements change, or declare for later ones. */
const MAX_OUTPUTS = 8;

type Code = (TypedFunction | TypedMethod) & Unfinished;

interface Unfinished {
  body: TypedBody;
}

/** A function or method, or the methods that a call through a trait may run: calls of one method of a trait have the same list. */
type Callee = Code | readonly TypedMethod[];

/**
 * Makes functions of loops that do not block, in code that only JavaScript can express: it blocks, has tasks, channels or streams, or is in an app. The statements
 * around such a loop are in the function too.
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

/** Whether a type has an empty value, which a function gives that does not return from the function around the loop. */
const isEmptiable = ({ kind }: Type): boolean =>
  /^(?:int|float|bool|byte|string|bytes|nullable|list|map|set)$/.test(kind);

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
  /** Extracted loops that may return from the function. */
  #returns = 0;

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

  /**
   * Whether a statement can be in another function: it does not block, has no `value?`, does not leave a loop around it, and returns from the function only if
   * it has a loop.
   */
  #canMove(stmt: TypedStmt): boolean {
    const { result } = this.#of.body;
    const canReturnValue = isEmptiable(result) && !isJavaScriptType(result);
    const mayReturn = hasLoop(stmt);
    let canMove = true;
    const visitor = (isInLoop: boolean, isInClosure: boolean) => ({
      value: (one: TypedValue): void => {
        if (!canMove || isAppField(one)) return;
        if (
          (one.kind === 'self' && one.type.kind !== 'class') ||
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
        const canReturn =
          isInClosure || (mayReturn && (one.kind !== 'return' || one.value === undefined || canReturnValue));
        const leaves = kind === 'return' ? !canReturn : (kind === 'break' || kind === 'continue') && !isInLoop;
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
    if (whole !== undefined) return whole;
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
      return call;
    }
    return [this.#inside(stmt)];
  }

  /** The call of a function with these statements; `undefined` if too many of their variables are used afterwards. */
  #call(stmts: readonly TypedStmt[]): readonly TypedStmt[] | undefined {
    const declared = declaredIn(stmts);
    const uses = usesIn({ block: stmts });
    const assigned = assignedIn(stmts);
    const isUsedLater = (variable: Variable): boolean => (this.#uses.get(variable) ?? 0) > (uses.get(variable) ?? 0);
    const declaredLater = Array.from(declared).filter(isUsedLater);
    const leaving = [...Array.from(assigned).filter(variable => !declared.has(variable)), ...declaredLater];
    const firstReturn = stmts.findIndex(hasReturn);
    if (leaving.length > MAX_OUTPUTS) return undefined;
    if (firstReturn >= 0 && !declaresAll(stmts.slice(0, firstReturn), declaredLater)) return undefined;
    const params = Array.from(uses.keys()).filter(variable => !declared.has(variable));
    for (const left of leaving) if (!declared.has(left) && !params.includes(left)) params.push(left);
    const copier = new Copier();
    const block = copier.block(stmts);
    const extra = copier.extra;
    const { name } = this.#of;
    const { path, line } = 'owner' in this.#of ? this.#of.owner : this.#of;
    const head = { name, path, line, self: undefined };
    const bodyParams = [...params.map(copier.variable), ...extra.map(({ variable }) => variable)];
    const args = [...params.map(useOf), ...extra.map(({ use }) => use)];
    const extract = (body: Omit<TypedBody, 'params' | 'checks'>): FunctionCall => {
      const callee: TypedFunction = { ...head, body: { params: bodyParams, checks: [], ...body } };
      this.#program.extracted.push(callee);
      // Without a place, which the trace of a failure would show besides the one of the statement that failed.
      return { kind: 'call', type: body.result, callee, args, range: undefined };
    };
    if (firstReturn >= 0) return this.#returning(stmts, leaving, { copier, block, extract, declared: declaredLater });
    const [left] = leaving;
    if (left === undefined) return [{ kind: 'value', place: undefined, value: extract({ result: VOID, block }) }];
    if (leaving.length > 1) {
      const outputs = leaving.map(copier.variable);
      const call = extract({ result: VOID, block: [...block, returned()], outputs });
      return [
        { kind: 'outcome', place: undefined, call, result: undefined, outputs: leaving, declared: declaredLater },
      ];
    }
    const call = extract({ result: left.type, block: [...block, returned(useOf(copier.variable(left)))] });
    if (declared.has(left)) return [{ kind: 'let', place: undefined, variable: left, value: call }];
    return [assign(left, call)];
  }

  /** The call of a function with statements that may return from the function around them, and the statement that returns then. */
  #returning(
    stmts: readonly TypedStmt[],
    leaving: readonly Variable[],
    { copier, block, extract, declared }: Extraction,
  ): readonly TypedStmt[] {
    const result = stmts.some(returnsValue) ? this.#of.body.result : VOID;
    this.#returns += 1;
    const newVariable = (name: string, type: Type): Variable => ({ name, type, isAssigned: true, range: undefined });
    const inside = newVariable('$returns', BOOL);
    const outside = newVariable(`$returns${this.#returns}`, BOOL);
    const value = result.kind === 'void' ? undefined : newVariable(`$result${this.#returns}`, result);
    const call = extract({
      result,
      outputs: [...leaving.map(copier.variable), inside],
      block: [
        { kind: 'let', place: undefined, variable: inside, value: { kind: 'bool', type: BOOL, value: true } },
        ...block,
        assign(inside, { kind: 'bool', type: BOOL, value: false }),
        returned(value && { kind: 'empty', type: result }),
      ],
    });
    const outputs = [...leaving, outside];
    const own = value === undefined ? [outside] : [outside, value];
    return [
      { kind: 'outcome', place: undefined, call, result: value, outputs, declared: [...declared, ...own] },
      {
        kind: 'if',
        place: undefined,
        condition: useOf(outside),
        body: [returned(value && useOf(value))],
        otherwise: undefined,
      },
    ];
  }
}

/** Statements that become a function. */
interface Extraction {
  readonly copier: Copier;
  /** Their copy. */
  readonly block: TypedBlock;
  /** Makes the function. @returns its call */
  readonly extract: (body: Omit<TypedBody, 'params' | 'checks'>) => FunctionCall;
  /** The variables that they declare for later statements. */
  readonly declared: readonly Variable[];
}

const returned = (value?: TypedValue): TypedStmt => ({ kind: 'return', place: undefined, value });

const assign = (variable: Variable, value: TypedValue): TypedStmt => ({
  kind: 'assign',
  place: undefined,
  target: { kind: 'variable', type: variable.type, variable },
  op: undefined,
  value,
});

/** Whether declarations among statements, not inside of them, are those of all these variables. */
const declaresAll = (stmts: readonly TypedStmt[], variables: readonly Variable[]): boolean =>
  variables.every(variable => stmts.some(stmt => stmt.kind === 'let' && stmt.variable === variable));

/** Whether a statement is one that matches, or contains one that is not in a closure. */
function contains(stmt: TypedStmt, matches: (one: TypedStmt) => boolean): boolean {
  let isFound = false;
  const visitor = {
    value: (one: TypedValue): void => {
      if (!isFound && one.kind !== 'closure') eachChildOfValue(one, visitor);
    },
    stmt: (one: TypedStmt): void => {
      isFound ||= matches(one);
      if (!isFound) eachChildOfStmt(one, visitor);
    },
  };
  visitor.stmt(stmt);
  return isFound;
}

const hasLoop = (stmt: TypedStmt): boolean => contains(stmt, isLoop);
const hasReturn = (stmt: TypedStmt): boolean => contains(stmt, ({ kind }) => kind === 'return');
const returnsValue = (stmt: TypedStmt): boolean =>
  contains(stmt, one => one.kind === 'return' && one.value !== undefined);

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

/** Copies code, with separate variables, and parameters instead of `self` and the fields of the app. */
class Copier implements CodeMapper {
  readonly #variables = new Map<Variable, Variable>();
  /** The names of the fields of the app, or `self`. */
  readonly #extra = new Map<string, { readonly use: FieldUse | SelfUse; readonly variable: Variable }>();

  /** The values that take further parameters. */
  get extra(): readonly { readonly use: FieldUse | SelfUse; readonly variable: Variable }[] {
    return Array.from(this.#extra.values());
  }

  readonly variable = (variable: Variable): Variable => {
    let copy = this.#variables.get(variable);
    if (copy === undefined) this.#variables.set(variable, (copy = { ...variable }));
    return copy;
  };

  readonly block = (block: TypedBlock): TypedBlock => block.map(stmt => mapInStmt(stmt, this));

  readonly value = (value: TypedValue): TypedValue => {
    if (value.kind === 'self') return this.#parameter('self', value);
    return isAppField(value) ? this.#parameter(value.name, value) : mapInValue(value, this);
  };

  #parameter(name: string, use: FieldUse | SelfUse): TypedValue {
    let extra = this.#extra.get(name);
    if (extra === undefined) {
      const own = use.kind === 'self' ? '$self' : `$f${this.#extra.size + 1}`;
      extra = { use, variable: { name: own, type: use.type, isAssigned: false, range: undefined } };
      this.#extra.set(name, extra);
    }
    return useOf(extra.variable);
  }
}
