import type { DeclId } from '../../syntax/ast/node.ts';
import type { Span } from '../../syntax/ast/span.ts';
import type { Body, BodyObserver, GenericInstance, MemberUse } from '../body/body.ts';
import type { RawDiagnostic } from '../report/check-codes.ts';
import type { CallSite, EffectKey } from '../effects/call-site.ts';
import type { ProgramFile } from '../program/program-file.ts';
import type { ClassSymbol, DeclSymbol, ErrorSymbol, Versioned } from '../types/type.ts';

/** A unit of checking: a declaration without its bodies, one body, or one instance of a generic body. */
export interface UnitSpec {
  readonly key: string;
  readonly file: ProgramFile;
  readonly symbol: DeclSymbol;
  /** The checked node in the current tree. */
  readonly node: Span;
  /** The item that owns the code. */
  readonly owner: DeclId;
  readonly effect: EffectKey | undefined;
  /** The type arguments as messages append them; undefined outside of instances. */
  readonly with: string | undefined;
  check(observer: BodyObserver | undefined): Body;
}

/** The result of checking a unit. Places refer to the checked text; `Unit.shift` converts them to current places. */
export interface UnitResult {
  readonly diagnostics: readonly RawDiagnostic[];
  readonly uses: readonly MemberUse[];
  readonly ambients: Readonly<Body['ambients']>;
  readonly sites: readonly CallSite[];
  readonly raises: readonly ErrorSymbol[];
  readonly instances: readonly GenericInstance[];
  readonly spawns: Readonly<Body['spawns']>;
  readonly serves: readonly ClassSymbol[];
}

/** A unit with its latest result. */
export class Unit {
  spec: UnitSpec;
  result: UnitResult | undefined;
  /** Findings about error handling. They depend on the errors that other units raise. */
  effectDiagnostics: readonly RawDiagnostic[] = [];
  #text = '';
  #dependsOn: readonly Versioned[] = [];
  #checkedAt = -1;
  /** Start offset of the node when it was checked. */
  #base = 0;

  constructor(spec: UnitSpec) {
    this.spec = spec;
  }

  /** Switches to the current node. @returns whether its text is the checked text */
  move(spec: UnitSpec): boolean {
    this.spec = spec;
    return this.#text === textOf(spec);
  }

  /** The distance that the node has moved since it was checked. */
  get shift(): number {
    return this.spec.node.start - this.#base;
  }

  /** Whether a dependency of the result has changed. */
  get isStale(): boolean {
    const at = this.#checkedAt;
    if (at === this.spec.file.program.revision) return this.result === undefined;
    for (const { changedAt } of this.#dependsOn) if (changedAt > at) return true;
    return this.result === undefined;
  }

  run(): void {
    const { spec } = this;
    const { program } = spec.file;
    const { value: body, seen } = program.tracker.run(() => spec.check(undefined));
    this.#text = textOf(spec);
    this.#dependsOn = seen;
    this.#checkedAt = program.revision;
    this.#base = spec.node.start;
    this.result = {
      diagnostics: compacted(body.diagnostics),
      uses: compacted(body.uses),
      ambients: compacted(body.ambients),
      sites: compacted(body.sites),
      raises: compacted(body.raises),
      instances: compacted(body.instances),
      spawns: compacted(body.spawns),
      serves: compacted(body.serves),
    };
  }
}

const EMPTY: readonly never[] = [];
/** Copies a list without spare capacity. Results are long-lived, and most of their lists are empty. */
const compacted = <T>(list: readonly T[]): readonly T[] => (list.length === 0 ? EMPTY : list.slice());

const textOf = ({ file, node }: UnitSpec): string => file.text.slice(node.start, node.end);
