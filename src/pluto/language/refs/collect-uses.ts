import type { Block, Expr, FieldInit, Pattern, Stmt } from '../syntax/ast/code.ts';
import { dottedPath } from '../syntax/ast/code.ts';
import type {
  ClassDecl,
  Decl,
  Dep,
  Field,
  MethodDecl,
  Module,
  StageDecl,
  TypeParam,
  VariantDecl,
} from '../syntax/ast/decl.ts';
import type { DeclId, Identified, Name } from '../syntax/ast/node.ts';
import type { Type } from '../syntax/ast/type.ts';
import { eachChildOfExpr, eachChildOfStmt } from '../syntax/children.ts';
import type { Span } from '../syntax/ast/span.ts';
import type { FileScope, ModuleNames, NameLookup, TypeDecl } from './scope.ts';
import type { Use, UseKind } from './use.ts';

/** All uses in a file that its scope resolves, in the order of the tree. Excludes uses that only types can resolve. */
export function collectUses(tree: Module, scope: FileScope): readonly Use[] {
  const collector = new Collector(scope);
  for (const item of tree.items) collector.item(item);
  return collector.uses;
}

class Collector {
  readonly uses: Use[] = [];
  readonly #scope: FileScope;
  /** The visible variables; a name may occur twice. */
  readonly #locals: string[] = [];
  #typeParams: readonly TypeParam[] = [];
  #from: DeclId | undefined;

  constructor(scope: FileScope) {
    this.#scope = scope;
  }

