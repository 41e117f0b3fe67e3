import type {
  AppDecl,
  ClassDecl,
  Dep,
  ExternDecl,
  Field,
  FunctionDecl,
  MethodDecl,
  RequiredMethod,
  StageDecl,
  TypeParam,
} from '../../syntax/ast/decl.ts';
import type { Param } from '../../syntax/ast/code.ts';
import type { DeclId, Name } from '../../syntax/ast/node.ts';
import { classOf, paramOf, UNKNOWN, VOID } from '../types/make.ts';
import type {
  AppSignature,
  AppSymbol,
  Callable,
  ClassSignature,
  ClassSymbol,
  DeclSymbol,
  EnumSignature,
  EnumSymbol,
  ErrorSignature,
  ErrorSymbol,
  ExternSymbol,
  FieldSignature,
  FunctionSymbol,
  ParamType,
  StageSymbol,
  TraitSignature,
  TraitSymbol,
  Type,
  TypeParamSignature,
  Versioned,
} from '../types/type.ts';
import { collectNullableParams } from '../types/parts.ts';
import type { Program } from './program.ts';
import { resolveType, type TypeScope } from './resolve-type.ts';

interface Remembered<S> extends Versioned {
  signature: S | undefined;
  dependsOn: readonly Versioned[];
  verifiedAt: number;
}

// Every checked tree has ids.
const NO_ID = '' as DeclId;

/** Signatures of declarations, computed on demand and again only after a change of their text or of a name they use. */
export class Signatures {
  readonly #program: Program;

  constructor(program: Program) {
    this.#program = program;
  }

  callable(symbol: FunctionSymbol | ExternSymbol): Callable {
    return this.#of(symbol, () => this.#function(symbol));
  }

  class(symbol: ClassSymbol): ClassSignature {
    return this.#of(symbol, () => this.#class(symbol));
  }

  trait(symbol: TraitSymbol): TraitSignature {
    return this.#of(symbol, () => {
      const scope = this.#scope(symbol, []);
      return { methods: methodsOf(scope, symbol.decl.members) };
    });
  }

  enum(symbol: EnumSymbol): EnumSignature {
    return this.#of(symbol, () => {
      const scope = this.#scope(symbol, symbol.decl.typeParams);
      const variants = new Map<string, EnumSignature['variants'] extends ReadonlyMap<string, infer V> ? V : never>();
      for (const { id = NO_ID, name, fields } of symbol.decl.variants)
        if (!variants.has(name.text))
          variants.set(name.text, { id, name: name.text, fields: fieldsOf(scope, fields ?? []) });
      const types = Array.from(variants.values()).flatMap(({ fields }) => typesOf(fields));
      return { typeParams: this.#typeParams(symbol, symbol.decl.typeParams, types), variants };
    });
  }

  error(symbol: ErrorSymbol): ErrorSignature {
    return this.#of(symbol, () => ({ fields: fieldsOf(this.#scope(symbol, []), symbol.decl.fields) }));
  }

  app(symbol: AppSymbol | StageSymbol): AppSignature {
    return this.#of(symbol, () => this.#app(symbol));
  }

  /** Updates one signature and `changedAt` of its symbol. */
  refresh(symbol: DeclSymbol): void {
    switch (symbol.kind) {
      case 'FunctionDecl':
      case 'ExternDecl':
        this.callable(symbol);
        break;
      case 'ClassDecl':
        this.class(symbol);
        break;
      case 'TraitDecl':
        this.trait(symbol);
        break;
      case 'EnumDecl':
        this.enum(symbol);
        break;
      case 'ErrorDecl':
        this.error(symbol);
        break;
      case 'AppDecl':
      case 'StageDecl':
        this.app(symbol);
        break;
      default:
    }
  }

  #of<S extends object>(symbol: Remembered<S>, make: () => S): S {
    const program = this.#program;
    program.tracker.see(symbol);
    const known = symbol.signature;
    if (known !== undefined && symbol.verifiedAt === program.revision) return known;
    const { verifiedAt } = symbol;
    if (known !== undefined && verifiedAt >= 0 && symbol.dependsOn.every(({ changedAt }) => changedAt <= verifiedAt)) {
      symbol.verifiedAt = program.revision;
      return known;
    }
    const { value, seen } = program.tracker.run(make);
    symbol.dependsOn = seen;
    symbol.verifiedAt = program.revision;
    if (known !== undefined && fingerprintOf(known) === fingerprintOf(value)) return known;
    symbol.signature = value;
    symbol.changedAt = program.revision;
    return value;
  }

  #scope(symbol: DeclSymbol, typeParams: readonly TypeParam[]): TypeScope {
    const params = new Map<string, Type>();
    for (const { name } of typeParams) params.set(name.text, paramOf(symbol, name.text));
    return { program: this.#program, file: this.#program.fileOf(symbol), typeParams: params };
  }

  /** @param types the types in the signature of the declaration */
  #typeParams(
    symbol: DeclSymbol,
    typeParams: readonly TypeParam[],
    types: Iterable<Type>,
  ): readonly TypeParamSignature[] {
    const nullable = new Set<ParamType>();
    for (const type of types) collectNullableParams(type, nullable);
    return typeParams.map(({ name, bounds }) => {
      const type = paramOf(symbol, name.text);
      return { type, bounds: this.#traits(symbol, bounds), isUsedAsNullable: nullable.has(type) };
    });
  }

  #traits(symbol: DeclSymbol, names: readonly Name[]): readonly TraitSymbol[] {
    const file = this.#program.fileOf(symbol);
    return names.flatMap(({ text }) => this.#program.find(file, text, 'TraitDecl') ?? []);
  }

  #function(symbol: FunctionSymbol | ExternSymbol): Callable {
    const decl: FunctionDecl | ExternDecl = symbol.decl;
    const typeParams = decl.kind === 'FunctionDecl' ? decl.typeParams : [];
    const callable = callableOf(this.#scope(symbol, typeParams), decl);
    return { ...callable, typeParams: this.#typeParams(symbol, typeParams, typesOfCallable(callable)) };
  }

  #class(symbol: ClassSymbol): ClassSignature {
    const decl: ClassDecl = symbol.decl;
    const scope = this.#scope(symbol, decl.typeParams);
    const fields = new Map<string, FieldSignature>();
    addDeps(scope, decl.deps, fields);
    for (const name of decl.uses) addAmbient(scope, name, fields);
    for (const member of decl.members)
      if (member.kind === 'Field' && !fields.has(member.name.text))
        fields.set(member.name.text, fieldOf(scope, member));
    const methods = methodsOf(scope, decl.members);
    const types = [...typesOf(fields), ...Array.from(methods.values()).flatMap(typesOfCallable)];
    return {
      typeParams: this.#typeParams(symbol, decl.typeParams, types),
      fields,
      methods,
      impls: this.#traits(symbol, decl.impls),
      hasInjected: decl.deps.length > 0 || decl.uses.length > 0,
      lifecycle: decl.lifecycle,
    };
  }

  #app(symbol: AppSymbol | StageSymbol): AppSignature {
    const decl: AppDecl | StageDecl = symbol.decl;
    const scope = this.#scope(symbol, []);
    const fields = new Map<string, FieldSignature>();
    addDeps(scope, decl.deps, fields);
    for (const member of decl.members) if (member.kind === 'AmbientItem') addAmbient(scope, member.name, fields);
    const parent =
      decl.kind === 'StageDecl' && decl.parent !== undefined
        ? this.#program.find(scope.file, decl.parent.text, 'StageDecl')
        : undefined;
    return { fields, methods: methodsOf(scope, decl.members), parent };
  }
}

