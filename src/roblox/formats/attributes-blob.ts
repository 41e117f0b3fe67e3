import { err, ok, type Result } from '../../base/result.ts';
import { fontWeightNames } from '../instances/value-names.ts';
import type { CFrame, Font, Variant, VariantPayloads, VariantType, Vec2, Vec3 } from '../instances/variant.ts';
import { ByteReader, decodeUtf8, FormatError } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { idOfRotation, rotationOfId } from './rotation-id.ts';

/** Reads the bytes of `AttributesSerialize`: `reference/project-format.md`, appendix A.3. No bytes are no attributes. */
export function readAttributesBlob(bytes: Uint8Array): Result<ReadonlyMap<string, Variant>, string> {
  const attributes = new Map<string, Variant>();
  if (bytes.length === 0) return ok(attributes);
  const reader = new ByteReader(bytes);
  try {
    for (let left = reader.count(5); left > 0; left--) {
      const name = reader.text();
      const start = reader.at;
      const id = reader.u8();
      const read = readers[id];
      if (read === undefined) throw new FormatError(`an attribute of the unknown type 0x${id.toString(16)}`, start);
      attributes.set(name, read(reader));
    }
  } catch (error) {
    if (error instanceof FormatError) return err(error.message);
    throw error;
  }
  return reader.left === 0 ? ok(attributes) : err(`${reader.left} bytes after the last attribute`);
}

/** Sorted by name. @returns `undefined` when an attribute has a type that the blob cannot hold */
export function writeAttributesBlob(attributes: ReadonlyMap<string, Variant>): Uint8Array | undefined {
  const writer = new ByteWriter();
  if (attributes.size > 0) writer.u32(attributes.size);
  for (const [name, value] of Array.from(attributes).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    writer.text(name);
    if (!writeAttribute<VariantType>(writer, value.type, value.value)) return undefined;
  }
  return writer.finish();
}

const vec2 = (r: ByteReader): Vec2 => [r.f32(), r.f32()];
const vec3 = (r: ByteReader): Vec3 => [r.f32(), r.f32(), r.f32()];
const udim = (r: ByteReader) => [r.f32(), r.i32()] as const;

function times<T>(reader: ByteReader, size: number, read: () => T): T[] {
  return Array.from({ length: reader.count(size) }, read);
}

const readers: Readonly<Record<number, (reader: ByteReader) => Variant>> = {
  0x02: r => {
    const bytes = r.sized();
    const text = decodeUtf8(bytes);
    return text === undefined ? { type: 'BinaryString', value: bytes.slice() } : { type: 'String', value: text };
  },
  0x03: r => ({ type: 'Bool', value: r.u8() !== 0 }),
  0x04: r => ({ type: 'Int32', value: r.i32() }),
  0x05: r => ({ type: 'Float32', value: r.f32() }),
  0x06: r => ({ type: 'Float64', value: r.f64() }),
  0x09: r => ({ type: 'UDim', value: udim(r) }),
  0x0a: r => ({ type: 'UDim2', value: [udim(r), udim(r)] }),
  0x0e: r => ({ type: 'BrickColor', value: r.u32() }),
  0x0f: r => ({ type: 'Color3', value: vec3(r) }),
  0x10: r => ({ type: 'Vector2', value: vec2(r) }),
  0x11: r => ({ type: 'Vector3', value: vec3(r) }),
  0x14: r => ({ type: 'CFrame', value: readCFrame(r) }),
  0x15: r => ({ type: 'EnumItem', value: { type: r.text(), value: r.u32() } }),
  0x17: r => ({
    type: 'NumberSequence',
    value: times(r, 12, () => {
      const envelope = r.f32();
      return { time: r.f32(), value: r.f32(), envelope };
    }),
  }),
  0x19: r => ({
    type: 'ColorSequence',
    value: times(r, 20, () => {
      r.f32();
      return { time: r.f32(), color: vec3(r) };
    }),
  }),
  0x1b: r => ({ type: 'NumberRange', value: vec2(r) }),
  0x1c: r => ({ type: 'Rect', value: [vec2(r), vec2(r)] }),
  0x21: r => ({ type: 'Font', value: readFont(r) }),
};

