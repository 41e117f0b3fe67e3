import { err, ok, type Result } from '../../base/result.ts';
import { type PausableWork, runInSlices } from '../../base/time-slice.ts';
import { parseJsonDocumentPausable, positionIn } from '../../roblox/formats/json5-document.ts';
import { offsetAt } from '../../roblox/formats/json5-edit.ts';
import { parseJsonValuePausable } from '../../roblox/formats/json5-value.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import type { InstanceMetadata } from '../../roblox/instances/instance.ts';
import { plainSnapshot } from './file-snapshot.ts';
import type { FileKind, SourceFile } from './file-kind.ts';
import { readText, reportProblem, reportWarning, type SnapshotPass } from '../snapshot/pass.ts';
import type { SourceSnapshot } from '../snapshot/source-snapshot.ts';
import { type GivenValues, readValues } from '../snapshot/values.ts';
import { areMembersEqual, JsonModelLocation, JsonModelPlace, type ModelMembers } from './json-model-location.ts';

const read: FileKind['read'] = async (pass, file) => {
  const found = await readText(pass, file.path);
  if (found === undefined || found === 'broken') return found;
  // Editors create an empty file before they write its text.
  if (found.text.trim() === '') return undefined;
  const parsed = await runInSlices(parseJsonValuePausable(found.text), pass.slice);
  if (!parsed.ok) {
    reportProblem(pass, file.path, parsed.error);
    return 'broken';
  }
  const model = await runInSlices(new ModelReader(pass.reflection, file).read(parsed.value.value), pass.slice);
  if (!model.ok) {
    await reportAll(pass, file, found.text, [model.error]);
    return 'broken';
  }
  for (const warning of parsed.value.warnings) reportWarning(pass, file.path, warning);
  await reportAll(pass, file, found.text, model.value.problems);
  return model.value.snapshot;
};

/** `*.model.json`: an instance with everything below it. */
export const jsonModel: FileKind = {
  name: 'jsonModel',
  syncRuleNames: ['jsonModel'],
  suffixes: [
    { suffix: '.model.json' },
    { suffix: '.model.jsonc', dialect: 'rojo' },
    { suffix: '.model.json5', dialect: 'atlas' },
  ],
  content: 'instances',
  read,
};

/** A mistake in a model: at a member of the object at `place`, or at the object itself. */
interface ModelProblem {
  readonly place: JsonModelPlace;
  readonly names: readonly string[];
  /** Whether the position is that of the name of the member, instead of its value. */
  readonly isAtName?: true;
  /** Completes the sentence "expected …". */
  readonly expected: string;
}

/** Reports problems with their positions, which only a second reading of the text finds: files with problems are rare. */
async function reportAll(
  pass: SnapshotPass,
  file: SourceFile,
  text: string,
  problems: readonly ModelProblem[],
): Promise<void> {
  if (problems.length === 0) return;
  const document = await runInSlices(parseJsonDocumentPausable(text), pass.slice);
  if (!document.ok) throw new Error('a text that was read before is invalid');
  for (const { place, names, isAtName, expected } of problems) {
    await pass.slice.yieldToEventLoop();
    const offset = offsetAt(document.value.root, [...place.path(), ...names], isAtName === true);
    reportProblem(pass, file.path, { ...positionIn(document.value, offset), expected });
  }
}

/** A model that does not have the shape of one. */
class ModelShapeError extends Error {
  readonly problem: ModelProblem;

  constructor(problem: ModelProblem) {
    super(`expected ${problem.expected}`);
    this.problem = problem;
  }
}

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Instances that are read between two pauses. */
const BATCH_SIZE = 64;

/** An array of instances that is being read. */
interface OpenChildren {
  readonly elements: readonly unknown[];
  readonly parent: JsonModelPlace;
  readonly key: string;
  readonly into: SourceSnapshot[];
  next: number;
}

/** Reads the instances of one file. */
class ModelReader {
  readonly #reflection: Reflection;
  readonly #file: SourceFile;
  /** Shared by all instances but the first one, because a file may have 100,000. */
  readonly #metadata: InstanceMetadata;
  readonly #problems: ModelProblem[] = [];
  readonly #lastMembers = new Map<string, ModelMembers>();

