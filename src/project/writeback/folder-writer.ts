import { isScriptClass } from '../../protocol/script-class.ts';
import { reasonOf } from '../../protocol/reason.ts';
import type { ProjectPath } from '../../base/brand.ts';
import { type PausableWork, runInSlices } from '../../base/time-slice.ts';
import { joinPath, nameOf } from '../../base/project-path.ts';
import { areVariantsIdentical } from '../../roblox/instances/equality.ts';
import { attributeToFileForm, variantToFileForm } from '../../roblox/instances/file-form.ts';
import { NULL_REF } from '../../roblox/values/ref.ts';
import type { Variant } from '../../roblox/values/variant.ts';
import type { JsonPath } from '../../roblox/formats/json5-edit.ts';
import { compareByteOrder } from '../../base/byte-order.ts';
import { isGameAttribute } from '../tree/game-attributes.ts';
import { isIgnoredByGlobs } from '../file-kinds/directory.ts';
import type { NewFile } from '../file-kinds/file-kind.ts';
import { fileRule } from '../file-kinds/sync-rules.ts';
import type { SnapshotSettings, PropertiesLocation } from '../snapshot/source-snapshot.ts';
import type { DesiredInstance } from './desired.ts';
import type { FileBaseName, NameKind } from './file-names.ts';
import type { Planning } from './planning.ts';
import { unwrittenProperties } from './unwritten-properties.ts';
import { ExcludedByRule, CannotWriteError } from './cannot-write-error.ts';
import { normalizeForCollision, type TakenNames } from './taken-names.ts';

/** The place of a new instance: its folder, and the path segments that references use. */
export interface InsertionPoint {
  readonly folder: ProjectPath;
  readonly segments: readonly string[];
  /** The path segment of the new instance in references, if it is not the file name. */
  readonly as?: string;
}

/** Creates files for new instances and their descendants, and records their locations in the plan. */
export class FolderWriter {
  readonly #planning: Planning;
  readonly #settings: SnapshotSettings;
  readonly #ending: string;
  readonly #levels = new WeakMap<DesiredInstance, number>();
  readonly #scripts = new WeakMap<DesiredInstance, boolean>();

  constructor(planning: Planning, settings: SnapshotSettings) {
    this.#planning = planning;
    this.#settings = settings;
    this.#ending = settings.dialect === 'atlas' ? 'json5' : 'json';
  }

