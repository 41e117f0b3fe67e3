import type { Expr } from '../../syntax/ast/code.ts';
import type { DeclId } from '../../syntax/ast/node.ts';
import type { Span } from '../../syntax/ast/span.ts';
import type { Body, Instance, MemberUse } from '../body/body.ts';
import type { Local } from '../body/locals.ts';
import type { RawDiagnostic } from '../report/check-codes.ts';
import type { CallSite, EffectKey } from '../effects/call-site.ts';
import type { ProgramFile } from '../program/program-file.ts';
import type { ClassSymbol, DeclSymbol, ErrorSymbol, Type, Versioned } from '../types/type.ts';

export type OnType = (expr: Expr, type: Type, local: Local | undefined) => void;

/** Something that is checked by itself: a declaration without its bodies, one body, or one body for certain types. */
export interface UnitSpec {
  readonly key: string;
  readonly file: ProgramFile;
  readonly symbol: DeclSymbol;
  /** The node that is checked, in the tree of now. */
  readonly node: Span;
  /** The item whose code this is. */
  readonly owner: DeclId;
  readonly effect: EffectKey | undefined;
  /** What the type parameters stand for, as messages add it; undefined outside of instances. */
  readonly with: string | undefined;
  check(onType: OnType | undefined): Body;
}

/** What checking a unit gave; places are those of the text as it was then, `Unit.shift` brings them to where they are now. */
export interface UnitResult {
  readonly diagnostics: readonly RawDiagnostic[];
  readonly uses: readonly MemberUse[];
  readonly ambients: Readonly<Body['ambients']>;
  readonly sites: readonly CallSite[];
  readonly raises: readonly ErrorSymbol[];
  readonly instances: readonly Instance[];
  readonly spawns: Readonly<Body['spawns']>;
  readonly serves: readonly ClassSymbol[];
}

/** A unit with its last result. */
export class Unit {
  spec: UnitSpec;
  result: UnitResult | undefined;
  /** What is wrong with how errors are handled; depends on what others raise. */
  effectDiagnostics: readonly RawDiagnostic[] = [];
  #text = '';
  #dependsOn: readonly Versioned[] = [];
  #checkedAt = -1;
  /** Where the node started when it was checked. */
  #base = 0;

  constructor(spec: UnitSpec) {
    this.spec = spec;
  }

  /** Takes over the node of now. @returns whether the text is the one that was checked */
  move(spec: UnitSpec): boolean {
    this.spec = spec;
    return this.#text === textOf(spec);
  }

  /** How far the node has moved since it was checked. */
  get shift(): number {
    return this.spec.node.start - this.#base;
  }

  /** Whether something that the result came from has changed since. */
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
/** Most lists of most units are empty, and live as long as the program: without room to grow. */
const compacted = <T>(list: readonly T[]): readonly T[] => (list.length === 0 ? EMPTY : list.slice());

const textOf = ({ file, node }: UnitSpec): string => file.text.slice(node.start, node.end);
