/** Where the bridge puts Studio's plugin: files outside every project, and what was put there. Paths are absolute. */
export interface PluginFiles {
  isFolder(path: string): Promise<boolean>;
  /** `undefined` when there is no such file. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Whole or not at all; makes missing folders. @throws AppError FS_WRITE_FAILED */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** @throws AppError FS_WRITE_FAILED */
  remove(path: string): Promise<void>;
  /** The text kept by `keepReceipt`; `undefined` when there is none. */
  receipt(): Promise<string | undefined>;
  keepReceipt(text: string): Promise<void>;
}
