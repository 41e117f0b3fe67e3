/** A value of type `byte`: one object for each of the 256, so that they are equal when they are the same. */
export class Byte {
  readonly value: number;

  /** @param value 0 to 255; bytes are taken from `byteOf` */
  constructor(value: number) {
    this.value = value;
  }

  /** Bytes are compared by their numbers. */
  valueOf(): number {
    return this.value;
  }
}

const bytes: readonly Byte[] = Array.from({ length: 256 }, (_, value) => new Byte(value));

/** The byte of the low 8 bits. */
export function byteOf(value: number): Byte {
  const found = bytes[value & 0xff];
  if (found === undefined) throw new RangeError(`${value} is no integer`);
  return found;
}
