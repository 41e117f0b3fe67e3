import { BOOL, VOID } from '../../../language/check/types/make.ts';
import type { Type } from '../../../language/check/types/type.ts';
import type { CallGraph } from './call-graph.ts';
import { type ChildVisitor, declaredIn, eachChildOfStmt, eachChildOfValue, visitBody } from './children.ts';
import {
  type Code,
  isJavaScriptType,
  JAVASCRIPT_STMTS,
  JAVASCRIPT_VALUES,
  type JavaScriptCode,
} from './javascript-code.ts';
import { type CodeMapper, mapInStmt, mapInValue } from './map-code.ts';
import type {
  AssignStmt,
  FieldUse,
  FunctionCall,
  SelfUse,
  TypedBlock,
  TypedBody,
  TypedFunction,
  TypedStmt,
  TypedValue,
  Variable,
} from './typed-form.ts';

/** The name of variables that say whether extracted code returns from the function around it. */
const RETURNS = '$returns';

/** Variables that statements change, or declare for later ones. */
const MAX_OUTPUTS = 8;

const isLoop = ({ kind }: TypedStmt): boolean => kind === 'while' || kind === 'count' || kind === 'each';

/** A field of the app, which nothing assigns to while it runs. */
const isAppField = (value: TypedValue): value is FieldUse =>
  value.kind === 'field' && value.object.kind === 'self' && value.object.type.kind === 'app';

/** Whether a type has an empty value, which a function gives that does not return from the function around the loop. */
const isEmptiable = ({ kind }: Type): boolean =>
  /^(?:int|float|bool|byte|string|bytes|nullable|list|map|set)$/.test(kind);

export const useOf = (variable: Variable): TypedValue => ({ kind: 'variable', type: variable.type, variable });

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

/** A program whose code is divided into more functions. */
export interface ExtractedProgram {
  readonly graph: CallGraph;
  readonly javaScript: JavaScriptCode;
  /** The new functions. */
  readonly extracted: TypedFunction[];
}

/** Makes functions of the code in one body. */
export class CodeExtractor {
  readonly #program: ExtractedProgram;
  readonly #of: Code;
  readonly #uses: ReadonlyMap<Variable, number>;
  /** Extracted code that may return from the function. */
  #returns: number;

  constructor(program: ExtractedProgram, of: Code) {
    this.#program = program;
    this.#of = of;
    this.#uses = usesIn(of.body);
    // Another extractor may have made some.
    this.#returns = Array.from(this.#uses.keys()).filter(({ name }) => name.startsWith(RETURNS)).length;
  }

  /**
   * Whether a statement can be in another function: it does not block, has no `value?`, does not leave a loop around it, and returns from the function only if
   * it has a loop.
   */
  canMove(stmt: TypedStmt): boolean {
    return this.#canMove(hasLoop(stmt), visitor => visitor.stmt(stmt));
  }

  /** Whether a value can be in another function: it does not block, has no `value?`, and changes no variables of the code around it. */
  canMoveValue(value: TypedValue): boolean {
    const block: TypedBlock = [{ kind: 'value', place: undefined, value }];
    const declared = declaredIn(block);
    return (
      this.#canMove(false, visitor => visitor.value(value)) &&
      Array.from(assignedIn(block)).every(variable => declared.has(variable))
    );
  }

  #canMove(mayReturn: boolean, visit: (visitor: ChildVisitor) => void): boolean {
    const { result } = this.#of.body;
    const canReturnValue = isEmptiable(result) && !isJavaScriptType(result);
    let canMove = true;
    const visitor = (isInLoop: boolean, isInClosure: boolean): ChildVisitor => ({
      value: one => {
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
      stmt: one => {
        const { kind } = one;
        const canReturn =
          isInClosure || (mayReturn && (one.kind !== 'return' || one.value === undefined || canReturnValue));
        const leaves = kind === 'return' ? !canReturn : (kind === 'break' || kind === 'continue') && !isInLoop;
        // The variables of an outcome are not in the values of the statement.
        if (leaves || kind === 'outcome' || JAVASCRIPT_STMTS.has(kind)) canMove = false;
        if (canMove) eachChildOfStmt(one, visitor(isInLoop || isLoop(one), isInClosure));
      },
    });
    visit(visitor(false, false));
    return canMove;
  }

