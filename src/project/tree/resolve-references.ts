import { isScriptClass } from '../../protocol/script-class.ts';
import type { Ref } from '../../base/brand.ts';
import { joinPath, nameOf } from '../../base/project-path.ts';
import type { Instance, NamedTarget } from '../../roblox/instances/instance.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import type { Variant } from '../../roblox/values/variant.ts';
import type { ProjectSession } from '../project-session.ts';

type Tree = Pick<ProjectSession, 'rootId' | 'get' | 'descendants'>;

export interface ResolvedReferences {
  /** Resolved reference properties by instance. */
  readonly values: ReadonlyMap<Ref, ReadonlyMap<string, Variant>>;
  /** References without a target; `problem` is a sentence. */
  readonly unresolved: readonly { readonly id: Ref; readonly problem: string }[];
}

/**
 * Resolves the references in files: attributes `Rojo_Target_<property>` (an id), in the Atlas dialect also `Rojo_Ref_<property>` (a path,
 * which takes precedence over the id), and properties in model files.
 */
export function resolveReferences(tree: Tree, reflection: Reflection): ResolvedReferences {
  const ids = specifiedIds(tree);
  const resolver = new ReferenceResolver(tree, reflection, text => ids.get(text));
  const values = new Map<Ref, ReadonlyMap<string, Variant>>();
  const unresolved: { readonly id: Ref; readonly problem: string }[] = [];
  for (const instance of tree.descendants(tree.rootId)) {
    const own = resolver.referencesOf(instance);
    for (const problem of own.problems) unresolved.push({ id: instance.id, problem });
    if (own.values.size > 0) values.set(instance.id, own.values);
  }
  return { values, unresolved };
}

/** Resolves the references of single instances. The tree must not change in between. */
export class ReferenceResolver {
  readonly #tree: Tree;
  readonly #reflection: Reflection;
  readonly #idOf: (text: string) => Ref | 'several' | undefined;
  readonly #models: ModelIndex;
  readonly #names: ChildNames;

  /** @param idOf returns the instance whose files set that id */
  constructor(tree: Tree, reflection: Reflection, idOf: (text: string) => Ref | 'several' | undefined) {
    this.#tree = tree;
    this.#reflection = reflection;
    this.#idOf = idOf;
    this.#models = new ModelIndex(tree);
    this.#names = new ChildNames(tree);
  }

  /** `problems`: one sentence per reference without a target. */
  referencesOf(instance: Instance): {
    readonly values: ReadonlyMap<string, Variant>;
    readonly problems: readonly string[];
  } {
    const values = new Map<string, Variant>();
    const problems: string[] = [];
    for (const [name, { type, referent }] of instance.modelPlace?.references ?? []) {
      const ref = this.#models.find(instance, referent);
      if (ref !== undefined)
        values.set(name, type === 'Ref' ? { type, value: ref } : { type, value: { kind: 'object', ref } });
    }
    for (const [name, { by, text }] of instance.namedTargets ?? []) {
      const type = this.#reflection.property(instance.className, name)?.type;
      if (type !== undefined && type !== 'Ref') {
        problems.push(`${instance.className}.${name} cannot refer to an instance: its type is not Ref`);
        continue;
      }
      const found = by === 'path' ? atPath(this.#tree, this.#names, instance, text) : this.#idOf(text);
      if (found === undefined || found === 'several') {
        const matches = found === 'several' ? 'more than one instance' : 'no instance';
        problems.push(`${name} refers to ${JSON.stringify(text)}, which matches ${matches}`);
      } else values.set(name, { type: 'Ref', value: found });
    }
    return { values, problems };
  }
}

/** Whether the files of an instance contain references. */
export function hasReferences(instance: Instance): boolean {
  return (instance.modelPlace?.references.size ?? 0) > 0 || (instance.namedTargets?.size ?? 0) > 0;
}

/** The reference properties of an instance, with or without a target. */
export const referenceNames = ({ modelPlace, namedTargets }: Instance): ReadonlySet<string> =>
  new Set([...(modelPlace?.references.keys() ?? []), ...(namedTargets?.keys() ?? [])]);

/** Whether an attribute only encodes a reference or a reference id. */
export const isReferenceAttribute = (name: string): boolean => name === 'Rojo_Id' || /^Rojo_(?:Target|Ref)_/.test(name);

/**
 * Extracts references from attributes. In the Atlas dialect these attributes are then removed.
 *
 * @param canonicalName the name of a property that may have others, such as `part1`
 */
export function readNamedTargets(
  properties: ReadonlyMap<string, Variant>,
  dialect: 'rojo' | 'atlas',
  canonicalName: (property: string) => string,
): {
  readonly properties: ReadonlyMap<string, Variant>;
  readonly ownId: string | undefined;
  readonly targets: ReadonlyMap<string, NamedTarget> | undefined;
} {
  const attributes = properties.get('Attributes');
  if (attributes?.type !== 'Attributes' || !Array.from(attributes.value.keys()).some(isReferenceAttribute))
    return { properties, ownId: undefined, targets: undefined };
  const targets = new Map<string, NamedTarget>();
  for (const [attribute, value] of attributes.value) {
    const [, kind, given] = /^Rojo_(Target|Ref)_(.+)$/s.exec(attribute) ?? [];
    const text = textOf(value);
    if (given === undefined || text === undefined) continue;
    const name = canonicalName(given);
    const known = targets.get(name);
    const attributes = [...(known?.attributes ?? []), attribute];
    if (kind === 'Ref' && dialect === 'atlas') targets.set(name, { by: 'path', text, attributes });
    else if (known !== undefined) targets.set(name, { ...known, attributes });
    else if (kind === 'Target') targets.set(name, { by: 'id', text, attributes });
  }
  const ownId = textOf(attributes.value.get('Rojo_Id'));
  if (dialect === 'rojo') return { properties, ownId, targets };
  const left = new Map(Array.from(attributes.value).filter(([name]) => !isReferenceAttribute(name)));
  const shown = new Map(properties);
  if (left.size > 0) shown.set('Attributes', { type: 'Attributes', value: left });
  else shown.delete('Attributes');
  return { properties: shown, ownId, targets };
}

function specifiedIds(tree: Tree): ReadonlyMap<string, Ref | 'several'> {
  const ids = new Map<string, Ref | 'several'>();
  for (const instance of tree.descendants(tree.rootId)) {
    const id = instance.specifiedId;
    if (id !== undefined) ids.set(id, ids.has(id) ? 'several' : instance.id);
  }
  return ids;
}

function textOf(value: Variant | undefined): string | undefined {
  if (value?.type === 'String') return value.value;
  if (value?.type !== 'BinaryString') return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(value.value);
  } catch {
    return undefined;
  }
}