  item(decl: Decl): void {
    switch (decl.kind) {
      case 'FunctionDecl':
        this.#typeParams = decl.typeParams;
        this.#inside(decl, () => {
          this.#bounds(decl.typeParams);
          this.#callable(decl);
        });
        break;
      case 'ExternDecl':
        this.#inside(decl, () =>
          this.#callable({ params: decl.params, result: decl.result, contracts: [], body: undefined }),
        );
        break;
      case 'ClassDecl':
        this.#typeParams = decl.typeParams;
        this.#inside(decl, () => this.#class(decl));
        break;
      case 'TraitDecl':
        this.#inside(decl, () => this.#members(decl.members));
        break;
      case 'EnumDecl':
        this.#typeParams = decl.typeParams;
        this.#inside(decl, () => {
          this.#bounds(decl.typeParams);
          for (const variant of decl.variants) for (const { type } of variant.fields ?? []) this.#type(type);
        });
        break;
      case 'ErrorDecl':
        this.#inside(decl, () => decl.fields.forEach(({ type }) => this.#type(type)));
        break;
      case 'AppDecl':
      case 'StageDecl':
        this.#inside(decl, () => {
          if (decl.kind === 'StageDecl' && decl.parent !== undefined)
            this.#add('type_ref', this.#scope.own.stages.get(decl.parent.text), decl.parent);
          this.#deps(decl.deps);
          this.#members(decl.members);
        });
        break;
      case 'TestDecl':
        this.#inside(decl, () => this.#block(decl.body));
        break;
      case 'TestsDecl':
        for (const test of decl.tests) this.item(test);
        break;
      default:
    }
    this.#typeParams = [];
  }

  #inside(item: Identified, walk: () => void): void {
    const from = this.#from;
    const locals = this.#locals.length;
    this.#from = item.id;
    walk();
    this.#from = from;
    this.#locals.length = locals;
  }

  #class(decl: ClassDecl): void {
    this.#bounds(decl.typeParams);
    for (const name of decl.uses) this.#add('type_ref', this.#scope.own.types.get(name.text), name);
    this.#deps(decl.deps);
    for (const name of decl.impls) this.#add('impl', this.#scope.own.types.get(name.text), name);
    this.#members(decl.members);
  }

  #bounds(params: readonly TypeParam[]): void {
    for (const { bounds } of params)
      for (const name of bounds) this.#add('type_ref', this.#scope.own.types.get(name.text), name);
  }

  #deps(deps: readonly Dep[]): void {
    for (const { type } of deps) this.#type(type);
  }

  #members(members: readonly (ClassDecl['members'][number] | StageDecl['members'][number])[]): void {
    for (const member of members) {
      switch (member.kind) {
        case 'Field':
          this.#type(member.type);
          break;
        case 'Invariant':
          this.#expr(member.condition);
          break;
        case 'AmbientItem':
        case 'LifecycleItem':
          this.#add('type_ref', this.#scope.own.types.get(member.name.text), member.name);
          break;
        case 'RequiredMethod':
        case 'MethodDecl':
          this.#inside(member, () => this.#callable({ contracts: [], body: undefined, ...member }));
      }
    }
  }

  #callable({ params, result, contracts, body }: Pick<MethodDecl, 'params' | 'result' | 'contracts' | 'body'>): void {
    for (const { name, type } of params) {
      this.#type(type);
      this.#locals.push(name.text);
    }
    if (result !== undefined) this.#type(result);
    for (const { condition } of contracts) this.#expr(condition);
    if (body !== undefined) this.#block(body);
  }

  // --- Code ---

  #block({ stmts }: Block, ...bound: readonly string[]): void {
    const locals = this.#locals.length;
    this.#locals.push(...bound);
    for (const stmt of stmts) this.#stmt(stmt);
    this.#locals.length = locals;
  }

  #stmt(stmt: Stmt): void {
    switch (stmt.kind) {
      case 'ForStmt':
        this.#expr(stmt.iterable);
        return this.#block(stmt.body, stmt.name.text);
      case 'MatchStmt':
        this.#expr(stmt.subject);
        for (const { pattern, body } of stmt.arms) {
          this.#pattern(pattern);
          this.#block(body, ...boundBy(pattern));
        }
        return;
      case 'SelectStmt':
        for (const arm of stmt.arms) {
          if (arm.kind === 'RecvArm') this.#expr(arm.receive);
          if (arm.kind === 'SendArm') this.#expr(arm.send);
          this.#block(arm.body, ...(arm.kind === 'RecvArm' ? [arm.name.text] : []));
        }
        return;
      case 'ScopeStmt':
        for (const seed of stmt.seeds) this.#expr(seed);
        for (const { type } of stmt.bindings) this.#type(type);
        return this.#block(stmt.body, ...stmt.bindings.map(({ name }) => name.text));
      case 'RaiseStmt': {
        const error = this.#resolvePath(stmt.error, names => names.errors);
        this.#add('raise', error, stmt.error.at(-1), stmt);
        return this.#inits(error?.fields, stmt.fields);
      }
      default:
        eachChildOfStmt(
          stmt,
          { expr: expr => this.#expr(expr), block: block => this.#block(block), type: type => this.#type(type) },
          inner => this.#stmt(inner),
        );
        if (stmt.kind === 'LetStmt') this.#locals.push(stmt.name.text);
        if (stmt.kind === 'LetChanStmt') this.#locals.push(stmt.sender.text, stmt.receiver.text);
    }
  }

  #expr(expr: Expr): void {
    switch (expr.kind) {
      case 'CallExpr':
        if (!this.#locals.includes(expr.name.text))
          this.#add('call', this.#scope.own.functions.get(expr.name.text), expr.name, expr);
        break;
      case 'StaticCallExpr': {
        const trait = this.#scope.own.types.get(expr.trait.text);
        this.#add('type_ref', trait, expr.trait, expr);
        if (trait?.kind === 'TraitDecl')
          this.#add(
            'call',
            trait.members.find(({ name }) => name.text === expr.method.text),
            expr.method,
            expr,
          );
        break;
      }
      case 'MethodCallExpr':
        return this.#methodCall(expr);
      case 'MemberExpr':
        return this.#member(expr);
      case 'RecordExpr':
        this.#record(expr);
        break;
      case 'VariantExpr':
        this.#variant([...expr.enumPath, expr.variant], expr);
        break;
      case 'ClosureExpr': {
        const locals = this.#locals.length;
        for (const { name } of expr.params) this.#locals.push(name.text);
        this.#children(expr);
        this.#locals.length = locals;
        return;
      }
      case 'MatchExpr':
        this.#expr(expr.subject);
        for (const { pattern, value } of expr.arms) {
          const locals = this.#locals.length;
          this.#pattern(pattern);
          this.#locals.push(...boundBy(pattern));
          this.#expr(value);
          this.#locals.length = locals;
        }
        return;
      case 'CatchExpr':
        this.#expr(expr.operand);
        for (const handler of expr.handlers) {
          if (handler.kind === 'ValueHandler') this.#expr(handler.value);
          else {
            if (handler.kind === 'TypedHandler')
              this.#add(
                'catch',
                this.#resolvePath(handler.error, names => names.errors),
                handler.error.at(-1),
                handler,
              );
            this.#block(handler.body, handler.name.text);
          }
        }
        return;
      default:
    }
    this.#children(expr);
  }

  #children(expr: Expr): void {
    eachChildOfExpr(expr, {
      expr: child => this.#expr(child),
      block: block => this.#block(block),
      type: type => this.#type(type),
    });
  }

  /** `module.function(…)`, or a method that only the type of the object determines. */
  #methodCall(expr: Extract<Expr, { kind: 'MethodCallExpr' }>): void {
    const { object, name } = expr;
    const module = object.kind === 'IdentExpr' ? this.#import(object.name) : undefined;
    if (module !== undefined) this.#add('call', module.functions.get(name.text), name, expr);
    this.#children(expr);
  }

  /** `Enum.Variant`, `module.Enum.Variant`, or a field that only the type of the object determines. */
  #member(expr: Extract<Expr, { kind: 'MemberExpr' }>): void {
    const path = dottedPath(expr);
    const [first] = path ?? [];
    if (path !== undefined && first !== undefined && !this.#locals.includes(first.text) && this.#variant(path, expr))
      return;
    this.#expr(expr.object);
  }

  /** Whether the path names a variant; `then` receives its fields. */
  #variant(path: readonly Name[], site: Span, then?: (variant: VariantDecl) => void): boolean {
    const variantName = path.at(-1);
    const enumPath = path.slice(0, -1);
    if (variantName === undefined || enumPath.length === 0 || enumPath.length > 2) return false;
    const owner = this.#resolvePath(enumPath, names => names.types);
    if (owner?.kind !== 'EnumDecl') return false;
    this.#add('enum_variant', owner, enumPath.at(-1), site);
    const variant = owner.variants.find(({ name }) => name.text === variantName.text);
    this.#add('enum_variant', variant, variantName, site);
    if (variant !== undefined) then?.(variant);
    return true;
  }

  #record(expr: Extract<Expr, { kind: 'RecordExpr' }>): void {
    const { path, fields } = expr;
    const isVariant =
      path.length > 1 && this.#variant(path, expr, variant => this.#inits(variant.fields, fields, false));
    if (isVariant) return;
    const owner = this.#resolvePath(path, names => names.types);
    if (owner?.kind !== 'ClassDecl') return;
    this.#add('construct', owner, path.at(-1), expr);
    this.#inits(fieldsOf(owner), fields, false);
  }

  /** The field names of a literal, and their values unless the caller visits those. */
  #inits(known: readonly (Field | Dep)[] | undefined, inits: readonly FieldInit[], hasValues = true): void {
    for (const init of inits) {
      this.#add(
        'field',
        known?.find(({ name }) => name.text === init.name.text),
        init.name,
        init,
      );
      if (hasValues) this.#expr(init.value);
    }
  }

  #pattern({ path, bindings, ...span }: Pattern): void {
    this.#variant(path, span, variant => {
      for (const binding of bindings ?? [])
        this.#add(
          'binding',
          variant.fields?.find(({ name }) => name.text === binding.field.text),
          binding.field,
          binding,
        );
    });
  }

  #type(type: Type): void {
    switch (type.kind) {
      case 'NamedType': {
        const isParam = type.path.length === 1 && this.#typeParams.some(({ name }) => name.text === type.path[0]?.text);
        if (!isParam)
          this.#add(
            'type_ref',
            this.#resolvePath(type.path, names => names.types),
            type.path.at(-1),
            type,
          );
        return type.args.forEach(arg => this.#type(arg));
      }
      case 'ListType':
      case 'StreamType':
        return this.#type(type.element);
      case 'FnType':
        type.params.forEach(param => this.#type(param));
        if (type.result !== undefined) this.#type(type.result);
        return;
      case 'NullableType':
        return this.#type(type.inner);
      default:
    }
  }

  /** The meaning of a path with one name, or with two names in an imported module. */
  #resolvePath<T>(path: readonly Name[], pick: (names: ModuleNames) => NameLookup<T>): T | undefined {
    const [first, second] = path;
    if (first === undefined) return undefined;
    if (second === undefined) return pick(this.#scope.own).get(first.text);
    const module = path.length === 2 ? this.#import(first.text) : undefined;
    return module === undefined ? undefined : pick(module).get(second.text);
  }

  #import(name: string): ModuleNames | undefined {
    return this.#locals.includes(name) ? undefined : this.#scope.imports.get(name);
  }

  #add(kind: UseKind, target: Identified | undefined, name: Name | undefined, site: Span | undefined = name): void {
    if (target?.id === undefined || name === undefined || site === undefined) return;
    this.uses.push({
      kind,
      target: target.id,
      name: { start: name.start, end: name.end },
      site: { start: site.start, end: site.end },
      from: this.#from,
    });
  }
}

const boundBy = ({ bindings }: Pattern): readonly string[] =>
  (bindings ?? []).map(({ field, rename }) => (rename ?? field).text);

const fieldsOf = (owner: Extract<TypeDecl, { kind: 'ClassDecl' }>): readonly (Field | Dep)[] => [
  ...owner.deps,
  ...owner.members.filter(member => member.kind === 'Field'),
];
