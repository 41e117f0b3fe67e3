import type { MethodDecl, RequiredMethod } from '../../syntax/ast/decl.ts';
import type { DeclId } from '../../syntax/ast/node.ts';
import type { Span } from '../../syntax/ast/span.ts';
import type { Body, BodyContext, BodyObserver } from '../body/body.ts';
import { checkBody, makeBody } from '../body/check-body.ts';
import { checkDeclaration } from '../declarations/check-declaration.ts';
import { checkHead } from '../declarations/parts.ts';
import { parentsOf } from '../declarations/stage.ts';
import { bodyKey, type EffectKey, inheritedKey } from '../effects/call-site.ts';
import { ambientName, callableOf, type Signatures } from '../program/signatures.ts';
import { appOf, classOf, paramOf, traitOf, UNKNOWN, VOID } from '../types/make.ts';
import { type Substitution, substitute, substitution } from '../types/substitute.ts';
import { classSubstitution } from '../body/members.ts';
import { showType } from '../types/show.ts';
import type {
  AppSymbol,
  Callable,
  ClassSymbol,
  DeclSymbol,
  FunctionSymbol,
  StageSymbol,
  TestSymbol,
  TraitSymbol,
  Type,
} from '../types/type.ts';
import type { Program } from '../program/program.ts';
import type { UnitSpec } from './unit.ts';

/** Divides declarations into units. */
export class Planner {
  readonly #program: Program;
  readonly #signatures: Signatures;

  constructor(program: Program, signatures: Signatures) {
    this.#program = program;
    this.#signatures = signatures;
  }

  /** The units of a declaration and its bodies; generic bodies uninstantiated. */
  unitsOf(symbol: DeclSymbol): readonly UnitSpec[] {
    switch (symbol.kind) {
      case 'FunctionDecl':
        return [this.#function(symbol, undefined)];
      case 'TestDecl':
        return [this.#test(symbol)];
      case 'SystemDecl':
        return [];
      case 'ClassDecl':
        return [this.#declaration(symbol), ...this.methodsOf(symbol, undefined)];
      case 'AppDecl':
      case 'StageDecl':
        return [this.#declaration(symbol), ...this.#appMethods(symbol)];
      case 'TraitDecl':
        return [
          this.#declaration(symbol),
          ...symbol.decl.members.map(method =>
            this.#method(symbol, method, `${idOf(method)} head`, undefined, traitOf(symbol), undefined, false),
          ),
        ];
      default:
        return [this.#declaration(symbol)];
    }
  }

  /** The units of a generic declaration for given type arguments. */
  instanceOf(symbol: FunctionSymbol | ClassSymbol, args: readonly Type[]): readonly UnitSpec[] {
    return symbol.kind === 'FunctionDecl' ? [this.#function(symbol, args)] : this.methodsOf(symbol, args);
  }

  methodsOf(symbol: ClassSymbol, args: readonly Type[] | undefined): readonly UnitSpec[] {
    const self = classOf(symbol, args ?? ownParams(symbol));
    const units: UnitSpec[] = [];
    for (const member of symbol.decl.members) {
      if (member.kind !== 'MethodDecl') continue;
      const key = bodyKey(idOf(member), args ?? []);
      units.push(this.#method(symbol, member, key, args, self, key, true));
    }
    return units;
  }

  /** The unit of a default method in a class; without a class, in the trait itself. @param args type arguments of the class */
  inherited(trait: TraitSymbol, method: MethodDecl, symbol: ClassSymbol | undefined, args?: readonly Type[]): UnitSpec {
    const self = symbol === undefined ? traitOf(trait) : classOf(symbol, args ?? ownParams(symbol));
    const key = symbol === undefined ? `${idOf(method)} alone` : inheritedKey(idOf(method), symbol);
    return this.#method(trait, method, key, undefined, self, key, true);
  }

  /** The unit of the invariants of a class with type arguments. */
  invariantsOf(symbol: ClassSymbol, args: readonly Type[]): UnitSpec {
    return this.#spec(symbol, `${symbol.id} invariants`, symbol.decl, symbol.id, undefined, args, observer => {
      const self = classOf(symbol, args);
      const body = makeBody(this.#context(symbol, args, observer, { ...NO_SELF, self }), undefined);
      for (const member of symbol.decl.members) if (member.kind === 'Invariant') body.contract(member.condition);
      return body;
    });
  }

  #context(
    symbol: DeclSymbol,
    args: readonly Type[] | undefined,
    observer: BodyObserver | undefined,
    { self, isSelfMut, ambients }: Pick<BodyContext, 'self' | 'isSelfMut' | 'ambients'>,
  ): BodyContext {
    const { decl } = symbol;
    let typeParams = NO_PARAMS;
    if ('typeParams' in decl && decl.typeParams.length > 0)
      typeParams = new Map(
        decl.typeParams.map(({ name }, index) => [name.text, args?.[index] ?? paramOf(symbol, name.text)]),
      );
    return {
      program: this.#program,
      signatures: this.#signatures,
      file: this.#program.fileOf(symbol),
      symbol,
      typeParams,
      self,
      isSelfMut,
      ambients,
      observer,
    };
  }

  #function(symbol: FunctionSymbol, args: readonly Type[] | undefined): UnitSpec {
    const key = bodyKey(symbol.id, args ?? []);
    return this.#spec(symbol, key, symbol.decl, symbol.id, key, args, observer =>
      this.#checkFunction(symbol, args, observer),
    );
  }

  #checkFunction(symbol: FunctionSymbol, args: readonly Type[] | undefined, observer: BodyObserver | undefined): Body {
    const { decl } = symbol;
    const context = this.#context(symbol, args, observer, NO_SELF);
    const callable = this.#signatures.callable(symbol);
    const by =
      args === undefined
        ? undefined
        : substitution(
            callable.typeParams.map(({ type }) => type),
            args,
          );
    const body = makeBody(context, substitute(callable.result, by));
    if (args === undefined) checkDeclaration(body, symbol);
    checkBody(body, {
      params: paramsOf(decl.params, callable, by),
      result: body.frame.result,
      contracts: decl.contracts,
      block: decl.body,
      name: decl.name,
    });
    return body;
  }

  #test(symbol: TestSymbol): UnitSpec {
    const { decl, id } = symbol;
    return this.#spec(symbol, id, decl, id, id, undefined, observer => {
      const body = makeBody(this.#context(symbol, undefined, observer, NO_SELF), VOID);
      checkBody(body, { params: [], result: VOID, contracts: [], block: decl.body, name: decl.title });
      return body;
    });
  }

