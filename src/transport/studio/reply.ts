import type { ServerResponse } from 'node:http';
import { type TimeSlice, runInSlices } from '../../base/time-slice.ts';
import { encodeMsgpackPausable } from '../../protocol/msgpack/encode.ts';
import type { ErrorResponse } from '../../protocol/studio/messages.ts';

export const MSGPACK = 'application/msgpack';

/**
 * Sends `body` as msgpack, the format of all `/api` answers including errors. `null` is nil. Encodes with pauses, during which the body must
 * not change.
 */
export async function sendMsgpack(
  response: ServerResponse,
  status: number,
  body: object | null,
  slice: TimeSlice,
): Promise<void> {
  const pieces = await runInSlices(encodeMsgpackPausable(body), slice);
  const length = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  response.writeHead(status, { 'Content-Type': MSGPACK, 'Content-Length': length });
  for (const piece of pieces) response.write(piece);
  response.end();
}

export const errorBody = (kind: ErrorResponse['kind'], details: string): ErrorResponse => ({ kind, details });

/** Thrown to reject a request; `routes.ts` sends it as the response. */
export class RefusedRequest extends Error {
  readonly status: number;
  readonly kind: ErrorResponse['kind'];

  constructor(status: number, kind: ErrorResponse['kind'], details: string) {
    super(details);
    this.status = status;
    this.kind = kind;
  }
}
