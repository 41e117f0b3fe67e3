import type { ProgramFile } from '../../../../language/check/program/program-file.ts';
import { resolveType, type TypeScope } from '../../../../language/check/program/resolve-type.ts';
import type { Signatures } from '../../../../language/check/program/signatures.ts';
import type { Local } from '../../../../language/check/body/locals.ts';
import { UNKNOWN } from '../../../../language/check/types/make.ts';
import type { Type } from '../../../../language/check/types/type.ts';
import type { UnitSpec } from '../../../../language/check/units/unit.ts';
import type { Block, Expr, Stmt } from '../../../../language/syntax/ast/code.ts';
import type { Name } from '../../../../language/syntax/ast/node.ts';
import type { Span } from '../../../../language/syntax/ast/span.ts';
import type { Type as TypeNode } from '../../../../language/syntax/ast/type.ts';
import type { Place, TypedBlock, TypedStmt, TypedValue, Variable } from '../typed-form.ts';
import { BodyFacts } from './body-facts.ts';
import type { ProgramBuilder } from './program-builder.ts';

/** The mutually recursive parts of building a body. */
export interface BuildRules {
  value(body: BodyBuilder, expr: Expr): TypedValue;
  stmt(body: BodyBuilder, stmt: Stmt): TypedStmt | undefined;
}

/** Builds the code of one body from its syntax tree and what the checker knows about it. */
export class BodyBuilder {
  readonly program: ProgramBuilder;
  readonly file: ProgramFile;
  readonly facts: BodyFacts;
  readonly scope: TypeScope;
  readonly #rules: BuildRules;
  /** By the offset of the declaration. */
  readonly #variables = new Map<number, Variable>();
  #hidden = 0;

  /** @param typeParams the type arguments of the instance, by the names of the parameters */
  constructor(program: ProgramBuilder, spec: UnitSpec, typeParams: ReadonlyMap<string, Type>, rules: BuildRules) {
    this.program = program;
    this.file = spec.file;
    this.facts = new BodyFacts(spec);
    this.scope = { program: program.checked.program, file: spec.file, typeParams };
    this.#rules = rules;
  }

  get signatures(): Signatures {
    return this.program.checked.signatures;
  }

  value(expr: Expr): TypedValue {
    return this.#rules.value(this, expr);
  }

  values(exprs: readonly Expr[]): readonly TypedValue[] {
    return exprs.map(expr => this.value(expr));
  }

  block({ stmts }: Block): TypedBlock {
    const built: TypedStmt[] = [];
    for (const stmt of stmts) {
      const one = this.#rules.stmt(this, stmt);
      if (one !== undefined) built.push(one);
    }
    return built;
  }

  typeOf(expr: Expr): Type {
    return this.facts.typeOf(expr);
  }

  type(node: TypeNode): Type {
    return resolveType(this.scope, node);
  }

  placeOf({ start }: Span): Place | undefined {
    return this.program.placeOf(this.file, start);
  }

  /** The variable that is declared here. @param type used if nothing in the body uses the variable */
  declare({ text, start }: Name, type: Type = UNKNOWN): Variable {
    return this.#variable(start, this.facts.declaredAt(start) ?? { name: text, type });
  }

  /** The variable that is used at an offset. */
  variableAt(start: number): Variable | undefined {
    const local = this.facts.localAt(start);
    return local && this.variableOf(local);
  }

  variableOf(local: Local): Variable {
    return this.#variable(local.span.start, local);
  }

  #variable(start: number, { name, type }: Pick<Local, 'name' | 'type'>): Variable {
    const known = this.#variables.get(start);
    if (known !== undefined) return known;
    const made = { name, type, isAssigned: false, range: undefined };
    this.#variables.set(start, made);
    return made;
  }

  /** A variable that the source does not have. */
  hidden(type: Type): Variable {
    this.#hidden += 1;
    return { name: `$h${this.#hidden}`, type, isAssigned: false, range: undefined };
  }

  notSupported(span: Span, what: string): void {
    this.program.notSupported(this.file, span, what);
  }
}
