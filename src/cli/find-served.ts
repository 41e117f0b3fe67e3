import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { findFirstExisting } from '../adapters/fs/project-reach.ts';
import { ifFound } from '../base/errno.ts';
import type { Dialect } from '../project/project-file/project-file.ts';
import { defaultProjectNames } from '../project/project-file/project-names.ts';
import { memberOf, parseJsonDocument } from '../roblox/formats/json5-document.ts';

/** The project that `atlas-bridge serve` serves. */
interface ServedProject {
  /** Absolute, real folder of the project file. */
  readonly folder: string;
  /** Name of the project file in the folder; `undefined`: the default one, which may be missing. */
  readonly projectFile: string | undefined;
  /** These fields of the project file; `undefined` if it does not have them or cannot be read. */
  readonly servePort: number | undefined;
  readonly serveAddress: string | undefined;
}

/** Finds the folder and the project file of an argument; `undefined` if it is neither. @param path absolute */
export async function findServed(path: string, dialect: Dialect | undefined): Promise<ServedProject | undefined> {
  const found = await ifFound(realpath(path));
  if (found === undefined) return undefined;
  const isFolder = (await stat(found)).isDirectory();
  if (!isFolder && !/\.project\.json[5c]?$/.test(found)) return undefined;
  const folder = isFolder ? found : dirname(found);
  const defaultFile = await findFirstExisting(folder, defaultProjectNames(dialect));
  const file = isFolder ? defaultFile : basename(found);
  const projectFile = file === defaultFile ? undefined : file;
  const text = file === undefined ? undefined : await ifFound(readFile(join(folder, file), 'utf8'));
  const root = parseJsonDocument(text ?? '');
  const valueOf = (name: string) => (root.ok ? memberOf(root.value.root, name)?.value : undefined);
  const port = valueOf('servePort');
  const address = valueOf('serveAddress');
  return {
    folder,
    projectFile,
    servePort: port?.kind === 'number' && isPort(port.value) ? port.value : undefined,
    serveAddress: address?.kind === 'string' ? address.value : undefined,
  };
}

const isPort = (value: number): boolean => Number.isInteger(value) && value >= 0 && value < 65_536;
