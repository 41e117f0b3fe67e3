import type { ProjectPath } from '../../base/brand.ts';
import type { ConcurrencyBudget } from '../../base/concurrency-budget.ts';
import { runInSlices, type TimeSlice } from '../../base/time-slice.ts';
import type { TextBlocks } from '../../base/text-blocks.ts';
import type { FileEntry } from '../../ports/file-system.ts';
import type { DataConverter } from '../../ports/data-converter.ts';
import type { Inflate } from '../../ports/inflate.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import { type JsonDocument, type JsonProblem, parseJsonDocumentPausable } from '../../roblox/formats/json5-document.ts';
import { decodeUtf8Text } from '../../roblox/formats/utf8-text.ts';
import type { Dialect, ProjectFile } from '../project-file/project-file.ts';
import type { MissingPath, ProjectDiagnostic } from '../project-session.ts';
import type { Origin, SnapshotOutcome, SnapshotSettings } from './source-snapshot.ts';

/** The files as one read sees them. Records every checked path, including missing ones. */
export interface DiskView {
  kindOf(path: ProjectPath): Promise<FileEntry['kind'] | undefined>;
  /** In byte order; `undefined` when the path is not a folder. */
  list(path: ProjectPath): Promise<readonly FileEntry[] | undefined>;
  /** `undefined` when the file does not exist. */
  read(path: ProjectPath): Promise<Uint8Array | undefined>;
  /** Like `read`. The bytes are valid only in `use`. */
  readFor<T>(path: ProjectPath, use: (bytes: Uint8Array) => T): Promise<T | undefined>;
}

/** File naming rules of the file kinds. */
export interface FileNameRules {
  /** Valid values of `use` in a sync rule. */
  readonly syncRuleNames: readonly string[];
  /** Names of the meta files of a file; the first that exists is used, in the Rojo dialect all of them apply. */
  metaNames(fileName: string, instanceName: string, dialect: Dialect): readonly string[];
  isInitFile(fileName: string, dialect: Dialect): boolean;
}

/** One read of files into snapshots: the interface that file kinds use. */
export interface SnapshotPass {
  readonly disk: DiskView;
  readonly fileNames: FileNameRules;
  readonly reflection: Reflection;
  readonly inflate: Inflate;
  /** Converts data files that are too large for one step. */
  readonly converter: DataConverter;
  /** Stores the texts of scripts. */
  readonly texts: TextBlocks;
  /** Lets long work yield to the event loop. */
  readonly slice: TimeSlice;
  /** The number of files and folders that are read at the same time. */
  readonly budget: ConcurrencyBudget;
  /** The name of the folder that all paths are relative to. */
  readonly workspace: string;
  report(diagnostic: ProjectDiagnostic): void;
  /** The project in a file; the same object for the same text and settings. `undefined` when it is invalid, which has been reported. */
  loadProject(
    file: ProjectPath,
    document: JsonDocument,
    outer: SnapshotSettings | undefined,
  ): LoadedProject | undefined;
  /** Reads a path; `undefined` when it describes no instance. */
  snapshotPath(entry: ProjectPath, settings: SnapshotSettings): Promise<SnapshotOutcome | undefined>;
  /** Returns a child: reuses the existing one if it has the same origin, else calls `read`. */
  child(
    key: string,
    origin: Origin,
    read: (pass: SnapshotPass) => Promise<SnapshotOutcome | undefined>,
  ): Promise<SnapshotOutcome | undefined>;
}

export interface LoadedProject {
  readonly project: ProjectFile;
  readonly settings: SnapshotSettings;
}

/** A problem at a position of a file: `expected` completes "expected …". */
interface FileProblem extends JsonProblem {
  readonly missing?: MissingPath | undefined;
}

/** Reports an error in a file. */
export const reportProblem = (pass: SnapshotPass, file: ProjectPath, problem: FileProblem): void =>
  report(pass, file, problem, 'error');

/** Reports a warning about a file. */
export const reportWarning = (pass: SnapshotPass, file: ProjectPath, problem: FileProblem): void =>
  report(pass, file, problem, 'warning');

function report(pass: SnapshotPass, file: ProjectPath, problem: FileProblem, severity: 'error' | 'warning'): void {
  const { line, column, expected, missing } = problem;
  const message = `expected ${expected}`;
  pass.report({ file, line, column, severity, message, ...(missing !== undefined && { missing }) });
}

/** The text of a file; `undefined` when it does not exist. Reports a file that is not UTF-8 and returns `'broken'`. */
export async function readText(
  pass: SnapshotPass,
  file: ProjectPath,
): Promise<{ readonly text: string } | 'broken' | undefined> {
  const read = await pass.disk.readFor(file, decodeUtf8Text);
  if (read === undefined) return undefined;
  if (read.ok) return { text: read.value };
  reportProblem(pass, file, read.error);
  return 'broken';
}

/** Parses a JSON file and reports warnings and errors. Returns `'broken'` after an error. */
export async function readJson(pass: SnapshotPass, file: ProjectPath): Promise<JsonDocument | 'broken' | undefined> {
  const read = await readText(pass, file);
  if (read === undefined || read === 'broken') return read;
  const parsed = await runInSlices(parseJsonDocumentPausable(read.text), pass.slice);
  if (!parsed.ok) {
    reportProblem(pass, file, parsed.error);
    return 'broken';
  }
  for (const warning of parsed.value.warnings) reportWarning(pass, file, warning);
  return parsed.value;
}
