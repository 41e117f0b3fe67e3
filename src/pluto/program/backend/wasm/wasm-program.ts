import { encodeBase64 } from '../../../../base/base64.ts';
import type { ProjectPath } from '../../../../base/brand.ts';
import type { PausableWork } from '../../../../base/time-slice.ts';
import { stdNameOf } from '../../../language/std/std-path.ts';
import { byteLiteral, localName } from '../javascript/js-names.ts';
import type {
  TypedClass,
  TypedError,
  TypedExtern,
  TypedFunction,
  TypedMethod,
  TypedProgram,
  TypedSingleton,
} from '../typed/typed-form.ts';
import type { Analyses } from './analyses.ts';
import { type Callee, codeOfCallee, type Signature } from './callee.ts';
import { callsFromJavaScript } from './calls-from-javascript.ts';
import { closedTypes } from './closed-types.ts';
import { encodeModule, EXTERNREF, type TypeCode, type TypeDefinition, type WasmModule } from './encoder.ts';
import { externSignature } from './externs.ts';
import {
  type Boxed,
  codeOf,
  constantsOf,
  IMPORT_LIST,
  isBoxed,
  type Kind,
  scalarOf,
  type Shared,
  sharedElement,
  structuredTypes,
} from './kinds.ts';
import { boxFunctions, listFunctions } from './exported-functions.ts';
import { emitFunction } from './statements.ts';
import { unsupported } from './unsupported.ts';

/** The name of the module's functions in the emitted text; `undefined` there if the engine does not support the module. */
const MODULE = '$wasm';

/** Source places between two pauses. */
const MARKS_PER_STEP = 1024;

/** Selects the functions of a program that become WebAssembly, and emits them as one module. */
export class WasmProgram {
  readonly #analyses: Analyses;
  /** Functions that JavaScript calls, by their names in the emitted text. */
  readonly #exported = new Map<Callee, string>();
  readonly #called: ReadonlySet<Callee>;
  /** Those that WebAssembly code can call, in the order of their imports. */
  readonly #externs: ReadonlyMap<TypedExtern, Signature>;
  #readsBytes = false;

