import type { ProjectPath } from '../../../../base/brand.ts';
import type { PausableWork } from '../../../../base/time-slice.ts';
import type { CheckedProgram } from '../../../language/check/checked-program.ts';
import { lifecycleOf } from '../../../language/check/program/lifecycle.ts';
import type { ProgramFile } from '../../../language/check/program/program-file.ts';
import type { FileDiagnostic } from '../../../language/check/report/answers.ts';
import type {
  ClassSymbol,
  DeclSymbol,
  EnumSymbol,
  ErrorSymbol,
  ExternSymbol,
  FunctionSymbol,
  TraitSymbol,
  Type,
} from '../../../language/check/types/type.ts';
import { PRELUDE_PATH, stdNameOf } from '../../../language/std/std-path.ts';
import type { Span } from '../../../language/syntax/ast/span.ts';
import { LineMap } from '../../../language/syntax/line-map.ts';
import { WasmProgram } from '../wasm/wasm-program.ts';
import type { ClassMethod } from '../direct-methods.ts';
import { type BlockKey, BlockingTable, ownMethodKey } from './blocking.ts';
import { hasInvariants, variantFields } from './declared.ts';
import { type Formula, operationAt } from './int-code.ts';
import { byteLiteral } from '../js-names.ts';

const RAISED_BY_RUNTIME = new Set(['MathError', 'ChannelClosed', 'ChannelFull', 'ChannelEmpty', 'TaskCancelled']);

/** Functions that lower declarations with bodies. */
export interface Makers {
  function(program: ProgramLowering, name: string, symbol: FunctionSymbol): string;
  class(program: ProgramLowering, name: string, symbol: ClassSymbol): () => string;
}

/** The text of a definition, or a function that gives it when everything else has been lowered. */
type Definition = string | (() => string);

/** Collects the definitions of one program. Each declaration is lowered once, when it is first used. */
export class ProgramLowering {
  readonly checked: CheckedProgram;
  readonly blocking = new BlockingTable();
  readonly wasm = new WasmProgram(this);
  /** Names of the functions that return the singleton of a type. */
  readonly singletons = new Map<Type, string>();
  readonly #makers: Makers;
  readonly #hasExtern: (name: string) => boolean;
  readonly #names = new Map<object, string>();
  readonly #variants = new Map<EnumSymbol, Map<string, string>>();
  readonly #definitions: Definition[] = [];
  readonly #operations = new Map<string, string>();
  readonly #waiting: (() => Definition)[] = [];
  /** Names of the functions of methods that code calls directly. */
  readonly #direct = new Map<BlockKey, string>();
  /** Methods of the classes that have been lowered. */
  readonly #defined = new Set<BlockKey>();
  readonly #found: FileDiagnostic[] = [];
  /** Standard library modules with unsupported externs. */
  readonly #unsupportedStd = new Set<string>();
  readonly #files = new Map<ProgramFile, boolean>();
  readonly #lines = new Map<ProgramFile, LineMap>();
  /** Files in source marks, with their indices. */
  readonly #marked = new Map<ProgramFile, number>();
  #traitsWithInvariants: ReadonlySet<TraitSymbol> | undefined;
  #last = 0;

  constructor(checked: CheckedProgram, makers: Makers, hasExtern: (name: string) => boolean) {
    this.checked = checked;
    this.#hasExtern = hasExtern;
    this.#makers = makers;
  }

