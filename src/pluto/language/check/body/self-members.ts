import type { FieldSignature } from '../types/type.ts';
import type { Body } from './body.ts';
import { appField } from './members.ts';

/** The field of that name of `self`, as the declaration of its owner has it. */
export function memberOfSelf({ context }: Body, name: string): FieldSignature | undefined {
  const { self, signatures } = context;
  if (self?.kind === 'class') return signatures.class(self.symbol).fields.get(name);
  return self?.kind === 'app' ? appField(signatures, self.symbol, name) : undefined;
}
