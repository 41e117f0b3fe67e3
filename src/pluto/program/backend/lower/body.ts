import type { ProgramFile } from '../../../language/check/program/program-file.ts';
import type { TypeScope } from '../../../language/check/program/resolve-type.ts';
import { resolveType } from '../../../language/check/program/resolve-type.ts';
import type { Type } from '../../../language/check/types/type.ts';
import type { UnitSpec } from '../../../language/check/units/unit.ts';
import type { Block, Expr, Stmt } from '../../../language/syntax/ast/code.ts';
import type { Span } from '../../../language/syntax/ast/span.ts';
import type { Type as TypeNode } from '../../../language/syntax/ast/type.ts';
import { BodyFacts } from '../body-facts.ts';
import { localName } from '../js-names.ts';
import { variableRanges } from '../variable-ranges.ts';
import { type BlockKey, choice } from './blocking.ts';
import { asCompact, passed, type ValueCode } from './int-code.ts';
import type { ProgramLowering } from './program-lowering.ts';
import type { IntRange } from '../ranges.ts';

/** The mutually recursive parts of the lowering. */
export interface LoweringRules {
  expr(body: BodyLowering, expr: Expr): string;
  value(body: BodyLowering, expr: Expr): ValueCode;
  stmt(body: BodyLowering, stmt: Stmt): void;
}

/** The emitted function around the statements being lowered. */
export interface Frame {
  readonly key: BlockKey;
  /** Whether the function creates senders, which it must release. */
  hasSenders: boolean;
  /** Whether its result is a compact int. */
  returnsCompact: boolean;
  /** Its ints are wide outside if this key blocks. */
  wideKey: BlockKey | undefined;
}

/** Code whose value the following statements cannot change. */
const STABLE = /^(?:-?\d+n|-?\d+(?:\.\d+)?|"(?:[^"\\]|\\.)*"|true|false|null|self|\$t\d+)$/;

/**
 * Lowers one body to JavaScript. Lowering an expression emits the statements that it needs and returns the text of a JavaScript
 * expression, which must be used once, before anything else is emitted.
 */
export class BodyLowering {
  readonly program: ProgramLowering;
  readonly file: ProgramFile;
  readonly facts: BodyFacts;
  readonly scope: TypeScope;
  frame: Frame;
  readonly #rules: LoweringRules;
  #lines: string[] = [];
  #temps = 0;
  /** Where compact ints are declared. */
  readonly #compact = new Set<number>();
  /** Bounds of the variables that are always numbers, by the offset of the declaration. */
  readonly #ranges: ReadonlyMap<number, IntRange>;
  /** Source mark at the end of the lines that are emitted now. */
  #mark = '';

  /** @param block its variables get bounds; `undefined` for code without variables */
  constructor(program: ProgramLowering, spec: UnitSpec, rules: LoweringRules, key: BlockKey, block: Block | undefined) {
    this.program = program;
    this.file = spec.file;
    this.facts = new BodyFacts(spec);
    this.#ranges = block === undefined ? new Map() : variableRanges(this.facts, block);
    this.scope = { program: program.checked.program, file: spec.file, typeParams: new Map() };
    this.frame = { key, hasSenders: false, returnsCompact: false, wideKey: undefined };
    this.#rules = rules;
  }

  expr(expr: Expr): string {
    return this.#rules.expr(this, expr);
  }

  /** Like `expr`; the value of an int may be compact. */
  value(expr: Expr): ValueCode {
    return this.#rules.value(this, expr);
  }

  /** Like `expr`, for a compact int. */
  compact(expr: Expr): string {
    return asCompact(this.value(expr));
  }

  /** Lowers expressions that are evaluated in order. */
  values(exprs: readonly Expr[]): readonly ValueCode[] {
    const values: ValueCode[] = [];
    const codes = this.sequence(
      exprs.map((expr, index) => () => {
        const value = this.value(expr);
        values[index] = value;
        return value.code;
      }),
    );
    return codes.map((code, index) => ({ isCompact: false, ...values[index], code }));
  }

  /** Makes the variable that is declared at an offset a compact int. */
  declareCompact(start: number): void {
    this.#compact.add(start);
  }

  /** Emits the conversion of an int parameter of a function whose ints are wide outside if `key` blocks. */
  receive(key: BlockKey, { start, text }: { readonly start: number; readonly text: string }): void {
    this.declareCompact(start);
    const name = localName(text);
    this.emit(choice(key, `${name} = $$compact(${name});`, ''));
  }

  /** Code that returns a compact int. */
  returned(code: string): string {
    return passed(this.frame.wideKey, code);
  }

  /** Whether the variable that is used at an offset is a compact int. */
  isCompactAt(start: number): boolean {
    const local = this.facts.localAt(start);
    return local !== undefined && this.#compact.has(local.span.start);
  }

