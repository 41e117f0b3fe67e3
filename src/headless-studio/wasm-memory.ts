const MEMORY_SECTION = 5;
const HEADER_BYTES = 8;
const MAX_PAGES = 65_536;

/**
 * Raises the initial size of the only memory of a WebAssembly module to `pages` (64 KiB each), and its maximum to that of the format. Keeps
 * all other bytes.
 *
 * @throws Error when the bytes have no memory section
 */
export function withInitialMemory(wasm: Uint8Array, pages: number): Uint8Array<ArrayBuffer> {
  let at = HEADER_BYTES;
  while (at < wasm.length) {
    const section = wasm[at];
    const length = readVarUint(wasm, at + 1);
    const end = length.next + length.value;
    if (section === MEMORY_SECTION) {
      const limits = [1, 1, ...varUint(pages), ...varUint(MAX_PAGES)];
      return concat([
        wasm.subarray(0, at),
        Uint8Array.from([MEMORY_SECTION, ...varUint(limits.length), ...limits]),
        wasm.subarray(end),
      ]);
    }
    at = end;
  }
  throw new Error('the Luau WebAssembly module does not declare a memory');
}

function readVarUint(bytes: Uint8Array, start: number): { value: number; next: number } {
  let value = 0;
  for (let at = start, shift = 0; ; at++, shift += 7) {
    const byte = bytes[at];
    if (byte === undefined) throw new Error('the WebAssembly module ends inside a number');
    value |= (byte & 0x7f) << shift;
    if ((byte & 0x80) === 0) return { value: value >>> 0, next: at + 1 };
  }
}

function varUint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  bytes.push(rest);
  return bytes;
}

function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