  /** @returns the file or folder of the instance */
  async add(spot: InsertionPoint, desired: DesiredInstance): Promise<ProjectPath> {
    const own = this.#newFile(desired);
    if (this.#settings.syncScriptsOnly) this.#rejectNonScript(desired);
    if (own === undefined && !this.#isFolder(desired)) return this.#addModel(spot, desired);
    const { name, children } = desired;
    const kind = own === undefined || children.length > 0 ? 'folder' : 'file';
    if (this.#settings.dialect === 'rojo') {
      const isSplit = this.#hasScript(desired) || this.#levelsOf(desired) > MAX_LEVELS_IN_A_MODEL;
      if (!this.#planning.names.fitsRojo(name, kind))
        return isSplit ? this.#addProject(spot, desired) : this.#addModel(spot, desired);
      if (!isSplit && !this.#fits(desired)) return this.#addModel(spot, desired);
    }
    if (own === undefined || kind === 'folder') return this.#addFolder(spot, desired, own);
    return this.#addFile(spot, desired, own);
  }

  /** Creates the init file and the meta file that make a folder the instance. */
  async addInitFile(folder: ProjectPath, desired: DesiredInstance): Promise<void> {
    const own = this.#newFile({ ...desired, children: [] });
    const taken = await this.#planning.drafts.names(folder);
    const meta = `init.meta.${this.#ending}`;
    if (own === undefined || taken.hasScriptOf('init') || taken.has(meta))
      throw new CannotWriteError(reasonOf('has_init_file', folder, desired.className));
    this.#create(folder, `init${own.suffix}`, own.text);
    const values = this.#meta(desired, own.values, true);
    if (values !== undefined) this.#create(folder, meta, values);
  }

  /** The JSON of an instance, for the `children` array of an existing JSON model. */
  *modelNode(desired: DesiredInstance, isNamed: boolean): PausableWork<object> {
    yield;
    const { properties, attributes } = this.#fileForms(desired, this.#valuesOf(desired));
    const children: object[] = [];
    for (const child of desired.children) children.push(yield* this.modelNode(child, true));
    return {
      className: desired.className,
      ...(isNamed && { name: desired.name }),
      ...(properties && { properties }),
      ...(attributes && { attributes }),
      ...(children.length > 0 && { children }),
    };
  }

  /** Records the locations of an instance and its descendants in a model file. */
  *placeInModel(
    file: ProjectPath,
    at: JsonPath,
    desired: DesiredInstance,
    segments: readonly string[],
    isTop: boolean,
  ): PausableWork<void> {
    yield;
    this.#place(desired, segments, {
      kind: 'model',
      file,
      exists: true,
      at,
      propertiesKey: 'properties',
      attributesKey: 'attributes',
      ...(isTop && { idKey: 'id' }),
      hasAttributes: false,
      keys: new Map(),
    });
    for (const [index, child] of desired.children.entries())
      yield* this.placeInModel(file, [...at, 'children', index], child, [...segments, child.name], false);
  }

  #newFile(desired: DesiredInstance): NewFile | undefined {
    const { className, children, properties } = desired;
    const written = this.#valuesOf(desired);
    const instance = { className, hasChildren: children.length > 0, properties, written };
    return this.#planning.context.fileKinds.create(instance, this.#settings);
  }

  #isFolder(desired: DesiredInstance): boolean {
    const { className, children } = desired;
    const { reflection } = this.#planning.context;
    if (folderClasses.has(className) || reflection.isService(className) || this.#hasScript(desired)) return true;
    if (this.#levelsOf(desired) > MAX_LEVELS_IN_A_MODEL) return true;
    if (children.length === 0) return false;
    return this.#settings.dialect === 'atlas' || modelClasses.has(className) || className.endsWith('Value');
  }

  /** The number of levels of instances, including the instance. Cached, because every level needs it. */
  #levelsOf(desired: DesiredInstance): number {
    const known = this.#levels.get(desired);
    if (known !== undefined) return known;
    let below = 0;
    for (const child of desired.children) below = Math.max(below, this.#levelsOf(child));
    this.#levels.set(desired, below + 1);
    return below + 1;
  }

  #hasScript(desired: DesiredInstance): boolean {
    const known = this.#scripts.get(desired);
    if (known !== undefined) return known;
    const found = desired.children.some(child => isScriptClass(child.className) || this.#hasScript(child));
    this.#scripts.set(desired, found);
    return found;
  }

  /** Rejects an instance that a project which syncs scripts only would not read. Other classes are allowed as ancestors of scripts. */
  #rejectNonScript(desired: DesiredInstance): void {
    const { name, className } = desired;
    if (isScriptClass(className) || className === 'Folder') return;
    const reason = reasonOf('scripts_only', name, className);
    if (!this.#hasScript(desired)) throw new ExcludedByRule(reason);
    if (className === 'LocalizationTable') throw new CannotWriteError(reason);
  }

  /** Whether every child can have a file of its name. In the Rojo dialect, children without scripts are otherwise one model file together. */
  #fits({ children }: DesiredInstance): boolean {
    const names = new Set(children.map(({ name }) => normalizeForCollision(name)));
    return names.size === children.length && children.every(({ name }) => this.#planning.names.fitsRojo(name, 'model'));
  }

  async #addFile(spot: InsertionPoint, desired: DesiredInstance, own: NewFile): Promise<ProjectPath> {
    const { folder } = spot;
    const { dialect } = this.#settings;
    const taken = await this.#planning.drafts.names(folder);
    // A script file next to a script folder of the same name would conflict with it (`Foo.luau` and `Foo/init.luau`).
    const exact = this.#planning.names.needsSlug(desired.name, dialect)
      ? this.#planning.names.slugOf(desired.name)
      : desired.name;
    const hasScriptFolder =
      isScriptClass(desired.className) &&
      (await this.#planning.drafts.names(joinPath(folder, exact))).hasScriptOf('init');
    const needsMeta =
      own.values.size > 0 || this.#planning.names.needsSlug(desired.name, dialect) || this.#isReferenced(desired);
    const free = (base: string): boolean =>
      !taken.has(base + own.suffix) &&
      !(hasScriptFolder && base === exact) &&
      !taken.has(`${base}.meta.${this.#ending}`) &&
      // A meta file applies to every file with that base name.
      !(needsMeta && taken.hasFileOf(base));
    const use = `${own.suffix}${hasScriptFolder ? ' beside a folder' : ''}${needsMeta ? ' with a meta file' : ''}`;
    const chosen = this.#chooseBase(desired, taken, free, 'file', use);
    if (chosen === undefined) return this.#addProject(spot, desired);
    const { base, isExact } = chosen;
    const path = this.#create(folder, base + own.suffix, own.text);
    this.#refuseOtherRule(path);
    const metaFile = joinPath(folder, `${base}.meta.${this.#ending}`);
    const meta = this.#meta(desired, own.values, isExact);
    if (meta !== undefined) this.#create(folder, `${base}.meta.${this.#ending}`, meta);
    this.#place(desired, [...spot.segments, spot.as ?? base + own.suffix], metaLocation(metaFile, meta !== undefined));
    return path;
  }

  async #addFolder(spot: InsertionPoint, desired: DesiredInstance, own: NewFile | undefined): Promise<ProjectPath> {
    const { drafts } = this.#planning;
    const taken = await drafts.names(spot.folder);
    const isScript = own !== undefined && isScriptClass(desired.className);
    const free = (base: string): boolean => !taken.has(base) && !(isScript && taken.hasScriptOf(base));
    const chosen = this.#chooseBase(desired, taken, free, 'folder', isScript ? 'script' : '');
    if (chosen === undefined) return this.#addProject(spot, desired);
    const { base, isExact } = chosen;
    const folder = joinPath(spot.folder, base);
    this.#refuseExcluded(folder);
    taken.add(base);
    drafts.onRollBack(() => taken.delete(base));
    const { newFolders } = this.#planning;
    newFolders.set(desired.id, folder);
    drafts.onRollBack(() => newFolders.delete(desired.id));
    const inside = await drafts.names(folder);
    if (own) this.#create(folder, `init${own.suffix}`, own.text);
    const className = own || desired.className === 'Folder' ? undefined : desired.className;
    const meta = this.#meta(desired, own?.values ?? this.#valuesOf(desired), isExact, className);
    if (meta !== undefined) this.#create(folder, `init.meta.${this.#ending}`, meta);
    const segments = [...spot.segments, spot.as ?? base];
    const metaFile = joinPath(folder, `init.meta.${this.#ending}`);
    this.#place(desired, segments, metaLocation(metaFile, meta !== undefined));
    for (const child of inOrder(desired.children)) await this.#addChild({ folder, segments }, child);
    // Git does not track empty folders.
    if (inside.isEmpty) this.#create(folder, '.gitkeep', '');
    return folder;
  }

  async #addChild(spot: InsertionPoint, child: DesiredInstance): Promise<void> {
    await this.#planning.slice.yieldToEventLoop();
    try {
      await this.add(spot, child);
    } catch (error) {
      if (!(error instanceof ExcludedByRule)) throw error;
    }
  }

