import * as z from 'zod';

/** The path at which another window of the same user asks, with the token of the bridge, whether the bridge's window still answers. */
export const WINDOW_PATH = '/window';

/**
 * `lost`: the window does not answer, and the bridge is stopping, so that another window can serve its project. `isWriting`: it first
 * completes a sync that has begun to change something.
 */
export const WindowState = z.object({ window: z.enum(['open', 'lost']), isWriting: z.literal(true).optional() });
export type WindowState = z.infer<typeof WindowState>;
