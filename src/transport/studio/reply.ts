import type { ServerResponse } from 'node:http';
import { encodeMsgpack } from '../../protocol/msgpack/encode.ts';
import type { ErrorResponse } from '../../protocol/studio/messages.ts';

export const MSGPACK = 'application/msgpack';

/** Answers with `body` as msgpack; every `/api` answer has this form, errors included. `null` is nil. */
export function sendMsgpack(response: ServerResponse, status: number, body: object | null): void {
  const bytes = encodeMsgpack(body);
  response.writeHead(status, { 'Content-Type': MSGPACK, 'Content-Length': bytes.byteLength }).end(bytes);
}

export const errorBody = (kind: ErrorResponse['kind'], details: string): ErrorResponse => ({ kind, details });

/** A request that is refused: thrown by whoever answers, sent by `routes.ts`. */
export class Refused extends Error {
  readonly status: number;
  readonly kind: ErrorResponse['kind'];

  constructor(status: number, kind: ErrorResponse['kind'], details: string) {
    super(details);
    this.status = status;
    this.kind = kind;
  }
}
