import { classSubstitution } from '../../../../language/check/body/members.ts';
import { resolveType } from '../../../../language/check/program/resolve-type.ts';
import { VOID } from '../../../../language/check/types/make.ts';
import { substitute, substitution } from '../../../../language/check/types/substitute.ts';
import type {
  ClassSymbol,
  ClassType,
  FunctionSymbol,
  TestSymbol,
  TraitSymbol,
  Type,
} from '../../../../language/check/types/type.ts';
import type { UnitSpec } from '../../../../language/check/units/unit.ts';
import type { Contract, MethodDecl } from '../../../../language/syntax/ast/decl.ts';
import type { Block } from '../../../../language/syntax/ast/code.ts';
import type { CheckStmt, TypedBody, TypedCheck, TypedClass, TypedMethod } from '../typed-form.ts';
import { BodyBuilder } from './body-builder.ts';
import { rules } from './build-rules.ts';
import { textOfContract } from './contract-text.ts';
import { type AppChain, NO_BODY, type ProgramBuilder, type Unfinished } from './program-builder.ts';

const NO_ARGS: ReadonlyMap<string, Type> = new Map();

/** The code of a declaration. */
interface BodyParts {
  readonly spec: UnitSpec;
  readonly typeArgs: ReadonlyMap<string, Type>;
  readonly params: MethodDecl['params'];
  readonly result: Type;
  readonly contracts: readonly Contract[];
  readonly block: Block | undefined;
  /** Its name in failure messages: `Class$method`. */
  readonly displayName: string;
  /** Checked before its own contracts. */
  readonly traitChecks: readonly TypedCheck[];
}

function buildBody(program: ProgramBuilder, parts: BodyParts): TypedBody {
  const body = new BodyBuilder(program, parts.spec, parts.typeArgs, rules);
  const params = parts.params.map(({ name, type }) => body.declare(name, body.type(type)));
  const checks = parts.contracts.map(({ condition }) =>
    checkOf(body, condition, `requires violation in ${parts.displayName}: ${textOfContract(condition)}`),
  );
  const block = parts.block === undefined ? [] : body.block(parts.block);
  return { params, result: parts.result, checks: [...parts.traitChecks, ...checks], block };
}

const checkOf = (body: BodyBuilder, condition: Contract['condition'], message: string): CheckStmt => ({
  kind: 'check',
  place: body.placeOf(condition),
  condition: body.value(condition),
  message,
});

const typeArgsOf = ({ decl }: FunctionSymbol | ClassSymbol, args: readonly Type[]): ReadonlyMap<string, Type> =>
  new Map(
    decl.typeParams.flatMap(({ name }, index) => {
      const arg = args[index];
      return arg === undefined ? [] : [[name.text, arg] as const];
    }),
  );

export function functionBody(program: ProgramBuilder, symbol: FunctionSymbol, args: readonly Type[]): TypedBody {
  const { planner, signatures } = program.checked;
  const [spec] = args.length === 0 ? planner.unitsOf(symbol) : planner.instanceOf(symbol, args);
  if (spec === undefined) return NO_BODY;
  const { typeParams, result } = signatures.callable(symbol);
  const by = substitution(
    typeParams.map(({ type }) => type),
    args,
  );
  const { params, contracts, body: block } = symbol.decl;
  const typeArgs = typeArgsOf(symbol, args);
  const displayName = symbol.name;
  return buildBody(program, {
    spec,
    typeArgs,
    params,
    result: substitute(result, by),
    contracts,
    block,
    displayName,
    traitChecks: [],
  });
}

export function testBody(program: ProgramBuilder, symbol: TestSymbol): TypedBody {
  const [spec] = program.checked.planner.unitsOf(symbol);
  if (spec === undefined) return NO_BODY;
  const { body: block, title } = symbol.decl;
  const head = { params: [], result: VOID, contracts: [], displayName: title.value, traitChecks: [] };
  return buildBody(program, { ...head, spec, typeArgs: NO_ARGS, block });
}

