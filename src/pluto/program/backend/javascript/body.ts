import type { Place, TypedBlock, TypedStmt, TypedValue, Variable } from '../typed/typed-form.ts';
import type { BlockKey } from '../typed/call-graph.ts';
import { type ValueCode } from './int-code.ts';
import { localName } from './js-names.ts';
import type { ProgramEmitter } from './program-emitter.ts';

/** The mutually recursive parts of the emitter. */
export interface EmitRules {
  value(body: BodyEmitter, value: TypedValue): ValueCode;
  stmt(body: BodyEmitter, stmt: TypedStmt): void;
}

/** The emitted function around the statements being emitted. */
export interface Frame {
  readonly key: BlockKey;
  /** Whether the function creates senders, which it must release. */
  hasSenders: boolean;
  /** The variables that it returns after its result. */
  outputs: readonly Variable[] | undefined;
}

/** Code whose value the following statements cannot change. */
const STABLE = /^(?:-?\d+n?|-?\d+(?:\.\d+)?|"(?:[^"\\]|\\.)*"|true|false|null|self|\$t\d+)$/;

/**
 * Emits the JavaScript of one body. Emitting a value first emits the statements that it needs, and returns the text of a JavaScript
 * expression, which must be used once, before anything else is emitted.
 */
export class BodyEmitter {
  readonly program: ProgramEmitter;
  frame: Frame;
  readonly #rules: EmitRules;
  #lines: string[] = [];
  #temps = 0;
  /** Source mark at the end of the lines that are emitted now. */
  #mark = '';

  constructor(program: ProgramEmitter, rules: EmitRules, key: BlockKey) {
    this.program = program;
    this.frame = { key, hasSenders: false, outputs: undefined };
    this.#rules = rules;
  }

  /** The code of a value, with what is known about an int. */
  value(value: TypedValue): ValueCode {
    return this.#rules.value(this, value);
  }

  readonly code = (value: TypedValue): string => this.#rules.value(this, value).code;

  /** Emits values that are evaluated in order. */
  values(values: readonly TypedValue[]): readonly ValueCode[] {
    const emitted: ValueCode[] = [];
    const codes = this.sequence(
      values.map((value, index) => () => {
        const one = this.value(value);
        emitted[index] = one;
        return one.code;
      }),
    );
    return codes.map((code, index) => {
      const { range, formula, code: before } = emitted[index] ?? { code };
      return { code, range, formula: code === before ? formula : undefined };
    });
  }

  name(variable: Variable): string {
    return localName(variable.name);
  }

  stmt(stmt: TypedStmt): void {
    this.at(stmt.place, () => this.#rules.stmt(this, stmt));
  }

  block(stmts: TypedBlock): void {
    for (const stmt of stmts) this.stmt(stmt);
  }

  emit(...lines: readonly (string | readonly string[])[]): void {
    for (const line of lines.flat()) this.#lines.push(marked(line, this.#mark));
  }

  /** Marks the lines that `inside` emits with a source place. */
  at<T>(place: Place | undefined, inside: () => T): T {
    const outer = this.#mark;
    this.#mark = markOf(place);
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

  /** Emits values that are evaluated in order; with `isSteady` they are evaluated before any other code. */
  sequence(steps: readonly (() => string)[], isSteady = false): readonly string[] {
    return this.#inTurn(steps, step => step(), isSteady);
  }

  codes(values: readonly TypedValue[], isSteady = false): readonly string[] {
    return this.#inTurn(values, this.code, isSteady);
  }

  // Each link of a call chain recurses here, so the stack use is kept small.
  #inTurn<T>(parts: readonly T[], emit: (part: T) => string, isSteady: boolean): readonly string[] {
    const codes: string[] = [];
    // The codes before this index are stable.
    let stable = 0;
    const outer = this.#lines;
    for (const part of parts) {
      const lines: string[] = [];
      this.#lines = lines;
      const code = emit(part);
      this.#lines = outer;
      if (lines.length > 0) for (; stable < codes.length; stable += 1) codes[stable] = this.stable(codes[stable] ?? '');
      this.emit(lines);
      codes.push(code);
    }
    return isSteady ? codes.map(code => this.stable(code)) : codes;
  }

  isBlocking(key: BlockKey): boolean {
    return this.program.graph.isBlocking(key);
  }

  /** The code of a call, which waits if `key` blocks. */
  called(key: BlockKey, call: string): string {
    return this.isBlocking(key) ? `(yield* ${call})` : call;
  }

  /** Emits a nested function of this body. @returns its lines */
  inFrame(key: BlockKey, inside: () => void): readonly string[] {
    const outer = this.frame;
    const frame: Frame = { key, hasSenders: false, outputs: undefined };
    this.frame = frame;
    const lines = this.captured(inside);
    this.frame = outer;
    return frame.hasSenders ? releasing(lines) : lines;
  }
}

/** The source mark at the end of a line, which `thrownAt` reads. */
const markOf = (place: Place | undefined): string => (place === undefined ? '' : ` //@${place.file}:${place.line}`);

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
