import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface TempFolder extends AsyncDisposable {
  /** Absolute, with links resolved. */
  readonly path: string;
  write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void>;
}

/** Creates a temporary folder with `files` that disposal removes. */
export async function tempFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<TempFolder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'atlas-')));
  const folder: TempFolder = {
    path,
    async write(some) {
      for (const [name, content] of Object.entries(some)) {
        await mkdir(dirname(join(path, name)), { recursive: true });
        await writeFile(join(path, name), content);
      }
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
  await folder.write(files);
  return folder;
}
