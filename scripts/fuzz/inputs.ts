import { type Dice, mutateBytes, mutateText, mutateValue } from './mutate.ts';

/** A decoder or parser. */
export interface Target {
  readonly name: string;
  readonly seeds: readonly [Uint8Array, ...Uint8Array[]];
  /** Makes an input of two seeds. */
  readonly mutate: (dice: Dice, seed: Uint8Array, other: Uint8Array) => Uint8Array;
  /** Decodes the input. @throws for a defect only: invalid input is a result, or an error that the decoder declares */
  readonly run: (input: Uint8Array) => void | Promise<void>;
}

export const utf8 = new TextEncoder();
export const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

export const bytesOrStructure =
  (structure: Target['mutate']): Target['mutate'] =>
  (dice, seed, other) =>
    dice.below(3) === 0 ? mutateBytes(dice, seed, other) : structure(dice, seed, other);

export const ofText = bytesOrStructure((dice, seed, other) => utf8.encode(mutateText(dice, text(seed), text(other))));
export const ofJson = bytesOrStructure((dice, seed) =>
  utf8.encode(JSON.stringify(mutateValue(dice, JSON.parse(text(seed)))) ?? ''),
);
/** Runs a decoder whose declared errors are not defects. */
export function expecting(errors: readonly (abstract new (...args: never[]) => Error)[], act: () => unknown): void {
  try {
    act();
  } catch (error) {
    if (!errors.some(expected => error instanceof expected)) throw error;
  }
}

export const seeds = (first: string, ...others: readonly string[]): [Uint8Array, ...Uint8Array[]] => [
  utf8.encode(first),
  ...others.map(one => utf8.encode(one)),
];
