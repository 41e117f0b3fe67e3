import type { Result } from '../../base/result.ts';
import type { TimeSlice } from '../../base/time-slice.ts';
import type { Model } from '../../roblox/instances/model.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';

/** What writing back must know about the kind of a file. */
export interface FileTraits {
  /** Unique among the kinds. */
  readonly name: string;
  /**
   * What the file holds: the Source of a script; data from which a Source is generated, so edits of that Source cannot be written back;
   * another property as text; whole instances; or a project.
   */
  readonly content: 'script' | 'data' | 'text' | 'instances' | 'project';
  /** Writes a whole model, for files that hold a model of Roblox. */
  readonly writeModel?: (model: Model, reflection: Reflection, slice: TimeSlice) => Promise<Result<Uint8Array, string>>;
}

/** How one property becomes the text of a file. */
export interface TextFormat {
  readonly property: string;
  /**
   * The text of the file for a new value. Byte-order mark, line ends and layout follow `before`, the present text. The error completes
   * "expected …".
   */
  readonly write: (value: string, before: string) => Result<string, string>;
}