const typesOf = (fields: ReadonlyMap<string, FieldSignature>): readonly Type[] =>
  Array.from(fields.values(), ({ type }) => type);

const typesOfCallable = ({ params, result }: Pick<Callable, 'params' | 'result'>): readonly Type[] => [
  ...params.map(({ type }) => type),
  result,
];

/** The variable name of an ambient dependency: `userDB` for `UserDB`. */
export const ambientName = (className: string): string => className.slice(0, 1).toLowerCase() + className.slice(1);

function addDeps(scope: TypeScope, deps: readonly Dep[], fields: Map<string, FieldSignature>): void {
  for (const { id = NO_ID, name, type, isRemote } of deps)
    if (!fields.has(name.text))
      fields.set(name.text, {
        id,
        name: name.text,
        type: resolveType(scope, type),
        isInjected: true,
        isRemote,
      });
}

function addAmbient(scope: TypeScope, name: Name, fields: Map<string, FieldSignature>): void {
  const field = ambientName(name.text);
  const symbol = scope.program.find(scope.file, name.text, 'ClassDecl');
  const type = symbol === undefined || symbol.decl.typeParams.length > 0 ? UNKNOWN : classOf(symbol, []);
  // `uses` declares the field by naming the class, so its uses refer to the class.
  if (!fields.has(field))
    fields.set(field, { id: symbol?.id ?? NO_ID, name: field, type, isInjected: true, isRemote: false });
}

const fieldOf = (scope: TypeScope, { id = NO_ID, name, type }: Field | Param): FieldSignature => ({
  id,
  name: name.text,
  type: resolveType(scope, type),
  isInjected: false,
  isRemote: false,
});

function fieldsOf(scope: TypeScope, list: readonly Field[]): ReadonlyMap<string, FieldSignature> {
  const fields = new Map<string, FieldSignature>();
  for (const field of list) if (!fields.has(field.name.text)) fields.set(field.name.text, fieldOf(scope, field));
  return fields;
}

function methodsOf(scope: TypeScope, members: readonly { readonly kind: string }[]): ReadonlyMap<string, Callable> {
  const methods = new Map<string, Callable>();
  for (const member of members)
    if (isMethod(member) && !methods.has(member.name.text)) methods.set(member.name.text, callableOf(scope, member));
  return methods;
}

const isMethod = (member: { readonly kind: string }): member is MethodDecl | RequiredMethod =>
  member.kind === 'MethodDecl' || member.kind === 'RequiredMethod';

export function callableOf(
  scope: TypeScope,
  decl: FunctionDecl | ExternDecl | MethodDecl | RequiredMethod,
): Omit<Callable, 'typeParams'> & { readonly typeParams: readonly [] } {
  const receiver = 'receiver' in decl ? decl.receiver : undefined;
  return {
    id: decl.id ?? NO_ID,
    name: decl.name.text,
    typeParams: [],
    params: decl.params.map(param => fieldOf(scope, param)),
    result: decl.result === undefined ? VOID : resolveType(scope, decl.result),
    receiver: receiver === undefined ? 'static' : receiver.isMut ? 'mut' : 'self',
    hasBody: 'body' in decl && decl.body !== undefined,
    hasContracts: 'contracts' in decl && decl.contracts.length > 0,
  };
}

/** Equal for signatures that dependents cannot distinguish. */
const fingerprintOf = (signature: object): string =>
  JSON.stringify(signature, (_key, value: unknown) => {
    if (value instanceof Map) return Array.from(value.values());
    if (typeof value !== 'object' || value === null) return value;
    // Types and symbols are compared by identity.
    if ('isOpen' in value && 'id' in value) return value.id;
    return 'surface' in value && 'serial' in value ? value.serial : value;
  });
