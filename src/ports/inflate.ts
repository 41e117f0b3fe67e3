/** Decompression that needs more than a few lines. */
export interface Inflate {
  /**
   * Zstandard frames to bytes.
   * @param size how many bytes come out; never allocates much more
   * @throws Error when the input is damaged, or when this runtime has no Zstandard
   */
  zstd(compressed: Uint8Array, size: number): Uint8Array;
  /** The same, while others have their turn. */
  zstdAside(compressed: Uint8Array, size: number): Promise<Uint8Array>;
}
