import type { FieldSignature } from '../types/type.ts';
import type { Body } from './body.ts';
import { appField } from './members.ts';

/** Looks up a field of `self`. */
export function memberOfSelf({ context }: Body, name: string): FieldSignature | undefined {
  const { self, signatures } = context;
  if (self?.kind === 'class') return signatures.class(self.symbol).fields.get(name);
  return self?.kind === 'app' ? appField(signatures, self.symbol, name) : undefined;
}
