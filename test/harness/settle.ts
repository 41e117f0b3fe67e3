/** Drains the event loop without advancing time. */
export async function settle(turns = 80): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise(resolve => setImmediate(resolve));
}
