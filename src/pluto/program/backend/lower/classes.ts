import { resolveType } from '../../../language/check/program/resolve-type.ts';
import type { AppSymbol, Callable, ClassSymbol, StageSymbol, TraitSymbol } from '../../../language/check/types/type.ts';
import type { UnitSpec } from '../../../language/check/units/unit.ts';
import type { MethodDecl } from '../../../language/syntax/ast/decl.ts';
import { called, methodKey, wideMethodKey } from './blocking.ts';
import { invariantsText, methodText, requirementsKey, requirementsText } from './callables.ts';
import { byteLiteral, fieldName, localName } from '../js-names.ts';
import type { ProgramLowering } from './program-lowering.ts';

/** A class with its methods and the default methods of its traits. */
export function classText(program: ProgramLowering, name: string, symbol: ClassSymbol): string {
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
  for (const member of symbol.decl.members)
    if (member.kind === 'MethodDecl') {
      const before = requiredByTraits(program, impls, member, `${symbol.name}$${member.name.text}`);
      members.push(method(program, unitOf(units, member), member, symbol.name, before));
    }
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
      members.push(method(program, planner.inherited(trait, member, symbol), member, symbol.name, []));
    }
  return `class ${name} extends $rt.Instance {\n${members.join('\n')}\n}`;
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
      members.push(method(program, unitOf(units, member), member, symbol.name, []));
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

function method(
  program: ProgramLowering,
  spec: UnitSpec,
  member: MethodDecl,
  owner: string,
  before: readonly string[],
): string {
  const { params, contracts, body } = member;
  if (body === undefined) return '';
  const { result } = member;
  const scope = { program: program.checked.program, file: spec.file, typeParams: new Map() };
  const resultIsInt = result !== undefined && resolveType(scope, result).kind === 'int';
  return methodText(program, member.name.text, {
    spec,
    key: methodKey(member.name.text),
    params,
    contracts,
    block: body,
    shown: `${owner}$${member.name.text}`,
    isStream: false,
    wideKey: wideMethodKey(member.name.text),
    resultIsInt,
    before,
  });
}

/** Calls of the `requires` checks of the traits whose method a class implements. */
function requiredByTraits(
  program: ProgramLowering,
  traits: readonly TraitSymbol[],
  member: MethodDecl,
  shown: string,
): readonly string[] {
  return traits.flatMap(trait => {
    const promised = trait.decl.members.find(({ name }) => name.text === member.name.text);
    if (promised === undefined || promised.contracts.length === 0) return [];
    const spec = unitOf(program.checked.planner.unitsOf(trait), promised);
    const name = program.once(promised, `requires_${promised.name.text}`, made =>
      requirementsText(program, made, spec, promised),
    );
    const args = ['self', byteLiteral(shown), ...member.params.map(param => localName(param.name.text))];
    const key = requirementsKey(name);
    program.blocking.call(methodKey(member.name.text), key);
    return [`${called(key, `${name}(${args.join(', ')})`)};`];
  });
}
