import { instancePath } from '../tree/instance-path.ts';
import type { Ref } from '../../base/brand.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import type { Model, ModelInstance } from '../../roblox/instances/model.ts';
import { pivotMigration } from '../../roblox/instances/pivot-migration.ts';
import { NULL_REF } from '../../roblox/values/ref.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import type { Variant } from '../../roblox/values/variant.ts';
import { isReferenceAttribute, type ResolvedReferences, resolveReferences } from '../tree/resolve-references.ts';
import type { ProjectSession } from '../project-session.ts';

type Project = Pick<ProjectSession, 'rootId' | 'get' | 'descendants' | 'info'>;

export interface BuiltModel {
  readonly model: Model;
  readonly instances: number;
  /** One sentence per reference that was skipped because it has no target. */
  readonly warnings: readonly string[];
}

/**
 * Converts the tree of a project to a model or place file: numbers referents in tree order, resolves references, keeps pivots. A place
 * contains the children of the root. Returns `undefined` for a place whose root is not a DataModel.
 */
export function buildModel(project: Project, kind: 'place' | 'model', reflection: Reflection): BuiltModel | undefined {
  const root = project.get(project.rootId);
  if (root === undefined || (kind === 'place' && root.className !== 'DataModel')) return undefined;
  const { dialect } = project.info;
  const references = resolveReferences(project, reflection);
  const building = new ModelBuilder(project, references, dialect);
  const tops = kind === 'place' ? root.children : [root.id];
  const roots = tops.map(id => building.instance(id)).filter(instance => instance !== undefined);
  return {
    model: { roots, metadata: new Map([['ExplicitAutoJoints', 'true']]) },
    instances: building.count,
    warnings: references.unresolved.map(({ id, problem }) => `${instancePath(project, id)}: ${problem}`),
  };
}

class ModelBuilder {
  readonly #project: Project;
  readonly #references: ResolvedReferences;
  readonly #dialect: 'rojo' | 'atlas';
  readonly #referents = new Map<Ref, string>();

  constructor(project: Project, references: ResolvedReferences, dialect: 'rojo' | 'atlas') {
    this.#project = project;
    this.#references = references;
    this.#dialect = dialect;
    for (const { id } of project.descendants(project.rootId)) this.#referents.set(id, String(this.#referents.size));
  }

  count = 0;

  instance(id: Ref): ModelInstance | undefined {
    const instance = this.#project.get(id);
    if (instance === undefined) return undefined;
    this.count += 1;
    const { name, className, modelPlace } = instance;
    return {
      referent: this.#referents.get(id) ?? id,
      className,
      name,
      properties: this.#properties(instance),
      children: instance.children.map(child => this.instance(child)).filter(child => child !== undefined),
      ...(modelPlace?.unknownXml && { unknownXml: modelPlace.unknownXml }),
    };
  }

  #properties(instance: Instance): ReadonlyMap<string, Variant> {
    if (this.#isWritable(instance)) return instance.properties;
    const properties = new Map<string, Variant>(pivotMigration(instance.className));
    for (const [name, value] of instance.properties) properties.set(name, this.#withReferent(value));
    for (const [name, value] of this.#references.values.get(instance.id) ?? [])
      properties.set(name, this.#withReferent(value));
    const attributes = properties.get('Attributes');
    if (this.#dialect === 'atlas' && attributes?.type === 'Attributes') {
      // Resolved references no longer need their attributes. Files built by Rojo keep them.
      const kept = new Map(Array.from(attributes.value).filter(([name]) => !isReferenceAttribute(name)));
      properties.set('Attributes', { type: 'Attributes', value: kept });
    }
    return properties;
  }

  /** Whether the properties are those of the file already. Copying those of each instance takes as long as writing them. */
  #isWritable(instance: Instance): boolean {
    if (this.#references.values.has(instance.id) || pivotMigration(instance.className).length > 0) return false;
    for (const { type } of instance.properties.values())
      if (type === 'Ref' || type === 'Content' || type === 'Attributes') return false;
    return true;
  }

  #withReferent(value: Variant): Variant {
    if (value.type === 'Ref') return { type: 'Ref', value: this.#referentOf(value.value) };
    if (value.type !== 'Content' || value.value.kind !== 'object') return value;
    return { type: 'Content', value: { kind: 'object', ref: this.#referentOf(value.value.ref) } };
  }

  /** In a model file, a `Ref` value is a referent. */
  #referentOf(ref: Ref): Ref {
    return (this.#referents.get(ref) ?? NULL_REF) as Ref;
  }
}
