export type Scriptability = 'ReadWrite' | 'Read' | 'Write' | 'Custom' | 'None';

/**
 * The format of `scripts/generate-reflection.ts`. Property rows and default values are stored once and referred to by index. A class lists
 * its own properties and the defaults that differ from those of its superclass (`null`: no default although the superclass has one).
 */
export interface ReflectionData {
  /** Roblox version, such as `0.728.0.7280895`. */
  readonly version: string;
  /** Type (`@` before the name of an enum), scriptability, and serialization. */
  readonly rows: readonly ReflectionRow[];
  /** Values in encoded form. */
  readonly values: readonly unknown[];
  readonly classes: Readonly<Record<string, ClassRow>>;
  readonly enums: Readonly<Record<string, Readonly<Record<string, number>>>>;
}
export type ReflectionRow = readonly [
  type: string,
  scriptability: Scriptability,
  /** 1 serializes, 0 does not. */
  serialization:
    | 0
    | 1
    | { readonly as: string }
    | { readonly aliasFor: string }
    | { readonly to: readonly string[]; readonly operation: string },
];
export type ClassRow = readonly [
  superclass: string,
  /** 1 service, 2 not creatable. */
  tags: number,
  properties: Readonly<Record<string, number>>,
  defaults: Readonly<Record<string, number | null>>,
];

/** The class database. Parses each class and enum on first use. */
export interface OpenedReflectionData extends Pick<ReflectionData, 'version' | 'rows' | 'values'> {
  readonly classes: Entries<ClassRow>;
  readonly enums: Entries<Readonly<Record<string, number>>>;
}

export interface Entries<T> {
  names(): readonly string[];
  has(name: string): boolean;
  get(name: string): T | undefined;
}

/**
 * Opens the output of `scripts/generate-reflection.ts`. Parsing all of it would block the extension host for too long, and a project uses
 * only a few classes, so each line has one of them.
 *
 * @param text a `ReflectionData` as JSON: its pools in the first line, then the classes and the enums, each on a separate line
 * @throws Error when the layout is different
 */
export function openReflectionData(text: string): OpenedReflectionData {
  const lines = text.split('\n');
  const classes = lines.indexOf('"classes":{');
  const enums = lines.indexOf('"enums":{');
  const end = lines.indexOf('}}');
  const [pools] = lines;
  if (classes !== 1 || enums === -1 || end === -1 || pools === undefined)
    throw new Error('the class database is not laid out as scripts/generate-reflection.ts writes it');
  return {
    // Generated together with this type.
    ...(JSON.parse(`${withoutComma(pools)}}`) as Pick<ReflectionData, 'version' | 'rows' | 'values'>),
    classes: entriesOf(lines.slice(classes + 1, enums - 1)),
    enums: entriesOf(lines.slice(enums + 1, end)),
  };
}

/** @param lines `"name":value`, with a comma after all but the last */
function entriesOf<T>(lines: readonly string[]): Entries<T> {
  const texts = new Map(
    lines.map(line => {
      const colon = line.indexOf('":');
      return [line.slice(1, colon), line.slice(colon + 2)];
    }),
  );
  const parsed = new Map<string, T>();
  return {
    names: () => Array.from(texts.keys()),
    has: name => texts.has(name),
    get(name) {
      const text = texts.get(name);
      if (text === undefined) return undefined;
      const known = parsed.get(name);
      if (known !== undefined) return known;
      const entry = JSON.parse(withoutComma(text)) as T;
      parsed.set(name, entry);
      return entry;
    },
  };
}

const withoutComma = (line: string): string => (line.endsWith(',') ? line.slice(0, -1) : line);
