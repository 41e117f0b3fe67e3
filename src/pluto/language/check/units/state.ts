import type { ProjectPath } from '../../../../base/brand.ts';
import { runToEnd, type PausableWork } from '../../../../base/time-slice.ts';
import type { Diagnostic } from '../../syntax/ast/diagnostic.ts';
import type { CheckSource, FileDiagnostic } from '../report/answers.ts';
import type { CheckCode, RawDiagnostic } from '../report/check-codes.ts';
import { FileRules } from '../files/check-file.ts';
import { checkSystem } from '../files/system.ts';
import type { ProgramFile } from '../program/program-file.ts';
import { Program, type ProgramChange } from '../program/program.ts';
import { Signatures } from '../program/signatures.ts';
import type { ClassSymbol } from '../types/type.ts';
import { EffectTable } from './effect-table.ts';
import { ExtraUnits } from './instances.ts';
import { Planner } from './plan.ts';
import { Unit } from './unit.ts';

const SYMBOL_BATCH_SIZE = 500;
const UNIT_BATCH_SIZE = 100;

interface FileState {
  units: ReadonlyMap<string, Unit>;
  fileRuleDiagnostics: readonly RawDiagnostic[];
  /** Cached findings of the file; undefined until a query needs them. */
  diagnostics: readonly FileDiagnostic[] | undefined;
}

/** All results of checking a program, updated incrementally. */
export class State {
  readonly program: Program;
  readonly signatures: Signatures;
  readonly effects = new EffectTable();
  readonly planner: Planner;
  readonly extras: ExtraUnits;
  readonly #source: CheckSource;
  readonly #rules: FileRules;
  readonly #files = new Map<ProgramFile, FileState>();
  /** Units that instantiate generic declarations. */
  readonly #users = new Set<Unit>();
  #all: readonly FileDiagnostic[] | undefined;
  /** The update in progress. */
  #work: PausableWork<void> | undefined;
  #endless: ReadonlySet<Unit> = new Set();
  /** Files whose text changed or whose units were checked again since their uses were last indexed. */
  readonly usesChanged = new Set<ProgramFile>();

  constructor(source: CheckSource) {
    this.#source = source;
    this.program = new Program(source);
    this.signatures = new Signatures(this.program);
    this.planner = new Planner(this.program, this.signatures);
    this.extras = new ExtraUnits(this.program, this.signatures, this.planner);
    this.#rules = new FileRules(this.program, this.signatures);
  }

  unitsIn(file: ProgramFile): Iterable<Unit> {
    return this.#files.get(file)?.units.values() ?? [];
  }

  /** Whether an update is in progress. */
  get isBusy(): boolean {
    return this.#work !== undefined;
  }

  /** Finishes all pending work at once. */
  refresh(): void {
    runToEnd(this.steps());
  }

  /**
   * Updates in steps of a few milliseconds. A query in between finishes the update at once, and starts another one if the source
   * has changed since.
   */
  *steps(): PausableWork<void> {
    if (this.#work !== undefined) yield* this.#finish(this.#work);
    yield* this.#finish(this.#bringUpToDate());
  }

  *#finish(work: PausableWork<void>): PausableWork<void> {
    this.#work = work;
    while (this.#work === work) {
      if (work.next().done === true) this.#work = undefined;
      else yield;
    }
  }

  *#bringUpToDate(): PausableWork<void> {
    const change = yield* this.program.update();
    if (!change.isSurface && change.changed.length === 0) return;
    this.#all = undefined;
    if (change.isSurface) {
      let seen = 0;
      for (const symbol of this.program.symbols.values()) {
        this.signatures.refresh(symbol);
        if ((seen += 1) % SYMBOL_BATCH_SIZE === 0) yield;
      }
      this.extras.readDeclarations();
      yield;
      yield* this.#rules.readDeclarations();
    }
    const ran = yield* this.#runUnits(change);
    for (const unit of ran) this.#noteInstances(unit);
    const extras = this.extras.update(this.#users, change.isSurface);
    for (const unit of [...this.#endless, ...extras.endless, ...extras.removed]) this.#touch(unit.spec.file);
    this.#endless = extras.endless;
    for (const unit of extras.removed) this.effects.remove(unit);
    for (const unit of extras.ran) ran.push(unit);
    for (const unit of ran) this.usesChanged.add(unit.spec.file);
    for (const file of change.changed) this.usesChanged.add(file);
    for (const [index, unit] of ran.entries()) {
      this.effects.put(unit);
      if (index % UNIT_BATCH_SIZE === 0) yield;
    }
    const hasInstances = [...extras.ran, ...extras.removed].some(unit => unit.spec.with !== undefined);
    if (change.isSurface || hasInstances) this.effects.readTraits(this.extras, this.signatures);
    yield;
    let enforced = 0;
    for (const unit of yield* this.effects.solve(ran)) {
      this.effects.checkErrorHandling(unit);
      this.#touch(unit.spec.file);
      if ((enforced += 1) % UNIT_BATCH_SIZE === 0) yield;
    }
    for (const file of change.isSurface ? this.program.files.values() : change.changed) {
      const state = this.#files.get(file);
      if (state === undefined || file.isEmbedded) continue;
      state.fileRuleDiagnostics = this.#rules.check(file);
      this.#touch(file);
      yield;
    }
    this.#checkSystems();
  }

  /** Divides changed files into units again, and checks every unit that is new, has changed, or depends on a change. */
  *#runUnits({ changed, removed, isSurface }: ProgramChange): PausableWork<Unit[]> {
    const ran: Unit[] = [];
    for (const file of removed) {
      for (const unit of this.unitsIn(file)) this.#drop(unit);
      this.#files.delete(file);
      this.usesChanged.add(file);
    }
    for (const file of changed) {
      const before = this.#files.get(file)?.units ?? new Map<string, Unit>();
      const after = new Map<string, Unit>();
      for (const symbol of file.symbols.values())
        for (const spec of this.planner.unitsOf(symbol)) {
          const known = before.get(spec.key);
          const unit = known ?? new Unit(spec);
          after.set(spec.key, unit);
          if (known !== undefined && known.move(spec)) continue;
          unit.run();
          ran.push(unit);
        }
      for (const [key, unit] of before) if (after.get(key) !== unit) this.#drop(unit);
      this.#files.set(file, { units: after, fileRuleDiagnostics: [], diagnostics: undefined });
      yield;
    }
    if (!isSurface) return ran;
    let seen = 0;
    for (const unit of this.#allUnits()) {
      if ((seen += 1) % UNIT_BATCH_SIZE === 0) yield;
      if (!unit.isStale) continue;
      unit.run();
      ran.push(unit);
    }
    return ran;
  }

  #drop(unit: Unit): void {
    this.effects.remove(unit);
    this.#users.delete(unit);
  }

