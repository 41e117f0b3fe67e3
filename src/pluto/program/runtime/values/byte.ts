/** A value of type `byte`. There are 256 interned objects, so equality is identity. */
export class Byte {
  readonly value: number;

  /** @param value 0 to 255. Use `byteOf` instead of creating bytes. */
  constructor(value: number) {
    this.value = value;
  }

  /** Bytes are compared by their numbers. */
  valueOf(): number {
    return this.value;
  }
}

const bytes: readonly Byte[] = Array.from({ length: 256 }, (_, value) => new Byte(value));

/** The interned byte for the low 8 bits. */
export function byteOf(value: number): Byte {
  const found = bytes[value & 0xff];
  if (found === undefined) throw new RangeError(`${value} is not an integer`);
  return found;
}
