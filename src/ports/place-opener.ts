/** Whether the system accepted a request. It does not report whether Studio opened anything. */
export type OpenRequest = 'asked' | 'noStudio' | 'failed';

/** Asks the system to open places in the Roblox Studio of this machine. */
export interface PlaceOpener {
  /** @param file absolute path of a place or model file */
  openFile(file: string): Promise<OpenRequest>;
  /** Opens the published place, as its page on the Roblox website does. */
  openPublished(ids: { readonly placeId: number; readonly universeId: number }): Promise<OpenRequest>;
}
