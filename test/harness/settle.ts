/** Lets everything happen that follows from what has happened already, in the event loop alone: no time passes. */
export async function settle(turns = 80): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise(resolve => setImmediate(resolve));
}
