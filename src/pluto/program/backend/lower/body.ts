import type { ProgramFile } from '../../../language/check/program/program-file.ts';
import type { TypeScope } from '../../../language/check/program/resolve-type.ts';
import { resolveType } from '../../../language/check/program/resolve-type.ts';
import type { Type } from '../../../language/check/types/type.ts';
import type { UnitSpec } from '../../../language/check/units/unit.ts';
import type { Block, Expr, Stmt } from '../../../language/syntax/ast/code.ts';
import type { Span } from '../../../language/syntax/ast/span.ts';
import type { Type as TypeNode } from '../../../language/syntax/ast/type.ts';
import { BodyFacts } from './body-facts.ts';
import type { BlockKey } from './blocking.ts';
import type { ProgramLowering } from './program-lowering.ts';

/** The parts of the lowering that need one another. */
export interface LoweringRules {
  expr(body: BodyLowering, expr: Expr): string;
  stmt(body: BodyLowering, stmt: Stmt): void;
}

/** The function of the emitted text that statements are in. */
export interface Frame {
  readonly key: BlockKey;
  /** Whether it made senders, which it must release. */
  hasSenders: boolean;
}

/** What needs no variable to keep its value until the next statements have run. */
const STABLE = /^(?:-?\d+n|-?\d+(?:\.\d+)?|"(?:[^"\\]|\\.)*"|true|false|null|self|\$t\d+)$/;

/**
 * One body on its way to JavaScript. An expression becomes the text of one, after the statements that it needs were emitted; the text is to be
 * used once, before anything else is emitted.
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
  /** What marks the lines that are emitted now. */
  #mark = '';

  constructor(program: ProgramLowering, spec: UnitSpec, rules: LoweringRules, key: BlockKey) {
    this.program = program;
    this.file = spec.file;
    this.facts = new BodyFacts(spec);
    this.scope = { program: program.checked.program, file: spec.file, typeParams: new Map() };
    this.frame = { key, hasSenders: false };
    this.#rules = rules;
  }

  expr(expr: Expr): string {
    return this.#rules.expr(this, expr);
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

  /** What `inside` emits says that it stands there. */
  at<T>({ start }: Span, inside: () => T): T {
    const outer = this.#mark;
    this.#mark = this.program.mark(this.file, start);
    const result = inside();
    this.#mark = outer;
    return result;
  }

  /** What `inside` emits, instead of emitting it. */
  captured(inside: () => void): readonly string[] {
    const outer = this.#lines;
    const lines: string[] = [];
    this.#lines = lines;
    inside();
    this.#lines = outer;
    return lines;
  }

  /** A new constant with the value of `code`. */
  temp(code: string): string {
    const name = `$t${(this.#temps += 1)}`;
    this.emit(`const ${name} = ${code};`);
    return name;
  }

  /** A new variable without a value. */
  variable(): string {
    const name = `$t${(this.#temps += 1)}`;
    this.emit(`let ${name};`);
    return name;
  }

  /** The same value, whatever runs before it is used. */
  stable(code: string): string {
    return STABLE.test(code) ? code : this.temp(code);
  }

  /** Texts for what is evaluated one after the other; `isSteady`: before anything else. */
  sequence(steps: readonly (() => string)[], isSteady = false): readonly string[] {
    return this.#inTurn(steps, step => step(), isSteady);
  }

  exprs(exprs: readonly Expr[], isSteady = false): readonly string[] {
    return this.#inTurn(exprs, this.#lower, isSteady);
  }

  readonly #lower = (expr: Expr): string => this.#rules.expr(this, expr);

  // Chains of calls come back here for each link, so no frame of the stack is spent that is not needed.
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

  /** The function around calls what the key names. */
  calls(key: BlockKey): void {
    this.program.blocking.call(this.frame.key, key);
  }

  /** The function around blocks by itself. */
  blocks(): void {
    this.program.blocking.block(this.frame.key);
  }

  /** The lines of a function of its own inside of this body. */
  inFrame(key: BlockKey, inside: () => void): readonly string[] {
    const outer = this.frame;
    const frame: Frame = { key, hasSenders: false };
    this.frame = frame;
    const lines = this.captured(inside);
    this.frame = outer;
    return frame.hasSenders ? releasing(lines) : lines;
  }

  notSupported(span: Span, what: string): void {
    this.program.notSupported(this.file, span, what);
  }
}

/** Whatever is thrown on a line of the text is told by the mark at its end; what has one already stands further in. */
function marked(code: string, mark: string): string {
  if (mark === '') return code;
  const first = code.indexOf('\n');
  const last = code.lastIndexOf('\n');
  const end = isMarked(code.slice(last + 1)) ? code : code + mark;
  return first < 0 || isMarked(code.slice(0, first)) ? end : `${end.slice(0, first)}${mark}${end.slice(first)}`;
}

const isMarked = (line: string): boolean => /\/\/@\d+:\d+$/.test(line);

/** Senders that a function made are released when it returns. */
const releasing = (lines: readonly string[]): readonly string[] => [
  'const $senders = [];',
  'try {',
  ...lines,
  '} finally { $rt.release($senders); }',
];
