import type { ProjectPath } from '../../base/brand.ts';
import type { TextFormat } from '../snapshot/file-traits.ts';
import { missingMeta } from '../snapshot/meta.ts';
import type { PropertiesLocation } from '../snapshot/source-snapshot.ts';
import type { FileKind, SourceFile } from './file-kind.ts';

/**
 * The location of an instance whose file has one property as its text, and no meta file yet. Creates its parts on demand: of the thousands
 * of scripts in a project, few are written, and minor garbage collections copy the locations of all while the project is loaded.
 */
export class ContentFileLocation {
  readonly kind = 'file';
  readonly fileKind: FileKind;
  readonly entry: ProjectPath;
  readonly #metaFile: ProjectPath;
  readonly #format: TextFormat;

  constructor({ path, kind }: SourceFile, metaFile: ProjectPath, format: TextFormat) {
    this.fileKind = kind;
    this.entry = path;
    this.#metaFile = metaFile;
    this.#format = format;
  }

  get values(): readonly PropertiesLocation[] {
    return [missingMeta(this.#metaFile)];
  }

  get text(): { readonly path: ProjectPath; readonly format: TextFormat } {
    return { path: this.entry, format: this.#format };
  }
}