  private constructor(analyses: Analyses, called: ReadonlySet<Callee>, externs: readonly TypedExtern[]) {
    this.#analyses = analyses;
    this.#called = called;
    this.#externs = new Map(
      externs.flatMap(one => {
        const signature = externSignature(one);
        return signature === undefined ? [] : [[one, signature]];
      }),
    );
  }

  static *of(program: TypedProgram): PausableWork<WasmProgram> {
    const analyses = yield* closedTypes(program);
    const called = yield* callsFromJavaScript(program, of => analyses.isWasm(of));
    return new WasmProgram(analyses, called, program.externs);
  }

  /**
   * Defines a function that calls WebAssembly, if JavaScript calls it. Calls between the two languages take time, so that only functions with loops or recursion
   * are worth it, and those that use objects of WebAssembly.
   *
   * @param fallback the name of its JavaScript
   * @returns its definition; `undefined` if it stays JavaScript
   */
  definition(
    of: TypedFunction | TypedMethod | TypedClass | TypedSingleton,
    name: string,
    fallback: string,
  ): string | undefined {
    if (!this.#called.has(of) || !this.#analyses.isWasm(of)) return undefined;
    const analysis = this.#analyses.analyze(of);
    if (analysis === undefined) return undefined;
    this.#exported.set(of, name);
    const { self, params, result, outputs } = analysis.signature;
    const names = codeOfCallee(of).params.map(param => localName(param.name));
    const args = params.map((kind, index) => toWasm(kind, names[index] ?? ''));
    const first = self === undefined ? [] : ['self'];
    const call = `${MODULE}.call.${name}(${[...first, ...args].join(', ')})`;
    const value = outputs === undefined ? fromWasm(result, call) : allFromWasm(result, outputs, call);
    const code = this.#analyses.raises
      ? `{\ntry { return ${value}; } catch ($e) { throw ${MODULE}.thrown($e); }\n}`
      : value;
    return `const ${name} = ${MODULE} === undefined ? ${fallback} : (${[...first, ...names].join(', ')}) => ${code};`;
  }

  /**
   * The definition of the module and the source places in it; empty if no function became WebAssembly.
   *
   * @param errorName the name of the type of an error in the emitted text, where it is defined later
   */
  *finish(
    errorName: (error: TypedError) => string,
  ): PausableWork<{ readonly definition: string; readonly places: string }> {
    if (this.isEmpty) return { definition: `const ${MODULE} = undefined;`, places: '' };
    const texts: string[] = [];
    const errors = new IndexMap<TypedError>([]);
    const { bytes, marks } = yield* encodeModule(yield* this.#module(texts, errors));
    const places: string[] = [];
    for (const [offset, mark] of marks) {
      const [, file, line] = /(\d+):(\d+)$/.exec(mark) ?? [];
      places.push(`${offset}, ${file ?? -1}, ${line ?? 0}`);
      if (places.length % MARKS_PER_STEP === 0) yield;
    }
    const encoded = (yield* base64Pieces(bytes)).join('');
    return {
      definition: `const ${MODULE} = $rt.wasm("${encoded}", [${texts.map(byteLiteral).join(', ')}], ${this.#readsBytes}, () => [${Array.from(errors.keys(), errorName).join(', ')}], ${this.#externList()});`,
      places: places.join(', '),
    };
  }

  get isEmpty(): boolean {
    return this.#exported.size === 0;
  }

  /** Whether the module reads bytes of strings; known after `finish`. */
  get readsBytes(): boolean {
    return this.#readsBytes;
  }

  /** As text, what the runtime must know about the externs. */
  #externList(): string {
    const all = Array.from(this.#externs, ([{ name }, { params, result = 'void' }]) => ({ name, params, result }));
    return JSON.stringify(all);
  }

  *#module(texts: string[], errors: IndexMap<TypedError>): PausableWork<WasmModule> {
    const analyses = this.#analyses;
    const recursive = structuredTypes(analyses.kinds.layouts);
    const types: TypeDefinition[] = [];
    const typeIndices = new Map<string, number>();
    const typeIndex = (params: readonly TypeCode[], results: readonly TypeCode[]): number => {
      const key = JSON.stringify([params, results]);
      const index = typeIndices.get(key) ?? types.length;
      if (index === types.length) types.push({ kind: 'function', params, results } satisfies TypeDefinition);
      typeIndices.set(key, index);
      return recursive.length + index;
    };
    const externs = Array.from(this.#externs.values(), ({ params, result }, index) => ({
      module: 'extern',
      name: String(index),
      params: params.map(codeOf),
      results: result === undefined ? [] : [codeOf(result)],
    }));
    const imports = [...IMPORT_LIST, ...externs].map(({ module, name, params, results }) => ({
      module,
      name,
      type: typeIndex(params, results),
    }));
    const externIndices = new Map(Array.from(this.#externs.keys(), (one, index) => [one, IMPORT_LIST.length + index]));
    const order = new IndexMap<Callee>(this.#exported.keys());
    const known = new IndexMap<string>([]);
    const constants = constantsOf(analyses.kinds.layouts);
    const singletons = new IndexMap<TypedSingleton>([]);
    const crossing = new Set<Shared>();
    let hasTable = false;
    const signatureOf = (callee: Callee): Signature => {
      const analysis = analyses.analyze(callee);
      if (analysis === undefined) throw new Error('a called function cannot become WebAssembly');
      return analysis.signature;
    };
    const typeOf = ({ self, params, result, outputs = [], hasError }: Signature): number => {
      const all = self === undefined ? params : [self, ...params];
      const results = [...(result === undefined ? [] : [result]), ...outputs].map(codeOf);
      return typeIndex(all.map(codeOf), hasError === true ? [...results, EXTERNREF] : results);
    };
    const context = {
      functionIndex: (callee: Callee) => imports.length + order.indexOf(callee),
      externIndex: (extern: TypedExtern) => externIndices.get(extern) ?? unsupported(),
      typeOf(of: Callee): number {
        hasTable = true;
        return typeOf(signatureOf(of));
      },
      singletonGlobal: (of: TypedSingleton) => constants.length + singletons.indexOf(of),
      guardOf: analyses.guardOf,
      text(text: string): number {
        const index = known.indexOf(text);
        texts[index] = text;
        return index;
      },
      error: (error: TypedError) => errors.indexOf(error),
      sharesLists: (of: Shared) => void crossing.add(of),
      raisesErrors() {},
      readsBytes: () => {
        this.#readsBytes = true;
      },
      kindOf: analyses.kinds.kindOf,
      field: analyses.kinds.field,
      enumOf: analyses.kinds.enumOf,
      functionsOf: analyses.kinds.functionsOf,
    };
    const functions: WasmModule['functions'][number][] = [];
    const boxed = new Set<Boxed>();
    // Emitting a function appends the functions that it calls.
    for (const one of order.keys()) {
      yield;
      const signature = signatureOf(one);
      const { params, result, outputs = [] } = signature;
      const exportedAs = this.#exported.get(one);
      for (const kind of exportedAs === undefined ? [] : [...params, result, ...outputs]) {
        const element = kind === undefined ? undefined : sharedElement(kind);
        if (element !== undefined) crossing.add(element);
        if (kind !== undefined && isBoxed(kind)) boxed.add(kind);
      }
      const { code, locals } = emitFunction(context, one, signature);
      functions.push({ type: typeOf(signature), locals, code, exportedAs, isCompiledLater: isOfFormat(one) });
    }
    const exported = [...Array.from(crossing).flatMap(listFunctions), ...Array.from(boxed).flatMap(boxFunctions)];
    for (const { name, params, results, locals, code } of exported)
      functions.push({ type: typeIndex(params, results), locals, code, exportedAs: name, isCompiledLater: false });
    const tag = { module: 'rt', name: 'raised', type: typeIndex([EXTERNREF], []) };
    const globals = Array.from(singletons.keys(), ({ value }) =>
      codeOf(analyses.kinds.kindOf(value.type) ?? unsupported()),
    );
    return {
      recursive,
      types,
      tag,
      imports,
      textCount: texts.length,
      constants,
      singletons: globals,
      functions,
      hasTable,
    };
  }
}

/**
 * Modules with many short functions, of which programs use some: optimizing all of `std.json` and `std.wire` took 170 ms, longer than most
 * programs that use them run.
 */
const FORMAT_MODULES: ReadonlySet<string | undefined> = new Set(['json', 'wire']);

/** Whether code is of a module of formats, or is there for such code alone. */
function isOfFormat(of: Callee): boolean {
  if (typeof of === 'string') return false;
  if ('guarded' in of) return isOfFormat(of.guarded);
  const path = 'owner' in of ? of.owner.path : 'path' in of ? of.path : undefined;
  return path !== undefined && FORMAT_MODULES.has(stdNameOf(path as ProjectPath));
}

/** A multiple of 3, so that the pieces have no padding between them. */
const BYTES_PER_STEP = 3 * 2 ** 14;

function* base64Pieces(bytes: Uint8Array): PausableWork<readonly string[]> {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += BYTES_PER_STEP) {
    pieces.push(encodeBase64(bytes.subarray(at, at + BYTES_PER_STEP)));
    yield;
  }
  return pieces;
}