/** Position, then the number of a rotation or 0 and the matrix. */
function readCFrame(r: ByteReader): CFrame {
  const position = vec3(r);
  const start = r.at;
  const id = r.u8();
  const orientation = id === 0 ? ([vec3(r), vec3(r), vec3(r)] as const) : rotationOfId(id);
  if (orientation === undefined) throw new FormatError(`the unknown rotation 0x${id.toString(16)}`, start);
  return { position, orientation };
}

function readFont(r: ByteReader): Font {
  const weight = fontWeightNames[r.u16() / 100 - 1] ?? 'Regular';
  const style = r.u8() === 1 ? 'Italic' : 'Normal';
  const family = r.text();
  const cachedFaceId = r.text();
  return cachedFaceId === '' ? { family, weight, style } : { family, weight, style, cachedFaceId };
}

function writeAttribute<T extends VariantType>(w: ByteWriter, type: T, value: VariantPayloads[T]): boolean {
  const write = writers[type];
  write?.(w, value);
  return write !== undefined;
}

const floats = (w: ByteWriter, id: number, values: readonly number[]): void => {
  w.u8(id);
  for (const value of values) w.f32(value);
};

const writers: { readonly [T in VariantType]?: (w: ByteWriter, value: VariantPayloads[T]) => void } = {
  String: (w, value) => {
    w.u8(0x02);
    w.text(value);
  },
  BinaryString: (w, value) => {
    w.u8(0x02);
    w.sized(value);
  },
  Bool: (w, value) => {
    w.u8(0x03);
    w.u8(value ? 1 : 0);
  },
  Int32: (w, value) => {
    w.u8(0x04);
    w.i32(value);
  },
  Float32: (w, value) => floats(w, 0x05, [value]),
  Float64: (w, value) => {
    w.u8(0x06);
    w.f64(value);
  },
  UDim: (w, value) => {
    w.u8(0x09);
    writeUDim(w, value);
  },
  UDim2: (w, value) => {
    w.u8(0x0a);
    for (const axis of value) writeUDim(w, axis);
  },
  BrickColor: (w, value) => {
    w.u8(0x0e);
    w.u32(value);
  },
  Color3: (w, value) => floats(w, 0x0f, value),
  Vector2: (w, value) => floats(w, 0x10, value),
  Vector3: (w, value) => floats(w, 0x11, value),
  CFrame: (w, value) => {
    floats(w, 0x14, value.position);
    writeRotation(w, value);
  },
  EnumItem: (w, value) => {
    w.u8(0x15);
    w.text(value.type);
    w.u32(value.value);
  },
  NumberSequence: (w, keypoints) => {
    w.u8(0x17);
    w.u32(keypoints.length);
    for (const { time, value, envelope } of keypoints) for (const float of [envelope, time, value]) w.f32(float);
  },
  ColorSequence: (w, keypoints) => {
    w.u8(0x19);
    w.u32(keypoints.length);
    for (const { time, color } of keypoints) for (const float of [0, time, ...color]) w.f32(float);
  },
  NumberRange: (w, value) => floats(w, 0x1b, value),
  Rect: (w, value) => floats(w, 0x1c, value.flat()),
  Font: (w, value) => {
    w.u8(0x21);
    writeFont(w, value);
  },
};

function writeUDim(w: ByteWriter, [scale, offset]: readonly [number, number]): void {
  w.f32(scale);
  w.i32(offset);
}

function writeRotation(w: ByteWriter, { orientation }: CFrame): void {
  const id = idOfRotation(orientation);
  w.u8(id);
  if (id === 0) for (const value of orientation.flat()) w.f32(value);
}

function writeFont(w: ByteWriter, font: Font): void {
  w.u16((fontWeightNames.indexOf(font.weight) + 1) * 100);
  w.u8(font.style === 'Italic' ? 1 : 0);
  w.text(font.family);
  w.text(font.cachedFaceId ?? '');
}