  /** The traits of classes with invariants. */
  get traitsWithInvariants(): ReadonlySet<TraitSymbol> {
    return (this.#traitsWithInvariants ??= new Set(
      Array.from(this.checked.program.files.values()).flatMap(({ symbols }) =>
        Array.from(symbols.values()).flatMap(symbol =>
          symbol.kind === 'ClassDecl' && hasInvariants(symbol) ? this.checked.signatures.class(symbol).impls : [],
        ),
      ),
    ));
  }

  /** The findings that prevent the program from running: errors in its files, and unsupported features. Sorted by file, then by place. */
  diagnosticsFor(entry: ProgramFile): readonly FileDiagnostic[] {
    for (const name of Array.from(this.#unsupportedStd).toSorted())
      this.notSupported(entry, { start: 0, end: 0 }, `std.${name}, which this program needs,`);
    this.#unsupportedStd.clear();
    return this.#found.toSorted((a, b) => (a.file === b.file ? a.span.start - b.span.start : a.file < b.file ? -1 : 1));
  }

  next(): number {
    return (this.#last += 1);
  }

  /** A unique name in the emitted text. */
  name(base: string): string {
    return `${base.replaceAll(/\W/g, '_')}$${this.next()}`;
  }

  define(definition: Definition): void {
    this.#definitions.push(definition);
  }

  /** Defines operations on compact ints for one place of the program. @param isSum as in `operationAt` @returns the name of the function */
  operation(formula: Formula, isSum: boolean): string {
    const { name, text } = operationAt(formula, this.next(), isSum);
    this.#operations.set(name, text);
    return name;
  }

  /** The definitions of the operations on compact ints that are used, without those that are part of others. */
  operationsIn(definitions: readonly string[]): readonly string[] {
    const used = new Set(definitions.flatMap(text => Array.from(text.matchAll(/\$\$[a-z]+\d+/g), ([name]) => name)));
    return Array.from(this.#operations).flatMap(([name, text]) => (used.has(name) ? [text] : []));
  }

  /** The name of a definition, which is queued for lowering at the first use. */
  once(key: object, base: string, make: (name: string) => Definition): string {
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const name = this.name(base);
    this.#names.set(key, name);
    this.#waiting.push(() => make(name));
    return name;
  }

  /** Lowers all queued definitions. */
  *finish(): PausableWork<readonly string[]> {
    for (let make = this.#waiting.pop(); make !== undefined; make = this.#waiting.pop()) {
      this.define(make());
      yield;
    }
    const texts = this.#definitions.map(one => (typeof one === 'string' ? one : one()));
    // No code can call the methods of classes that the program never makes an instance of.
    const missing = Array.from(this.#direct).flatMap(([key, name]) => (this.#defined.has(key) ? [] : [`let ${name};`]));
    return [...missing, ...texts];
  }

  /** The name of the function of a method that code calls directly. */
  method({ symbol, callable }: ClassMethod): string {
    const key = ownMethodKey(symbol.serial, callable.name);
    const known = this.#direct.get(key);
    if (known !== undefined) return known;
    const name = this.name(`${symbol.name}_${callable.name}`);
    this.#direct.set(key, name);
    return name;
  }

  /** The name that `method` gave; `undefined` if no code calls the method directly. */
  directName(key: BlockKey): string | undefined {
    this.#defined.add(key);
    return this.#direct.get(key);
  }

  function(symbol: FunctionSymbol): string {
    return this.once(symbol, symbol.name, name => this.#if(symbol, () => this.#makers.function(this, name, symbol)));
  }

  class(symbol: ClassSymbol): string {
    return this.once(symbol, symbol.name, name => this.#if(symbol, () => this.#class(symbol, name)));
  }

  variant(symbol: EnumSymbol, variant: string): string {
    let known = this.#variants.get(symbol);
    if (known === undefined) this.#variants.set(symbol, (known = new Map()));
    const before = known.get(variant);
    if (before !== undefined) return before;
    const name = this.name(`${symbol.name}_${variant}`);
    known.set(variant, name);
    this.hasNoErrors(this.checked.program.fileOf(symbol));
    const tag = symbol.decl.variants.findIndex(one => one.name.text === variant);
    const fields = variantFields(symbol, variant).map(byteLiteral).join(', ');
    this.define(
      `const ${name} = $rt.variant(${byteLiteral(symbol.name)}, ${byteLiteral(variant)}, ${tag}, [${fields}]);`,
    );
    return name;
  }

  error(symbol: ErrorSymbol): string {
    return this.once(symbol, symbol.name, name =>
      this.#if(symbol, () => {
        const fields = Array.from(this.checked.signatures.error(symbol).fields.keys(), byteLiteral);
        return `const ${name} = $rt.errorType(${byteLiteral(symbol.name)}, [${fields.join(', ')}]);`;
      }),
    );
  }

  extern(symbol: ExternSymbol): string {
    const { decl } = symbol;
    return this.once(symbol, decl.name.text, name => {
      const file = this.checked.program.fileOf(symbol);
      if (!this.#hasExtern(decl.name.text)) this.notSupported(file, decl.name, `extern '${decl.name.text}'`);
      const result = decl.result === undefined ? '' : file.text.slice(decl.result.start, decl.result.end);
      return `const ${name} = $rt.extern(${byteLiteral(decl.name.text)}, ${byteLiteral(result)});`;
    });
  }

  errorNamed(file: ProgramFile, path: readonly string[]): ErrorSymbol | undefined {
    const { program } = this.checked;
    const [first = '', second] = path;
    if (second === undefined) return program.find(file, first, 'ErrorDecl');
    const module = program.module(file, first);
    return module && program.findIn(module, second, 'ErrorDecl');
  }

  isRaisedByRuntime({ name }: ErrorSymbol): boolean {
    return RAISED_BY_RUNTIME.has(name);
  }

  lifecycleOf(symbol: ClassSymbol): 'singleton' | 'scoped' | 'transient' {
    return lifecycleOf(this.checked.program, this.checked.signatures, symbol);
  }

  /** 1-based. */
  lineOf(file: ProgramFile, offset: number): number {
    let lines = this.#lines.get(file);
    if (lines === undefined) this.#lines.set(file, (lines = new LineMap(file.text)));
    return lines.position(offset).line;
  }

  /** The source mark at the end of a line, which `thrownAt` reads; empty for standard library modules. */
  mark(file: ProgramFile, offset: number): string {
    if (file.isEmbedded) return '';
    const known = this.#marked.get(file);
    const number = known ?? this.#marked.size;
    if (known === undefined) this.#marked.set(file, number);
    return ` //@${number}:${this.lineOf(file, offset)}`;
  }

  /** Paths by their index in source marks. */
  get markedFiles(): readonly string[] {
    return Array.from(this.#marked.keys(), ({ path }) => path);
  }

  notSupported(file: ProgramFile, { start, end }: Span, what: string): void {
    if (file.isEmbedded) {
      this.#unsupportedStd.add(stdNameOf(file.path) ?? '');
      return;
    }
    this.#found.push({
      severity: 'error',
      code: 'not-supported',
      message: `not supported: ${what} can be checked, but not run`,
      span: { start, end },
      file: file.path,
    });
  }

  /** Whether a file has no errors; its errors are added to the findings. */
  hasNoErrors(file: ProgramFile): boolean {
    const known = this.#files.get(file);
    if (known !== undefined) return known;
    const errors = this.errorsOf(file.path);
    this.#files.set(file, errors.length === 0);
    this.#found.push(...errors);
    return errors.length === 0;
  }

  errorsOf(path: ProjectPath): readonly FileDiagnostic[] {
    if (path === PRELUDE_PATH) return [];
    return this.checked.diagnosticsOf(path).filter(({ severity }) => severity === 'error');
  }

  /** Lowers a declaration and adds its source place as a comment. Files with errors are skipped. */
  #if(symbol: DeclSymbol, make: () => Definition): Definition {
    const file = this.checked.program.fileOf(symbol);
    if (!this.hasNoErrors(file)) return '';
    const comment = `// ${byteLiteral(file.path)}, line ${this.lineOf(file, symbol.decl.start)}\n`;
    const made = make();
    return typeof made === 'string' ? comment + made : () => comment + made();
  }

  #class(symbol: ClassSymbol, name: string): () => string {
    const file = this.checked.program.fileOf(symbol);
    for (const dep of symbol.decl.deps) if (dep.isRemote) this.notSupported(file, dep, 'a remote dependency');
    return this.#makers.class(this, name, symbol);
  }
}
