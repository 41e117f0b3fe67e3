import { withUnixLineEnds } from '../../base/line-ends.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { WireVariant } from '../../protocol/values.ts';
import type { Variant } from '../values/variant.ts';
import { variantToWire } from '../values/variant-wire.ts';

/** The git blob hash of a Source with LF line ends, because line ends are not a difference between disk and Studio. */
export const sourceHash = (source: string, hasher: Hasher): string => hasher.gitBlob(withUnixLineEnds(source));

/** The encoded value of a property for plugins: a Source with LF line ends, which matches its hash. */
export const sentValue = (name: string, value: Variant): WireVariant =>
  name === 'Source' && value.type === 'String' ? { String: withUnixLineEnds(value.value) } : variantToWire(value);