  constructor(reflection: Reflection, file: SourceFile) {
    this.#reflection = reflection;
    this.#file = file;
    this.#metadata = {
      ignoreUnknownInstances: false,
      globIgnoredChildren: false,
      source: undefined,
      relevantPaths: [file.path],
    };
  }

  *read(
    root: unknown,
  ): PausableWork<
    Result<{ readonly snapshot: SourceSnapshot; readonly problems: readonly ModelProblem[] }, ModelProblem>
  > {
    try {
      const open: OpenChildren[] = [];
      const first = this.#instance(root, new JsonModelPlace(), open);
      let count = 0;
      for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
        if (last.next === last.elements.length) {
          open.pop();
          continue;
        }
        const place = new JsonModelPlace(last.parent, last.key, last.next);
        last.into.push(this.#instance(last.elements[last.next], place, open));
        last.next += 1;
        if ((count += 1) % BATCH_SIZE === 0) yield;
      }
      return ok({ snapshot: this.#asFile(root, first), problems: this.#problems });
    } catch (error) {
      if (error instanceof ModelShapeError) return err(error.problem);
      throw error;
    }
  }

  /** The snapshot of the whole file. */
  #asFile(root: unknown, first: SourceSnapshot): SourceSnapshot {
    const { settings, name, path } = this.#file;
    const { values, children } = first.location;
    // Read before, so it is an object.
    const own = isObject(root) ? this.#texts(root, new JsonModelPlace()) : undefined;
    return {
      ...plainSnapshot(this.#file, { className: first.className, properties: first.properties }),
      // In the Rojo dialect only the file name names the root.
      name: (settings.dialect === 'atlas' ? own?.name : undefined) ?? name,
      unreadable: first.unreadable,
      children: first.children,
      location: { kind: 'file', fileKind: this.#file.kind, entry: path, values, ...(children && { children }) },
      specifiedId: own?.id,
    };
  }

  /** Reads one instance, and adds its children to those that are still to be read. */
  #instance(given: unknown, place: JsonModelPlace, open: OpenChildren[]): SourceSnapshot {
    if (!isObject(given)) return fail(place, [], 'an instance to be an object');
    const { className, name } = this.#texts(given, place);
    const propertiesKey = spellingOf(given, place, 'properties', 'Properties');
    const childrenKey = spellingOf(given, place, 'children', 'Children');
    const properties = valuesOf(given, place, propertiesKey, 'properties');
    const attributes = valuesOf(given, place, 'attributes', 'attributes');
    const read = readValues(this.#reflection, className, properties, attributes, ({ of, index, expected }) => {
      const [key, values] = of === 'properties' ? [propertiesKey, properties] : ['attributes', attributes];
      this.#problems.push({ place, names: [key, values.keys[index] ?? ''], expected });
    });
    const elements = given[childrenKey] ?? noChildren;
    if (!Array.isArray(elements)) return fail(place, [childrenKey], '"children" to be an array');
    const children = elements.length === 0 ? noChildren : [];
    if (children !== noChildren) open.push({ elements, parent: place, key: childrenKey, into: children, next: 0 });
    const hasAttributes = attributes.keys.length > 0;
    const members = this.#shared(className, { propertiesKey, childrenKey, hasAttributes, keys: read.keys });
    return {
      kind: 'instance',
      key: undefined,
      origin: undefined,
      location: new JsonModelLocation(this.#file, place, members),
      name: name ?? className,
      className,
      properties: read.values,
      unreadable: read.unreadable,
      children,
      metadata: this.#metadata,
    };
  }

  /** The same object for equal members of successive instances of a class, which most instances of a file have. */
  #shared(className: string, members: ModelMembers): ModelMembers {
    const last = this.#lastMembers.get(className);
    if (last !== undefined && areMembersEqual(last, members)) return last;
    this.#lastMembers.set(className, members);
    return members;
  }

  #texts(given: JsonObject, place: JsonModelPlace) {
    const className = textOf(given, place, spellingOf(given, place, 'className', 'ClassName'), 'className');
    if (className === undefined) return fail(place, [], 'a "className" in every instance');
    const name = textOf(given, place, spellingOf(given, place, 'name', 'Name'), 'name');
    return { className, name, id: textOf(given, place, 'id', 'id') };
  }
}

function fail(place: JsonModelPlace, names: readonly string[], expected: string): never {
  throw new ModelShapeError({ place, names, expected });
}

/** The spelling of a member that an object uses. */
function spellingOf(given: JsonObject, place: JsonModelPlace, name: string, alias: string): string {
  if (!Object.hasOwn(given, alias)) return name;
  if (!Object.hasOwn(given, name)) return alias;
  const [first = name, second = alias] = Object.keys(given).filter(key => key === name || key === alias);
  throw new ModelShapeError({ place, names: [second], isAtName: true, expected: `only one of ${first} and ${second}` });
}

/** The text of a member; `null` is treated as absent. */
function textOf(given: JsonObject, place: JsonModelPlace, key: string, name: string): string | undefined {
  const value = Object.hasOwn(given, key) ? (given[key] ?? undefined) : undefined;
  if (value === undefined || typeof value === 'string') return value;
  return fail(place, [key], `"${name}" to be a string`);
}

function valuesOf(given: JsonObject, place: JsonModelPlace, key: string, name: string): GivenValues {
  const value = given[key] ?? undefined;
  if (value === undefined) return noValues;
  if (!isObject(value)) return fail(place, [key], `"${name}" to be an object`);
  return { keys: Object.keys(value), values: Object.values(value) };
}

const noValues: GivenValues = { keys: [], values: [] };
const noChildren: SourceSnapshot[] = [];
