import type { ProjectPath } from '../../base/brand.ts';
import type { ConcurrencyBudget } from '../../base/concurrency-budget.ts';
import { describeCause } from '../../base/describe-cause.ts';
import type { TimeSlice } from '../../base/time-slice.ts';
import type { TextBlocks } from '../../base/text-blocks.ts';
import type { DataConverter } from '../../ports/data-converter.ts';
import type { Inflate } from '../../ports/inflate.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import type { JsonDocument } from '../../roblox/formats/json5-document.ts';
import type { FileKinds } from '../file-kinds/file-kinds.ts';
import type { Dialect } from '../project-file/project-file.ts';
import type { ProjectDiagnostic } from '../project-session.ts';
import type { LoadedProject, SnapshotPass } from '../snapshot/pass.ts';
import { snapshotPath } from '../file-kinds/snapshot-path.ts';
import {
  brokenSnapshot,
  type Origin,
  pathKey,
  isSameOrigin,
  type SnapshotOutcome,
  type SnapshotSettings,
} from '../snapshot/source-snapshot.ts';
import type { ReadDiagnostics } from './diagnostic-store.ts';
import { isFileFailure } from '../tree/disk-ports.ts';
import type { DiskReader } from './disk-reader.ts';
import type { ProjectCache } from './project-cache.ts';

/** Existing children of the instance being read, by key. A child with the same origin is reused instead of read. */
export type ReusableChildren = ReadonlyMap<string, Origin>;

interface Shared {
  readonly disk: DiskReader;
  readonly fileKinds: FileKinds;
  readonly reflection: Reflection;
  readonly inflate: Inflate;
  readonly converter: DataConverter;
  readonly texts: TextBlocks;
  readonly slice: TimeSlice;
  readonly budget: ConcurrencyBudget;
  readonly workspace: string;
  readonly projects: ProjectCache;
  /** The dialect of the outermost project, unless its file chooses it. */
  readonly dialect: Dialect | undefined;
}

/** One read of an instance. Collects diagnostics under the key of the instance being read. */
export class FilePass implements SnapshotPass, ReadDiagnostics {
  readonly disk: DiskReader;
  readonly fileNames: FileKinds;
  readonly reflection: Reflection;
  readonly inflate: Inflate;
  readonly converter: DataConverter;
  readonly texts: TextBlocks;
  readonly slice: TimeSlice;
  readonly budget: ConcurrencyBudget;
  readonly workspace: string;
  readonly reported: Map<string, readonly ProjectDiagnostic[]>;
  readonly children: Map<string, ReadonlySet<string>>;
  #children: Set<string> | undefined;
  readonly #found: ProjectDiagnostic[] = [];
  readonly #shared: Shared;
  readonly #owner: string;
  readonly #keepable: ReusableChildren;

  constructor(shared: Shared, owner: string, keepable: ReusableChildren, parent?: FilePass) {
    this.disk = shared.disk;
    this.fileNames = shared.fileKinds;
    this.reflection = shared.reflection;
    this.inflate = shared.inflate;
    this.converter = shared.converter;
    this.texts = shared.texts;
    this.slice = shared.slice;
    this.budget = shared.budget;
    this.workspace = shared.workspace;
    this.reported = parent?.reported ?? new Map();
    this.children = parent?.children ?? new Map();
    this.#shared = shared;
    this.#owner = owner;
    this.#keepable = keepable;
    this.reported.set(owner, nothing);
    this.children.set(owner, noChildren);
  }

  report(diagnostic: ProjectDiagnostic): void {
    this.#found.push(diagnostic);
    this.reported.set(this.#owner, this.#found);
  }

  loadProject(
    file: ProjectPath,
    document: JsonDocument,
    outer: SnapshotSettings | undefined,
  ): LoadedProject | undefined {
    return this.#shared.projects.load(this, file, document, outer, this.#shared.dialect);
  }

  async snapshotPath(entry: ProjectPath, settings: SnapshotSettings): Promise<SnapshotOutcome | undefined> {
    try {
      return await snapshotPath(this, this.fileNames, entry, settings);
    } catch (error) {
      if (!isFileFailure(error)) throw error;
      const message = `expected a readable file or folder: ${describeCause(error)}`;
      this.report({ file: entry, line: 1, column: 1, severity: 'error', message });
      return brokenSnapshot(pathKey(entry));
    }
  }

  async child(
    key: string,
    origin: Origin,
    read: (pass: SnapshotPass) => Promise<SnapshotOutcome | undefined>,
  ): Promise<SnapshotOutcome | undefined> {
    this.#own().add(key);
    const known = this.#keepable.get(key);
    if (known && isSameOrigin(known, origin)) return { kind: 'kept', key, broken: false };
    const pass = new FilePass(this.#shared, key, new Map(), this);
    const outcome = await read(pass);
    pass.finish(outcome);
    return outcome;
  }

  /** The set of children, created lazily because most instances have none. */
  #own(): Set<string> {
    const own = this.#children ?? new Set<string>();
    this.#children = own;
    this.children.set(this.#owner, own);
    return own;
  }

  /** An instance that is not replaced keeps its children and their diagnostics. */
  finish(outcome: SnapshotOutcome | undefined): void {
    if (outcome?.kind === 'kept') this.children.delete(this.#owner);
  }
}

const nothing: readonly ProjectDiagnostic[] = [];
const noChildren: ReadonlySet<string> = new Set();