  /** The bounds of the variable that is used at an offset. */
  rangeAt(start: number): IntRange | undefined {
    const local = this.facts.localAt(start);
    return local && this.#ranges.get(local.span.start);
  }

  /** The value of the variable that is used at an offset, if it is always the same int. */
  constantAt(start: number): number | undefined {
    const local = this.facts.localAt(start);
    const range = local?.isImmutable === true && this.#compact.has(local.span.start) ? this.rangeAt(start) : undefined;
    return range?.min === range?.max ? range?.min : undefined;
  }

  typeOf(expr: Expr): Type {
    return this.facts.typeOf(expr);
  }

  type(node: TypeNode): Type {
    return resolveType(this.scope, node);
  }

  stmt(stmt: Stmt): void {
    this.at(stmt, () => this.#rules.stmt(this, stmt));
  }

  block({ stmts }: Block): void {
    for (const stmt of stmts) this.stmt(stmt);
  }

  emit(...lines: readonly string[]): void {
    for (const line of lines) this.#lines.push(marked(line, this.#mark));
  }

  /** Marks the lines that `inside` emits with a source place. */
  at<T>({ start }: Span, inside: () => T): T {
    const outer = this.#mark;
    this.#mark = this.program.mark(this.file, start);
    const result = inside();
    this.#mark = outer;
    return result;
  }

  /** Returns the lines that `inside` emits instead of emitting them. */
  captured(inside: () => void): readonly string[] {
    const outer = this.#lines;
    const lines: string[] = [];
    this.#lines = lines;
    inside();
    this.#lines = outer;
    return lines;
  }

  /** Emits a new constant with the value of `code`. */
  temp(code: string): string {
    const name = this.unused();
    this.emit(`const ${name} = ${code};`);
    return name;
  }

  /** A name that the function does not use yet. */
  unused(): string {
    return `$t${(this.#temps += 1)}`;
  }

  /** Emits a new variable without a value. */
  variable(): string {
    const name = this.unused();
    this.emit(`let ${name};`);
    return name;
  }

  /** Code with the same value, even if other statements run before it is used. */
  stable(code: string): string {
    return STABLE.test(code) ? code : this.temp(code);
  }

  /** Lowers expressions that are evaluated in order; with `isSteady` they are evaluated before any other code. */
  sequence(steps: readonly (() => string)[], isSteady = false): readonly string[] {
    return this.#inTurn(steps, step => step(), isSteady);
  }

  exprs(exprs: readonly Expr[], isSteady = false): readonly string[] {
    return this.#inTurn(exprs, this.#lower, isSteady);
  }

  readonly #lower = (expr: Expr): string => this.#rules.expr(this, expr);

  // Each link of a call chain recurses here, so the stack use is kept small.
  #inTurn<T>(parts: readonly T[], lower: (part: T) => string, isSteady: boolean): readonly string[] {
    const codes: string[] = [];
    const outer = this.#lines;
    for (const part of parts) {
      const lines: string[] = [];
      this.#lines = lines;
      const code = lower(part);
      this.#lines = outer;
      if (lines.length > 0) for (const [index, before] of codes.entries()) codes[index] = this.stable(before);
      this.emit(...lines);
      codes.push(code);
    }
    return isSteady ? codes.map(code => this.stable(code)) : codes;
  }

  /** Records that the enclosing function calls `key`. */
  calls(key: BlockKey): void {
    this.program.blocking.call(this.frame.key, key);
  }

  /** Records that the enclosing function blocks directly. */
  blocks(): void {
    this.program.blocking.block(this.frame.key);
  }

  /** Lowers a nested function of this body. @returns its lines */
  inFrame(key: BlockKey, inside: () => void): readonly string[] {
    const outer = this.frame;
    const frame: Frame = { key, hasSenders: false, returnsCompact: false, wideKey: undefined };
    this.frame = frame;
    const lines = this.captured(inside);
    this.frame = outer;
    return frame.hasSenders ? releasing(lines) : lines;
  }

  notSupported(span: Span, what: string): void {
    this.program.notSupported(this.file, span, what);
  }
}

/** Appends the source mark to each line that has none; lines of inner code already have one. */
function marked(code: string, mark: string): string {
  if (mark === '') return code;
  const first = code.indexOf('\n');
  const last = code.lastIndexOf('\n');
  const end = isMarked(code.slice(last + 1)) ? code : code + mark;
  return first < 0 || isMarked(code.slice(0, first)) ? end : `${end.slice(0, first)}${mark}${end.slice(first)}`;
}

const isMarked = (line: string): boolean => /\/\/@\d+:\d+$/.test(line);

/** Releases the senders of a function when it returns. */
const releasing = (lines: readonly string[]): readonly string[] => [
  'const $senders = [];',
  'try {',
  ...lines,
  '} finally { $rt.release($senders); }',
];
