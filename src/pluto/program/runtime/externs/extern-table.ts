import type { Value } from '../../backend/contract.ts';

/** Externs by name. The checker guarantees that calls match the declaration, so each extern has typed parameters. */
// oxlint-disable-next-line typescript/no-explicit-any -- parameters of different functions have no common type
export type ExternTable = Readonly<Record<string, (...args: any[]) => Value>>;
