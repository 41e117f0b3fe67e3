import type { ProjectPath } from '../../../../../base/brand.ts';
import type { PausableWork } from '../../../../../base/time-slice.ts';
import type { CheckedProgram } from '../../../../language/check/checked-program.ts';
import { type Lifecycle, Lifecycles } from '../../../../language/check/program/lifecycle.ts';
import type { ProgramFile } from '../../../../language/check/program/program-file.ts';
import type { FileDiagnostic } from '../../../../language/check/report/answers.ts';
import { VOID } from '../../../../language/check/types/make.ts';
import { substitute, substitution } from '../../../../language/check/types/substitute.ts';
import type {
  AppSymbol,
  ClassSymbol,
  ClassType,
  DeclSymbol,
  EnumSymbol,
  EnumType,
  ErrorSymbol,
  ExternSymbol,
  FunctionSymbol,
  StageSymbol,
  TraitSymbol,
  Type,
} from '../../../../language/check/types/type.ts';
import { PRELUDE_PATH, stdNameOf } from '../../../../language/std/std-path.ts';
import type { Span } from '../../../../language/syntax/ast/span.ts';
import { LineMap } from '../../../../language/syntax/line-map.ts';
import type {
  Place,
  TypedBody,
  TypedClass,
  TypedEnum,
  TypedError,
  TypedExtern,
  TypedFunction,
  TypedMethod,
  TypedSingleton,
  TypedValue,
  TypedVariant,
} from '../typed-form.ts';

const RAISED_BY_RUNTIME = new Set(['MathError', 'ChannelClosed', 'ChannelFull', 'ChannelEmpty', 'TaskCancelled']);

/** Something that is built after it is first used, so that declarations can use each other. */
export type Unfinished<T> = { -readonly [K in keyof T]: T[K] };

/** An app, or a stage with its parents, nearest first. */
export type AppChain = readonly [AppSymbol | StageSymbol, ...(AppSymbol | StageSymbol)[]];

/** Functions that build declarations with bodies. */
export interface Makers {
  function(program: ProgramBuilder, symbol: FunctionSymbol, args: readonly Type[]): TypedBody;
  class(program: ProgramBuilder, made: Unfinished<TypedClass>, type: ClassType): void;
  app(program: ProgramBuilder, made: Unfinished<TypedClass>, chain: AppChain): void;
  /** A new instance with injected fields. */
  instance(program: ProgramBuilder, type: ClassType): TypedValue;
}

export const NO_BODY: TypedBody = { params: [], result: VOID, checks: [], block: [] };

/** Collects the declarations of one program. Each is built once for each list of type arguments, when it is first used. */
export class ProgramBuilder {
  readonly checked: CheckedProgram;
  readonly functions: TypedFunction[] = [];
  readonly classes: TypedClass[] = [];
  readonly variants: TypedVariant[] = [];
  readonly enums: TypedEnum[] = [];
  readonly errors: TypedError[] = [];
  readonly externs: TypedExtern[] = [];
  readonly singletons: TypedSingleton[] = [];
  hasTasks = false;
  #app: TypedClass | undefined;
  readonly #makers: Makers;
  readonly #hasExtern: (name: string) => boolean;
  readonly #made = new Map<unknown, Map<string, unknown>>();
  readonly #waiting: (() => void)[] = [];
  /** Classes with objects. */
  readonly #built = new Set<TypedClass>();
  /** The methods that calls through a trait can run. */
  readonly #targets = new Map<TraitSymbol, Map<string, TypedMethod[]>>();
  readonly #found: FileDiagnostic[] = [];
  readonly #lifecycles: Lifecycles;
  /** Standard library modules with unsupported externs. */
  readonly #unsupportedStd = new Set<string>();
  readonly #files = new Map<ProgramFile, boolean>();
  readonly #lines = new Map<ProgramFile, LineMap>();
  /** Files of places, with their indices. */
  readonly #placed = new Map<ProgramFile, number>();

  constructor(checked: CheckedProgram, makers: Makers, hasExtern: (name: string) => boolean) {
    this.checked = checked;
    this.#lifecycles = Lifecycles.overridden(checked.program, checked.signatures);
    this.#hasExtern = hasExtern;
    this.#makers = makers;
  }

  // --- Declarations ---

