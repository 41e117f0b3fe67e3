import { describeCause } from '../base/describe-cause.ts';
import { readFile } from 'node:fs/promises';
import { nodeInflate } from '../adapters/node/inflate.ts';
import { AppError } from '../base/errors.ts';
import { err, ok, type Result } from '../base/result.ts';
import type { Model } from '../roblox/instances/model.ts';
import type { Reflection } from '../roblox/instances/reflection.ts';
import { isPlaceFormat, modelFormatOf, readModel, writeModel } from '../roblox/formats/model/model-file.ts';

/** Reads a place or model file, XML or binary, independent of its name. @throws AppError MODEL_UNREADABLE */
export async function readPlaceFile(file: string, reflection: Reflection): Promise<Model> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new AppError('MODEL_UNREADABLE', { file, reason: describeCause(error) }, { cause: error });
  });
  const model = readModel(bytes, reflection, nodeInflate);
  if (!model.ok) throw new AppError('MODEL_UNREADABLE', { file, reason: model.error });
  return model.value;
}

/**
 * Encodes the open place in the format of the file name, or returns why it cannot be saved under that name. A model file gets the
 * children of Workspace, because an opened model is inserted there.
 *
 * @param opened the content of the file when it was opened
 */
export function formatPlace(
  file: string,
  place: Model,
  opened: Model,
  reflection: Reflection,
): Result<Uint8Array, string> {
  const format = modelFormatOf(file);
  if (format === undefined) return err('the name must end in .rbxl, .rbxlx (places), .rbxm or .rbxmx (models)');
  const content = isPlaceFormat(format) ? ok(place) : contentOfWorkspace(place, opened);
  return content.ok ? writeModel(content.value, format, reflection) : content;
}

function contentOfWorkspace(place: Model, opened: Model): Result<Model, string> {
  const roots = place.roots.find(({ className }) => className === 'Workspace')?.children ?? [];
  const left = [
    ...place.roots.filter(({ className, children }) => className !== 'Workspace' && children.length > 0),
    // A model file contains the Terrain that it had when it was opened, but no other.
    ...roots.filter(({ className }) => className === 'Terrain' && !hasTerrain(opened)),
  ];
  if (left.length === 0) return ok({ ...place, roots });
  const names = left.map(({ name }) => name).join(', ');
  return err(`a model file only contains Workspace, and the place has more (${names}); save it as .rbxl or .rbxlx`);
}

const hasTerrain = ({ roots }: Model): boolean => roots.some(({ className }) => className === 'Terrain');
