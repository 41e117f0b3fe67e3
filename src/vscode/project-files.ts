import * as vscode from 'vscode';
import { ifFound } from '../base/errno.ts';
import { mapConcurrent } from '../base/map-concurrent.ts';

/** Folders that are listed at the same time. */
const CONCURRENCY = 16;

const isProjectFile = (name: string): boolean => /\.project\.json[5c]?$/.test(name);

/**
 * Finds the project files directly in a folder, sorted by name. `findFiles` would start a process in the extension host, which blocks it for
 * 20 to 70 ms when it uses much memory.
 *
 * @throws the failure of a folder that cannot be read; one that does not exist has no files
 */
export async function projectFilesIn(folder: vscode.Uri): Promise<readonly vscode.Uri[]> {
  return (await entriesOf(folder))
    .filter(([name, type]) => isProjectFile(name) && (type & vscode.FileType.File) !== 0)
    .map(([name]) => vscode.Uri.joinPath(folder, name))
    .toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** Finds the project files one level down, in the folders that can be read. @throws the failure of `folder` */
export async function projectFilesBelow(folder: vscode.Uri): Promise<readonly vscode.Uri[]> {
  const folders = (await entriesOf(folder))
    .filter(([name, type]) => name !== 'node_modules' && (type & vscode.FileType.Directory) !== 0)
    .map(([name]) => vscode.Uri.joinPath(folder, name));
  const filesIn = (below: vscode.Uri) => projectFilesIn(below).catch((_error: unknown) => []);
  return (await mapConcurrent(folders, CONCURRENCY, filesIn)).flat();
}

const entriesOf = async (folder: vscode.Uri): Promise<readonly [string, vscode.FileType][]> =>
  (await ifFound(vscode.workspace.fs.readDirectory(folder))) ?? [];