  /** Makes something once. @param finish may use it again */
  #once<T>(owner: unknown, key: string, make: () => T, finish?: (made: T) => void): T {
    let known = this.#made.get(owner);
    if (known === undefined) this.#made.set(owner, (known = new Map()));
    if (known.has(key)) return known.get(key) as T;
    const made = make();
    known.set(key, made);
    finish?.(made);
    return made;
  }

  /** Runs later, unless the file of the declaration has errors. */
  #later(symbol: DeclSymbol, build: () => void): void {
    const file = this.checked.program.fileOf(symbol);
    this.#waiting.push(() => {
      if (this.hasNoErrors(file)) build();
    });
  }

  /** Where a declaration is. */
  #head(symbol: DeclSymbol): { readonly name: string; readonly path: string; readonly line: number } {
    const file = this.checked.program.fileOf(symbol);
    return { name: symbol.name, path: file.path, line: this.lineOf(file, symbol.decl.start) };
  }

  function(symbol: FunctionSymbol, args: readonly Type[]): TypedFunction {
    return this.#once(symbol, args.map(({ id }) => id).join(), () => {
      const made: Unfinished<TypedFunction> = { ...this.#head(symbol), self: undefined, body: NO_BODY };
      this.functions.push(made);
      this.#later(symbol, () => {
        made.body = this.#makers.function(this, symbol, args);
      });
      return made;
    });
  }

  /** The function that checks the contract of a trait method for one class. */
  contract(owner: TypedClass, trait: TraitSymbol, method: string, build: () => TypedBody): TypedFunction {
    return this.#once(owner, `${trait.serial} ${method}`, () => {
      const head = { ...this.#head(trait), name: `requires_${method}` };
      const made: Unfinished<TypedFunction> = { ...head, self: owner, body: NO_BODY };
      this.functions.push(made);
      this.#later(trait, () => {
        made.body = build();
      });
      return made;
    });
  }

  class(type: ClassType): TypedClass {
    const { symbol } = type;
    const make = (): Unfinished<TypedClass> => {
      const traits = this.checked.signatures.class(symbol).impls;
      const made = { ...this.#head(symbol), type, fields: [], methods: new Map(), invariants: [], traits };
      this.classes.push(made);
      return made;
    };
    // Callers need the methods at once; their bodies are built later.
    return this.#once(type, '', make, made => {
      if (this.hasNoErrors(this.checked.program.fileOf(symbol))) this.#makers.class(this, made, type);
    });
  }

  /** A class of which the program makes objects. */
  classOfObjects(type: ClassType): TypedClass {
    const made = this.class(type);
    this.#built.add(made);
    return made;
  }

  /** The app, or the stage, that the program starts. */
  appOf(chain: AppChain): TypedClass {
    const [first] = chain;
    const head = { ...this.#head(first), type: undefined };
    const made: Unfinished<TypedClass> = { ...head, fields: [], methods: new Map(), invariants: [], traits: [] };
    this.classes.push(made);
    this.#app = made;
    this.#makers.app(this, made, chain);
    return made;
  }

  get app(): TypedClass | undefined {
    return this.#app;
  }

  /** Builds the body of a method when all callers of the class can find the method. */
  methodLater(symbol: DeclSymbol, build: () => void): void {
    this.#later(symbol, build);
  }

  /** The methods that a call through a trait can run. The list is complete when the program is finished. */
  targetsOf(trait: TraitSymbol, method: string): readonly TypedMethod[] {
    let known = this.#targets.get(trait);
    if (known === undefined) this.#targets.set(trait, (known = new Map()));
    let targets = known.get(method);
    if (targets === undefined) known.set(method, (targets = []));
    return targets;
  }

  /** @param type of the value that the program makes */
  variant(symbol: EnumSymbol, variant: string, type: Type): TypedVariant {
    const of = type.kind === 'nullable' ? type.element : type;
    if (of.kind === 'enum') this.#enum(of);
    return this.#once(symbol, variant, () => {
      this.hasNoErrors(this.checked.program.fileOf(symbol));
      const made = {
        enumName: symbol.name,
        name: variant,
        tag: symbol.decl.variants.findIndex(({ name }) => name.text === variant),
        fields: Array.from(this.checked.signatures.enum(symbol).variants.get(variant)?.fields.keys() ?? []),
      };
      this.variants.push(made);
      return made;
    });
  }

  #enum(type: EnumType): TypedEnum {
    return this.#once(type, '', () => {
      const { typeParams, variants } = this.checked.signatures.enum(type.symbol);
      const by = substitution(
        typeParams.map(param => param.type),
        type.args,
      );
      const made = {
        name: type.symbol.name,
        path: this.checked.program.fileOf(type.symbol).path,
        type,
        names: Array.from(variants.keys()),
        variants: Array.from(variants.values(), ({ fields }) =>
          Array.from(fields.values(), field => substitute(field.type, by)),
        ),
      };
      this.enums.push(made);
      return made;
    });
  }

  error(symbol: ErrorSymbol): TypedError {
    return this.#once(symbol, '', () => {
      this.hasNoErrors(this.checked.program.fileOf(symbol));
      const fields = Array.from(this.checked.signatures.error(symbol).fields.values());
      const made = { ...this.#head(symbol), fields, isRaisedByRuntime: RAISED_BY_RUNTIME.has(symbol.name) };
      this.errors.push(made);
      return made;
    });
  }

  extern(symbol: ExternSymbol): TypedExtern {
    return this.#once(symbol, '', () => {
      const { decl } = symbol;
      const file = this.checked.program.fileOf(symbol);
      if (!this.#hasExtern(decl.name.text)) this.notSupported(file, decl.name, `extern '${decl.name.text}'`);
      const { params, result } = this.checked.signatures.callable(symbol);
      const resultText = decl.result === undefined ? '' : file.text.slice(decl.result.start, decl.result.end);
      const made = { name: decl.name.text, params: params.map(({ type }) => type), result, resultText };
      this.externs.push(made);
      return made;
    });
  }

  singleton(type: ClassType): TypedSingleton {
    return this.#once(type, 'singleton', () => {
      const made: Unfinished<TypedSingleton> = { name: type.symbol.name, value: { kind: 'none', type } };
      this.singletons.push(made);
      // Its dependencies are built after it: a chain of them may be longer than the stack.
      this.#later(type.symbol, () => {
        made.value = this.#makers.instance(this, type);
      });
      return made;
    });
  }

  /** The function that makes instances of a class that is not a singleton. A chain of them may be longer than the stack. */
  factory(type: ClassType): TypedFunction {
    return this.#once(type, 'factory', () => {
      const head = { ...this.#head(type.symbol), name: `new_${type.symbol.name}` };
      const made: Unfinished<TypedFunction> = { ...head, self: undefined, body: NO_BODY };
      this.functions.push(made);
      this.#later(type.symbol, () => {
        const value = this.#makers.instance(this, type);
        made.body = { ...NO_BODY, result: type, block: [{ kind: 'return', place: undefined, value }] };
      });
      return made;
    });
  }

  errorNamed(file: ProgramFile, path: readonly string[]): ErrorSymbol | undefined {
    const { program } = this.checked;
    const [first = '', second] = path;
    if (second === undefined) return program.find(file, first, 'ErrorDecl');
    const module = program.module(file, first);
    return module && program.findIn(module, second, 'ErrorDecl');
  }

  lifecycleOf(symbol: ClassSymbol): Lifecycle {
    return this.#lifecycles.of(symbol);
  }

  /** Builds everything that is used, then finds what each call through a trait can run. */
  *finish(): PausableWork<void> {
    for (let build = this.#waiting.pop(); build !== undefined; build = this.#waiting.pop()) {
      build();
      yield;
    }
    for (const { methods: own, traits } of this.#built) {
      yield;
      for (const trait of traits)
        for (const [name, targets] of this.#targets.get(trait) ?? []) {
          const method = own.get(name);
          if (method !== undefined) targets.push(method);
        }
    }
  }

  // --- Places ---

  /** 1-based. */
  lineOf(file: ProgramFile, offset: number): number {
    let lines = this.#lines.get(file);
    if (lines === undefined) this.#lines.set(file, (lines = new LineMap(file.text)));
    return lines.position(offset).line;
  }

  placeOf(file: ProgramFile, offset: number): Place | undefined {
    if (file.isEmbedded) return undefined;
    const known = this.#placed.get(file);
    const index = known ?? this.#placed.size;
    if (known === undefined) this.#placed.set(file, index);
    return { file: index, line: this.lineOf(file, offset) };
  }

  /** Paths by the indices of places. */
  get files(): readonly string[] {
    return Array.from(this.#placed.keys(), ({ path }) => path);
  }

  // --- Findings ---

  /** The findings that prevent the program from running: errors in its files, and unsupported features. Sorted by file, then by place. */
  diagnosticsFor(entry: ProgramFile): readonly FileDiagnostic[] {
    for (const name of Array.from(this.#unsupportedStd).toSorted())
      this.notSupported(entry, { start: 0, end: 0 }, `std.${name}, which this program needs,`);
    this.#unsupportedStd.clear();
    return this.#found.toSorted((a, b) => (a.file === b.file ? a.span.start - b.span.start : a.file < b.file ? -1 : 1));
  }

  notSupported(file: ProgramFile, { start, end }: Span, what: string): void {
    if (file.isEmbedded) {
      this.#unsupportedStd.add(stdNameOf(file.path) ?? '');
      return;
    }
    const message = `not supported: ${what} can be checked, but not run`;
    const isKnown = this.#found.some(
      one => one.file === file.path && one.span.start === start && one.message === message,
    );
    // Each instance of a generic declaration finds it.
    if (!isKnown)
      this.#found.push({ severity: 'error', code: 'not-supported', message, span: { start, end }, file: file.path });
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
}
