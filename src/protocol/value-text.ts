import type { ReviewStrings } from './review-strings.ts';
import type { PropertyChange } from './sync-result.ts';

type WireValue = NonNullable<PropertyChange['current']>;

/** The display form of an encoded property value. `color`: red, green, blue from 0 to 255, for a swatch. */
export interface ValueText {
  readonly type: string;
  readonly text: string;
  readonly color?: readonly [number, number, number];
  /** The id of the referenced instance. */
  readonly reference?: string;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isNumbers = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every(item => typeof item === 'number');

/** At most six significant digits, which hides the rounding noise of 32-bit floats. */
const number = (value: number): string => String(Number.isInteger(value) ? value : Number(value.toPrecision(6)));
const numbers = (values: readonly number[]): string => values.map(number).join(', ');

function plain(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return number(value);
  if (Array.isArray(value)) return `[${value.map(plain).join(', ')}]`;
  if (isRecord(value))
    return `{ ${Object.entries(value)
      .map(([key, item]) => `${key}: ${plain(item)}`)
      .join(', ')} }`;
  return String(value);
}

function cframe(payload: unknown): string {
  if (!isRecord(payload) || !isNumbers(payload['position'])) return plain(payload);
  const rotation = payload['orientation'];
  const identity = plain(rotation) === '[[1, 0, 0], [0, 1, 0], [0, 0, 1]]';
  return identity
    ? `at ${numbers(payload['position'])}`
    : `at ${numbers(payload['position'])}, rotation ${degrees(rotation) ?? plain(rotation)}`;
}

/** Converts a rotation matrix (by rows) to degrees about x, y and z in the order y, x, z, as Studio shows it. */
function degrees(rotation: unknown): string | undefined {
  if (!Array.isArray(rotation) || !rotation.every(isNumbers)) return undefined;
  const [[, , r02 = 0] = [], [r10 = 0, r11 = 0, r12 = 0] = [], [, , r22 = 0] = []] = rotation;
  // Gimbal lock: y and z are not unique, so the matrix is shown instead.
  if (Math.abs(r12) > 0.99999) return undefined;
  const angles = [Math.asin(-r12), Math.atan2(r02, r22), Math.atan2(r10, r11)];
  return angles.map(angle => `${number(Math.round((angle * 180_000) / Math.PI) / 1000 + 0)}°`).join(', ');
}

function keypoints(payload: unknown): string {
  const list = isRecord(payload) ? payload['keypoints'] : undefined;
  if (!Array.isArray(list)) return plain(payload);
  return list
    .map(point => {
      if (!isRecord(point)) return plain(point);
      const value = isNumbers(point['color']) ? `(${numbers(point['color'])})` : plain(point['value']);
      return `${plain(point['time'])} → ${value}`;
    })
    .join(', ');
}

function color(payload: readonly number[], scale: number): Omit<ValueText, 'type'> {
  const [red = 0, green = 0, blue = 0] = payload.map(part => Math.round(Math.min(255, Math.max(0, part * scale))));
  return { text: `${red}, ${green}, ${blue}`, color: [red, green, blue] };
}

function payloadText(type: string, payload: unknown): Omit<ValueText, 'type'> {
  switch (type) {
    case 'Color3':
      return isNumbers(payload) ? color(payload, 255) : { text: plain(payload) };
    case 'Color3uint8':
      return isNumbers(payload) ? color(payload, 1) : { text: plain(payload) };
    case 'CFrame':
    case 'OptionalCFrame':
      return { text: payload === null ? 'none' : cframe(payload) };
    case 'ColorSequence':
    case 'NumberSequence':
      return { text: keypoints(payload) };
    case 'NumberRange':
      return { text: isNumbers(payload) ? payload.map(number).join(' to ') : plain(payload) };
    case 'UDim2':
      return { text: Array.isArray(payload) ? payload.map(pair => `{${plain(pair).slice(1, -1)}}`).join(', ') : '' };
    case 'Ref':
      return typeof payload === 'string' && !/^0*$/.test(payload)
        ? { text: payload, reference: payload }
        : { text: 'none' };
    case 'Tags':
    case 'Axes':
    case 'Faces':
      return {
        text: Array.isArray(payload) ? payload.map(item => String(item)).join(', ') || 'none' : plain(payload),
      };
    case 'Attributes':
      if (!isRecord(payload) || Object.keys(payload).length === 0) return { text: 'none' };
      return {
        text: Object.entries(payload)
          .map(([name, value]) => `${name}: ${isRecord(value) ? valueText(value).text : plain(value)}`)
          .join(', '),
      };
    case 'Font':
      if (!isRecord(payload)) return { text: plain(payload) };
      return {
        text: [payload['family'], payload['weight'], payload['style']]
          .filter(part => typeof part === 'string')
          .join(', '),
      };
    default:
      // Luau encodes an empty table as a list.
      if (Array.isArray(payload) && payload.length === 0) return { text: 'none' };
      if (isNumbers(payload)) return { text: numbers(payload) };
      if (isRecord(payload) && Object.keys(payload).length === 0) return { text: 'none' };
      return { text: plain(payload) };
  }
}

/** Formats `{"Vector3": [0, 5, 0]}` as `0, 5, 0` of type `Vector3`. Unknown forms are shown as JSON, never hidden. */
export function valueText(value: WireValue): ValueText {
  if (!isRecord(value)) return { type: typeof value, text: plain(value) };
  const [entry, ...more] = Object.entries(value);
  if (entry === undefined) return { type: 'none', text: 'none' };
  if (more.length > 0) return { type: 'value', text: plain(value) };
  return { type: entry[0], ...payloadText(entry[0], entry[1]) };
}

/**
 * The properties of one side as text for a diff, one per line by name: `Transparency = 0.5`. A side without a value has no line. Values that
 * differ by less than is shown are written exactly.
 */
export function propertyLines(
  properties: Readonly<Record<string, PropertyChange>>,
  side: 'current' | 'incoming',
): string {
  const lines = Object.entries(properties).map(([key, change]) => {
    const value = change[side];
    if (value === undefined) return '';
    // Answers show a different name as `changedName`.
    const name = key === 'changedName' ? 'Name' : key;
    const named = side === 'current' ? change.currentName : change.incomingName;
    return `${name} = ${named ?? (isRounded(change) ? JSON.stringify(value) : valueText(value).text)}\n`;
  });
  return lines.toSorted().join('');
}

/** Whether both values look the same although they differ. */
const isRounded = ({ current, incoming }: PropertyChange): boolean =>
  current !== undefined &&
  incoming !== undefined &&
  valueText(current).text === valueText(incoming).text &&
  JSON.stringify(current) !== JSON.stringify(incoming);

/** Characters of a value in a line of text. */
const MAX_VALUE_LENGTH = 60;
/** Properties in a line of text. */
const MAX_LISTED = 5;

/** Both values of a property in one line: `Name. In Studio: "B". On disk: "A"`. Long values are cut. */
export function describeProperty(
  name: string,
  { current, incoming }: PropertyChange,
  { inStudio, onDisk, noValue }: Pick<ReviewStrings['details'], 'inStudio' | 'onDisk' | 'noValue'>,
): string {
  const text = (value: PropertyChange['current']): string => {
    const whole = value === undefined ? noValue : valueText(value).text;
    return whole.length <= MAX_VALUE_LENGTH ? whole : `${whole.slice(0, MAX_VALUE_LENGTH - 1)}…`;
  };
  return `${name}. ${inStudio}: ${text(current)}. ${onDisk}: ${text(incoming)}`;
}

/** The first properties with both values, and the number of the others. */
export function describeProperties(
  properties: Readonly<Record<string, PropertyChange>>,
  details: Parameters<typeof describeProperty>[2],
): readonly string[] {
  const all = Object.entries(properties);
  const listed = all.slice(0, MAX_LISTED).map(([name, change]) => describeProperty(name, change, details));
  return all.length > MAX_LISTED ? [...listed, `and ${all.length - MAX_LISTED} more`] : listed;
}
