/** Decompression that requires a native library. */
export interface Inflate {
  /**
   * Decompresses Zstandard frames.
   * @param size the number of decompressed bytes; never allocates much more
   * @throws Error if the input is damaged or this runtime has no Zstandard
   */
  zstd(compressed: Uint8Array, size: number): Uint8Array;
  /** Decompresses like `zstd` without blocking the event loop. */
  zstdAsync(compressed: Uint8Array, size: number): Promise<Uint8Array>;
}
