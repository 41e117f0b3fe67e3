import type { ClassSymbol, FunctionSymbol, TestSymbol } from '../../../language/check/types/type.ts';
import type { UnitSpec } from '../../../language/check/units/unit.ts';
import type { Contract, MethodDecl } from '../../../language/syntax/ast/decl.ts';
import type { Block } from '../../../language/syntax/ast/code.ts';
import { BodyLowering } from './body.ts';
import {
  type BlockKey,
  called,
  CHECKS,
  choice,
  functionKey,
  methodKey,
  ownMethodKey,
  STREAMS,
  wideMethodKey,
  wideOwnMethodKey,
} from './blocking.ts';
import { textOfContract } from '../contract-text.ts';
import { passed, received } from './int-code.ts';
import { byteLiteral, localName, methodName } from '../js-names.ts';
import { rules } from './lower-body.ts';
import type { ProgramLowering } from './program-lowering.ts';

/** A callable body. */
interface CallableParts {
  readonly spec: UnitSpec;
  readonly key: BlockKey;
  readonly params: MethodDecl['params'];
  readonly contracts: readonly Contract[];
  readonly block: Block;
  /** Name in failure messages: `Class$method`. */
  readonly shown: string;
  readonly isStream: boolean;
  /** Its ints are wide outside if this key blocks; without a key they are compact. */
  readonly wideKey: BlockKey | undefined;
  readonly resultIsInt: boolean;
  /** Lines before the body. */
  readonly before: readonly string[];
}

interface Lowered {
  readonly params: readonly string[];
  /** Names of the parameters that are ints. */
  readonly ints: ReadonlySet<string>;
  readonly lines: string;
}

/** Lowers the parameters and the body; the caller adds the name. */
function lowered(program: ProgramLowering, callable: CallableParts): Lowered {
  const body = new BodyLowering(program, callable.spec, rules, callable.key, callable.block);
  const { wideKey } = callable;
  const ints = new Set<string>();
  const lines = body.inFrame(callable.key, () => {
    body.frame.returnsCompact = callable.resultIsInt;
    body.frame.wideKey = wideKey;
    for (const { name, type } of callable.params) {
      if (body.type(type).kind !== 'int') continue;
      ints.add(localName(name.text));
      if (wideKey === undefined) body.declareCompact(name.start);
      else body.receive(wideKey, name);
    }
    body.emit(...callable.before, ...requirements(body, callable.contracts, byteLiteral(callable.shown)));
    if (!callable.isStream) return body.block(callable.block);
    const inner = body.inFrame(STREAMS, () => body.block(callable.block));
    body.emit('return $rt.stream((function* () {', ...inner, '})());');
  });
  return { params: callable.params.map(({ name }) => localName(name.text)), ints, lines: lines.join('\n') };
}

/** A function. If it can become WebAssembly, its JavaScript is used where the engine does not support that. */
export function functionText(program: ProgramLowering, name: string, symbol: FunctionSymbol): string {
  const fallback = `${name}$js`;
  const definition = program.wasm.definition(symbol, name, fallback);
  const text = unitText(program, definition === undefined ? name : fallback, symbol, {
    params: symbol.decl.params,
    contracts: symbol.decl.contracts,
    shown: symbol.name,
    isStream: program.checked.signatures.callable(symbol).result.kind === 'stream',
    resultIsInt: program.checked.signatures.callable(symbol).result.kind === 'int',
  });
  return definition === undefined ? text : `${text}\n${definition}`;
}

export const testText = (program: ProgramLowering, name: string, symbol: TestSymbol): string =>
  unitText(program, name, symbol, {
    params: [],
    contracts: [],
    shown: symbol.decl.title.value,
    isStream: false,
    resultIsInt: false,
  });

function unitText(
  program: ProgramLowering,
  name: string,
  symbol: FunctionSymbol | TestSymbol,
  head: Pick<CallableParts, 'params' | 'contracts' | 'shown' | 'isStream' | 'resultIsInt'>,
): string {
  const [spec] = program.checked.planner.unitsOf(symbol);
  if (spec === undefined) return '';
  return namedText(program, name, {
    ...head,
    spec,
    key: functionKey(symbol.serial),
    block: symbol.decl.body,
    wideKey: undefined,
    before: [],
  });
}