  #noteInstances(unit: Unit): void {
    if ((unit.result?.instances.length ?? 0) > 0) this.#users.add(unit);
    else this.#users.delete(unit);
  }

  *#allUnits(): Iterable<Unit> {
    for (const { units } of this.#files.values()) yield* units.values();
  }

  #checkSystems(): void {
    for (const [file, state] of this.#files) {
      if (!file.hasSystem) continue;
      const found = Array.from(this.#rules.check(file));
      const servedIn = (one: ProgramFile): readonly ClassSymbol[] =>
        Array.from(this.unitsIn(one)).flatMap(unit => unit.result?.serves ?? []);
      checkSystem(this.signatures, file, servedIn, this.effects.errorsOf, (code, { start, end }, message) => {
        found.push({ severity: 'error', code, message, start, end });
      });
      state.fileRuleDiagnostics = found;
      this.#touch(file);
    }
  }

  #touch(file: ProgramFile): void {
    const state = this.#files.get(file);
    if (state !== undefined) state.diagnostics = undefined;
    this.#all = undefined;
  }

  diagnosticsOf(path: ProjectPath): readonly FileDiagnostic[] {
    const file = this.program.files.get(path);
    const state = file === undefined ? undefined : this.#files.get(file);
    if (file === undefined || state === undefined) return this.#problems().filter(problem => problem.file === path);
    state.diagnostics ??= this.#collect(file, state);
    return state.diagnostics;
  }

  diagnostics(): readonly FileDiagnostic[] {
    this.#all ??= this.#source.modules().flatMap(({ path }) => this.diagnosticsOf(path));
    const problems = this.#problems();
    return problems.length === 0
      ? this.#all
      : [...problems, ...this.#all].toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
  }

  /** Findings about files that cannot be read. */
  #problems(): readonly FileDiagnostic[] {
    const problems: FileDiagnostic[] = [];
    const put = (file: ProjectPath, code: CheckCode, message: string): void => {
      problems.push({ file, severity: 'error', code, message, span: { start: 0, end: 0 } });
    };
    for (const [path, reason] of this.#source.manifestProblems ?? []) put(path, 'manifest-invalid', reason);
    for (const [path, reason] of this.#source.unreadable?.() ?? [])
      put(path, 'module-unreadable', `could not read module: ${reason}`);
    return problems;
  }

  #collect(file: ProgramFile, { units, fileRuleDiagnostics: found }: FileState): readonly FileDiagnostic[] {
    const seen = new Set<string>();
    const all: FileDiagnostic[] = [];
    // A finding of an instance is omitted if the generic declaration has the same one.
    const add = (one: Diagnostic, isInstance: boolean): void => {
      const place = `${one.code} ${one.span.start} ${one.span.end}`;
      const key = isInstance ? place : `${place} ${one.message}`;
      if (seen.has(key)) return;
      seen.add(place);
      seen.add(key);
      all.push({ ...one, file: file.path });
    };
    for (const diagnostic of file.module.module.diagnostics) add(diagnostic, false);
    for (const { start, end, ...rest } of found) add({ ...rest, span: { start, end } }, false);
    for (const unit of units.values()) this.#addUnit(unit, add);
    for (const unit of this.extras.all) if (unit.spec.file === file) this.#addUnit(unit, add);
    return all.toSorted((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  }

  #addUnit(unit: Unit, add: (found: Diagnostic, isInstance: boolean) => void): void {
    const list = unit.result?.diagnostics ?? [];
    if (list.length + unit.effectDiagnostics.length === 0 && !this.#endless.has(unit)) return;
    const { shift } = unit;
    const { node, with: instance } = unit.spec;
    const place = ({ severity, code, message, start, end }: RawDiagnostic): void =>
      add(
        {
          severity,
          code,
          message: instance === undefined ? message : `${message} (with ${instance})`,
          span: { start: start + shift, end: end + shift },
        },
        instance !== undefined,
      );
    for (const found of list) place(found);
    for (const found of unit.effectDiagnostics) place(found);
    if (this.#endless.has(unit))
      add(
        {
          severity: 'error',
          code: 'instance-endless',
          message: 'infinite instantiation: a generic declaration uses itself with ever larger types',
          span: { start: node.start, end: node.end },
        },
        true,
      );
  }
}
