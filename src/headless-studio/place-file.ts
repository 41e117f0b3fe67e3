import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { nodeInflate } from '../adapters/node/inflate.ts';
import { AppError } from '../base/errors.ts';
import { err, type Result } from '../base/result.ts';
import type { Model } from '../core/dom/model.ts';
import type { Reflection } from '../core/dom/reflection.ts';
import { isPlaceFormat, modelFormatOf, readModel, writeModel } from '../core/formats/model/model-file.ts';

/** Reads a place or model file, XML or binary whatever its name says. @throws AppError MODEL_UNREADABLE */
export async function readPlaceFile(file: string, reflection: Reflection): Promise<Model> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new AppError('MODEL_UNREADABLE', { file, reason: reasonOf(error) }, { cause: error });
  });
  const model = readModel(bytes, reflection, nodeInflate);
  if (!model.ok) throw new AppError('MODEL_UNREADABLE', { file, reason: model.error });
  return model.value;
}

/**
 * Writes a place as its name says: beside the target, flushed, then renamed, so that the file is the old one or the new one at any time.
 * @throws AppError FS_WRITE_FAILED
 */
export async function writePlaceFile(file: string, place: Model, reflection: Reflection): Promise<void> {
  const content = formatPlace(file, place, reflection);
  if (!content.ok) throw new AppError('FS_WRITE_FAILED', { file, reason: content.error });
  const beside = join(dirname(file), `.${basename(file)}.${randomUUID()}`);
  try {
    const handle = await open(beside, 'wx');
    try {
      await handle.writeFile(content.value);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    throw new AppError('FS_WRITE_FAILED', { file, reason: reasonOf(error) }, { cause: error });
  }
}

function formatPlace(file: string, place: Model, reflection: Reflection): Result<Uint8Array, string> {
  const format = modelFormatOf(file);
  if (format === undefined || !isPlaceFormat(format)) return err('a place is a .rbxl or .rbxlx file');
  return writeModel(place, format, reflection);
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