  #declaration(symbol: DeclSymbol): UnitSpec {
    return this.#spec(symbol, `${symbol.id} declaration`, symbol.decl, symbol.id, undefined, undefined, observer => {
      const self = symbol.kind === 'ClassDecl' ? classOf(symbol, ownParams(symbol)) : undefined;
      const body = makeBody(this.#context(symbol, undefined, observer, { ...NO_SELF, self }), undefined);
      checkDeclaration(body, symbol);
      return body;
    });
  }

  #appMethods(symbol: AppSymbol | StageSymbol): readonly UnitSpec[] {
    const units: UnitSpec[] = [];
    for (const member of symbol.decl.members) {
      if (member.kind !== 'MethodDecl' && member.kind !== 'RequiredMethod') continue;
      const key = idOf(member);
      units.push(this.#method(symbol, member, key, undefined, appOf(symbol), key, true));
    }
    return units;
  }

  #method(
    symbol: ClassSymbol | TraitSymbol | AppSymbol | StageSymbol,
    method: MethodDecl | RequiredMethod,
    key: string,
    args: readonly Type[] | undefined,
    self: Type,
    effect: string | undefined,
    hasBody: boolean,
  ): UnitSpec {
    return this.#spec(symbol, key, method, idOf(method), effect, args, observer =>
      this.#checkMethod(symbol, method, args, self, hasBody, observer),
    );
  }

  #checkMethod(
    symbol: ClassSymbol | TraitSymbol | AppSymbol | StageSymbol,
    method: MethodDecl | RequiredMethod,
    args: readonly Type[] | undefined,
    self: Type,
    hasBody: boolean,
    observer: BodyObserver | undefined,
  ): Body {
    const { receiver } = method;
    const isGeneric = symbol.kind === 'ClassDecl' && symbol.decl.typeParams.length > 0;
    const context = this.#context(symbol, args, observer, {
      self: receiver === undefined ? undefined : self,
      isSelfMut: isGeneric || receiver === undefined ? undefined : receiver.isMut,
      ambients: receiver === undefined ? NONE : this.#ambientsOf(symbol),
    });
    const callable = this.#callable(symbol, method, context);
    const by =
      args === undefined || symbol.kind !== 'ClassDecl'
        ? undefined
        : classSubstitution(this.#signatures, classOf(symbol, args));
    const result = substitute(callable.result, by);
    const body = makeBody(context, result);
    if (args === undefined && (symbol.kind !== 'TraitDecl' || !hasBody)) checkHead(body, method);
    checkBody(body, {
      params: paramsOf(method.params, callable, by),
      result,
      contracts: method.kind === 'MethodDecl' ? method.contracts : [],
      block: method.kind === 'MethodDecl' && hasBody ? method.body : undefined,
      name: method.name,
    });
    return body;
  }

  /** The signature of a method; computed separately if its name is a duplicate. */
  #callable(
    symbol: ClassSymbol | TraitSymbol | AppSymbol | StageSymbol,
    method: MethodDecl | RequiredMethod,
    { file, typeParams }: BodyContext,
  ): Callable {
    const signatures = this.#signatures;
    const { methods } =
      symbol.kind === 'ClassDecl'
        ? signatures.class(symbol)
        : symbol.kind === 'TraitDecl'
          ? signatures.trait(symbol)
          : signatures.app(symbol);
    const known = methods.get(method.name.text);
    return known !== undefined && known.id === method.id
      ? known
      : callableOf({ program: this.#program, file, typeParams }, method);
  }

  #ambientsOf(symbol: ClassSymbol | TraitSymbol | AppSymbol | StageSymbol): ReadonlySet<string> {
    if (symbol.kind === 'TraitDecl') return NONE;
    if (symbol.kind === 'ClassDecl')
      return symbol.decl.uses.length === 0 ? NONE : new Set(symbol.decl.uses.map(({ text }) => ambientName(text)));
    const all = symbol.kind === 'AppDecl' ? [symbol] : [symbol, ...this.#parents(symbol)];
    const names = new Set<string>();
    for (const one of all)
      for (const member of one.decl.members)
        if (member.kind === 'AmbientItem') names.add(ambientName(member.name.text));
    return names;
  }

  #parents(symbol: StageSymbol): readonly StageSymbol[] {
    // The clauses of parents are not part of their signatures.
    this.#program.tracker.see(this.#program.entriesVersion);
    return parentsOf({ context: { signatures: this.#signatures } }, symbol);
  }

  #spec(
    symbol: DeclSymbol,
    key: string,
    node: Span,
    owner: DeclId,
    effect: EffectKey | undefined,
    args: readonly Type[] | undefined,
    check: UnitSpec['check'],
  ): UnitSpec {
    const file = this.#program.fileOf(symbol);
    return { key, file, symbol, node, owner, effect, with: args && showTypeArgs(symbol, args), check };
  }
}

/** Type arguments as messages append them. */
function showTypeArgs({ decl }: DeclSymbol, args: readonly Type[]): string {
  const names = 'typeParams' in decl ? decl.typeParams.map(({ name }) => name.text) : [];
  return args.map((arg, index) => `${names[index] ?? ''} = ${showType(arg)}`).join(', ');
}

const ownParams = (symbol: ClassSymbol): readonly Type[] =>
  symbol.decl.typeParams.map(({ name }) => paramOf(symbol, name.text));

const NONE: ReadonlySet<string> = new Set();
const NO_PARAMS: ReadonlyMap<string, Type> = new Map();
const NO_SELF = { self: undefined, isSelfMut: undefined, ambients: NONE };

// `identity/` gives an id to every item before it is checked.
const idOf = ({ id }: { readonly id: DeclId | undefined }): DeclId => id ?? ('' as DeclId);

const paramsOf = (params: MethodDecl['params'], callable: Callable, by: Substitution | undefined) =>
  params.map(({ name }, index) => ({
    name: name.text,
    span: name,
    type: substitute(callable.params[index]?.type ?? UNKNOWN, by),
  }));
