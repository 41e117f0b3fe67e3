import type { Result } from '../../base/result.ts';
import type { TimeSlice } from '../../base/time-slice.ts';
import type { Model } from '../../roblox/instances/model.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';

/** The traits of a file kind that writing back depends on. */
export interface FileTraits {
  /** Unique among the kinds. */
  readonly name: string;
  /**
   * The content of the file: the Source of a script; data from which a Source is generated, so edits of that Source cannot be written back;
   * another property as text; whole instances; or a project.
   */
  readonly content: 'script' | 'data' | 'text' | 'instances' | 'project';
  /** Writes a whole model, for Roblox model files. */
  readonly writeModel?: (model: Model, reflection: Reflection, slice: TimeSlice) => Promise<Result<Uint8Array, string>>;
}

/** Stores one property as the text of a file. */
export interface TextFormat {
  readonly property: string;
  /**
   * The text of the file for a new value. Keeps byte-order mark, line ends and layout of `before`, the current text. The error completes
   * "expected …".
   */
  readonly write: (value: string, before: string) => Result<string, string>;
}
