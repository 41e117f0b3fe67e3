/** The files of the Studio plugin, which are outside every project, and the receipt of what was installed. Paths are absolute. */
export interface PluginFiles {
  isFolder(path: string): Promise<boolean>;
  /** `undefined` when there is no such file. */
  read(path: string): Promise<Uint8Array | undefined>;
  /**
   * Writes atomically and creates missing folders, if the file still has the bytes `expected`; `undefined`: if there is still no file.
   *
   * @returns whether it was written
   * @throws AppError FS_WRITE_FAILED
   */
  replace(path: string, bytes: Uint8Array, expected: Uint8Array | undefined): Promise<boolean>;
  /**
   * Writes atomically a file that only the user can read, from its first byte on.
   *
   * @param mayReplace decides about the existing bytes, immediately before they are replaced; `undefined`: there is no file
   * @returns whether it was written
   * @throws AppError FS_WRITE_FAILED
   */
  writeSecret(
    path: string,
    bytes: Uint8Array,
    mayReplace: (there: Uint8Array | undefined) => boolean,
  ): Promise<boolean>;
  /**
   * Removes the file if it still has the bytes `expected`.
   *
   * @returns whether it was removed
   * @throws AppError FS_WRITE_FAILED
   */
  remove(path: string, expected: Uint8Array): Promise<boolean>;
  /** The value saved by `saveReceipt`, to be validated; `undefined` if there is none, or a damaged one. */
  receipt(): Promise<unknown>;
  /** @param value must be JSON. @throws AppError FS_WRITE_FAILED */
  saveReceipt(value: unknown): Promise<void>;
}
