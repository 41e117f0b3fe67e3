import type { ServerResponse } from 'node:http';
import { type TimeSlice, runInSlices } from '../../base/time-slice.ts';
import { encodeMsgpackPausable } from '../../protocol/msgpack/encode.ts';
import type { ErrorResponse } from '../../protocol/studio/messages.ts';

export const MSGPACK = 'application/msgpack';

/**
 * Answers with `body` as msgpack; every `/api` answer has this form, errors included. `null` is nil. A whole project is encoded with pauses,
 * in which nothing of the body may change.
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

/** A request that is refused: thrown by whoever answers, sent by `routes.ts`. */
export class RefusedRequest extends Error {
  readonly status: number;
  readonly kind: ErrorResponse['kind'];

  constructor(status: number, kind: ErrorResponse['kind'], details: string) {
    super(details);
    this.status = status;
    this.kind = kind;
  }
}