/** Instances by their referents, for each copy of a model file in the tree. */
class ModelIndex {
  readonly #tree: Tree;
  readonly #byTop = new Map<Ref, ReadonlyMap<string, Ref>>();

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  find(from: Instance, referent: string): Ref | undefined {
    let top = from;
    while (top.modelPlace?.isTop === false) {
      const parent = this.#tree.get(top.parent);
      if (parent === undefined) return undefined;
      top = parent;
    }
    let referents = this.#byTop.get(top.id);
    if (referents === undefined) {
      referents = new Map(this.#ofFile(top));
      this.#byTop.set(top.id, referents);
    }
    return referents.get(referent);
  }

  *#ofFile(top: Instance): Generator<readonly [string, Ref]> {
    const open = [top];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (at.modelPlace) yield [at.modelPlace.referent, at.id];
      for (const id of at.children) {
        const child = this.#tree.get(id);
        // A project node below a model may contain another model.
        if (child?.modelPlace?.isTop === false) open.push(child);
      }
    }
  }
}

/** Finds the instance at a path from the instance (`@self`), its parent (`.`), its grandparent (`..`) or the root (`@game`, a name). */
function atPath(tree: Tree, names: ChildNames, from: Instance, path: string): Ref | undefined {
  const root = tree.get(tree.rootId);
  const [first, ...rest] = path.split('/').filter(segment => segment !== '');
  const parent = tree.get(from.parent);
  switch (first) {
    case undefined:
      return undefined;
    case '@self':
      return walk(tree, names, from, rest)?.id;
    case '.':
      return walk(tree, names, parent, rest)?.id;
    case '..':
      return walk(tree, names, parent && tree.get(parent.parent), rest)?.id;
    default: {
      const segments = first === '@game' ? rest : [first, ...rest];
      return (walk(tree, names, root, segments) ?? walkBelowNodes(tree, names, segments))?.id;
    }
  }
}

/** Finds a path that omits the project nodes above the instance, as some files do. */
function walkBelowNodes(tree: Tree, names: ChildNames, segments: readonly string[]): Instance | undefined {
  for (const node of tree.descendants(tree.rootId)) {
    if (node.metadata.source?.kind !== 'projectNode' || node.metadata.source.path === undefined) continue;
    const found = walk(tree, names, node, segments);
    if (found) return found;
  }
  return undefined;
}

function walk(
  tree: Tree,
  names: ChildNames,
  from: Instance | undefined,
  segments: readonly string[],
): Instance | undefined {
  let at = from;
  for (const segment of segments) {
    if (at === undefined) return undefined;
    at = segment === '..' ? tree.get(at.parent) : names.find(at, segment);
  }
  return at;
}

/** Children by name for the instances on reference paths. Built once per parent, so that many references take linear time. */
class ChildNames {
  readonly #tree: Tree;
  readonly #byParent = new Map<Ref, { readonly files: Map<string, Instance>; readonly own: Map<string, Instance> }>();

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** The child whose file or folder has the name, else the child with that name. Ignores case. */
  find(parent: Instance, segment: string): Instance | undefined {
    const wanted = toAsciiLowerCase(segment);
    const { files, own } = this.#namesOf(parent);
    const byFile = files.get(wanted);
    const byInit = segment.startsWith('init.') ? this.#byInitFile(parent, segment) : undefined;
    return byFile ?? byInit ?? own.get(wanted);
  }

  #namesOf(parent: Instance): { readonly files: Map<string, Instance>; readonly own: Map<string, Instance> } {
    const known = this.#byParent.get(parent.id);
    if (known) return known;
    const names = { files: new Map<string, Instance>(), own: new Map<string, Instance>() };
    for (const id of parent.children) {
      const child = this.#tree.get(id);
      if (child === undefined) continue;
      const { source } = child.metadata;
      const file = source?.kind === 'path' ? toAsciiLowerCase(nameOf(source.path)) : undefined;
      if (file !== undefined && !names.files.has(file)) names.files.set(file, child);
      if (!names.own.has(toAsciiLowerCase(child.name))) names.own.set(toAsciiLowerCase(child.name), child);
    }
    this.#byParent.set(parent.id, names);
    return names;
  }

  /** Finds a script folder by the name of its init file, as some files do. */
  #byInitFile(parent: Instance, segment: string): Instance | undefined {
    for (const id of parent.children) {
      const child = this.#tree.get(id);
      if (child?.metadata.source?.kind !== 'path' || !isScriptClass(child.className)) continue;
      if (child.metadata.relevantPaths.includes(joinPath(child.metadata.source.path, segment))) return child;
    }
    return undefined;
  }
}

const toAsciiLowerCase = (text: string): string => text.replace(/[A-Z]/g, letter => letter.toLowerCase());