/** Finishes a class with its methods and the default methods of its traits. */
export function buildClass(program: ProgramBuilder, made: Unfinished<TypedClass>, type: ClassType): void {
  const { signatures, planner } = program.checked;
  const { symbol, args } = type;
  const { fields, impls } = signatures.class(symbol);
  const isGeneric = args.length > 0;
  const by = classSubstitution(signatures, type);
  const typeArgs = typeArgsOf(symbol, args);
  made.fields = Array.from(fields.values(), field => ({ name: field.name, type: substitute(field.type, by) }));
  const file = program.checked.program.fileOf(symbol);
  for (const dep of symbol.decl.deps) if (dep.isRemote) program.notSupported(file, dep, 'a remote dependency');
  const methods = new Map<string, TypedMethod>();
  made.methods = methods;
  const promisedBy = promisesBy(impls);
  const unitOf = unitsBy(() => (isGeneric ? planner.instanceOf(symbol, args) : planner.unitsOf(symbol)));
  const add = (member: MethodDecl, ofTrait: TraitSymbol | undefined): void => {
    const name = member.name.text;
    if (methods.has(name)) return;
    const method = unfinished(made, member);
    methods.set(name, method);
    program.methodLater(ofTrait ?? symbol, () => {
      const spec = ofTrait === undefined ? unitOf(member) : planner.inherited(ofTrait, member, symbol, args);
      const traitChecks = ofTrait === undefined ? requiredByTraits(program, made, promisedBy(member.name.text)) : [];
      method.body = methodBody(
        program,
        spec,
        member,
        made.name,
        ofTrait === undefined ? typeArgs : NO_ARGS,
        traitChecks,
      );
    });
  };
  for (const member of symbol.decl.members) if (member.kind === 'MethodDecl') add(member, undefined);
  for (const trait of impls)
    for (const member of trait.decl.members)
      if (member.body !== undefined && member.receiver !== undefined) add(member, trait);
  const invariants = symbol.decl.members.filter(member => member.kind === 'Invariant');
  if (invariants.length === 0) return;
  // Callers must know at once whether there are any.
  const body = new BodyBuilder(program, planner.invariantsOf(symbol, args), typeArgs, rules);
  made.invariants = invariants.map(({ condition }) =>
    checkOf(body, condition, `invariant violation on ${symbol.name}: ${textOfContract(condition)}`),
  );
}

/** Finishes an app, or a stage with its inherited members; the nearest override wins. */
export function buildApp(program: ProgramBuilder, made: Unfinished<TypedClass>, chain: AppChain): void {
  const { signatures, planner } = program.checked;
  const fields = new Map(chain.toReversed().flatMap(symbol => Array.from(signatures.app(symbol).fields)));
  made.fields = Array.from(fields.values(), ({ name, type }) => ({ name, type }));
  const methods = new Map<string, TypedMethod>();
  made.methods = methods;
  for (const symbol of chain) {
    const unitOf = unitsBy(() => planner.unitsOf(symbol));
    for (const member of symbol.decl.members) {
      if (member.kind !== 'MethodDecl' || methods.has(member.name.text)) continue;
      const method = unfinished(made, member);
      methods.set(member.name.text, method);
      program.methodLater(symbol, () => {
        method.body = methodBody(program, unitOf(member), member, symbol.name, NO_ARGS, []);
      });
    }
  }
}

const unfinished = (owner: TypedClass, { name, receiver }: MethodDecl): Unfinished<TypedMethod> => ({
  name: name.text,
  owner,
  isMut: receiver?.isMut === true,
  body: NO_BODY,
});

/** The units of the members of a declaration. They are listed when the first is needed, and once for all of them. */
function unitsBy(list: () => readonly UnitSpec[]): (member: MethodDecl) => UnitSpec {
  let units: ReadonlyMap<UnitSpec['owner'], UnitSpec> | undefined;
  return member => {
    units ??= new Map(list().map(unit => [unit.owner, unit]));
    const unit = member.id === undefined ? undefined : units.get(member.id);
    if (unit === undefined) throw new Error(`no unit for ${member.name.text}`);
    return unit;
  };
}

function methodBody(
  program: ProgramBuilder,
  spec: UnitSpec,
  member: MethodDecl,
  owner: string,
  typeArgs: ReadonlyMap<string, Type>,
  traitChecks: readonly TypedCheck[],
): TypedBody {
  const { params, contracts, body: block } = member;
  const scope = { program: program.checked.program, file: spec.file, typeParams: typeArgs };
  const result = member.result === undefined ? VOID : resolveType(scope, member.result);
  const displayName = `${owner}$${member.name.text}`;
  return buildBody(program, { spec, typeArgs, params, result, contracts, block, displayName, traitChecks });
}

/** A method of a trait with a contract. */
interface Promised {
  readonly trait: TraitSymbol;
  readonly method: MethodDecl;
}

/** Finds the methods of some traits that have contracts, by name. They are listed when the first is needed. */
function promisesBy(traits: readonly TraitSymbol[]): (name: string) => readonly Promised[] {
  let byName: Map<string, Promised[]> | undefined;
  return name => {
    if (byName === undefined) {
      byName = new Map();
      for (const trait of traits)
        for (const method of trait.decl.members) {
          if (method.contracts.length === 0) continue;
          const others = byName.get(method.name.text) ?? [];
          byName.set(method.name.text, others);
          others.push({ trait, method });
        }
    }
    return byName.get(name) ?? [];
  };
}

/** Calls of the functions that check the contracts of the traits whose method a class implements. */
const requiredByTraits = (
  program: ProgramBuilder,
  owner: TypedClass,
  promised: readonly Promised[],
): readonly TypedCheck[] =>
  promised.map(({ trait, method }) => {
    const unitOf = unitsBy(() => program.checked.planner.unitsOf(trait));
    const contract = program.contract(owner, trait, method.name.text, () =>
      methodBody(program, unitOf(method), { ...method, result: undefined, body: undefined }, owner.name, NO_ARGS, []),
    );
    return { kind: 'contract', contract };
  });
