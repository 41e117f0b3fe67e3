import { encodeBase64 } from '../../../../base/base64.ts';
import type { FunctionSymbol } from '../../../language/check/types/type.ts';
import { eachChildOfExpr, eachChildOfStmt } from '../../../language/syntax/children.ts';
import type { Block, Expr, Stmt } from '../../../language/syntax/ast/code.ts';
import { resolveType } from '../../../language/check/program/resolve-type.ts';
import { BodyFacts } from '../body-facts.ts';
import { byteLiteral, localName } from '../js-names.ts';
import type { CheckedProgram } from '../../../language/check/checked-program.ts';
import type { ProgramFile } from '../../../language/check/program/program-file.ts';
import { encodeModule, type TypeCode, type TypeDefinition, type WasmModule } from './encoder.ts';
import type { FunctionContext } from './function-code.ts';
import { codeOf, elementOf, IMPORT_LIST, isScalar, type Kind, kindOf, LIST_TYPES, type Scalar } from './kinds.ts';
import { listFunctions } from './list-functions.ts';
import { lowerFunction } from './statements.ts';
import { Unsupported } from './unsupported.ts';

/** What the module needs from the program. */
interface WholeProgram {
  readonly checked: CheckedProgram;
  /** The mark of a source place. */
  mark(file: ProgramFile, offset: number): string;
}

/** Types of the parameters and the result of a function that WebAssembly code can call. */
interface Signature {
  readonly params: readonly Kind[];
  readonly result: Kind | undefined;
}

interface Analysis {
  readonly signature: Signature;
  readonly facts: BodyFacts;
  /** The functions that it calls. */
  readonly callees: ReadonlySet<FunctionSymbol>;
}

/** The name of the module's functions in the emitted text; `undefined` there if the engine does not support the module. */
const MODULE = '$wasm';

/** Selects the functions of a program that become WebAssembly, and lowers them into one module. */
export class WasmProgram {
  readonly #program: WholeProgram;
  /** `undefined` for a function that only JavaScript can express. */
  readonly #analyses = new Map<FunctionSymbol, Analysis | undefined>();
  /** Functions that JavaScript calls, by their names in the emitted text. */
  readonly #exported = new Map<FunctionSymbol, string>();

  constructor(program: WholeProgram) {
    this.#program = program;
  }

