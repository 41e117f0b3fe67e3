import type { Dialect } from '../project-file/project-file.ts';
import type { FileTraits } from '../snapshot/file-traits.ts';
import type { FileNameRules } from '../snapshot/pass.ts';
import type { FileKind, FileSuffix, NewFile, NewInstance, ScriptSettings } from './file-kind.ts';

export interface FileRule {
  readonly kind: FileKind;
  /** The name of the instance. */
  readonly name: string;
}

/** A file that describes the folder that holds it. */
export interface InitFile {
  readonly name: string;
  readonly kind: FileKind;
}

interface KindSuffix extends FileSuffix {
  readonly kind: FileKind;
}

/** The file kinds of a project, looked up by file name. */
export class FileKinds implements FileNameRules {
  /** Longest first. */
  readonly #suffixes: { readonly [D in Dialect]: readonly KindSuffix[] };
  readonly #initFiles: { readonly [D in Dialect]: readonly InitFile[] };
  readonly #bySyncRuleName = new Map<string, FileKind>();
  readonly #kinds: readonly FileKind[];
  readonly #scriptParts: ReadonlySet<string>;
  readonly #scriptEnding: RegExp;
  readonly #endingWithMeta: RegExp;
  /** Suffixes before the last extension: `a.server` would be read as another instance when an extension follows. */
  readonly endingsWithMeaning: RegExp;

  /** @param kinds in order of preference: a new instance becomes a file of the first kind that can hold it */
  constructor(kinds: readonly FileKind[]) {
    this.#kinds = kinds;
    for (const kind of kinds) for (const name of kind.syncRuleNames) this.#bySyncRuleName.set(name, kind);
    const all = kinds.flatMap(kind => kind.suffixes.map((suffix): KindSuffix => ({ ...suffix, kind })));
    const ofDialect = (dialect: Dialect): readonly KindSuffix[] =>
      all
        .filter(suffix => suffix.dialect === undefined || suffix.dialect === dialect)
        .sort((a, b) => b.suffix.length - a.suffix.length);
    this.#suffixes = { rojo: ofDialect('rojo'), atlas: ofDialect('atlas') };
    this.#initFiles = { rojo: initFilesOf(all, 'rojo'), atlas: initFilesOf(all, 'atlas') };
    const scripts = all.filter(({ kind }) => kind.content === 'script');
    const withMeta = all.filter(({ kind }) => kind.content !== 'instances' && kind.content !== 'project');
    const extensions = (suffixes: readonly KindSuffix[]): string =>
      alternatives(suffixes.map(({ suffix }) => suffix.slice(suffix.lastIndexOf('.') + 1)));
    this.#scriptParts = new Set(scripts.flatMap(innerParts));
    this.#scriptEnding = new RegExp(`\\.(?:${extensions(scripts)})$`);
    this.#endingWithMeta = new RegExp(`\\.(?:${extensions(withMeta)})$`);
    this.endingsWithMeaning = new RegExp(`(?:\\.(?:${alternatives(['meta', ...all.flatMap(innerParts)])}))+$`, 'i');
  }