  #callsJavaScript(value: TypedValue): boolean {
    const { all } = this.#program.javaScript;
    if (value.kind === 'call-method') return all.has(value.targets);
    return value.kind === 'call' && all.has(value.callee);
  }

  /** The call of a function with these statements; `undefined` if too many of their variables are used afterwards. */
  call(stmts: readonly TypedStmt[]): readonly TypedStmt[] | undefined {
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
    const extract = this.#extraction(params, copier);
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

  /** The call of a function that gives a value. */
  callOf(value: TypedValue): FunctionCall {
    const block = resultOf(value);
    const declared = declaredIn(block);
    const params = Array.from(usesIn({ block }).keys()).filter(variable => !declared.has(variable));
    const copier = new Copier();
    const copy = copier.block(block);
    return this.#extraction(params, copier)({ result: value.type, block: copy });
  }

  /** Whether a value can be in another function if it gets the values in it. */
  canMoveOperation(value: TypedValue): boolean {
    return (
      OPERATIONS.has(value.kind) &&
      !isJavaScriptType(value.type) &&
      !this.#program.graph.mayBlock(value) &&
      !this.#callsJavaScript(value)
    );
  }

  /** The call of a function with an operation. It gets the values in it. @param operand rewrites these */
  operation(value: TypedValue, operand: (value: TypedValue) => TypedValue): FunctionCall {
    const operands = new Operands(operand);
    return operands.call(this.#program, this.#of, value.type, resultOf(operands.moved(value)));
  }

  /** As `operation`, of an assignment without an operator. */
  assignment(stmt: AssignStmt, operand: (value: TypedValue) => TypedValue): TypedStmt {
    const operands = new Operands(operand);
    const target = operands.moved(stmt.target);
    if (target.kind !== 'field' && target.kind !== 'index') throw new Error(`a ${target.kind} cannot be assigned`);
    const block: TypedBlock = [{ ...stmt, target, value: operands.param(stmt.value) }];
    return { kind: 'value', place: undefined, value: operands.call(this.#program, this.#of, VOID, block) };
  }

  /** @param copier has copied the code of the function */
  #extraction(params: readonly Variable[], copier: Copier): Extraction['extract'] {
    const { extra } = copier;
    const bodyParams = [...params.map(copier.variable), ...extra.map(({ variable }) => variable)];
    const args = [...params.map(useOf), ...extra.map(({ use }) => use)];
    return body => newCall(this.#program, this.#of, { params: bodyParams, checks: [], ...body }, args);
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
    const inside = newVariable(RETURNS, BOOL);
    const outside = newVariable(`${RETURNS}${this.#returns}`, BOOL);
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

/** Makes a function. @param of the code that it was in @returns its call */
function newCall(
  { extracted }: ExtractedProgram,
  of: Code,
  body: TypedBody,
  args: readonly TypedValue[],
): FunctionCall {
  const { path, line } = 'owner' in of ? of.owner : of;
  const callee: TypedFunction = { name: of.name, path, line, self: undefined, body };
  extracted.push(callee);
  // Without a place, which the trace of a failure would show besides the one of the statement that failed.
  return { kind: 'call', type: body.result, callee, args, range: undefined };
}

/** Values that need the values in them only. */
const OPERATIONS: ReadonlySet<TypedValue['kind']> = new Set([
  'object',
  'variant',
  'list',
  'map',
  'set',
  'field',
  'index',
  'interpolation',
  'binary',
  'call-method',
  'call-builtin',
  'call-builtin-method',
]);

const CONSTANTS: ReadonlySet<TypedValue['kind']> = new Set(['int', 'float', 'bool', 'none', 'string', 'empty']);

/** The parameters and arguments of the function of an operation. */
class Operands {
  readonly #rewritten: (value: TypedValue) => TypedValue;
  readonly #params: Variable[] = [];
  readonly #args: TypedValue[] = [];

  constructor(rewritten: (value: TypedValue) => TypedValue) {
    this.#rewritten = rewritten;
  }

  readonly param = (value: TypedValue): TypedValue => {
    if (CONSTANTS.has(value.kind)) return value;
    const name = `$${this.#params.length + 1}`;
    const variable: Variable = { name, type: value.type, isAssigned: false, range: undefined };
    this.#params.push(variable);
    this.#args.push(this.#rewritten(value));
    return useOf(variable);
  };

  /** An operation on the parameters. */
  moved(operation: TypedValue): TypedValue {
    return mapInValue(operation, { variable: one => one, value: this.param, block: one => one });
  }

  call(program: ExtractedProgram, of: Code, result: Type, block: TypedBlock): FunctionCall {
    return newCall(program, of, { params: this.#params, checks: [], result, block }, this.#args);
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

/** The block of a function that gives a value, if it is one. */
const resultOf = (value: TypedValue): TypedBlock => [
  value.type.kind === 'void' ? { kind: 'value', place: undefined, value } : returned(value),
];

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

export const hasLoop = (stmt: TypedStmt): boolean => contains(stmt, isLoop);
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