function namedText(program: ProgramLowering, name: string, callable: CallableParts): string {
  const { params, lines } = lowered(program, callable);
  const star = callable.isStream ? '' : choice(callable.key, '*', '');
  return `function${star} ${name}(${params.join(', ')}) {\n${lines}\n}`;
}

/** A method of an app, which has the conventions of all methods of its name. */
export const appMethodText = (
  program: ProgramLowering,
  name: string,
  callable: Omit<CallableParts, 'key' | 'wideKey'>,
): string =>
  methodText(
    name,
    methodKey(name),
    lowered(program, { ...callable, key: methodKey(name), wideKey: wideMethodKey(name) }),
  );

const methodText = (name: string, key: BlockKey, { params, lines }: Lowered): string =>
  `${choice(key, '*', '')}${methodName(name)}(${params.join(', ')}) {\nconst self = this;\n${lines}\n}`;

/** A method of a class. */
export interface MethodText {
  readonly member: string;
  /** The function that the method calls, if code calls it directly. */
  readonly definition: string | undefined;
}

/** Lowers a method of a class. @returns its text, which depends on whether any code of the program calls it directly */
export function classMethodText(
  program: ProgramLowering,
  { serial }: ClassSymbol,
  name: string,
  callable: Omit<CallableParts, 'key' | 'wideKey'>,
): () => MethodText {
  const { blocking } = program;
  const key = ownMethodKey(serial, name);
  const wideKey = wideOwnMethodKey(serial, name);
  const method = lowered(program, { ...callable, key, wideKey });
  blocking.call(methodKey(name), key);
  return () => {
    const direct = program.directName(key);
    if (direct === undefined) {
      blocking.call(key, methodKey(name));
      blocking.call(wideKey, wideMethodKey(name));
      return { member: methodText(name, key, method), definition: undefined };
    }
    const { params, ints, lines } = method;
    const args = params.map(param => (ints.has(param) ? received(wideMethodKey(name), param) : param));
    const call = called(key, `${direct}(${['this', ...args].join(', ')})`);
    const result = callable.resultIsInt ? passed(wideMethodKey(name), call) : call;
    return {
      member: `${choice(methodKey(name), '*', '')}${methodName(name)}(${params.join(', ')}) {\nreturn ${result};\n}`,
      definition: `function${choice(key, '*', '')} ${direct}(${['self', ...params].join(', ')}) {\n${lines}\n}`,
    };
  };
}

/** Emits the `requires` checks; `shown` is a JavaScript expression for the name in the failure. */
function requirements(body: BodyLowering, contracts: readonly Contract[], shown: string): readonly string[] {
  return body.captured(() => {
    for (const { condition } of contracts) {
      const text = byteLiteral(`: ${textOfContract(condition)}`);
      body.at(condition, () =>
        body.emit(`if (!${body.expr(condition)}) $rt.fail("requires violation in " + ${shown} + ${text});`),
      );
    }
  });
}

export const requirementsKey = (name: string): BlockKey => `requirements ${name}`;

/** A function that checks the `requires` of a trait method for the classes that implement it. */
export function requirementsText(program: ProgramLowering, name: string, spec: UnitSpec, method: MethodDecl): string {
  const key = requirementsKey(name);
  const body = new BodyLowering(program, spec, rules, key, undefined);
  for (const { name: param, type } of method.params)
    if (body.type(type).kind === 'int') body.declareCompact(param.start);
  const params = ['self', '$name', ...method.params.map(param => localName(param.name.text))];
  return `function${choice(key, '*', '')} ${name}(${params.join(', ')}) {\n${requirements(body, method.contracts, '$name').join('\n')}\n}`;
}

/** The `$$check` method of a class, which checks its invariants. */
export function invariantsText(
  program: ProgramLowering,
  spec: UnitSpec,
  className: string,
  conditions: readonly Contract['condition'][],
): string {
  const body = new BodyLowering(program, spec, rules, CHECKS, undefined);
  const lines = body.captured(() => {
    for (const condition of conditions) {
      const text = byteLiteral(`invariant violation on ${className}: ${textOfContract(condition)}`);
      body.at(condition, () => body.emit(`if (!${body.expr(condition)}) $rt.fail(${text});`));
    }
  });
  return `${choice(CHECKS, '*', '')}$$check() {\nconst self = this;\n${lines.join('\n')}\nreturn this;\n}`;
}