  get syncRuleNames(): readonly string[] {
    return Array.from(this.#bySyncRuleName.keys());
  }

  bySyncRuleName(name: string): FileKind | undefined {
    return this.#bySyncRuleName.get(name);
  }

  /** The kind of a file and the name of its instance, by the file's name; `undefined` when such a file makes no instance. */
  ruleFor(fileName: string, dialect: Dialect): FileRule | undefined {
    if (this.isInitFile(fileName, dialect) || isMetaFile(fileName)) return undefined;
    const found = this.#suffixOf(fileName, dialect);
    if (found === undefined) return undefined;
    const stem = fileName.slice(0, -found.suffix.length);
    return { kind: found.kind, name: plainName(stem === '' && found.keepsBareName ? fileName : stem, dialect) };
  }

  /** Init files of a folder; the first that exists is used. */
  initFiles(dialect: Dialect): readonly InitFile[] {
    return this.#initFiles[dialect];
  }

  isInitFile(fileName: string, dialect: Dialect): boolean {
    return fileName.startsWith('init.') && this.#initFiles[dialect].some(({ name }) => name === fileName);
  }

  /** The init file that is equivalent to a file of that name and kind; `undefined` when the kind has none. */
  initFileFor(fileName: string, kind: FileTraits, dialect: Dialect): InitFile | undefined {
    const inits = this.#initFiles[dialect].filter(init => init.kind === kind);
    const found = this.#suffixOf(fileName, dialect);
    return inits.find(({ name }) => found && name === `init${found.suffix}`) ?? inits[0];
  }

  /** Makes the file of a new instance with the first kind that can hold it. */
  create(instance: NewInstance, settings: ScriptSettings): NewFile | undefined {
    for (const { create } of this.#kinds) {
      const file = create?.(instance, settings);
      if (file) return file;
    }
    return undefined;
  }

  metaNames(fileName: string, instanceName: string, dialect: Dialect): readonly string[] {
    if (dialect === 'rojo') return [`${instanceName}.meta.json`, `${instanceName}.meta.jsonc`];
    const stem = this.#withoutScriptPart(fileName.replace(/\.[^.]*$/, ''));
    return [`${stem}.meta.json5`, `${stem}.meta.json`];
  }

  /** The possible base names of the meta file of a file. */
  metaBasesOf(fileName: string): readonly string[] {
    return this.#basesOf(fileName, this.#endingWithMeta);
  }

  /** The possible base names of a script file. */
  scriptBasesOf(fileName: string): readonly string[] {
    return this.#basesOf(fileName, this.#scriptEnding);
  }

  #basesOf(fileName: string, ending: RegExp): readonly string[] {
    const stem = fileName.replace(ending, '');
    if (stem === fileName) return [];
    const base = this.#withoutScriptPart(stem);
    return base === stem ? [stem] : [stem, base];
  }

  #withoutScriptPart(stem: string): string {
    const dot = stem.lastIndexOf('.');
    return dot >= 0 && this.#scriptParts.has(stem.slice(dot + 1)) ? stem.slice(0, dot) : stem;
  }

  #suffixOf(fileName: string, dialect: Dialect): KindSuffix | undefined {
    return this.#suffixes[dialect].find(({ suffix }) => fileName.endsWith(suffix));
  }
}

const initFilesOf = (suffixes: readonly KindSuffix[], dialect: Dialect): readonly InitFile[] =>
  suffixes
    .flatMap(({ kind, suffix, initOrder }) => {
      const order = initOrder?.[dialect];
      return order === undefined ? [] : [{ init: { name: `init${suffix}`, kind }, order }];
    })
    .sort((a, b) => a.order - b.order)
    .map(({ init }) => init);

/** `server` of `.server.luau`. */
const innerParts = ({ suffix }: FileSuffix): readonly string[] => suffix.split('.').slice(1, -1);

const alternatives = (words: readonly string[]): string => Array.from(new Set(words)).join('|');

const META_SUFFIX = /\.meta\.json[5c]?$/;

/** Whether the name or path is that of a meta file. */
export const isMetaFile = (fileName: string): boolean => META_SUFFIX.test(fileName);

export const withoutMetaSuffix = (fileName: string): string => fileName.replace(META_SUFFIX, '');

/** The names that a meta file with that base name can have. */
export const metaNamesOf = (base: string): readonly string[] =>
  ['json', 'json5', 'jsonc'].map(ending => `${base}.meta.${ending}`);

/** Removes the number (`~2`) that the Atlas dialect adds to files of instances with the same name. */
export function plainName(name: string, dialect: Dialect): string {
  const match = dialect === 'atlas' ? /^(.*)~\+?0*([1-9][0-9]{0,9})$/s.exec(name) : null;
  return match?.[1] !== undefined && Number(match[2]) < 2 ** 32 ? match[1] : name;
}

export const initMetaNames = (dialect: Dialect): readonly string[] =>
  dialect === 'rojo' ? ['init.meta.json', 'init.meta.jsonc'] : ['init.meta.json5', 'init.meta.json'];
