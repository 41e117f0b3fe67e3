import { err, ok, type Result } from '../../../base/result.ts';
import { type TimeSlice, runInSlices } from '../../../base/time-slice.ts';
import type { Inflate } from '../../../ports/inflate.ts';
import type { Model } from '../../instances/model.ts';
import type { Reflection } from '../../instances/reflection.ts';
import { decodeUtf8 } from '../../encoding/byte-reader.ts';
import { readBinaryModel, readBinaryModelInSlices } from '../rbxm/read.ts';
import { writeBinaryModel, writeBinaryModelParts } from '../rbxm/write.ts';
import { readXmlModel, readXmlModelPausable } from '../rbxmx/read.ts';
import { writeXmlModel } from '../rbxmx/write.ts';

/** The four file formats of Studio: `rbxm` and `rbxmx` contain models, `rbxl` and `rbxlx` places; the `x` means XML. */
export type ModelFormat = 'rbxm' | 'rbxmx' | 'rbxl' | 'rbxlx';

/** The format by the extension of the file name, in any case. */
export const modelFormatOf = (fileName: string): ModelFormat | undefined => {
  const ending = /\.(rbxmx?|rbxlx?)$/i.exec(fileName)?.[1]?.toLowerCase();
  return formats.find(format => format === ending);
};
const formats: readonly ModelFormat[] = ['rbxm', 'rbxmx', 'rbxl', 'rbxlx'];

export const isPlaceFormat = (format: ModelFormat): boolean => format === 'rbxl' || format === 'rbxlx';

/** Binary files start with these bytes, XML files with `<roblox `. */
const BINARY_START = new TextEncoder().encode('<roblox!');
const isBinary = (bytes: Uint8Array): boolean => BINARY_START.every((byte, index) => bytes[index] === byte);
const NO_TEXT = 'it is neither a binary file nor text in UTF-8';

/** Reads a file of any of the formats. The first bytes determine whether it is XML, not the name. */
export function readModel(bytes: Uint8Array, reflection: Reflection, inflate: Inflate): Result<Model, string> {
  if (isBinary(bytes)) return readBinaryModel(bytes, reflection, inflate);
  const text = decodeUtf8(bytes);
  return text === undefined ? err(NO_TEXT) : readXmlModel(text, reflection);
}

/** Reads like `readModel`, and yields to other work. */
export async function readModelInSlices(
  bytes: Uint8Array,
  reflection: Reflection,
  inflate: Inflate,
  slice: TimeSlice,
): Promise<Result<Model, string>> {
  if (isBinary(bytes)) return readBinaryModelInSlices(bytes, reflection, inflate, slice);
  const text = decodeUtf8(bytes);
  return text === undefined ? err(NO_TEXT) : runInSlices(readXmlModelPausable(text, reflection), slice);
}

/** Writes like `writeModel`, to consecutive parts of the file. Large values are not copied, so the model must not change while the parts are used. */
export function writeModelParts(
  model: Model,
  format: ModelFormat,
  reflection: Reflection,
): Result<readonly Uint8Array[], string> {
  if (format === 'rbxm' || format === 'rbxl') return writeBinaryModelParts(model, reflection);
  const whole = writeModel(model, format, reflection);
  return whole.ok ? ok([whole.value]) : whole;
}

/** Writes a file of the format. The error names the content that the format does not support. */
export function writeModel(model: Model, format: ModelFormat, reflection: Reflection): Result<Uint8Array, string> {
  if (format === 'rbxm' || format === 'rbxl') return writeBinaryModel(model, reflection);
  const text = writeXmlModel(model, format === 'rbxlx' ? 'place' : 'model', reflection);
  return text.ok ? ok(new TextEncoder().encode(text.value)) : text;
}