/** Keys with the indices that they get when they are first asked for. */
class IndexMap<K> {
  readonly #indices: Map<K, number>;

  constructor(keys: Iterable<K>) {
    this.#indices = new Map(Array.from(keys, (key, index) => [key, index]));
  }

  indexOf(key: K): number {
    const index = this.#indices.get(key) ?? this.#indices.size;
    this.#indices.set(key, index);
    return index;
  }

  /** Includes keys that are added meanwhile. */
  keys(): Iterable<K> {
    return this.#indices.keys();
  }
}

function toWasm(kind: Kind, code: string): string {
  if (kind === 'int') return `$$wide(${code})`;
  if (kind === 'byte') return `${code}.value`;
  if (isBoxed(kind)) return `${MODULE}.box.${scalarOf(kind)}(${code})`;
  const element = sharedElement(kind);
  return element === undefined ? code : `${MODULE}.enter.${element}(${code})`;
}

function fromWasm(kind: Kind | undefined, code: string): string {
  if (kind === 'int') return `$$compact(${code})`;
  if (kind === 'bool') return `${code} !== 0`;
  if (kind === 'byte') return `$rt.byte(${code})`;
  if (kind !== undefined && isBoxed(kind)) return `${MODULE}.unbox.${scalarOf(kind)}(${code})`;
  const element = kind && sharedElement(kind);
  return element === undefined ? code : `${MODULE}.leave.${element}(${code})`;
}

/** A list with the result and the outputs of a call, which gives one value, or a list of several. */
function allFromWasm(result: Kind | undefined, outputs: readonly Kind[], call: string): string {
  const kinds = result === undefined ? outputs : [result, ...outputs];
  if (kinds.length === 1) return `[, ${fromWasm(kinds[0], call)}]`;
  const names = kinds.map((_, index) => `$${index}`);
  const values = kinds.map((kind, index) => fromWasm(kind, names[index] ?? ''));
  return `(([${names.join(', ')}]) => [${[...(result === undefined ? [''] : []), ...values].join(', ')}])(${call})`;
}
