import { encodeBase64 } from '../../../../base/base64.ts';
import { byteLiteral, localName } from '../javascript/js-names.ts';
import { visitBody } from '../typed/children.ts';
import type { TypedFunction, TypedProgram } from '../typed/typed-form.ts';
import { callsFromJavaScript } from './calls-from-javascript.ts';
import { encodeModule, type TypeCode, type TypeDefinition, type WasmModule } from './encoder.ts';
import { codeOf, elementOf, IMPORT_LIST, isScalar, type Kind, kindOf, LIST_TYPES, type Scalar } from './kinds.ts';
import { listFunctions } from './list-functions.ts';
import { emitFunction } from './statements.ts';
import { Unsupported } from './unsupported.ts';

/** Types of the parameters and the result of a function that WebAssembly code can call. */
interface Signature {
  readonly params: readonly Kind[];
  readonly result: Kind | undefined;
}

interface Analysis {
  readonly signature: Signature;
  /** The functions that it calls. */
  readonly callees: ReadonlySet<TypedFunction>;
}

/** The name of the module's functions in the emitted text; `undefined` there if the engine does not support the module. */
const MODULE = '$wasm';

/** Selects the functions of a program that become WebAssembly, and emits them as one module. */
export class WasmProgram {
  /** `undefined` for a function that only JavaScript can express. */
  readonly #analyses = new Map<TypedFunction, Analysis | undefined>();
  /** Functions that JavaScript calls, by their names in the emitted text. */
  readonly #exported = new Map<TypedFunction, string>();
  readonly #called: ReadonlySet<TypedFunction>;

  constructor(program: TypedProgram) {
    this.#called = callsFromJavaScript(program, of => this.#isWorthCalling(of));
  }

  /**
   * Defines a function that calls WebAssembly, if JavaScript calls it. Calls between the two languages take time, so that only functions with loops or recursion
   * are worth it.
   *
   * @param fallback the name of its JavaScript
   * @returns its definition; `undefined` if it stays JavaScript
   */
  definition(of: TypedFunction, name: string, fallback: string): string | undefined {
    if (!this.#called.has(of) || !this.#isWorthCalling(of)) return undefined;
    const analysis = this.#analyses.get(of);
    if (analysis === undefined) return undefined;
    this.#exported.set(of, name);
    const { params, result } = analysis.signature;
    const names = of.body.params.map(param => localName(param.name));
    const args = params.map((kind, index) => toWasm(kind, names[index] ?? ''));
    const call = fromWasm(result, `${MODULE}.call.${name}(${args.join(', ')})`);
    return `const ${name} = ${MODULE} === undefined ? ${fallback} : (${names.join(', ')}) => ${call};`;
  }

  #isWorthCalling(of: TypedFunction): boolean {
    if (!this.#isSupported(of)) return false;
    return hasLoop(of) || this.#reached(of).has(of);
  }

  /** Whether a function and all that it calls can become WebAssembly. */
  #isSupported(of: TypedFunction): boolean {
    if (this.#analyze(of) === undefined) return false;
    for (const callee of this.#reached(of)) if (this.#analyze(callee) === undefined) return false;
    return true;
  }

  /** The functions that a function calls, directly or not. */
  #reached(of: TypedFunction): ReadonlySet<TypedFunction> {
    const reached = new Set<TypedFunction>();
    const waiting = [of];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
      for (const callee of this.#analyze(next)?.callees ?? []) {
        if (reached.has(callee)) continue;
        reached.add(callee);
        waiting.push(callee);
      }
    return reached;
  }

  #analyze(of: TypedFunction): Analysis | undefined {
    if (this.#analyses.has(of)) return this.#analyses.get(of);
    const analysis = newAnalysis(of);
    this.#analyses.set(of, analysis);
    return analysis;
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
      functionIndex(callee: TypedFunction): number {
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
    // Emitting a function appends the functions that it calls.
    for (const one of order) {
      const analysis = this.#analyze(one);
      if (analysis === undefined) throw new Error(`${one.name} cannot become WebAssembly`);
      const { params, result } = analysis.signature;
      const exportedAs = this.#exported.get(one);
      for (const kind of exportedAs === undefined ? [] : [...params, result])
        if (kind !== undefined && !isScalar(kind)) crossing.add(elementOf(kind));
      const { code, locals } = emitFunction(indices, one.body, params, result);
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

function newAnalysis({ hasSelf, body }: TypedFunction): Analysis | undefined {
  const params = body.params.map(({ type }) => kindOf(type)).filter(kind => kind !== undefined);
  const result = body.result.kind === 'void' ? undefined : kindOf(body.result);
  if (hasSelf || params.length < body.params.length) return undefined;
  if (body.result.kind !== 'void' && result === undefined) return undefined;
  const callees = new Set<TypedFunction>();
  const context = {
    functionIndex(callee: TypedFunction) {
      callees.add(callee);
      return 0;
    },
    text: () => 0,
  };
  try {
    emitFunction(context, body, params, result);
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
  return { signature: { params, result }, callees };
}

function hasLoop({ body }: TypedFunction): boolean {
  let isFound = false;
  visitBody(body, {
    stmt({ kind }) {
      if (kind === 'while' || kind === 'count' || kind === 'each') isFound = true;
    },
  });
  return isFound;
}