  /**
   * Defines a function that calls WebAssembly. Calls between the two languages take time, so that only functions with loops or recursion
   * are worth it.
   *
   * @param fallback the name of its JavaScript
   * @returns its definition; `undefined` if it stays JavaScript
   */
  definition(symbol: FunctionSymbol, name: string, fallback: string): string | undefined {
    if (!this.#isWorthCalling(symbol)) return undefined;
    const analysis = this.#analyses.get(symbol);
    if (analysis === undefined) return undefined;
    this.#exported.set(symbol, name);
    const { params, result } = analysis.signature;
    const names = symbol.decl.params.map(param => localName(param.name.text));
    const args = params.map((kind, index) => toWasm(kind, names[index] ?? ''));
    const call = fromWasm(result, `${MODULE}.call.${name}(${args.join(', ')})`);
    return `const ${name} = ${MODULE} === undefined ? ${fallback} : (${names.join(', ')}) => ${call};`;
  }

  #isWorthCalling(symbol: FunctionSymbol): boolean {
    if (!this.#isSupported(symbol)) return false;
    return hasLoop(symbol.decl.body) || this.#reached(symbol).has(symbol);
  }

  /** Whether a function and all that it calls can become WebAssembly. */
  #isSupported(symbol: FunctionSymbol): boolean {
    if (this.#analyze(symbol) === undefined) return false;
    for (const callee of this.#reached(symbol)) if (this.#analyze(callee) === undefined) return false;
    return true;
  }

  /** The functions that a function calls, directly or not. */
  #reached(symbol: FunctionSymbol): ReadonlySet<FunctionSymbol> {
    const reached = new Set<FunctionSymbol>();
    const waiting = [symbol];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
      for (const callee of this.#analyze(next)?.callees ?? []) {
        if (reached.has(callee)) continue;
        reached.add(callee);
        waiting.push(callee);
      }
    return reached;
  }

  #analyze(symbol: FunctionSymbol): Analysis | undefined {
    if (this.#analyses.has(symbol)) return this.#analyses.get(symbol);
    const analysis = this.#newAnalysis(symbol);
    this.#analyses.set(symbol, analysis);
    return analysis;
  }

  #newAnalysis(symbol: FunctionSymbol): Analysis | undefined {
    const { checked } = this.#program;
    const { typeParams, params, result } = checked.signatures.callable(symbol);
    const kinds = params.map(({ type }) => kindOf(type)).filter(kind => kind !== undefined);
    const resultKind = result.kind === 'void' ? undefined : kindOf(result);
    const [spec] = checked.planner.unitsOf(symbol);
    if (typeParams.length > 0 || kinds.length < params.length || spec === undefined) return undefined;
    if (result.kind !== 'void' && resultKind === undefined) return undefined;
    const signature = { params: kinds, result: resultKind };
    const facts = new BodyFacts(spec);
    const callees = new Set<FunctionSymbol>();
    const context = this.#context(symbol, facts, {
      functionIndex(callee) {
        callees.add(callee);
        return 0;
      },
      text: () => 0,
    });
    try {
      lowerFunction(context, symbol, kinds, resultKind);
    } catch (error) {
      if (error instanceof Unsupported) return undefined;
      throw error;
    }
    return { signature, facts, callees };
  }

  #context(
    symbol: FunctionSymbol,
    facts: BodyFacts,
    indices: Pick<FunctionContext, 'functionIndex' | 'text'>,
  ): FunctionContext {
    const { checked } = this.#program;
    const { program, signatures } = checked;
    const file = program.fileOf(symbol);
    const scope = { program, file, typeParams: new Map() };
    return {
      ...indices,
      facts,
      find(name) {
        const found = program.find(file, name, 'FunctionDecl', 'ExternDecl');
        return found?.kind === 'FunctionDecl' ? found : undefined;
      },
      findIn(module, name) {
        const imported = program.module(file, module);
        return imported && program.findIn(imported, name, 'FunctionDecl');
      },
      callable: callee => signatures.callable(callee),
      type: node => resolveType(scope, node),
      mark: offset => this.#program.mark(file, offset),
    };
  }

  /** The definition of the module and the source places in it; empty if no function became WebAssembly. */
  finish(): { readonly definition: string; readonly places: string } {
    if (this.#exported.size === 0) return { definition: `const ${MODULE} = undefined;`, places: '' };
    const texts: string[] = [];
    const { bytes, marks } = encodeModule(this.#module(texts));
    const places = marks.flatMap(([offset, mark]) => {
      const [, file, line] = /(\d+):(\d+)$/.exec(mark) ?? [];
      return [offset, file ?? -1, line ?? 0];
    });
    return {
      definition: `const ${MODULE} = $rt.wasm("${encodeBase64(bytes)}", [${texts.map(byteLiteral).join(', ')}]);`,
      places: places.join(', '),
    };
  }

  #module(texts: string[]): WasmModule {
    const types = [...LIST_TYPES];
    const known = new Map<string, number>();
    const typeIndex = (params: readonly TypeCode[], results: readonly TypeCode[]): number => {
      const key = JSON.stringify([params, results]);
      const index = known.get(key) ?? types.length;
      if (index === types.length) types.push({ kind: 'function', params, results } satisfies TypeDefinition);
      known.set(key, index);
      return index;
    };
    const imports = IMPORT_LIST.map(({ name, type }) => ({
      name,
      type: type.kind === 'function' ? typeIndex(type.params, type.results) : 0,
    }));
    const order = Array.from(this.#exported.keys());
    const indices = {
      functionIndex(callee: FunctionSymbol): number {
        if (!order.includes(callee)) order.push(callee);
        return imports.length + order.indexOf(callee);
      },
      text(text: string): number {
        if (!texts.includes(text)) texts.push(text);
        return texts.indexOf(text);
      },
    };
    const functions: WasmModule['functions'][number][] = [];
    const crossing = new Set<Scalar>();
    // Lowering a function appends the functions that it calls.
    for (const symbol of order) {
      const analysis = this.#analyze(symbol);
      if (analysis === undefined) throw new Error(`${symbol.name} cannot become WebAssembly`);
      const { params, result } = analysis.signature;
      const exportedAs = this.#exported.get(symbol);
      for (const kind of exportedAs === undefined ? [] : [...params, result])
        if (kind !== undefined && !isScalar(kind)) crossing.add(elementOf(kind));
      const { code, locals } = lowerFunction(this.#context(symbol, analysis.facts, indices), symbol, params, result);
      const type = typeIndex(params.map(codeOf), result === undefined ? [] : [codeOf(result)]);
      functions.push({ type, locals, code, exportedAs });
    }
    for (const { name, params, results, locals, code } of Array.from(crossing).flatMap(listFunctions))
      functions.push({ type: typeIndex(params, results), locals, code, exportedAs: name });
    return { types, imports, functions };
  }
}

function toWasm(kind: Kind, code: string): string {
  if (kind === 'int') return `$$wide(${code})`;
  return isScalar(kind) ? code : `${MODULE}.enter.${elementOf(kind)}(${code})`;
}

function fromWasm(kind: Kind | undefined, code: string): string {
  if (kind === 'int') return `$$compact(${code})`;
  if (kind === 'bool') return `${code} !== 0`;
  return kind === undefined || isScalar(kind) ? code : `${MODULE}.leave.${elementOf(kind)}(${code})`;
}

function hasLoop(block: Block): boolean {
  let isFound = false;
  const onExpr = (expr: Expr): void => eachChildOfExpr(expr, children);
  const onStmt = (stmt: Stmt): void => {
    if (stmt.kind === 'WhileStmt' || stmt.kind === 'ForStmt') isFound = true;
    else eachChildOfStmt(stmt, children, onStmt);
  };
  const onBlock = ({ stmts }: Block): void => stmts.forEach(onStmt);
  const children = { expr: onExpr, block: onBlock, type: () => undefined };
  onBlock(block);
  return isFound;
}
