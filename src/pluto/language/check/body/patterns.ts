import { plural } from '../../../../base/plural.ts';
import type { Pattern } from '../../syntax/ast/code.ts';
import type { Span } from '../../syntax/ast/span.ts';
import { findTypeSymbol } from '../program/resolve-type.ts';
import { UNKNOWN } from '../types/make.ts';
import { showType } from '../types/show.ts';
import { substitute, substitution } from '../types/substitute.ts';
import type { EnumType, Type, VariantSignature } from '../types/type.ts';
import type { Body } from './body.ts';
import { isUnconstrained } from './operators.ts';

interface Arm {
  readonly pattern: Pattern;
}

/** Checks all arms of a match; `inside` checks the body of one arm with the bindings of its pattern in scope. */
export function checkArms<A extends Arm>(
  body: Body,
  site: Span & { readonly subject: Span },
  subject: Type,
  arms: readonly A[],
  inside: (arm: A) => void,
): void {
  const type = subject.kind === 'enum' ? subject : undefined;
  if (type === undefined && !isUnconstrained(subject))
    body.report('match-subject', site.subject, `match requires enum type, found ${showType(subject)}`);
  const seen = new Set<string>();
  for (const arm of arms) {
    const bound = checkPattern(body, arm.pattern, type, seen);
    body.scoped(() => {
      for (const { name, span, type: of } of bound)
        body.declare({ name, span, type: of, origin: 'bound', isImmutable: false });
      inside(arm);
    });
  }
  if (type === undefined) return;
  const missing = Array.from(body.context.signatures.enum(type.symbol).variants.keys()).filter(name => !seen.has(name));
  if (missing.length > 0)
    body.report(
      'match-not-exhaustive',
      site.subject,
      `non-exhaustive match: missing ${plural(missing.length, 'variant', 'variants')} ${missing.map(name => `'${type.symbol.name}.${name}'`).join(', ')}`,
    );
}

interface Bound {
  readonly name: string;
  readonly span: Span;
  readonly type: Type;
}

function checkPattern(body: Body, pattern: Pattern, type: EnumType | undefined, seen: Set<string>): readonly Bound[] {
  const unknown = (pattern.bindings ?? []).map(({ field, rename }) => ({
    name: (rename ?? field).text,
    span: rename ?? field,
    type: UNKNOWN,
  }));
  const name = pattern.path.at(-1);
  const enumPath = pattern.path.slice(0, -1);
  if (name === undefined || enumPath.length === 0 || pattern.path.some(({ text }) => text === '')) return unknown;
  const symbol = findTypeSymbol(body.scope, enumPath, body);
  const written = enumPath.map(({ text }) => text).join('.');
  if (symbol?.kind !== 'EnumDecl') {
    if (body.context.program.isUnresolved(body.context.file, enumPath[0]?.text ?? '')) return unknown;
    body.report('match-enum', pattern, `unknown enum '${written}'`);
    return unknown;
  }
  if (type !== undefined && type.symbol !== symbol) {
    body.report('match-enum', pattern, `enum '${written}' does not match scrutinee enum '${type.symbol.name}'`);
    return unknown;
  }
  const { variants, typeParams } = body.context.signatures.enum(symbol);
  const variant = variants.get(name.text);
  if (variant === undefined) {
    body.report('variant-unknown', name, `enum '${written}' has no variant '${name.text}'`);
    return unknown;
  }
  if (seen.has(name.text)) body.report('match-arm-duplicate', pattern, `duplicate match arm '${written}.${name.text}'`);
  seen.add(name.text);
  const known = substitution(
    typeParams.map(param => param.type),
    type?.args ?? typeParams.map(() => UNKNOWN),
  );
  return bindingsOf(body, pattern, variant).map(({ typed, ...bound }) => ({
    ...bound,
    type: typed === undefined ? UNKNOWN : substitute(typed, known),
  }));
}

function bindingsOf(body: Body, pattern: Pattern, variant: VariantSignature) {
  const bindings = pattern.bindings ?? [];
  if (bindings.length !== variant.fields.size)
    body.report(
      'match-bindings',
      pattern,
      `variant '${variant.name}' has ${variant.fields.size} fields, but ${bindings.length} bindings are given`,
    );
  return bindings.map(({ field, rename }) => {
    const known = variant.fields.get(field.text);
    if (known === undefined && field.text !== '')
      body.report('match-bindings', field, `variant '${variant.name}' has no field '${field.text}'`);
    return { name: (rename ?? field).text, span: rename ?? field, typed: known?.type };
  });
}
