import { resolveType } from '../../../language/check/program/resolve-type.ts';
import type { AppSymbol, Callable, ClassSymbol, StageSymbol } from '../../../language/check/types/type.ts';
import type { UnitSpec } from '../../../language/check/units/unit.ts';
import type { MethodDecl } from '../../../language/syntax/ast/decl.ts';
import { called, ownMethodKey, wideMethodKey } from './blocking.ts';
import {
  appMethodText,
  classMethodText,
  invariantsText,
  type MethodText,
  requirementsKey,
  requirementsText,
} from './callables.ts';
import { byteLiteral, fieldName, localName } from '../js-names.ts';
import type { ProgramLowering } from './program-lowering.ts';

/** A class with its methods and the default methods of its traits. @returns its text, which depends on the rest of the program */
export function classText(program: ProgramLowering, name: string, symbol: ClassSymbol): () => string {
  const { signatures, planner } = program.checked;
  const { fields, methods, impls } = signatures.class(symbol);
  const units = planner.unitsOf(symbol);
  const members = [constructorText(Array.from(fields.keys()))];
  const invariants = symbol.decl.members.filter(member => member.kind === 'Invariant');
  const [declaration] = units;
  if (invariants.length > 0 && declaration !== undefined)
    members.push(
      invariantsText(
        program,
        declaration,
        symbol.name,
        invariants.map(({ condition }) => condition),
      ),
    );
  const made: (() => MethodText)[] = [];
  const add = (spec: UnitSpec, member: MethodDecl, before: readonly string[]): void => {
    const parts = methodParts(program, spec, member, symbol.name, before);
    if (parts !== undefined) made.push(classMethodText(program, symbol, member.name.text, parts));
  };
  for (const member of symbol.decl.members)
    if (member.kind === 'MethodDecl') add(unitOf(units, member), member, requiredByTraits(program, symbol, member));
  for (const trait of impls)
    for (const promised of signatures.trait(trait).methods.values()) {
      const own = methods.get(promised.name);
      if (own !== undefined && !hasSameInts(own, promised)) program.blocking.block(wideMethodKey(own.name));
    }
  const known = new Set(methods.keys());
  for (const trait of impls)
    for (const member of trait.decl.members) {
      if (member.body === undefined || member.receiver === undefined || known.has(member.name.text)) continue;
      known.add(member.name.text);
      add(planner.inherited(trait, member, symbol), member, []);
    }
  return () => {
    const texts = made.map(method => method());
    const all = [...members, ...texts.map(({ member }) => member)];
    return [
      `class ${name} extends $rt.Instance {\n${all.join('\n')}\n}`,
      ...texts.flatMap(({ definition }) => definition ?? []),
    ].join('\n');
  };
}

/** Whether two signatures have ints at the same places: a type parameter of a class may stand for an int of its trait. */
const hasSameInts = (own: Callable, promised: Callable): boolean =>
  (own.result.kind === 'int') === (promised.result.kind === 'int') &&
  own.params.every(({ type }, index) => (type.kind === 'int') === (promised.params[index]?.type.kind === 'int'));

/** An app, or a stage with its inherited members; the nearest override wins. */
export function appText(program: ProgramLowering, name: string, chain: readonly (AppSymbol | StageSymbol)[]): string {
  const members = [constructorText(fieldsOfApp(program, chain))];
  const known = new Set<string>();
  for (const symbol of chain) {
    const units = program.checked.planner.unitsOf(symbol);
    for (const member of symbol.decl.members) {
      if (member.kind !== 'MethodDecl' || known.has(member.name.text)) continue;
      known.add(member.name.text);
      const parts = methodParts(program, unitOf(units, member), member, symbol.name, []);
      if (parts !== undefined) members.push(appMethodText(program, member.name.text, parts));
    }
  }
  return `class ${name} extends $rt.Instance {\n${members.join('\n')}\n}`;
}

/** The injected fields of an app, or of a stage and its parents, each once. */
export const fieldsOfApp = (program: ProgramLowering, chain: readonly (AppSymbol | StageSymbol)[]): readonly string[] =>
  Array.from(new Set(chain.flatMap(symbol => Array.from(program.checked.signatures.app(symbol).fields.keys()))));

function constructorText(fields: readonly string[]): string {
  const sets = fields.map(field => `this.${fieldName(field)} = ${fieldName(field)};`);
  return `constructor(${fields.map(fieldName).join(', ')}) {\nsuper();\n${sets.join('\n')}\n}`;
}

function unitOf(units: readonly UnitSpec[], member: MethodDecl): UnitSpec {
  const unit = units.find(({ owner }) => owner === member.id);
  if (unit === undefined) throw new Error(`no unit for ${member.name.text}`);
  return unit;
}

function methodParts(
  program: ProgramLowering,
  spec: UnitSpec,
  member: MethodDecl,
  owner: string,
  before: readonly string[],
): Parameters<typeof appMethodText>[2] | undefined {
  const { params, contracts, body, result } = member;
  if (body === undefined) return undefined;
  const scope = { program: program.checked.program, file: spec.file, typeParams: new Map() };
  const resultIsInt = result !== undefined && resolveType(scope, result).kind === 'int';
  const shown = `${owner}$${member.name.text}`;
  return { spec, params, contracts, block: body, shown, isStream: false, resultIsInt, before };
}

/** Calls of the `requires` checks of the traits whose method a class implements. */
function requiredByTraits(program: ProgramLowering, symbol: ClassSymbol, member: MethodDecl): readonly string[] {
  const shown = `${symbol.name}$${member.name.text}`;
  return program.checked.signatures.class(symbol).impls.flatMap(trait => {
    const promised = trait.decl.members.find(({ name }) => name.text === member.name.text);
    if (promised === undefined || promised.contracts.length === 0) return [];
    const spec = unitOf(program.checked.planner.unitsOf(trait), promised);
    const name = program.once(promised, `requires_${promised.name.text}`, made =>
      requirementsText(program, made, spec, promised),
    );
    const args = ['self', byteLiteral(shown), ...member.params.map(param => localName(param.name.text))];
    const key = requirementsKey(name);
    program.blocking.call(ownMethodKey(symbol.serial, member.name.text), key);
    return [`${called(key, `${name}(${args.join(', ')})`)};`];
  });
}
