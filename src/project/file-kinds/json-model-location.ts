import type { ProjectPath } from '../../base/brand.ts';
import type { JsonPath } from '../../roblox/formats/json5-edit.ts';
import type { PropertiesLocation } from '../snapshot/source-snapshot.ts';
import type { FileKind, SourceFile } from './file-kind.ts';

/** The place of an instance in its file. */
export class JsonModelPlace {
  readonly #parent: JsonModelPlace | undefined;
  readonly #key: string;
  readonly #index: number;

  /**
   * Without arguments, the instance of the file itself.
   *
   * @param key of the array of children
   */
  constructor(parent?: JsonModelPlace, key = '', index = 0) {
    this.#parent = parent;
    this.#key = key;
    this.#index = index;
  }

  /** The path of the object in the file. */
  path(): JsonPath {
    return this.#parent === undefined ? [] : [...this.#parent.path(), this.#key, this.#index];
  }
}

/** The members of an instance's object, and their keys. */
export interface ModelMembers {
  readonly propertiesKey: string;
  readonly childrenKey: string;
  readonly hasAttributes: boolean;
  /** Canonical names of the properties, with their keys in the file. */
  readonly keys: ReadonlyMap<string, string>;
}

export function areMembersEqual(a: ModelMembers, b: ModelMembers): boolean {
  if (a.propertiesKey !== b.propertiesKey || a.childrenKey !== b.childrenKey) return false;
  if (a.hasAttributes !== b.hasAttributes || a.keys.size !== b.keys.size) return false;
  for (const [name, key] of a.keys) if (b.keys.get(name) !== key) return false;
  return true;
}

/**
 * The location of an instance inside a JSON model. Creates its paths on demand: most are never used, and those of deeply nested
 * instances would take more memory than everything else.
 */
export class JsonModelLocation {
  readonly kind = 'insideFile';
  readonly fileKind: FileKind;
  readonly #file: ProjectPath;
  readonly #place: JsonModelPlace;
  readonly #members: ModelMembers;

  constructor({ path, kind }: SourceFile, place: JsonModelPlace, members: ModelMembers) {
    this.fileKind = kind;
    this.#file = path;
    this.#place = place;
    this.#members = members;
  }

  get values(): readonly PropertiesLocation[] {
    const { propertiesKey, hasAttributes, keys } = this.#members;
    const at = this.#place.path();
    const common = { kind: 'model', file: this.#file, exists: true, at, propertiesKey, keys, hasAttributes } as const;
    return [{ ...common, attributesKey: 'attributes', ...(at.length === 0 && { idKey: 'id' as const }) }];
  }

  get children(): { readonly file: ProjectPath; readonly at: JsonPath } {
    return { file: this.#file, at: [...this.#place.path(), this.#members.childrenKey] };
  }
}