  async #addModel(spot: InsertionPoint, desired: DesiredInstance): Promise<ProjectPath> {
    const { folder } = spot;
    if (this.#levelsOf(desired) > MAX_LEVELS_IN_A_MODEL)
      throw new CannotWriteError(reasonOf('model_too_deep', MAX_LEVELS_IN_A_MODEL));
    const taken = await this.#planning.drafts.names(folder);
    const suffix = `.model.${this.#ending}`;
    const free = (base: string): boolean => !taken.has(base + suffix);
    const chosen = this.#chooseBase(desired, taken, free, 'model', '');
    if (chosen === undefined) return this.#addProject(spot, desired);
    const { base, isExact } = chosen;
    const { slice } = this.#planning;
    const path = this.#create(folder, base + suffix, await runInSlices(this.modelNode(desired, !isExact), slice));
    this.#refuseOtherRule(path);
    await runInSlices(this.placeInModel(path, [], desired, [...spot.segments, spot.as ?? base + suffix], true), slice);
    return path;
  }

  /**
   * Puts the files into a folder with a project that has the name of the instance. In the Rojo dialect, only the name of a project can
   * differ from that of its file, so this is the form of a second child of one name, and of a name that no file can have.
   */
  async #addProject(spot: InsertionPoint, desired: DesiredInstance): Promise<ProjectPath> {
    const { names, drafts } = this.#planning;
    const taken = await drafts.names(spot.folder);
    const slug = names.slugOf(desired.name);
    const { base, number } = names.numbered(slug, name => !taken.has(name), taken.nextNumber(slug, 'project'));
    taken.setNextNumber(slug, 'project', number + 1);
    const folder = joinPath(spot.folder, base);
    this.#refuseExcluded(folder);
    taken.add(base);
    drafts.onRollBack(() => taken.delete(base));
    const inside = { folder, segments: spot.segments, as: spot.as ?? base };
    const entry = await this.add(inside, { ...desired, name: slug });
    this.#create(folder, 'default.project.json', {
      name: desired.name,
      // Projects do not inherit this field.
      ...(!this.#settings.emitLegacyScripts && { emitLegacyScripts: false }),
      tree: { $path: nameOf(entry) },
    });
    return folder;
  }

  #chooseBase(
    { name }: DesiredInstance,
    taken: TakenNames,
    isFree: (base: string) => boolean,
    kind: NameKind,
    use: string,
  ): FileBaseName | undefined {
    const firstNumber = taken.nextNumber(name, kind + use);
    const chosen = this.#planning.names.chooseBase(name, this.#settings.dialect, isFree, kind, firstNumber);
    if (chosen !== undefined && chosen.number > 1) taken.setNextNumber(name, kind + use, chosen.number + 1);
    return chosen;
  }

  #meta(
    desired: DesiredInstance,
    values: ReadonlyMap<string, Variant>,
    isExact: boolean,
    className?: string,
  ): object | undefined {
    const { properties, attributes } = this.#fileForms(desired, values);
    const meta = {
      ...(!isExact && { name: desired.name }),
      ...(className !== undefined && { className }),
      ...(properties && { properties }),
      ...(attributes && { attributes }),
    };
    return Object.keys(meta).length === 0 ? undefined : meta;
  }

  /** The properties that differ from the defaults and are stored in files. */
  #valuesOf({ className, properties }: DesiredInstance): Map<string, Variant> {
    const { context, limits } = this.#planning;
    const values = new Map<string, Variant>();
    for (const [name, value] of properties) {
      if (unwrittenProperties.has(name) || limits.excludesProperty(className, name)) continue;
      if (value.type === 'Ref' || value.type === 'UniqueId') continue;
      if (value.type === 'Content' && value.value.kind === 'object') continue;
      const known = context.reflection.defaultOf(className, name);
      if (!(known && areVariantsIdentical(known, value))) values.set(name, value);
    }
    return values;
  }

  #fileForms(
    { className }: DesiredInstance,
    values: ReadonlyMap<string, Variant>,
  ): { readonly properties?: object; readonly attributes?: object } {
    const sorted = Array.from(values).sort(([a], [b]) => compareByteOrder(a, b));
    const properties = sorted
      .filter(([, value]) => value.type !== 'Attributes')
      .map(([name, value]) => [name, variantToFileForm(this.#planning.context.reflection, className, name, value)]);
    const attributes = sorted
      .flatMap(([, value]) => (value.type === 'Attributes' ? Array.from(value.value) : []))
      .filter(([name]) => isGameAttribute(name))
      .sort(([a], [b]) => compareByteOrder(a, b))
      .map(([name, value]) => [name, attributeToFileForm(value)]);
    return {
      ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
      ...(attributes.length > 0 && { attributes: Object.fromEntries(attributes) }),
    };
  }

  #isReferenced(desired: DesiredInstance): boolean {
    return (
      this.#planning.referenced.has(desired.id) ||
      Array.from(desired.properties.values()).some(value => value.type === 'Ref' && value.value !== NULL_REF)
    );
  }

  #place(desired: DesiredInstance, segments: readonly string[], location: PropertiesLocation): void {
    const { newLocations, limits } = this.#planning;
    newLocations.set(desired.id, { location, segments });
    for (const [property, value] of desired.properties)
      if (value.type === 'Ref' && value.value !== NULL_REF && !limits.excludesProperty(desired.className, property))
        this.#planning.references.push({
          pull: this.#planning.pull,
          owner: desired.id,
          className: desired.className,
          property,
          target: value.value,
        });
  }

  #create(folder: ProjectPath, name: string, content: string | object): ProjectPath {
    const path = joinPath(folder, name);
    this.#refuseExcluded(path);
    this.#refuseExcluded(folder);
    if (typeof content === 'string') this.#planning.drafts.create(path, content);
    else this.#planning.drafts.createJson(path, content);
    return path;
  }

  #refuseExcluded(path: ProjectPath): void {
    if (this.#planning.limits.excludesFile(path)) throw new ExcludedByRule(reasonOf('excluded_by_rules', path));
    if (isIgnoredByGlobs(path, this.#settings)) throw new CannotWriteError(reasonOf('ignored_by_globs', path));
  }

  /** The name of a new file says what it contains, unless a rule of the project says something else. */
  #refuseOtherRule(path: ProjectPath): void {
    const { fileKinds } = this.#planning.context;
    const byName = fileKinds.ruleFor(nameOf(path), this.#settings.dialect);
    const byRules = fileRule(fileKinds, path, this.#settings);
    if (byRules?.kind !== byName?.kind || byRules?.name !== byName?.name)
      throw new CannotWriteError(reasonOf('other_sync_rule', path));
  }
}

/** A JSON file has two levels for each level of instances, and no reader takes more than 128. */
const MAX_LEVELS_IN_A_MODEL = 50;

/** Classes that always become folders. Those in `modelClasses` become folders only when they have children. */
const folderClasses: ReadonlySet<string> = new Set(
  'Folder Configuration Tool ScreenGui SurfaceGui BillboardGui AdGui StarterPlayerScripts StarterCharacterScripts'.split(
    ' ',
  ),
);
const modelClasses: ReadonlySet<string> = new Set(
  (
    'Actor Sound SoundGroup Sky Atmosphere BloomEffect BlurEffect ColorCorrectionEffect DepthOfFieldEffect SunRaysEffect ' +
    'ParticleEmitter TextChannel TextChatCommand ChatWindowConfiguration ChatInputBarConfiguration ' +
    'BubbleChatConfiguration ChannelTabsConfiguration RemoteEvent UnreliableRemoteEvent RemoteFunction BindableEvent ' +
    'BindableFunction'
  ).split(' '),
);

const metaLocation = (file: ProjectPath, exists: boolean): PropertiesLocation => ({
  kind: 'meta',
  file,
  exists,
  at: [],
  propertiesKey: 'properties',
  attributesKey: 'attributes',
  idKey: 'id',
  hasAttributes: false,
  keys: new Map(),
});

/** Sorted by name, so that the numbering of file names does not depend on the order in Studio. */
const inOrder = (children: readonly DesiredInstance[]): readonly DesiredInstance[] =>
  children.toSorted((a, b) => compareByteOrder(a.name, b.name));
