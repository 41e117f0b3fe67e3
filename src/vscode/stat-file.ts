import { posix } from 'node:path';
import * as vscode from 'vscode';
import { describeCause } from '../base/describe-cause.ts';
import { ifFound } from '../base/errno.ts';
import { AppError } from '../base/errors.ts';

/** Information about a file or folder; `undefined` if there is none. @throws AppError FS_ACCESS_FAILED */
export async function statFile(file: vscode.Uri): Promise<vscode.FileStat | undefined> {
  try {
    return await ifFound(vscode.workspace.fs.stat(file));
  } catch (error) {
    const details = { file: posix.basename(file.path), reason: describeCause(error) };
    throw new AppError('FS_ACCESS_FAILED', details, { cause: error });
  }
}
