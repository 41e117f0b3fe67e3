import { AppError } from '../base/errors.ts';
import { buildModel } from '../project/build/build-model.ts';
import { isPlaceFormat, type ModelFormat, writeModelParts } from '../roblox/formats/model/model-file.ts';
import type { CommandProject } from './open-project.ts';

interface BuiltFile {
  /** The parts that make up the file. */
  readonly parts: readonly Uint8Array[];
  readonly instances: number;
  /** One sentence for each reference that was skipped because it has no target. */
  readonly warnings: readonly string[];
}

/**
 * Builds a project in memory.
 *
 * @param file the output file, which the error about an impossible value names
 * @throws AppError PROJECT_INVALID, MODEL_UNWRITABLE
 */
export function buildFile({ session, reflection }: CommandProject, format: ModelFormat, file: string): BuiltFile {
  const built = buildModel(session, isPlaceFormat(format) ? 'place' : 'model', reflection);
  if (built === undefined) {
    const className = session.get(session.rootId)?.className ?? 'nothing';
    const expected = `"$className": "DataModel" at the root of a place; build a ${className} as a model (.rbxm, .rbxmx)`;
    throw new AppError('PROJECT_INVALID', { file: session.info.projectFile, line: 1, column: 1, expected });
  }
  const parts = writeModelParts(built.model, format, reflection);
  if (!parts.ok) throw new AppError('MODEL_UNWRITABLE', { file, reason: parts.error });
  return { parts: parts.value, instances: built.instances, warnings: built.warnings };
}
