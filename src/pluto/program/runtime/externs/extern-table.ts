import type { Value } from '../../backend/contract.ts';

/** Functions by their names. The checker has seen to it that calls fit the declaration, so each says its own parameters. */
// oxlint-disable-next-line typescript/no-explicit-any -- parameters of different functions have no common type
export type ExternTable = Readonly<Record<string, (...args: any[]) => Value>>;
